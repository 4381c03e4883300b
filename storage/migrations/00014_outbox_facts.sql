-- +goose Up
-- What was known when a letter was written: its number among those to its reader; the
-- name by which reports find it; where in the text its picture goes, 0 for none; and
-- whether the text goes out as it is, with picture and signature.
ALTER TABLE outbox ADD COLUMN number INTEGER;
ALTER TABLE outbox ADD COLUMN letter TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN picture_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN final INTEGER NOT NULL DEFAULT 0;

-- Letters that wait from before are looked at once, here. A picture was the last part: its
-- data go before the line that ends the message, 35 bytes with the line break above. Without
-- its name a letter's reports go to the plain address, and are told by its Message-ID.
UPDATE outbox SET picture_at = length(raw) - 35
	WHERE state = 'waiting' AND drawing IS NOT NULL AND substr(raw, -39, 8) = x'0D0A0D0A0D0A2D2D';
UPDATE outbox SET final = 1
	WHERE state = 'waiting' AND drawing IS NULL AND substr(raw, 1, 15) = CAST('DKIM-Signature:' AS BLOB);
UPDATE outbox SET number = (SELECT s.number FROM sent s WHERE s.match = outbox.match AND s.seat = outbox.seat
		AND instr(outbox.raw, CAST('Message-ID: <' || s.message_id || '>' AS BLOB)) > 0)
	WHERE state = 'waiting' AND match IS NOT NULL AND seat IS NOT NULL;

-- +goose Down
ALTER TABLE outbox DROP COLUMN final;
ALTER TABLE outbox DROP COLUMN picture_at;
ALTER TABLE outbox DROP COLUMN letter;
ALTER TABLE outbox DROP COLUMN number;
