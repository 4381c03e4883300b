-- +goose Up
-- Matches that members offer, and those who wait to be paired.
CREATE TABLE offers (
	id      INTEGER PRIMARY KEY,
	member  INTEGER NOT NULL REFERENCES members (player),
	state   TEXT NOT NULL,
	terms   TEXT NOT NULL,              -- JSON
	parties TEXT NOT NULL,              -- JSON: who has agreed, the first is who offers
	invited TEXT NOT NULL,              -- JSON: whom it challenges; an empty list for all
	secret  BLOB NOT NULL,              -- of the match, if it becomes one; empty when it is over
	match   TEXT NOT NULL,              -- what it has become
	created INTEGER NOT NULL,
	expires INTEGER NOT NULL,
	version INTEGER NOT NULL
) STRICT;
CREATE INDEX offers_open ON offers (expires) WHERE state = 'open';
CREATE INDEX offers_member ON offers (member, created);
CREATE INDEX offers_match ON offers (match) WHERE match <> '';

CREATE TABLE queue (
	member INTEGER NOT NULL REFERENCES members (player),
	game   TEXT NOT NULL,
	terms  TEXT NOT NULL,               -- JSON
	most   INTEGER NOT NULL,
	since  INTEGER NOT NULL,
	words  TEXT NOT NULL,
	PRIMARY KEY (member, game)
) STRICT;

-- +goose Down
DROP TABLE queue;
DROP TABLE offers;
