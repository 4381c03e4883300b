-- +goose Up
-- How many entries the history had when a letter was written: histories are told
-- letter by letter. 0 for letters from before this column, and before the deal.
ALTER TABLE sent ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
-- The messages that a player sent to others on a day.
ALTER TABLE seats ADD COLUMN said_day TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN said INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE seats DROP COLUMN said;
ALTER TABLE seats DROP COLUMN said_day;
ALTER TABLE sent DROP COLUMN entries;
