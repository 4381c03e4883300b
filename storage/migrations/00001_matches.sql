-- +goose Up
CREATE TABLE matches (
	id       TEXT PRIMARY KEY,
	game     TEXT NOT NULL,
	revision INTEGER NOT NULL,
	options  TEXT NOT NULL,             -- JSON object
	state    TEXT NOT NULL,             -- inviting, playing, over
	secret   BLOB NOT NULL,             -- wrapped with the key file
	recorded TEXT,                      -- JSON list of outcomes, or NULL for the stream
	used     INTEGER NOT NULL DEFAULT 0,
	epoch    INTEGER NOT NULL DEFAULT 0,
	position TEXT,                      -- JSON, NULL before the deal
	entries  INTEGER NOT NULL DEFAULT 0,
	ordered  INTEGER NOT NULL DEFAULT 0,
	head     TEXT NOT NULL,
	held     TEXT NOT NULL DEFAULT '[]',
	version  INTEGER NOT NULL,
	created  INTEGER NOT NULL           -- unix microseconds, as all times
) STRICT;

CREATE TABLE seats (
	match   TEXT NOT NULL REFERENCES matches (id),
	seat    INTEGER NOT NULL,
	name    TEXT NOT NULL,
	address TEXT NOT NULL,
	key     BLOB NOT NULL,
	joined  INTEGER NOT NULL,
	words   TEXT NOT NULL,
	letters INTEGER NOT NULL,
	PRIMARY KEY (match, seat)
) STRICT;
CREATE INDEX seats_address ON seats (address);

CREATE TABLE entries (
	match TEXT NOT NULL REFERENCES matches (id),
	seq   INTEGER NOT NULL,
	entry TEXT NOT NULL,                -- JSON, hidden fields included
	PRIMARY KEY (match, seq)
) STRICT;

CREATE TABLE received (
	match       TEXT NOT NULL,          -- empty for letters of no match
	seat        INTEGER NOT NULL,
	digest      TEXT NOT NULL,
	disposition TEXT NOT NULL,
	raw         BLOB NOT NULL,          -- deflated
	at          INTEGER NOT NULL,
	PRIMARY KEY (match, seat, digest)
) STRICT;

CREATE TABLE sent (
	match      TEXT NOT NULL REFERENCES matches (id),
	seat       INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	message_id TEXT NOT NULL,
	decisions  TEXT NOT NULL,           -- JSON list of the decisions it asked
	PRIMARY KEY (match, seat, number)
) STRICT;

CREATE TABLE outbox (
	id        INTEGER PRIMARY KEY,
	recipient TEXT NOT NULL,
	raw       BLOB NOT NULL,
	attempts  INTEGER NOT NULL DEFAULT 0,
	due       INTEGER NOT NULL,
	state     TEXT NOT NULL DEFAULT 'waiting', -- waiting, sent, failed
	reason    TEXT NOT NULL DEFAULT '',
	at        INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_due ON outbox (due, id) WHERE state = 'waiting';

-- +goose Down
DROP TABLE outbox;
DROP TABLE sent;
DROP TABLE received;
DROP TABLE entries;
DROP TABLE seats;
DROP TABLE matches;
