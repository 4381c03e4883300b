-- +goose Up
-- Where the letters of the director about the club stand.
CREATE TABLE clubdesk (
	id       INTEGER PRIMARY KEY CHECK (id = 1),
	letters  INTEGER NOT NULL,
	proposed TEXT,                      -- JSON: the act that he is asked about, or NULL
	asked    INTEGER NOT NULL,
	version  INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE clubdesk;
