-- +goose Up
-- What a player wants letters to be: empty, text, html or picture; and how names
-- are written: empty, utf8 or plain.
ALTER TABLE seats ADD COLUMN format TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN script TEXT NOT NULL DEFAULT '';
-- What is to be drawn into a letter when it is sent; NULL when raw is complete.
ALTER TABLE outbox ADD COLUMN drawing BLOB;

-- +goose Down
ALTER TABLE outbox DROP COLUMN drawing;
ALTER TABLE seats DROP COLUMN script;
ALTER TABLE seats DROP COLUMN format;
