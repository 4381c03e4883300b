-- +goose Up
-- A letter whose place another took counts as sent when it went out all the same.
CREATE INDEX outbox_spare ON outbox (match, seat, number) WHERE state = 'dropped' AND spare = 1;

-- +goose Down
DELETE FROM sent WHERE EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'dropped' AND o.spare = 1 AND o.match = sent.match AND o.seat = sent.seat AND o.number = sent.number);
DROP INDEX outbox_spare;
