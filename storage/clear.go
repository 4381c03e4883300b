package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Clear deletes the letters that came in to matches which were archived before a time, and
// have not moved since: in each call, and transaction, those of one match. It reports whether
// there was one.
func (db *DB) Clear(ctx context.Context, before time.Time) (done bool, err error) {
	defer wrap(&err, "delete the letters of a match that is over")
	var id string
	err = db.reader.QueryRowContext(ctx, `SELECT match FROM archives JOIN matches ON id = match WHERE cleared = 0 AND at < $1 AND archived = 1 ORDER BY at LIMIT 1`, before.UnixMicro()).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, db.write(ctx, func(ctx context.Context, tx *transaction) error {
		// A letter may have come meanwhile. It is kept, with all that came before, until the match is archived anew.
		if is, err := held(ctx, tx, id, `archived = 1`); err != nil || !is {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE archives SET cleared = 1 WHERE match = $1`, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM received WHERE match = $1`, id)
		return err
	})
}

// ForgetSent deletes what is known of some letters that went out before a time, in one
// transaction. It reports whether there were so many that there may be more.
func (db *DB) ForgetSent(ctx context.Context, before time.Time, limit int) (more bool, err error) {
	defer wrap(&err, "forget letters that went out")
	var are bool
	if err := db.reader.QueryRowContext(ctx, `SELECT coalesce((SELECT min(at) FROM outbox WHERE state = 'sent') < $1, FALSE)`, before.UnixMicro()).Scan(&are); err != nil || !are {
		return false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		ids, err := list(ctx, tx, func(id *int64) []any { return []any{id} }, `SELECT id FROM outbox WHERE state = 'sent' AND at < $1 ORDER BY at LIMIT $2 + 0`, before.UnixMicro(), limit)
		for _, id := range ids {
			if err == nil {
				_, err = tx.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id)
			}
		}
		more = len(ids) == limit
		return err
	})
	return more, err
}
