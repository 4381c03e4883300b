-- +goose Up
-- How the words for the dice of a match come: sealed, or empty for open. The seal of a
-- player's words, a SHA-256.
ALTER TABLE matches ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN seal TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE seats DROP COLUMN seal;
ALTER TABLE matches DROP COLUMN words;
