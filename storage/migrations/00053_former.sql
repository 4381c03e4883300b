-- +goose Up
-- Who has left a seat to another, and when: what came from the seat until then is his. Of those
-- who left one earlier it is not known who they were: 0.
CREATE TABLE former (
	match  TEXT NOT NULL REFERENCES matches (id),
	seat   INTEGER NOT NULL,
	player INTEGER NOT NULL,
	until  INTEGER NOT NULL
) STRICT;
INSERT INTO former (match, seat, player, until)
	SELECT e.match, s.seat, 0, 1000000 * unixepoch(e.entry ->> '$.at') FROM (SELECT match, unseal(entry, 'entries.entry', match, seq) AS entry FROM entries) e
	JOIN seats s ON s.match = e.match AND s.name = e.entry ->> '$.seat' WHERE e.entry ->> '$.player' <> '' AND e.entry ->> '$.at' <> '';
CREATE INDEX former_seat ON former (match, seat, until);
CREATE INDEX former_player ON former (player);

-- +goose Down
DROP TABLE former;
