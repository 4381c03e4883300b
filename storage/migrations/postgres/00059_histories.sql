-- +goose Up
-- Entries of matches that run are packed when 64 of them stand in rows.
CREATE INDEX entries_full ON entries (match) WHERE seq % 64 = 63;

-- +goose Down
DROP INDEX entries_full;
