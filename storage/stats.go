package storage

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Stats is how much there is, for whoever watches the referee.
type Stats struct {
	// Matches counts matches by their state, Outbox letters that wait or have
	// failed for good.
	Matches, Outbox map[string]int
	// OldestDue is when the letter that has waited longest was first due, however often it was tried since; zero
	// when none waits.
	OldestDue time.Time
	// Stopped is how many matches are stopped.
	Stopped int
}

// Stats counts matches and letters.
func (db *DB) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Matches: map[string]int{}, Outbox: map[string]int{"waiting": 0, "failed": 0}}
	if err := db.count(ctx, s.Matches, `SELECT state, count(*) FROM matches GROUP BY state`); err != nil {
		return s, fmt.Errorf("count matches: %w", err)
	}
	// Each has an index of its own, letters that were sent have none.
	if err := db.count(ctx, s.Outbox, `SELECT state, count(*) FROM outbox WHERE state = 'failed' GROUP BY state`); err != nil {
		return s, fmt.Errorf("count letters: %w", err)
	}
	var waiting int
	var due sql.NullInt64
	if err := db.reader.QueryRowContext(ctx, `SELECT count(*), min(since) FROM outbox WHERE state = 'waiting'`).Scan(&waiting, &due); err != nil {
		return s, fmt.Errorf("count letters that wait: %w", err)
	}
	s.Outbox["waiting"] = waiting
	if due.Valid {
		s.OldestDue = time.UnixMicro(due.Int64)
	}
	still, err := stopped(ctx, db.reader, allStopped)
	if err != nil {
		return s, fmt.Errorf("count matches that are stopped: %w", err)
	}
	s.Stopped = len(still)
	return s, nil
}

func (db *DB) count(ctx context.Context, into map[string]int, query string) error {
	return each(ctx, db.reader, func(scan func(...any) error) error {
		var state string
		var n int
		err := scan(&state, &n)
		into[state] = n
		return err
	}, query)
}
