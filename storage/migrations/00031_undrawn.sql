-- +goose Up
-- Letters whose pictures are not drawn yet are found, and passed over, without reading them.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (due, at, urgent, match, seat, watched, recipient, picture_at) WHERE state = 'waiting';
CREATE INDEX outbox_undrawn ON outbox (match, seat, urgent, due) WHERE state = 'waiting' AND picture_at > 0;

-- +goose Down
DROP INDEX outbox_undrawn;
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (due, at, urgent, match, seat, watched, recipient) WHERE state = 'waiting';
