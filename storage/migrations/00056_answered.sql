-- +goose Up
-- How many answers a sender may have that several daemons write. There is but one daemon on a file, which
-- counts in its memory: it stays empty here.
CREATE TABLE answered (
	who     TEXT NOT NULL PRIMARY KEY,
	full_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE answered;
