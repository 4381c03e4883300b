package storage

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// acceptedLetter is the match, seat and number of a letter that the mail server accepted. The match is NULL if it has no
// clock; seat and number are NULL for a letter to no seat.
type acceptedLetter struct {
	match        sql.NullString
	seat, number sql.NullInt64
}

// startClocks is called when the mail server has accepted letters. It locks matches sorted by ID to avoid deadlocks.
func (k *key) startClocks(ctx context.Context, tx *transaction, accepted []acceptedLetter, at time.Time) error {
	matches := map[string][]acceptedLetter{}
	for _, letter := range accepted {
		if letter.match.Valid && letter.seat.Valid && letter.number.Valid {
			matches[letter.match.String] = append(matches[letter.match.String], letter)
		}
	}
	if len(matches) == 0 {
		return nil
	}
	timedMatches, err := queryColumn[string](ctx, tx, `SELECT id FROM matches WHERE id = ANY ($1) AND tempo <> '' ORDER BY id FOR UPDATE`,
		slices.Collect(maps.Keys(matches)))
	if err != nil {
		return err
	}
	for _, id := range timedMatches {
		err := k.updateClocks(ctx, tx, id, func(m *match.Match) (ok bool) {
			for _, letter := range matches[id] {
				ok = m.RecordAccepted(rules.Seat(letter.seat.Int64), letter.number.Int64, at) || ok
			}
			return ok
		})
		if err != nil {
			return fmt.Errorf("start the clocks of match %s: %w", id, err)
		}
	}
	return nil
}

func (k *key) updateClocks(ctx context.Context, tx *transaction, match string, change func(*match.Match) bool) error {
	ok, err := lockMatch(ctx, tx, match, `tempo <> ''`)
	if err != nil || !ok {
		return err
	}
	m, err := k.readMatch(ctx, tx, match)
	if err == nil && change(m) {
		updateMatch(ctx, tx, m)
	}
	return err
}

// lockMatch locks a match until the end of the transaction, if a condition holds.
func lockMatch(ctx context.Context, tx *transaction, match, condition string) (ok bool, err error) {
	return queryValue[bool](ctx, tx, `SELECT TRUE FROM matches WHERE id = $1 AND `+condition+` FOR UPDATE`, match)
}

// readOutages reads the inbox outages since the start of the match's first running clock.
func readOutages(ctx context.Context, tx querier, m *match.Match) error {
	var from time.Time
	for i := range m.Seats {
		if at, ok := m.Seats[i].Clock.StartedAt(); ok && (from.IsZero() || at.Before(from)) {
			from = at
		}
	}
	if m.Tempo.IsUntimed() || from.IsZero() {
		return nil
	}
	outages, err := queryAll(ctx, tx, func(s *clock.Span) []any { return []any{micros{&s.From}, micros{&s.To}} },
		`SELECT since, until FROM deaf WHERE until > $1`, from.UnixMicro())
	m.InboxOutages = outages
	return err
}

// SetWatermark stores the inbox watermark: every letter delivered before this time has been processed.
func (db Inbox) SetWatermark(ctx context.Context, at time.Time) error {
	db.newest.advance(at)
	_, err := db.writer.ExecContext(ctx, `INSERT INTO looked (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
		at.UnixMicro())
	if err != nil {
		return fmt.Errorf("store the inbox watermark: %w", err)
	}
	return nil
}

// Watermark returns the inbox watermark, or the zero time if none is stored.
func (db Inbox) Watermark(ctx context.Context) (at time.Time, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT coalesce(max(at), 0) FROM looked`).Scan(micros{&at})
	wrapError(&err, "read the inbox watermark")
	return at, err
}

// AddOutage stores an inbox outage. Clocks do not run during an outage.
func (db Inbox) AddOutage(ctx context.Context, since, until time.Time) error {
	db.newest.advance(until)
	_, err := db.writer.ExecContext(ctx, `INSERT INTO deaf (since, until) VALUES ($1, $2)
		ON CONFLICT (since) DO UPDATE SET until = excluded.until WHERE excluded.until > deaf.until`,
		since.UnixMicro(), until.UnixMicro())
	if err != nil {
		return fmt.Errorf("store an inbox outage: %w", err)
	}
	return nil
}

// newestInboxTime is the newest stored watermark or end of an outage. isKnown is set once the stored times have been
// read. On SQLite they need not be read again, because no other process changes them.
type newestInboxTime struct {
	mu      sync.Mutex
	isKnown bool
	at      time.Time
}

func (t *newestInboxTime) advance(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.After(t.at) {
		t.at = at
	}
}

func (t *newestInboxTime) isAllBefore(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.isKnown && !t.at.After(now)
}

// setKnown records that the database has no time later than now, unless advance has recorded a later one since.
func (t *newestInboxTime) setKnown(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isKnown = true; now.After(t.at) {
		t.at = now
	}
}

// TruncateFuture corrects times after now, which exist if the system clock was set back: watermarks and outages are cut at
// now, and later deadlines are set to now, which only makes the daemon compute them again. It runs before each letter,
// so on SQLite the query is avoided if possible.
func (db Inbox) TruncateFuture(ctx context.Context, now time.Time) (err error) {
	defer wrapError(&err, "check whether the clock was set back")
	if db.writer.server == nil && db.newest.isAllBefore(now) {
		return nil
	}
	var hasFuture bool
	err = db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM deaf WHERE until > $1)
		OR EXISTS (SELECT 1 FROM looked WHERE at > $1)`, now.UnixMicro()).Scan(&hasFuture)
	if err != nil {
		return err
	}
	if !hasFuture {
		db.newest.setKnown(now)
		return nil
	}
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, statement := range []string{
			`DELETE FROM deaf WHERE since >= $1`, `UPDATE deaf SET until = $1 WHERE until > $1`,
			`UPDATE looked SET at = $1 WHERE at > $1`, `UPDATE seats SET deadline = $1 WHERE deadline > $1`,
		} {
			tx.exec(ctx, statement, now.UnixMicro())
		}
		return nil
	})
}
