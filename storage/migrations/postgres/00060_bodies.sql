-- +goose Up
-- New letters that wait to be sent are compressed: programs that would send them as they stand there must not open the database.
SELECT 1;

-- +goose Down
SELECT 1;
