-- The tables of both engines, in the types of SQLite; schema.go says what PostgreSQL makes of them. Times are unix
-- microseconds, flags are 0 and 1.

CREATE TABLE players (
	id       INTEGER PRIMARY KEY,
	address  TEXT NOT NULL,
	due      INTEGER, -- when it takes effect by itself; NULL when it does not
	since    INTEGER, -- the newest time from which something is counted
	version  INTEGER NOT NULL DEFAULT 1,
	contact  BLOB NOT NULL DEFAULT x'',
	zone     TEXT NOT NULL DEFAULT '',
	away     TEXT NOT NULL DEFAULT '{}',
	calendar INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE matches (
	id        TEXT PRIMARY KEY,
	game      TEXT NOT NULL,
	revision  INTEGER NOT NULL,
	options   TEXT NOT NULL, -- JSON object
	state     TEXT NOT NULL, -- inviting, playing, over
	secret    BLOB NOT NULL, -- wrapped with the key file
	epoch     INTEGER NOT NULL DEFAULT 0,
	entries   INTEGER NOT NULL DEFAULT 0,
	ordered   INTEGER NOT NULL DEFAULT 0,
	head      TEXT NOT NULL,
	version   INTEGER NOT NULL,
	created   INTEGER NOT NULL, -- unix microseconds, as all times
	build     TEXT NOT NULL DEFAULT '',
	due       INTEGER,
	observe   TEXT NOT NULL DEFAULT 'no',
	since     INTEGER,
	recorded  BLOB,
	used      BLOB,
	position  BLOB,
	held      BLOB NOT NULL DEFAULT x'',
	takeback  BLOB,
	tempo     TEXT NOT NULL DEFAULT '',
	zero      TEXT NOT NULL DEFAULT '',
	directing BLOB,
	acts      BLOB,
	words     TEXT NOT NULL DEFAULT '',
	beacon    TEXT,
	summary   BLOB,
	archived  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE seats (
	match     TEXT NOT NULL REFERENCES matches (id),
	seat      INTEGER NOT NULL,
	name      TEXT NOT NULL,
	key       BLOB NOT NULL,
	joined    INTEGER NOT NULL,
	words     TEXT NOT NULL,
	letters   INTEGER NOT NULL,
	format    TEXT NOT NULL DEFAULT '',
	script    TEXT NOT NULL DEFAULT '',
	said_day  TEXT NOT NULL DEFAULT '',
	said      INTEGER NOT NULL DEFAULT 0,
	since     INTEGER NOT NULL DEFAULT 0,
	floor     INTEGER NOT NULL DEFAULT 0,
	player    INTEGER REFERENCES players (id),
	addresses BLOB NOT NULL DEFAULT x'',
	thoughts  BLOB NOT NULL DEFAULT x'',
	called    TEXT NOT NULL DEFAULT '',
	clock     TEXT NOT NULL DEFAULT '',
	deadline  INTEGER,
	seal      TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (match, seat)
) STRICT;
CREATE TABLE received (
	match        TEXT NOT NULL, -- empty for letters of no match
	seat         INTEGER NOT NULL,
	digest       TEXT NOT NULL,
	disposition  TEXT NOT NULL,
	raw          BLOB NOT NULL, -- deflated
	at           INTEGER NOT NULL,
	uid_validity INTEGER NOT NULL DEFAULT 0,
	uid          INTEGER NOT NULL DEFAULT 0,
	message_id   TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (match, seat, digest)
) STRICT;
CREATE TABLE observers (
	match   TEXT NOT NULL REFERENCES matches (id),
	number  INTEGER NOT NULL, -- never given twice in a match
	address TEXT NOT NULL, -- forgotten at the end
	letters INTEGER NOT NULL,
	since   INTEGER NOT NULL,
	ended   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (match, number)
) STRICT;
CREATE TABLE bounces (
	match     TEXT NOT NULL REFERENCES matches (id),
	seat      INTEGER NOT NULL,
	number    INTEGER NOT NULL, -- of the letter
	hard      INTEGER NOT NULL, -- 1: the address does not work
	recipient TEXT NOT NULL,
	status    TEXT NOT NULL,
	reason    TEXT NOT NULL,
	at        INTEGER NOT NULL, -- when the first report arrived
	told      INTEGER NOT NULL DEFAULT 0,
	final     INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (match, seat, number)
) STRICT;
CREATE TABLE director (
	day INTEGER PRIMARY KEY -- days since 1970
) STRICT;
CREATE TABLE deaf (
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL
) STRICT;
CREATE TABLE looked (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	at INTEGER NOT NULL
) STRICT;
CREATE TABLE stopped (
	match TEXT PRIMARY KEY REFERENCES matches (id),
	build TEXT NOT NULL,
	entry INTEGER,
	at    INTEGER NOT NULL,
	told  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE outbox (
	id         INTEGER PRIMARY KEY,
	recipient  TEXT NOT NULL,
	attempts   INTEGER NOT NULL DEFAULT 0,
	due        INTEGER NOT NULL,
	state      TEXT NOT NULL DEFAULT 'waiting', -- waiting, sent, failed, dropped
	reason     TEXT NOT NULL DEFAULT '',
	at         INTEGER NOT NULL,
	since      INTEGER, -- when it was first due: each try that fails moves "due"
	urgent     INTEGER NOT NULL DEFAULT 0,
	match      TEXT,
	seat       INTEGER,
	number     INTEGER,
	watched    TEXT,
	observer   INTEGER,
	note       TEXT,
	told       INTEGER NOT NULL DEFAULT 0,
	spare      INTEGER NOT NULL DEFAULT 0,
	final      INTEGER NOT NULL DEFAULT 0,
	picture_at INTEGER NOT NULL DEFAULT 0,
	file_at    INTEGER NOT NULL DEFAULT 0,
	letter     BLOB NOT NULL DEFAULT x'',
	turn       INTEGER, -- the order in which letters go that can go now; NULL for others
	claim      INTEGER
) STRICT;
CREATE TABLE bodies (
	id      INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
	raw     BLOB NOT NULL,
	drawing BLOB,
	file    BLOB
) STRICT;
CREATE TABLE archives (
	match   TEXT PRIMARY KEY REFERENCES matches (id),
	at      INTEGER NOT NULL,
	cleared INTEGER NOT NULL DEFAULT 0,
	record  BLOB NOT NULL
) STRICT;
CREATE TABLE members (
	player   INTEGER PRIMARY KEY REFERENCES players (id),
	name     TEXT NOT NULL,
	skeleton TEXT UNIQUE, -- what the name looks like; NULL of a pseudonym
	state    TEXT NOT NULL,
	since    INTEGER NOT NULL,
	settings TEXT NOT NULL, -- JSON
	proposed TEXT, -- JSON, or NULL
	serial   INTEGER NOT NULL,
	letters  INTEGER NOT NULL,
	version  INTEGER NOT NULL,
	digest   INTEGER
) STRICT;
CREATE TABLE applicants (
	address TEXT PRIMARY KEY,
	name    TEXT NOT NULL,
	asked   INTEGER NOT NULL
) STRICT;
CREATE TABLE clublog (
	id     INTEGER PRIMARY KEY,
	at     INTEGER NOT NULL,
	member INTEGER REFERENCES members (player),
	by     TEXT NOT NULL,
	act    TEXT NOT NULL,
	why    TEXT NOT NULL
) STRICT;
CREATE TABLE offers (
	id      INTEGER PRIMARY KEY,
	member  INTEGER NOT NULL REFERENCES members (player),
	state   TEXT NOT NULL,
	terms   TEXT NOT NULL, -- JSON
	parties TEXT NOT NULL, -- JSON: who has agreed, the first is who offers
	invited TEXT NOT NULL, -- JSON: whom it challenges; an empty list for all
	secret  BLOB NOT NULL, -- of the match, if it becomes one; empty when it is over
	match   TEXT NOT NULL, -- what it has become
	created INTEGER NOT NULL,
	expires INTEGER NOT NULL,
	version INTEGER NOT NULL
) STRICT;
CREATE TABLE queue (
	member INTEGER NOT NULL REFERENCES members (player),
	game   TEXT NOT NULL,
	terms  TEXT NOT NULL, -- JSON
	most   INTEGER NOT NULL,
	since  INTEGER NOT NULL,
	words  TEXT NOT NULL,
	PRIMARY KEY (member, game)
) STRICT;
CREATE TABLE clubdesk (
	id       INTEGER PRIMARY KEY CHECK (id = 1),
	letters  INTEGER NOT NULL,
	proposed TEXT, -- JSON: the act that he is asked about, or NULL
	asked    INTEGER NOT NULL,
	version  INTEGER NOT NULL
) STRICT;
CREATE TABLE uncounted (
	match TEXT PRIMARY KEY REFERENCES matches (id),
	due   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE results (
	match    TEXT PRIMARY KEY REFERENCES matches (id),
	game     TEXT NOT NULL,
	ended    INTEGER NOT NULL,
	result   TEXT NOT NULL, -- JSON
	annulled TEXT -- why it does not count any more, or NULL
) STRICT;
CREATE TABLE resultplayers (
	player INTEGER NOT NULL REFERENCES players (id),
	ended  INTEGER NOT NULL,
	match  TEXT NOT NULL REFERENCES results (match),
	PRIMARY KEY (player, ended, match)
) STRICT;
CREATE TABLE ladders (
	game   TEXT PRIMARY KEY,
	made   INTEGER NOT NULL,
	stale  INTEGER NOT NULL, -- how often results have changed since
	ladder TEXT NOT NULL -- JSON
) STRICT;
CREATE TABLE tournaments (
	name    TEXT PRIMARY KEY,
	title   TEXT NOT NULL,
	terms   TEXT NOT NULL, -- JSON: of its matches
	starts  INTEGER NOT NULL,
	words   TEXT NOT NULL, -- JSON: of its entrants, for the dice
	untold  TEXT NOT NULL, -- JSON: who is still to be told of the stage
	stage   TEXT NOT NULL,
	due     INTEGER, -- NULL when it waits for something
	life    TEXT NOT NULL, -- JSON: kind, entrants, rounds
	version INTEGER NOT NULL
) STRICT;
CREATE TABLE tournamentmatches (
	match      TEXT PRIMARY KEY REFERENCES matches (id),
	tournament TEXT NOT NULL REFERENCES tournaments (name)
) STRICT;
CREATE TABLE announcements (
	id   INTEGER PRIMARY KEY,
	at   INTEGER NOT NULL,
	text TEXT NOT NULL
) STRICT;
CREATE TABLE former (
	match  TEXT NOT NULL REFERENCES matches (id),
	seat   INTEGER NOT NULL,
	player INTEGER NOT NULL,
	until  INTEGER NOT NULL
) STRICT;
CREATE TABLE entries (
	match TEXT NOT NULL REFERENCES matches (id),
	seq   INTEGER NOT NULL,
	entry BLOB NOT NULL,
	PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE sent (
	match      TEXT NOT NULL REFERENCES matches (id),
	seat       INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	entries    INTEGER NOT NULL DEFAULT 0,
	message_id BLOB NOT NULL DEFAULT x'',
	decisions  BLOB NOT NULL,
	PRIMARY KEY (match, seat, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE arrivals (
	uid_validity INTEGER NOT NULL,
	uid          INTEGER NOT NULL,
	arrived      INTEGER NOT NULL,
	size         INTEGER NOT NULL,
	truncated    INTEGER NOT NULL,
	raw          BLOB NOT NULL,
	claim        INTEGER,
	tries        INTEGER NOT NULL DEFAULT 0,
	outcome      TEXT,
	keys         TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (uid_validity, uid)
) STRICT, WITHOUT ROWID;
CREATE TABLE answered (
	who     TEXT NOT NULL PRIMARY KEY,
	full_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE UNIQUE INDEX observers_address ON observers (address, match) WHERE ended = 0;
CREATE INDEX bounces_untold ON bounces (at) WHERE hard = 1 AND told = 0;
CREATE INDEX matches_since ON matches (since) WHERE since IS NOT NULL;
CREATE INDEX seats_player ON seats (player);
CREATE INDEX players_address ON players (address) WHERE address <> '';
CREATE INDEX players_due ON players (due) WHERE due IS NOT NULL;
CREATE INDEX players_since ON players (since) WHERE since IS NOT NULL;
CREATE INDEX seats_deadline ON seats (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX seats_listed ON seats (match, seat, name, player, joined, since);
CREATE INDEX matches_unsummed ON matches (id) WHERE summary IS NULL AND position IS NOT NULL;
CREATE INDEX outbox_turn ON outbox (urgent DESC, turn, due) WHERE state = 'waiting' AND turn IS NOT NULL;
CREATE INDEX outbox_match ON outbox (match, urgent, turn) WHERE state = 'waiting' AND match IS NOT NULL;
CREATE INDEX outbox_seat ON outbox (match, seat) WHERE state = 'waiting' AND match IS NOT NULL;
CREATE INDEX outbox_observer ON outbox (watched, observer) WHERE state = 'waiting' AND watched IS NOT NULL;
CREATE INDEX outbox_due ON outbox (due) WHERE state = 'waiting' AND turn IS NULL;
CREATE INDEX outbox_held ON outbox (at) WHERE state = 'waiting' AND turn IS NULL;
CREATE INDEX outbox_undrawn ON outbox (match, seat, urgent, due) WHERE state = 'waiting' AND picture_at > 0;
CREATE INDEX outbox_sent ON outbox (at) WHERE state = 'sent';
CREATE INDEX outbox_failed ON outbox (state) WHERE state = 'failed';
CREATE INDEX outbox_note ON outbox (note) WHERE note IS NOT NULL;
CREATE INDEX archives_uncleared ON archives (at) WHERE cleared = 0;
CREATE INDEX matches_unarchived ON matches (id) WHERE state = 'over' AND archived = 0;
CREATE INDEX applicants_asked ON applicants (asked);
CREATE INDEX offers_open ON offers (expires) WHERE state = 'open';
CREATE INDEX offers_member ON offers (member, created);
CREATE INDEX offers_match ON offers (match) WHERE match <> '';
CREATE INDEX uncounted_due ON uncounted (due);
CREATE INDEX results_game ON results (game, ended);
CREATE INDEX results_ended ON results (ended);
CREATE INDEX resultplayers_match ON resultplayers (match);
CREATE INDEX tournaments_due ON tournaments (due) WHERE due IS NOT NULL;
CREATE INDEX members_digest ON members (digest) WHERE digest IS NOT NULL;
CREATE INDEX former_seat ON former (match, seat, until);
CREATE INDEX former_player ON former (player);
CREATE INDEX entries_full ON entries (match) WHERE seq % 64 = 63;
CREATE INDEX outbox_spare ON outbox (match, seat, number) WHERE state = 'dropped' AND spare = 1;
