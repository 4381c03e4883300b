-- +goose Up
-- The time zone in which a player wants his times; empty for UTC.
ALTER TABLE players ADD COLUMN zone TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE players DROP COLUMN zone;
