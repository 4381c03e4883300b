-- +goose Up
-- Entries and letters that were sent are small, and found by what names them: with a number for each row and an index
-- beside the table they take a fifth more. The digest of a letter that came in stood beside the letter itself.
CREATE TABLE history (
	match TEXT NOT NULL REFERENCES matches (id),
	seq   INTEGER NOT NULL,
	entry BLOB NOT NULL,
	PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO history (match, seq, entry) SELECT match, seq, entry FROM entries ORDER BY match, seq;
DROP TABLE entries;
ALTER TABLE history RENAME TO entries;
CREATE TABLE written (
	match      TEXT NOT NULL REFERENCES matches (id),
	seat       INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	entries    INTEGER NOT NULL DEFAULT 0,
	message_id BLOB NOT NULL DEFAULT x'',
	decisions  BLOB NOT NULL,
	PRIMARY KEY (match, seat, number)
) STRICT, WITHOUT ROWID;
INSERT INTO written (match, seat, number, entries, message_id, decisions) SELECT match, seat, number, entries, message_id, decisions FROM sent ORDER BY match, seat, number;
DROP TABLE sent;
ALTER TABLE written RENAME TO sent;
ALTER TABLE received DROP COLUMN sha256;

-- +goose Down
ALTER TABLE received ADD COLUMN sha256 BLOB NOT NULL DEFAULT x'';
CREATE TABLE history (
	match TEXT NOT NULL REFERENCES matches (id),
	seq   INTEGER NOT NULL,
	entry BLOB NOT NULL DEFAULT x'',
	PRIMARY KEY (match, seq)
) STRICT;
INSERT INTO history (match, seq, entry) SELECT match, seq, entry FROM entries;
DROP TABLE entries;
ALTER TABLE history RENAME TO entries;
CREATE TABLE written (
	match      TEXT NOT NULL REFERENCES matches (id),
	seat       INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	entries    INTEGER NOT NULL DEFAULT 0,
	message_id BLOB NOT NULL DEFAULT x'',
	decisions  BLOB NOT NULL DEFAULT x'',
	PRIMARY KEY (match, seat, number)
) STRICT;
INSERT INTO written (match, seat, number, entries, message_id, decisions) SELECT match, seat, number, entries, message_id, decisions FROM sent;
DROP TABLE sent;
ALTER TABLE written RENAME TO sent;
