-- +goose Up
-- Tournaments of the club, and to which a match belongs. What is counted of such a match makes
-- its tournament due.
CREATE TABLE tournaments (
	name    TEXT PRIMARY KEY,
	title   TEXT NOT NULL,
	terms   TEXT NOT NULL,              -- JSON: of its matches
	starts  INTEGER NOT NULL,
	words   TEXT NOT NULL,              -- JSON: of its entrants, for the dice
	untold  TEXT NOT NULL,              -- JSON: who is still to be told of the stage
	stage   TEXT NOT NULL,
	due     INTEGER,                    -- NULL when it waits for something
	life    TEXT NOT NULL,              -- JSON: kind, entrants, rounds
	version INTEGER NOT NULL
) STRICT;
CREATE INDEX tournaments_due ON tournaments (due) WHERE due IS NOT NULL;

CREATE TABLE tournamentmatches (
	match      TEXT PRIMARY KEY REFERENCES matches (id),
	tournament TEXT NOT NULL REFERENCES tournaments (name)
) STRICT;

-- +goose Down
DROP TABLE tournamentmatches;
DROP TABLE tournaments;
