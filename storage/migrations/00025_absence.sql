-- +goose Up
-- The vacations of a player, as JSON.
ALTER TABLE players ADD COLUMN away TEXT NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE players DROP COLUMN away;
