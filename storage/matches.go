package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Listed is what a list of matches says of one: nothing that opens a letter.
type Listed struct {
	ID, Game string
	State    adjudicator.State
	// Since is when the state began.
	Since time.Time
	Seats []ListedSeat
	// Position is the canonical JSON of the position; nil before the deal. It holds
	// what is hidden.
	Position []byte
	// Acts is what acts have made of it.
	Acts adjudicator.Acts
	// Stopped means that a program has come to another position.
	Stopped bool
}

// Timed reports whether clocks run in the match.
func (l Listed) Timed() bool {
	return slices.ContainsFunc(l.Seats, func(s ListedSeat) bool { return s.Timed })
}

// ListedSeat is a seat of a listed match.
type ListedSeat struct {
	Name, Address string
	Joined        bool
	// Asked is since when the seat is asked; zero when that is not known, or when it is
	// asked nothing.
	Asked time.Time
	// Timed means that the seat has a clock, which shows Left; it runs until Until where that
	// is known.
	Timed bool
	Left  time.Duration
	Until time.Time
}

// ListMatches lists the matches of the database at path, those that are over if they are
// wanted, in the order of their names. It only reads, while a daemon may be at work.
func ListMatches(ctx context.Context, path, keyPath string, now time.Time, over bool) (list []Listed, err error) {
	defer wrap(&err, "list the matches in %s", path)
	var k key
	db, err := openReadOnly(ctx, path, &k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	have, newest, err := schema(ctx, db)
	if err == nil && have < newest {
		err = fmt.Errorf("the schema has version %d, this program wants %d: its daemon brings it there at the next start", have, newest)
	}
	if err == nil {
		k, err = readKey(keyPath, false)
	}
	if err != nil {
		return nil, err
	}
	// One snapshot for matches and seats.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	list, timed, err := k.listed(ctx, tx, over)
	if err != nil {
		return nil, err
	}
	if err := listedSeats(ctx, tx, list); err != nil {
		return nil, err
	}
	for _, i := range timed {
		if err := k.listedClocks(ctx, tx, &list[i], now); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Begun lists the matches that were dealt, whether they run or are over.
func (db *DB) Begun(ctx context.Context) (ids []string, err error) {
	defer wrap(&err, "list the matches that have begun")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} }, `SELECT id FROM matches WHERE position IS NOT NULL ORDER BY id`)
}

// listed reads the matches without their seats, and tells in which of them clocks run. A
// match runs since its first entry, and is over since its last.
func (k *key) listed(ctx context.Context, tx *sql.Tx, over bool) (out []Listed, timed []int, err error) {
	err = each(ctx, tx, func(scan func(...any) error) error {
		var l Listed
		var clocks bool
		var seq sql.NullInt64
		var entry struct{ At *time.Time }
		open := func(to any, column string) unsealed { return k.unsealed(to, column, &l.ID) }
		err := scan(&l.ID, &l.Game, &l.State, open(&l.Position, "matches.position"), open(inJSON{&l.Acts}, "matches.acts"), &l.Stopped, micros{&l.Since}, &clocks,
			&seq, k.unsealed(inJSON{&entry}, "entries.entry", &l.ID, &seq.Int64))
		if entry.At != nil {
			l.Since = *entry.At
		}
		if clocks {
			timed = append(timed, len(out))
		}
		out = append(out, l)
		return err
	}, `SELECT id, game, state, position, acts, EXISTS (SELECT 1 FROM stopped s WHERE s.match = id AND s.build <> matches.build), created, tempo <> '' AND state = ?4, e.seq, e.entry
		FROM matches LEFT JOIN entries e ON e.match = id AND e.seq = CASE WHEN state = ?1
			THEN (SELECT max(seq) FROM entries WHERE match = id) ELSE (SELECT min(seq) FROM entries WHERE match = id) END
		WHERE state NOT IN (?1, ?3) OR ?2 ORDER BY id`, string(adjudicator.Over), over, string(adjudicator.CalledOff), string(adjudicator.Playing))
	return out, timed, err
}

// listedSeats reads the seats of matches that stand in the order of their names.
func listedSeats(ctx context.Context, tx *sql.Tx, matches []Listed) error {
	i := 0
	return each(ctx, tx, func(scan func(...any) error) error {
		var id string
		var s ListedSeat
		err := scan(&id, &s.Name, &s.Address, &s.Joined, micros{&s.Asked})
		for i < len(matches) && matches[i].ID < id {
			i++
		}
		if i < len(matches) && matches[i].ID == id {
			matches[i].Seats = append(matches[i].Seats, s)
		}
		return err
	}, `SELECT match, name, address, joined, s.since FROM seats s JOIN players ON id = player ORDER BY match, seat`)
}

// listedClocks reads what all may know of the clocks of a match that runs.
func (k *key) listedClocks(ctx context.Context, tx *sql.Tx, l *Listed, now time.Time) error {
	m, err := k.wholeMatch(ctx, tx, l.ID)
	if err != nil {
		return err
	}
	for i := range l.Seats {
		s := &l.Seats[i]
		s.Timed = true
		s.Left, s.Until = m.Shown(rules.Seat(i), now)
	}
	return nil
}

// Finished is a match that is over.
type Finished struct {
	ID string
	// Version rises with whatever changes of the match.
	Version int64
}

// Finished lists the matches that are over, in the order of their names.
func (db *DB) Finished(ctx context.Context) (out []Finished, err error) {
	defer wrap(&err, "list the matches that are over")
	return list(ctx, db.reader, func(f *Finished) []any { return []any{&f.ID, &f.Version} },
		`SELECT id, version FROM matches WHERE state = ? ORDER BY id`, string(adjudicator.Over))
}
