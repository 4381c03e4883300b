-- +goose Up
-- What the order of the outbox is made of, so that letters are not read for it: there
-- the columns stand behind the text.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (due, at, urgent, match, seat, watched, recipient) WHERE state = 'waiting';
DROP INDEX outbox_seat;
CREATE INDEX outbox_seat ON outbox (match, seat, due, at, watched) WHERE state = 'waiting' AND match IS NOT NULL;

-- +goose Down
DROP INDEX outbox_seat;
CREATE INDEX outbox_seat ON outbox (match, seat) WHERE state = 'waiting' AND match IS NOT NULL;
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (due, id) WHERE state = 'waiting';
