package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/contact"
)

var _ adjudicator.AddressBook = (*DB)(nil)

// seatMail is what the column addresses of a seat holds.
type seatMail struct {
	contact.Contact
	Good int64 `json:"good,omitempty"`
	Seen bool  `json:"seen,omitempty"`
}

// readdress writes what there is about the mail of a match's players. Letters that wait go where the seat's letters go now.
func readdress(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	for i := range m.Seats {
		s := &m.Seats[i]
		b, err := json.Marshal(seatMail{s.Player.Contact, s.Good, s.Seen})
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `UPDATE seats SET address = ?1, addresses = ?2
			WHERE match = ?3 AND seat = ?4 AND (address <> ?1 OR addresses <> ?2)`, s.Player.Address, string(b), m.ID, i)
		if err != nil {
			return fmt.Errorf("write the addresses of seat %d of match %s: %w", i, m.ID, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			if err != nil {
				return err
			}
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE outbox SET recipient = ?1 WHERE match = ?2 AND seat = ?3 AND state = 'waiting' AND match IS NOT NULL
			AND recipient <> ?1`, s.Player.Address, m.ID, i); err != nil {
			return fmt.Errorf("send the letters of seat %d of match %s elsewhere: %w", i, m.ID, err)
		}
	}
	return nil
}

// NoteSent implements adjudicator.AddressBook.
func (db *DB) NoteSent(ctx context.Context, match, to, messageID string) (sent time.Time, waits bool, err error) {
	var state string
	var at int64
	err = db.reader.QueryRowContext(ctx, `SELECT state, at FROM outbox WHERE note = ?`, messageID).Scan(&state, &at)
	if errors.Is(err, sql.ErrNoRows) {
		// It may be one from before there were names.
		err = db.reader.QueryRowContext(ctx, `SELECT state, at FROM outbox WHERE note IS NULL AND match = ? AND seat IS NULL AND recipient = ?
			ORDER BY id DESC LIMIT 1`, match, to).Scan(&state, &at)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return time.Time{}, false, nil
	case err != nil:
		return time.Time{}, false, fmt.Errorf("look for a letter about match %s: %w", match, err)
	case state == "waiting":
		return time.Time{}, true, nil
	case state == "sent":
		return time.UnixMicro(at).UTC(), false, nil
	}
	return time.Time{}, false, nil
}

// Registered implements adjudicator.Store.
func (db *DB) Registered(ctx context.Context, address string) (bool, error) {
	var n int
	err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM seats WHERE address = ? AND address <> ''`, address).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("look for an address: %w", err)
	}
	return n > 0, nil
}
