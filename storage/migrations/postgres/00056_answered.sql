-- +goose Up
-- How many answers a sender may have that several daemons write: when he may have all of them again.
CREATE TABLE answered (
	who     text COLLATE "C" PRIMARY KEY,
	full_at bigint NOT NULL
);

-- +goose Down
DROP TABLE answered;
