package storage

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

var _ adjudicator.BounceBook = (*DB)(nil)

// Bounced implements adjudicator.BounceBook.
func (db *DB) Bounced(ctx context.Context, match string, seat rules.Seat, number int64, b adjudicator.Bounce, at time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (match, seat, number) DO UPDATE SET hard = 1, recipient = excluded.recipient, status = excluded.status, reason = excluded.reason
			WHERE excluded.hard = 1 AND bounces.hard = 0`,
			match, int(seat), number, b.Hard, b.Recipient, b.Status, b.Reason, at.UnixMicro())
		if err != nil {
			return fmt.Errorf("book that letter %d to seat %d of match %s did not arrive: %w", number, seat, match, err)
		}
		return nil
	})
}

// NotArrived is a letter of ours that did not arrive.
type NotArrived struct {
	Number int64
	Hard   bool
	// Recipient, Status and Reason are what the report said.
	Recipient, Status, Reason string
	At                        time.Time
}

// Bounces lists the letters to a seat that did not arrive, by number.
func (db *DB) Bounces(ctx context.Context, match string, seat rules.Seat) ([]NotArrived, error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT number, hard, recipient, status, reason, at FROM bounces WHERE match = ? AND seat = ? ORDER BY number`,
		match, int(seat))
	if err != nil {
		return nil, fmt.Errorf("read the bounces of match %s: %w", match, err)
	}
	defer rows.Close()
	var out []NotArrived
	for rows.Next() {
		var n NotArrived
		var at int64
		if err := rows.Scan(&n.Number, &n.Hard, &n.Recipient, &n.Status, &n.Reason, &at); err != nil {
			return nil, fmt.Errorf("read the bounces of match %s: %w", match, err)
		}
		n.At = time.UnixMicro(at).UTC()
		out = append(out, n)
	}
	return out, rows.Err()
}
