-- +goose Up
-- The matches that a program comes to another position of than the one which stored them: which program,
-- at which entry (NULL where that is not known), when, and whether the operator was told.
CREATE TABLE stopped (
    match TEXT PRIMARY KEY REFERENCES matches (id),
    build TEXT NOT NULL,
    entry INTEGER,
    at INTEGER NOT NULL,
    told INTEGER NOT NULL DEFAULT 0
) STRICT;

-- +goose Down
DROP TABLE stopped;
