-- +goose Up
-- A player has one address. The first stays his, but where letters had gone to the second
-- since none arrived at the first, that is the one. Changes that are asked for go on,
-- but for those that have nothing left to change.
UPDATE seats SET address = second WHERE second <> '' AND addresses ->> '$.astray';
UPDATE outbox SET recipient = (SELECT address FROM seats AS s WHERE s.match = outbox.match AND s.seat = outbox.seat)
	WHERE state = 'waiting' AND seat IS NOT NULL
	AND EXISTS (SELECT 1 FROM seats AS s WHERE s.match = outbox.match AND s.seat = outbox.seat AND s.second <> '');
UPDATE seats SET addresses = json_remove(addresses, '$.request')
	WHERE addresses ->> '$.request.also' OR addresses ->> '$.request.to' = address;
UPDATE seats SET addresses = json_remove(addresses, '$.astray', '$.dropped', '$.dropped_at', '$.request.told') WHERE addresses <> '{}';
DROP INDEX seats_second;
ALTER TABLE seats DROP COLUMN second;

-- +goose Down
ALTER TABLE seats ADD COLUMN second TEXT NOT NULL DEFAULT '';
CREATE INDEX seats_second ON seats (second) WHERE second <> '';
