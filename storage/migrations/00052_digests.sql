-- +goose Up
-- When the next digest goes to a member, NULL for never; and what the director has announced.
ALTER TABLE members ADD COLUMN digest INTEGER;
CREATE INDEX members_digest ON members (digest) WHERE digest IS NOT NULL;
CREATE TABLE announcements (
	id   INTEGER PRIMARY KEY,
	at   INTEGER NOT NULL,
	text TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE announcements;
DROP INDEX members_digest;
ALTER TABLE members DROP COLUMN digest;
