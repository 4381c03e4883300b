-- +goose Up
-- The file that is to be attached to a letter when it is sent, packed and sealed; NULL for
-- none. Where in the text it goes; 0 for none.
ALTER TABLE outbox ADD COLUMN file BLOB;
ALTER TABLE outbox ADD COLUMN file_at INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE outbox DROP COLUMN file_at;
ALTER TABLE outbox DROP COLUMN file;
