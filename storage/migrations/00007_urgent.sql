-- +goose Up
-- Letters that somebody has to answer before a match goes on are sent first.
ALTER TABLE outbox ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;
CREATE INDEX outbox_sent ON outbox (at) WHERE state = 'sent';

-- +goose Down
DROP INDEX outbox_sent;
ALTER TABLE outbox DROP COLUMN urgent;
