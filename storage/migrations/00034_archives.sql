-- +goose Up
-- What is left of a match that is over: history, last position, what was kept, and what letters
-- asked, packed and sealed; when that was done, and whether the letters that came in are gone.
-- What comes later stands in rows again, and archived is 0 until it is packed too.
CREATE TABLE archives (
	match   TEXT PRIMARY KEY REFERENCES matches (id),
	at      INTEGER NOT NULL,
	cleared INTEGER NOT NULL DEFAULT 0,
	record  BLOB NOT NULL
) STRICT;
CREATE INDEX archives_uncleared ON archives (at) WHERE cleared = 0;
ALTER TABLE matches ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
CREATE INDEX matches_unarchived ON matches (id) WHERE state = 'over' AND archived = 0;

-- +goose Down
DROP INDEX matches_unarchived;
ALTER TABLE matches DROP COLUMN archived;
DROP TABLE archives;
