-- +goose Up
-- A player's second address, or empty; and what else there is about his mail, as
-- JSON: whether letters come back, the change of address that was asked for.
ALTER TABLE seats ADD COLUMN second TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN addresses TEXT NOT NULL DEFAULT '{}';
CREATE INDEX seats_second ON seats (second) WHERE second <> '';

-- Whose letter it is, for letters to players: they follow him to another address.
ALTER TABLE outbox ADD COLUMN match TEXT;
ALTER TABLE outbox ADD COLUMN seat INTEGER;
CREATE INDEX outbox_seat ON outbox (match, seat) WHERE state = 'waiting' AND match IS NOT NULL;

-- What the director has been told of, and on which day (UTC) last.
ALTER TABLE outbox ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bounces ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
CREATE INDEX bounces_untold ON bounces (at) WHERE hard = 1 AND told = 0;
CREATE TABLE director (
	day INTEGER PRIMARY KEY             -- days since 1970
) STRICT;

-- +goose Down
DROP TABLE director;
DROP INDEX bounces_untold;
ALTER TABLE bounces DROP COLUMN told;
ALTER TABLE outbox DROP COLUMN told;
DROP INDEX outbox_seat;
ALTER TABLE outbox DROP COLUMN seat;
ALTER TABLE outbox DROP COLUMN match;
DROP INDEX seats_second;
ALTER TABLE seats DROP COLUMN addresses;
ALTER TABLE seats DROP COLUMN second;
