-- +goose Up
-- Letters that the next one to the same seat may take the place of while they wait.
ALTER TABLE outbox ADD COLUMN spare INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE outbox DROP COLUMN spare;
