-- +goose Up
-- Whether a match may be watched: no, open, or the delay of what observers get.
-- The players of matches from before this column were not asked.
ALTER TABLE matches ADD COLUMN observe TEXT NOT NULL DEFAULT 'no';

CREATE TABLE observers (
	match   TEXT NOT NULL REFERENCES matches (id),
	number  INTEGER NOT NULL,           -- never given twice in a match
	address TEXT NOT NULL,              -- forgotten at the end
	letters INTEGER NOT NULL,
	since   INTEGER NOT NULL,
	ended   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (match, number)
) STRICT;
CREATE UNIQUE INDEX observers_address ON observers (address, match) WHERE ended = 0;

-- Whose letter it is, for letters to observers: they are dropped when he leaves.
ALTER TABLE outbox ADD COLUMN watched TEXT;
ALTER TABLE outbox ADD COLUMN observer INTEGER;
CREATE INDEX outbox_observer ON outbox (watched, observer) WHERE state = 'waiting' AND watched IS NOT NULL;

-- +goose Down
DROP INDEX outbox_observer;
ALTER TABLE outbox DROP COLUMN observer;
ALTER TABLE outbox DROP COLUMN watched;
DROP TABLE observers;
ALTER TABLE matches DROP COLUMN observe;
