-- +goose Up
-- The Message-ID of a short letter about a match, by which it is found again; NULL for
-- all other letters, and for those from before.
ALTER TABLE outbox ADD COLUMN note TEXT;
CREATE INDEX outbox_note ON outbox (note) WHERE note IS NOT NULL;

-- Whether a letter that did not arrive was given up: no server tries it any more.
ALTER TABLE bounces ADD COLUMN final INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE bounces DROP COLUMN final;
DROP INDEX outbox_note;
ALTER TABLE outbox DROP COLUMN note;
