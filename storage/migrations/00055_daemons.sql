-- +goose Up
-- Letters of the inbox that are handed out to several daemons, and who has claimed what. There is
-- but one daemon on a file: all of it stays empty here.
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
	PRIMARY KEY (uid_validity, uid)
) STRICT, WITHOUT ROWID;
ALTER TABLE outbox ADD COLUMN claim INTEGER;

-- +goose Down
ALTER TABLE outbox DROP COLUMN claim;
DROP TABLE arrivals;
