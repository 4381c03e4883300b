package storage

import (
	"context"
	"database/sql"
	"fmt"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// observers reads who watches a match.
func observers(ctx context.Context, tx asker, m *adjudicator.Match) error {
	var err error
	m.Observers, err = list(ctx, tx, func(o *adjudicator.Observer) []any { return []any{&o.Number, &o.Address, &o.Letters, micros{&o.Since}} },
		`SELECT number, address, letters, since FROM observers WHERE match = $1 AND ended = 0 ORDER BY number`, m.ID)
	return err
}

// observe writes what a change says of observers. It comes before the change's
// letters: those that wait for who has left are dropped.
func observe(ctx context.Context, tx *transaction, c adjudicator.Change) error {
	for _, o := range c.Observers {
		if o.Ended {
			if err := leave(ctx, tx, c.Match.ID, o.Number); err != nil {
				return err
			}
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO observers (match, number, address, letters, since) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (match, number) DO UPDATE SET letters = excluded.letters`, c.Match.ID, o.Number, o.Address, o.Letters, o.Since.UnixMicro())
		if err != nil {
			return fmt.Errorf("write observer %d of match %s: %w", o.Number, c.Match.ID, err)
		}
	}
	return nil
}

// leave forgets an observer, and drops what waits to be sent to him.
func leave(ctx context.Context, tx *transaction, match string, number int) (err error) {
	defer wrap(&err, "let observer %d of match %s go", number, match)
	_, err = tx.ExecContext(ctx, `UPDATE observers SET ended = 1, address = '' WHERE match = $1 AND number = $2`, match, number)
	if err == nil {
		err = dropWaiting(ctx, tx, `watched = $2 AND observer = $3`, match, number)
	}
	return err
}

// unreachable lets an observer go whose letter has failed for good: nobody asks
// again for letters that do not arrive, and each would be tried for days.
func unreachable(ctx context.Context, tx *transaction, id int64) error {
	var match sql.NullString
	var number sql.NullInt64
	if err := tx.QueryRowContext(ctx, `SELECT watched, observer FROM outbox WHERE id = $1`, id).Scan(&match, &number); err != nil {
		return err
	}
	if !match.Valid {
		return nil
	}
	return leave(ctx, tx, match.String, int(number.Int64))
}

// ObserverKey implements adjudicator.Store.
func (db *DB) ObserverKey() []byte { return db.key.observers }

// Observes implements adjudicator.Store.
func (db *DB) Observes(ctx context.Context, address string) (does bool, err error) {
	defer wrap(&err, "look for an observer")
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) > 0 FROM observers WHERE address = $1 AND ended = 0`, address).Scan(&does)
	return does, err
}

// ReceivedLike implements adjudicator.Store.
func (db *DB) ReceivedLike(ctx context.Context, prefix string) (n int, err error) {
	defer wrap(&err, "count receipts")
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) FROM received WHERE match = '' AND seat = $1 AND digest >= $2 AND digest < $3`,
		int(rules.Nobody), prefix, prefix+"\x7f").Scan(&n)
	return n, err
}
