-- +goose Up
-- The newest time from which something is counted that a match waits for; NULL where
-- that is not known. A clock that shows an earlier time was set back.
ALTER TABLE matches ADD COLUMN since INTEGER;
CREATE INDEX matches_since ON matches (since) WHERE since IS NOT NULL;

-- Of letters that wait for observers, at is now when they were queued, as of all
-- others: it was the time at which they are due.
UPDATE outbox SET at = due - 1000000 * coalesce((SELECT CAST(observe AS INTEGER) * CASE substr(observe, -1)
		WHEN 'd' THEN 24 * 60 * 60 WHEN 'h' THEN 60 * 60 WHEN 'm' THEN 60 ELSE 0 END FROM matches WHERE id = outbox.watched), 0)
	WHERE state = 'waiting' AND watched IS NOT NULL AND at = due;
CREATE INDEX outbox_held ON outbox (at) WHERE state = 'waiting' AND watched IS NOT NULL;

-- +goose Down
DROP INDEX outbox_held;
DROP INDEX matches_since;
ALTER TABLE matches DROP COLUMN since;
