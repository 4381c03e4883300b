-- +goose Up
-- Letters of ours that a machine reported as not arrived.
CREATE TABLE bounces (
	match     TEXT NOT NULL REFERENCES matches (id),
	seat      INTEGER NOT NULL,
	number    INTEGER NOT NULL,          -- of the letter
	hard      INTEGER NOT NULL,          -- 1: the address does not work
	recipient TEXT NOT NULL,
	status    TEXT NOT NULL,
	reason    TEXT NOT NULL,
	at        INTEGER NOT NULL,          -- when the first report arrived
	PRIMARY KEY (match, seat, number)
) STRICT;

-- +goose Down
DROP TABLE bounces;
