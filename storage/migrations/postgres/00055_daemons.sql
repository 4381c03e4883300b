-- +goose Up
-- Letters of the inbox that are handed out to several daemons, and who has claimed what.
CREATE TABLE arrivals (
	uid_validity bigint NOT NULL,
	uid          bigint NOT NULL,
	arrived      bigint NOT NULL,
	size         bigint NOT NULL,
	truncated    bigint NOT NULL,
	raw          bytea NOT NULL,
	claim        bigint,
	tries        bigint NOT NULL DEFAULT 0,
	outcome      text COLLATE "C",
	PRIMARY KEY (uid_validity, uid)
);
ALTER TABLE outbox ADD COLUMN claim bigint;
CREATE INDEX outbox_claim ON outbox (claim) WHERE claim IS NOT NULL;
CREATE SEQUENCE sessions AS integer CYCLE;

-- +goose Down
DROP SEQUENCE sessions;
ALTER TABLE outbox DROP COLUMN claim;
DROP TABLE arrivals;
