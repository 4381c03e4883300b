-- +goose Up
-- Where the letters of the director about a match stand, as sealed JSON; NULL where he has
-- had none that he could answer but the first.
ALTER TABLE matches ADD COLUMN directing BLOB;

-- +goose Down
ALTER TABLE matches DROP COLUMN directing;
