-- +goose Up
-- Results of matches, for the ladder. Results are found and not told: whatever changes whether
-- a match is over puts it onto the list of those that are to be counted.
CREATE TABLE uncounted (
	match TEXT PRIMARY KEY REFERENCES matches (id),
	due   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX uncounted_due ON uncounted (due);
INSERT INTO uncounted (match) SELECT id FROM matches WHERE state = 'over';
-- +goose StatementBegin
CREATE TRIGGER matches_ended AFTER UPDATE OF state ON matches WHEN NEW.state <> OLD.state AND 'over' IN (NEW.state, OLD.state) BEGIN
	INSERT INTO uncounted (match) VALUES (NEW.id) ON CONFLICT (match) DO UPDATE SET due = 0;
END;
-- +goose StatementEnd

CREATE TABLE results (
	match    TEXT PRIMARY KEY REFERENCES matches (id),
	game     TEXT NOT NULL,
	ended    INTEGER NOT NULL,
	result   TEXT NOT NULL,             -- JSON
	annulled TEXT                       -- why it does not count any more, or NULL
) STRICT;
CREATE INDEX results_game ON results (game, ended);
CREATE INDEX results_ended ON results (ended);
CREATE TABLE resultplayers (
	player INTEGER NOT NULL REFERENCES players (id),
	ended  INTEGER NOT NULL,
	match  TEXT NOT NULL REFERENCES results (match),
	PRIMARY KEY (player, ended, match)
) STRICT;
CREATE INDEX resultplayers_match ON resultplayers (match);

CREATE TABLE ladders (
	game   TEXT PRIMARY KEY,
	made   INTEGER NOT NULL,
	stale  INTEGER NOT NULL,            -- how often results have changed since
	ladder TEXT NOT NULL                -- JSON
) STRICT;

-- +goose Down
DROP TABLE ladders;
DROP TABLE resultplayers;
DROP TABLE results;
DROP TRIGGER matches_ended;
DROP TABLE uncounted;
