-- +goose Up
-- What a letter that is handed out to several daemons concerns: letters that concern the same are handled in order.
ALTER TABLE arrivals ADD COLUMN keys text COLLATE "C" NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE arrivals DROP COLUMN keys;
