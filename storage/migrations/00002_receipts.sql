-- +goose Up
-- How the operator finds a letter, in the mailbox and in a history.
ALTER TABLE received ADD COLUMN uid_validity INTEGER NOT NULL DEFAULT 0;
ALTER TABLE received ADD COLUMN uid INTEGER NOT NULL DEFAULT 0;
ALTER TABLE received ADD COLUMN message_id TEXT NOT NULL DEFAULT '';
ALTER TABLE received ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';
-- The build of the program that stored the position.
ALTER TABLE matches ADD COLUMN build TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE matches DROP COLUMN build;
ALTER TABLE received DROP COLUMN sha256;
ALTER TABLE received DROP COLUMN message_id;
ALTER TABLE received DROP COLUMN uid;
ALTER TABLE received DROP COLUMN uid_validity;
