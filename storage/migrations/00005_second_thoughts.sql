-- +goose Up
-- When something of a match is due: a letter that its writer's GRACE holds back, an
-- order ahead that waits for its DELAY. NULL when nothing is.
ALTER TABLE matches ADD COLUMN due INTEGER;
CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
-- What a player asks to take back, as JSON; empty when nobody does.
ALTER TABLE matches ADD COLUMN takeback TEXT NOT NULL DEFAULT '';

-- Since when the seat is asked, 0 when it is not; the number of the last letter
-- whose questions were taken back; the player's GRACE and DELAY with what they hold
-- back, as JSON.
ALTER TABLE seats ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN thoughts TEXT NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE seats DROP COLUMN thoughts;
ALTER TABLE seats DROP COLUMN floor;
ALTER TABLE seats DROP COLUMN since;
DROP INDEX matches_due;
ALTER TABLE matches DROP COLUMN takeback;
ALTER TABLE matches DROP COLUMN due;
