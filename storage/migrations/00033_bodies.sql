-- +goose Up
-- What a letter says is large, and goes when it is sent. In the outbox, whose rows stay, it would leave pages
-- that are nearly empty.
CREATE TABLE queued (
	id         INTEGER PRIMARY KEY,
	recipient  TEXT NOT NULL,
	attempts   INTEGER NOT NULL DEFAULT 0,
	due        INTEGER NOT NULL,
	state      TEXT NOT NULL DEFAULT 'waiting', -- waiting, sent, failed, dropped
	reason     TEXT NOT NULL DEFAULT '',
	at         INTEGER NOT NULL,
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
	turn       INTEGER                  -- the order in which letters go that can go now; NULL for others
) STRICT;
INSERT INTO queued (id, recipient, attempts, due, state, reason, at, urgent, match, seat, number, watched, observer, note, told, spare, final, picture_at, file_at, letter)
	SELECT id, recipient, attempts, due, state, reason, at, urgent, match, seat, number, watched, observer, note, told, spare, final, picture_at, file_at, letter FROM outbox;
CREATE TABLE bodies (
	id      INTEGER PRIMARY KEY REFERENCES queued (id) ON DELETE CASCADE,
	raw     BLOB NOT NULL,
	drawing BLOB,
	file    BLOB
) STRICT;
INSERT INTO bodies (id, raw, drawing, file)
	SELECT id, seal(unseal(raw, 'outbox.raw', id), 'bodies.raw', id), seal(unseal(drawing, 'outbox.drawing', id), 'bodies.drawing', id), seal(unseal(file, 'outbox.file', id), 'bodies.file', id)
	FROM outbox WHERE state IN ('waiting', 'failed');
DROP TABLE outbox;
ALTER TABLE queued RENAME TO outbox;
-- +goose StatementBegin
CREATE TRIGGER outbox_done AFTER UPDATE OF state ON outbox WHEN NEW.state IN ('sent', 'dropped') BEGIN
	DELETE FROM bodies WHERE id = NEW.id;
END;
-- +goose StatementEnd

CREATE INDEX outbox_turn ON outbox (urgent DESC, turn, due) WHERE state = 'waiting' AND turn IS NOT NULL;
CREATE INDEX outbox_match ON outbox (match, urgent, turn) WHERE state = 'waiting' AND match IS NOT NULL;
CREATE INDEX outbox_seat ON outbox (match, seat) WHERE state = 'waiting' AND match IS NOT NULL;
CREATE INDEX outbox_observer ON outbox (watched, observer) WHERE state = 'waiting' AND watched IS NOT NULL;
-- Of letters that rest: the next whose time comes, and those that were put off by a clock which ran ahead.
CREATE INDEX outbox_due ON outbox (due) WHERE state = 'waiting' AND turn IS NULL;
CREATE INDEX outbox_held ON outbox (at) WHERE state = 'waiting' AND turn IS NULL;
CREATE INDEX outbox_undrawn ON outbox (match, seat, urgent, due) WHERE state = 'waiting' AND picture_at > 0;
CREATE INDEX outbox_sent ON outbox (at) WHERE state = 'sent';
CREATE INDEX outbox_failed ON outbox (state) WHERE state = 'failed';
CREATE INDEX outbox_note ON outbox (note) WHERE note IS NOT NULL;

-- +goose Down
DROP TRIGGER outbox_done;
DROP INDEX outbox_turn;
DROP INDEX outbox_match;
DROP INDEX outbox_seat;
DROP INDEX outbox_due;
DROP INDEX outbox_held;
ALTER TABLE outbox DROP COLUMN turn;
ALTER TABLE outbox ADD COLUMN raw BLOB NOT NULL DEFAULT x'';
ALTER TABLE outbox ADD COLUMN drawing BLOB;
ALTER TABLE outbox ADD COLUMN file BLOB;
UPDATE outbox SET (raw, drawing, file) = (SELECT seal(unseal(b.raw, 'bodies.raw', b.id), 'outbox.raw', b.id),
	seal(unseal(b.drawing, 'bodies.drawing', b.id), 'outbox.drawing', b.id), seal(unseal(b.file, 'bodies.file', b.id), 'outbox.file', b.id)
	FROM bodies b WHERE b.id = outbox.id) WHERE id IN (SELECT id FROM bodies);
DROP TABLE bodies;
CREATE INDEX outbox_seat ON outbox (match, seat, due, at, watched) WHERE state = 'waiting' AND match IS NOT NULL;
CREATE INDEX outbox_due ON outbox (due, at, urgent, match, seat, watched, recipient, picture_at) WHERE state = 'waiting';
CREATE INDEX outbox_held ON outbox (at) WHERE state = 'waiting' AND watched IS NOT NULL;
