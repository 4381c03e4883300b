package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"samizdat/adjudicator"
)

// thoughts reads the second thoughts of a match's players, and since when they are
// asked.
func thoughts(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	var takeback string
	if err := tx.QueryRowContext(ctx, `SELECT takeback FROM matches WHERE id = ?`, m.ID).Scan(&takeback); err != nil {
		return fmt.Errorf("read the second thoughts of %s: %w", m.ID, err)
	}
	if takeback != "" {
		m.Takeback = new(adjudicator.Takeback)
		if err := json.Unmarshal([]byte(takeback), m.Takeback); err != nil {
			return fmt.Errorf("read the second thoughts of %s: %w", m.ID, err)
		}
	}
	rows, err := tx.QueryContext(ctx, `SELECT since, floor, thoughts FROM seats WHERE match = ? ORDER BY seat`, m.ID)
	if err != nil {
		return fmt.Errorf("read the second thoughts of %s: %w", m.ID, err)
	}
	defer rows.Close()
	for i := 0; rows.Next(); i++ {
		s := &m.Seats[i]
		var since int64
		var data string
		if err := rows.Scan(&since, &s.Floor, &data); err != nil {
			return fmt.Errorf("read the second thoughts of %s: %w", m.ID, err)
		}
		if since != 0 {
			s.Since = time.UnixMicro(since).UTC()
		}
		if err := json.Unmarshal([]byte(data), &s.Thoughts); err != nil {
			return fmt.Errorf("read the second thoughts of %s, seat %d: %w", m.ID, i, err)
		}
	}
	return rows.Err()
}

// think writes them.
func think(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	due, since := known(m.Due()), known(m.Since())
	takeback := ""
	if m.Takeback != nil {
		b, err := json.Marshal(m.Takeback)
		if err != nil {
			return err
		}
		takeback = string(b)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE matches SET due = ?, since = ?, takeback = ? WHERE id = ?`, due, since, takeback, m.ID); err != nil {
		return fmt.Errorf("write the second thoughts of %s: %w", m.ID, err)
	}
	for i := range m.Seats {
		s := &m.Seats[i]
		since := int64(0)
		if !s.Since.IsZero() {
			since = s.Since.UnixMicro()
		}
		b, err := json.Marshal(s.Thoughts)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET since = ?, floor = ?, thoughts = ? WHERE match = ? AND seat = ?`,
			since, s.Floor, string(b), m.ID, i); err != nil {
			return fmt.Errorf("write the second thoughts of seat %d of match %s: %w", i, m.ID, err)
		}
	}
	return nil
}

// known is a time, or NULL where there is none.
func known(at time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: at.UnixMicro(), Valid: !at.IsZero()}
}

// DueMatches implements adjudicator.Store.
func (db *DB) DueMatches(ctx context.Context, now time.Time, limit int) ([]string, error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT id FROM matches WHERE due <= ?1 OR since > ?1 ORDER BY due LIMIT ?2`, now.UnixMicro(), limit)
	if err != nil {
		return nil, fmt.Errorf("look for what is due: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("look for what is due: %w", err)
		}
		out = append(out, id)
	}
	return out, rows.Err()
}
