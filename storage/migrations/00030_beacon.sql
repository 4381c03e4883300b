-- +goose Up
-- The public beacon that is mixed into the dice of a match, as JSON: the chain, for how long
-- the match waits, the round and when it is published, and its signature; NULL for none.
ALTER TABLE matches ADD COLUMN beacon TEXT;

-- +goose Down
ALTER TABLE matches DROP COLUMN beacon;
