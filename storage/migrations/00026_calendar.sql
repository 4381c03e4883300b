-- +goose Up
-- Whether a player wants an entry for his calendar with letters that ask.
ALTER TABLE players ADD COLUMN calendar INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE players DROP COLUMN calendar;
