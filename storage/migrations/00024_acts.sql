-- +goose Up
-- What acts that are no play have made of a match (JSON, sealed): how one has ended it, and
-- who has resigned.
ALTER TABLE matches ADD COLUMN acts BLOB;

-- +goose Down
ALTER TABLE matches DROP COLUMN acts;
