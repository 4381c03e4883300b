package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Wanted is what a list of matches has that not every list has: matches that are over, and
// the addresses of players.
type Wanted struct{ Over, Addresses bool }

// ListMatches lists the matches of a database, a file or a URL, in the order of their names. It only
// reads, while a daemon may be at work.
func ListMatches(ctx context.Context, path, keyPath string, now time.Time, want Wanted) (list []adjudicator.Listed, err error) {
	defer wrap(&err, "list the matches in %s", shown(path))
	var k key
	db, err := openThere(ctx, path, &k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	have, err := schemaVersion(ctx, db)
	if newest := newestVersion(); err == nil && have < newest {
		err = fmt.Errorf("the schema has version %d, this program wants %d: its daemon brings it there at the next start", have, newest)
	}
	if err == nil {
		k, err = readKey(keyPath, false)
	}
	if err != nil {
		return nil, err
	}
	// One snapshot for matches and seats.
	tx, err := db.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	list, timed, summaries, err := k.listed(ctx, tx, want.Over)
	if err != nil {
		return nil, err
	}
	summed := make(chan error, 1)
	go func() { summed <- k.addSummaries(list, summaries) }()
	err = addSeats(ctx, tx, list, want.Addresses)
	if err = errors.Join(err, <-summed); err != nil {
		return nil, err
	}
	if err := k.addBounces(ctx, tx, list); err != nil {
		return nil, err
	}
	for _, i := range timed {
		if err := k.listedClocks(ctx, tx, &list[i], now); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// AllMatches lists all matches.
func (db *DB) AllMatches(ctx context.Context) (ids []string, err error) {
	defer wrap(&err, "list all matches")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} }, `SELECT id FROM matches ORDER BY id`)
}

// Begun lists the matches that were dealt, whether they run or are over.
func (db *DB) Begun(ctx context.Context) (ids []string, err error) {
	defer wrap(&err, "list the matches that have begun")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} }, `SELECT id FROM matches WHERE position IS NOT NULL ORDER BY id`)
}

// listed reads the matches without their seats, and tells in which of them clocks run. Their
// summaries are as they are stored.
func (k *key) listed(ctx context.Context, tx asker, over bool) (out []adjudicator.Listed, timed []int, summaries []any, err error) {
	still, err := stopped(ctx, tx, allStopped)
	if err != nil {
		return nil, nil, nil, err
	}
	err = each(ctx, tx, func(scan func(...any) error) error {
		var l adjudicator.Listed
		var clocks bool
		var summary any
		err := scan(&l.ID, &l.Game, &l.State, micros{&l.Since}, &clocks, k.unsealed(inJSON{&l.Acts}, "matches.acts", &l.ID), &summary)
		l.Stopped = slices.ContainsFunc(still, func(s Stopped) bool { return s.Match == l.ID })
		if clocks {
			timed = append(timed, len(out))
		}
		out, summaries = append(out, l), append(summaries, summary)
		return err
	}, listedMatches, string(adjudicator.Playing), string(adjudicator.CalledOff), string(adjudicator.Over), over)
	return out, timed, summaries, err
}

// addSummaries reads the summaries of matches. A match runs since its first entry, and is over
// since its last.
func (k *key) addSummaries(matches []adjudicator.Listed, stored []any) error {
	for i := range matches {
		l := &matches[i]
		if err := k.unsealed(inJSON{&l.Summary}, "matches.summary", l.ID).Scan(stored[i]); err != nil {
			return fmt.Errorf("read the summary of match %s: %w", l.ID, err)
		}
		switch s := l.Summary; {
		case s == nil:
		case l.State == adjudicator.Over:
			l.Since = s.Ended
		default:
			l.Since = s.Began
		}
	}
	return nil
}

// listedMatches and listedSeats are read from indexes that have all of it: in the tables it
// stands between what is long.
const (
	listedMatches = `SELECT id, game, state, created, tempo <> '' AND state = $1, CASE state WHEN $2 THEN (SELECT acts FROM matches WHERE id = m.id) END, summary
		FROM matches m INDEXED BY matches_listed WHERE state NOT IN ($2, $3) OR $4 = 1 ORDER BY id`
	listedSeats = `SELECT match, name, CASE WHEN $1 = 1 THEN (SELECT address FROM players WHERE id = player) ELSE '' END, joined, since
		FROM seats INDEXED BY seats_listed ORDER BY match, seat`
)

// addSeats reads the seats of matches that stand in the order of their names.
func addSeats(ctx context.Context, tx asker, matches []adjudicator.Listed, addresses bool) error {
	i := 0
	return each(ctx, tx, func(scan func(...any) error) error {
		var id string
		var s adjudicator.ListedSeat
		err := scan(&id, &s.Name, &s.Address, &s.Joined, micros{&s.Asked})
		for i < len(matches) && matches[i].ID < id {
			i++
		}
		if i < len(matches) && matches[i].ID == id {
			matches[i].Seats = append(matches[i].Seats, s)
		}
		return err
	}, listedSeats, addresses)
}

// addBounces counts the letters that did not arrive, for matches that stand in the order of
// their names.
func (k *key) addBounces(ctx context.Context, tx asker, matches []adjudicator.Listed) error {
	return k.eachUnarrived(ctx, tx, func(id string, seat int) {
		i, found := slices.BinarySearchFunc(matches, id, func(l adjudicator.Listed, id string) int { return cmp.Compare(l.ID, id) })
		if found && seat < len(matches[i].Seats) {
			matches[i].Seats[seat].Bounces++
		}
	}, unarrived)
}

// listedClocks reads what all may know of the clocks of a match that runs.
func (k *key) listedClocks(ctx context.Context, tx asker, l *adjudicator.Listed, now time.Time) error {
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
		`SELECT id, version FROM matches WHERE state = $1 ORDER BY id`, string(adjudicator.Over))
}
