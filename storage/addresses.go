package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

var _ adjudicator.AddressBook = (*DB)(nil)

// addresses reads what there is about the mail of a match's players.
func addresses(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	rows, err := tx.QueryContext(ctx, `SELECT second, addresses FROM seats WHERE match = ? ORDER BY seat`, m.ID)
	if err != nil {
		return fmt.Errorf("read the addresses of %s: %w", m.ID, err)
	}
	defer rows.Close()
	for i := 0; rows.Next(); i++ {
		x := &m.Seats[i].Addresses
		var data string
		if err := rows.Scan(&x.Second, &data); err != nil {
			return fmt.Errorf("read the addresses of %s: %w", m.ID, err)
		}
		if err := json.Unmarshal([]byte(data), x); err != nil {
			return fmt.Errorf("read the addresses of %s, seat %d: %w", m.ID, i, err)
		}
	}
	return rows.Err()
}

// readdress writes it. Letters that wait go where the seat's letters go now.
func readdress(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	for i := range m.Seats {
		s := &m.Seats[i]
		b, err := json.Marshal(s.Addresses)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `UPDATE seats SET address = ?1, second = ?2, addresses = ?3
			WHERE match = ?4 AND seat = ?5 AND (address <> ?1 OR second <> ?2 OR addresses <> ?3)`,
			s.Address, s.Addresses.Second, string(b), m.ID, i)
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
			AND recipient <> ?1`, s.Mailbox(), m.ID, i); err != nil {
			return fmt.Errorf("send the letters of seat %d of match %s elsewhere: %w", i, m.ID, err)
		}
	}
	return nil
}

// BouncedSince implements adjudicator.AddressBook.
func (db *DB) BouncedSince(ctx context.Context, match string, seat rules.Seat, number int64, since time.Time) (soft, hard int, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) - coalesce(sum(hard OR final), 0), coalesce(sum(hard OR final), 0) FROM bounces
		WHERE match = ? AND seat = ? AND number > ? AND at >= ?`, match, int(seat), number, since.UnixMicro()).Scan(&soft, &hard)
	if err != nil {
		return 0, 0, fmt.Errorf("count the bounces of seat %d of match %s: %w", seat, match, err)
	}
	return soft, hard, nil
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
	err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM seats WHERE address = ?1 OR second = ?1 AND second <> ''`, address).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("look for an address: %w", err)
	}
	return n > 0, nil
}
