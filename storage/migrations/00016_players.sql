-- +goose Up
-- Seats belong to players, and an address to a player. Seats with the same address are
-- one player's, but for those without one, whose players were taken out by hand.
CREATE TABLE players (
	id      INTEGER PRIMARY KEY,
	address TEXT NOT NULL,
	contact TEXT NOT NULL DEFAULT '{}', -- JSON: the change of address that was asked for
	due     INTEGER,                    -- when it takes effect by itself; NULL when it does not
	since   INTEGER,                    -- the newest time from which something is counted
	version INTEGER NOT NULL DEFAULT 1,
	was     TEXT NOT NULL               -- of which seats; dropped below
) STRICT;
INSERT INTO players (address, was)
	SELECT lower(address), CASE address WHEN '' THEN match || ' ' || seat ELSE lower(address) END AS whose FROM seats GROUP BY whose ORDER BY min(rowid);
CREATE INDEX players_was ON players (was);
ALTER TABLE seats ADD COLUMN player INTEGER REFERENCES players (id);
UPDATE seats SET player = (SELECT id FROM players WHERE was = CASE seats.address WHEN '' THEN seats.match || ' ' || seats.seat ELSE lower(seats.address) END);
CREATE INDEX seats_player ON seats (player);

-- A change that was asked for goes on where it was asked for the one seat of a player.
-- Where there are more it was not asked for all of them, and is off.
UPDATE players SET contact = json_remove((SELECT max(addresses) FROM seats WHERE player = players.id), '$.good', '$.seen')
	WHERE (SELECT count(*) FROM seats WHERE player = players.id) = 1;
UPDATE players SET contact = json_set(contact,
		'$.request.match', (SELECT match FROM seats WHERE player = players.id),
		'$.request.seat', (SELECT seat FROM seats WHERE player = players.id))
	WHERE contact ->> '$.request' IS NOT NULL;
UPDATE players SET contact = json_object('serial', (SELECT max(addresses ->> '$.serial') FROM seats WHERE player = players.id))
	WHERE (SELECT count(*) FROM seats WHERE player = players.id) > 1
	AND (SELECT max(addresses ->> '$.serial') FROM seats WHERE player = players.id) > 0;
UPDATE players SET due = 1000000 * unixepoch(contact ->> '$.request.due'),
	since = 1000000 * unixepoch(max(contact ->> '$.request.at', coalesce(contact ->> '$.request.noticed', '')))
	WHERE contact ->> '$.request' IS NOT NULL;
UPDATE seats SET addresses = json_remove(addresses, '$.asked', '$.serial', '$.request') WHERE addresses <> '{}';

-- A match is due for what waits in it alone.
UPDATE matches SET due = (SELECT min(1000000 * unixepoch(t.value)) FROM seats AS s, json_each(json_array(s.thoughts ->> '$.waiting.due', s.thoughts ->> '$.wake')) AS t
		WHERE s.match = matches.id AND t.value IS NOT NULL)
	WHERE due IS NOT NULL;

DROP INDEX players_was;
ALTER TABLE players DROP COLUMN was;
CREATE INDEX players_address ON players (address) WHERE address <> '';
CREATE INDEX players_due ON players (due) WHERE due IS NOT NULL;
CREATE INDEX players_since ON players (since) WHERE since IS NOT NULL;
DROP INDEX seats_address;
ALTER TABLE seats DROP COLUMN address;

-- +goose Down
ALTER TABLE seats ADD COLUMN address TEXT NOT NULL DEFAULT '';
UPDATE seats SET address = (SELECT address FROM players WHERE id = player),
	addresses = json_patch((SELECT contact FROM players WHERE id = player), addresses);
CREATE INDEX seats_address ON seats (address);
DROP INDEX seats_player;
ALTER TABLE seats DROP COLUMN player;
DROP TABLE players;
