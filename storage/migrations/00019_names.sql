-- +goose Up
-- What the player of a seat is called; empty where nobody has said it.
ALTER TABLE seats ADD COLUMN called TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE seats DROP COLUMN called;
