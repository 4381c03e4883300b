-- +goose Up
-- What a list of matches says of one, as sealed JSON; NULL before the deal, and where it was
-- not found out yet.
ALTER TABLE matches ADD COLUMN summary BLOB;
CREATE INDEX matches_listed ON matches (id, game, state, created, tempo, summary);
CREATE INDEX seats_listed ON seats (match, seat, name, player, joined, since);
CREATE INDEX matches_unsummed ON matches (id) WHERE summary IS NULL AND position IS NOT NULL;

-- +goose Down
DROP INDEX matches_unsummed;
DROP INDEX seats_listed;
DROP INDEX matches_listed;
ALTER TABLE matches DROP COLUMN summary;
