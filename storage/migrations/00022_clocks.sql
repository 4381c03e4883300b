-- +goose Up
-- How much time the seats of a match have, and what happens at zero; empty where no clock
-- runs, as in all matches from before.
ALTER TABLE matches ADD COLUMN tempo TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN zero TEXT NOT NULL DEFAULT '';
-- The clock of a seat, as JSON, and when something becomes of it at the earliest; NULL
-- where nothing does.
ALTER TABLE seats ADD COLUMN clock TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN deadline INTEGER;
CREATE INDEX seats_deadline ON seats (deadline) WHERE deadline IS NOT NULL;

-- Times in which nobody looked for letters, and when somebody did last.
CREATE TABLE deaf (
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL
) STRICT;
CREATE TABLE looked (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	at INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE looked;
DROP TABLE deaf;
DROP INDEX seats_deadline;
ALTER TABLE seats DROP COLUMN deadline;
ALTER TABLE seats DROP COLUMN clock;
ALTER TABLE matches DROP COLUMN zero;
ALTER TABLE matches DROP COLUMN tempo;
