-- +goose Up
-- The club: its members, who are players, those who have asked to join, and what members can
-- read of what was done.
CREATE TABLE members (
	player   INTEGER PRIMARY KEY REFERENCES players (id),
	name     TEXT NOT NULL,
	skeleton TEXT UNIQUE,               -- what the name looks like; NULL of a pseudonym
	state    TEXT NOT NULL,
	since    INTEGER NOT NULL,
	settings TEXT NOT NULL,             -- JSON
	proposed TEXT,                      -- JSON, or NULL
	serial   INTEGER NOT NULL,
	letters  INTEGER NOT NULL,
	version  INTEGER NOT NULL
) STRICT;

CREATE TABLE applicants (
	address TEXT PRIMARY KEY,
	name    TEXT NOT NULL,
	asked   INTEGER NOT NULL
) STRICT;
CREATE INDEX applicants_asked ON applicants (asked);

CREATE TABLE clublog (
	id     INTEGER PRIMARY KEY,
	at     INTEGER NOT NULL,
	member INTEGER REFERENCES members (player),
	by     TEXT NOT NULL,
	act    TEXT NOT NULL,
	why    TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE clublog;
DROP TABLE applicants;
DROP TABLE members;
