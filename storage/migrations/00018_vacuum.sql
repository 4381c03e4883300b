-- +goose NO TRANSACTION
-- +goose Up
-- What stood here in the open before it was sealed may still be in pages that are free.
VACUUM;
PRAGMA wal_checkpoint(TRUNCATE);

-- +goose Down
SELECT 1;
