-- +goose Up
-- When a letter was first due: each try that fails moves "due". Of letters from before that is not known.
ALTER TABLE outbox ADD COLUMN since bigint;

-- +goose Down
ALTER TABLE outbox DROP COLUMN since;
