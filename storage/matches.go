package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// ListOptions: Over includes matches that are finished or called off, Addresses includes players' addresses.
type ListOptions struct{ Over, Addresses bool }

// ListMatches lists the matches of the database at path, which is a file or a URL, by ID. It only reads; a daemon may
// use the database at the same time.
func ListMatches(ctx context.Context, path, keyPath string, now time.Time, options ListOptions) (list []match.ListedMatch, err error) {
	defer wrapError(&err, "list the matches in %s", redactURL(path))
	var k key
	db, err := openForReading(ctx, path, &k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	version, err := schemaVersion(ctx, db)
	if newest := newestVersion(); err == nil && version < newest {
		err = fmt.Errorf("the schema has version %d, this program needs %d; the next start of the daemon migrates it", version, newest)
	}
	if err == nil {
		k, err = readKey(keyPath, false)
	}
	if err != nil {
		return nil, err
	}
	// The matches and their seats are read from one snapshot.
	tx, err := db.beginSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // read only
	list, timedIndexes, summaries, err := k.readListed(ctx, tx, options.Over)
	if err != nil {
		return nil, err
	}
	summaryErr := make(chan error, 1)
	go func() { summaryErr <- k.addSummaries(list, summaries) }()
	err = addSeats(ctx, tx, list, options.Addresses)
	if err = errors.Join(err, <-summaryErr); err != nil {
		return nil, err
	}
	if err := k.addBounces(ctx, tx, list); err != nil {
		return nil, err
	}
	for _, i := range timedIndexes {
		if err := k.readClocks(ctx, tx, &list[i], now); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// AllMatches returns the IDs of all matches.
func (db Matches) AllMatches(ctx context.Context) (ids []string, err error) {
	defer wrapError(&err, "list all matches")
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches ORDER BY id`)
}

// StartedMatches returns the IDs of matches that have started, running or finished.
func (db Matches) StartedMatches(ctx context.Context) (ids []string, err error) {
	defer wrapError(&err, "list the matches that have started")
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE position IS NOT NULL ORDER BY id`)
}

// readListed reads matches without seats and summaries. timedIndexes are the indexes in out of running matches with a
// clock. summaries are the encrypted summaries for addSummaries.
func (k *key) readListed(ctx context.Context, tx querier, includeOver bool) (out []match.ListedMatch, timedIndexes []int,
	summaries []any, err error) {
	stopped, err := readStopped(ctx, tx, allStopped)
	if err != nil {
		return nil, nil, nil, err
	}
	err = eachRow(ctx, tx, func(scan func(...any) error) error {
		var l match.ListedMatch
		var hasClock bool
		var summary any
		err := scan(&l.ID, &l.Game, &l.State, micros{&l.Since}, &hasClock, k.unsealInto(asJSON{&l.Lifecycle}, "matches.acts", &l.ID), &summary)
		l.Diverged = slices.ContainsFunc(stopped, func(s StoppedMatch) bool { return s.Match == l.ID })
		if hasClock {
			timedIndexes = append(timedIndexes, len(out))
		}
		out, summaries = append(out, l), append(summaries, summary)
		return err
	}, listedMatchesQuery, string(match.Playing), string(match.CalledOff), string(match.Over), includeOver)
	return out, timedIndexes, summaries, err
}

// addSummaries decrypts the stored summaries of matches. It sets Since to the time of the first entry or, if the match
// has ended, of the last entry.
func (k *key) addSummaries(matches []match.ListedMatch, stored []any) error {
	for i := range matches {
		l := &matches[i]
		if err := k.unsealInto(asJSON{&l.Summary}, "matches.summary", l.ID).Scan(stored[i]); err != nil {
			return fmt.Errorf("read the summary of match %s: %w", l.ID, err)
		}
		switch s := l.Summary; {
		case s == nil:
		case l.State == match.Over:
			l.Since = s.Ended
		default:
			l.Since = s.Began
		}
	}
	return nil
}

// listedMatchesQuery and listedSeatsQuery read only covering indexes, because the tables contain long values.
const (
	listedMatchesQuery = `SELECT id, game, state, created, tempo <> '' AND state = $1, CASE state
		WHEN $2 THEN (SELECT acts FROM matches WHERE id = m.id) END, summary
		FROM matches m INDEXED BY matches_listed WHERE state NOT IN ($2, $3) OR $4 = 1 ORDER BY id`
	listedSeatsQuery = `SELECT match, name, CASE WHEN $1 = 1 THEN (SELECT address FROM players WHERE id = player) ELSE '' END, joined, since
		FROM seats INDEXED BY seats_listed ORDER BY match, seat`
)

// addSeats adds the seats to matches, which must be sorted by ID.
func addSeats(ctx context.Context, tx querier, matches []match.ListedMatch, addresses bool) error {
	i := 0
	return eachRow(ctx, tx, func(scan func(...any) error) error {
		var id string
		var s match.ListedSeat
		err := scan(&id, &s.Name, &s.Address, &s.Joined, micros{&s.ToMoveSince})
		for i < len(matches) && matches[i].ID < id {
			i++
		}
		if i < len(matches) && matches[i].ID == id {
			matches[i].Seats = append(matches[i].Seats, s)
		}
		return err
	}, listedSeatsQuery, addresses)
}

// addBounces counts the bounces of each seat in matches, which must be sorted by ID.
func (k *key) addBounces(ctx context.Context, tx querier, matches []match.ListedMatch) error {
	return k.forEachUndelivered(ctx, tx, func(id string, seat int) {
		i, found := slices.BinarySearchFunc(matches, id, func(l match.ListedMatch, id string) int { return cmp.Compare(l.ID, id) })
		if found && seat < len(matches[i].Seats) {
			matches[i].Seats[seat].Bounces++
		}
	}, undeliveredQuery)
}

func (k *key) readClocks(ctx context.Context, tx querier, l *match.ListedMatch, now time.Time) error {
	m, err := k.readMatch(ctx, tx, l.ID)
	if err != nil {
		return err
	}
	for i := range l.Seats {
		s := &l.Seats[i]
		s.HasClock = true
		s.TimeLeft, s.Until = m.PublicTimeLeft(rules.Seat(i), now)
	}
	return nil
}

// FinishedMatch identifies a version of a finished match.
type FinishedMatch struct {
	ID string
	// Version increases with each change of the match.
	Version int64
}

// Finished lists the finished matches by ID.
func (db Matches) Finished(ctx context.Context) (out []FinishedMatch, err error) {
	defer wrapError(&err, "list the finished matches")
	return queryAll(ctx, db.reader, func(f *FinishedMatch) []any { return []any{&f.ID, &f.Version} },
		`SELECT id, version FROM matches WHERE state = $1 ORDER BY id`, string(match.Over))
}

// Stats are numbers for monitoring.
type Stats struct {
	// Matches counts matches by state, and Outbox counts waiting and failed letters.
	Matches, Outbox map[string]int
	// OldestDue is the time at which the oldest waiting letter was first due, or the zero time if none waits.
	OldestDue time.Time
	Stopped   int
}

// Stats counts matches and letters.
func (db Operator) Stats(ctx context.Context) (s Stats, err error) {
	defer wrapError(&err, "count matches and letters")
	if s.Matches, err = queryMap[string, int](ctx, db.reader, `SELECT state, count(*) FROM matches GROUP BY state`); err != nil {
		return s, err
	}
	// Partial indexes answer both queries.
	var waiting, failed int
	if err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM outbox WHERE state = 'failed'`).Scan(&failed); err != nil {
		return s, err
	}
	err = db.reader.QueryRowContext(ctx, `SELECT count(*), min(since) FROM outbox WHERE state = 'waiting'`).
		Scan(&waiting, micros{&s.OldestDue})
	if err != nil {
		return s, err
	}
	s.Outbox = map[string]int{"waiting": waiting, "failed": failed}
	stopped, err := readStopped(ctx, db.reader, allStopped)
	s.Stopped = len(stopped)
	return s, err
}

const otherBuildCondition = `position IS NOT NULL AND build <> $1 AND (state = 'playing' OR due IS NOT NULL)`

// CountOtherBuilds counts the matches that can continue and were stored by another build.
func (db Upkeep) CountOtherBuilds(ctx context.Context, build string) (n int, err error) {
	defer wrapError(&err, "count the matches of other builds")
	return queryValue[int](ctx, db.reader, `SELECT count(*) FROM matches WHERE `+otherBuildCondition, build)
}

// ListOtherBuilds returns the first limit IDs, greater than after, of the matches that CountOtherBuilds counts.
func (db Upkeep) ListOtherBuilds(ctx context.Context, build, after string, limit int) (ids []string, err error) {
	defer wrapError(&err, "list the matches of other builds")
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE `+otherBuildCondition+` AND id > $2 ORDER BY id LIMIT $3 + 0`,
		build, after, limit)
}

// RecordRebuilt records that a build has recomputed the stored positions of matches without a difference. It skips
// matches that have changed since they were read.
func (db Upkeep) RecordRebuilt(ctx context.Context, build string, matches []*match.Match) (err error) {
	defer wrapError(&err, "record which matches were rebuilt")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, m := range matches {
			tx.exec(ctx, `UPDATE matches SET build = $1 WHERE id = $2 AND build = $3 AND head = $4`, build, m.ID, m.Build, m.Head)
		}
		tx.exec(ctx, `DELETE FROM stopped WHERE match IN (SELECT id FROM matches WHERE build = $1)`, build)
		return nil
	})
}

// StopMatch stops a match, because a build computes a position that differs from the stored position.
func (db Upkeep) StopMatch(ctx context.Context, d *adjudicator.DivergenceError, at time.Time) (err error) {
	defer wrapError(&err, "stop match %s", d.Match)
	return db.writeStatement(ctx, `INSERT INTO stopped (match, build, entry, at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (match) DO UPDATE SET build = excluded.build, entry = excluded.entry, at = excluded.at, told = 0
			WHERE stopped.build <> excluded.build`,
		d.Match, d.ThisBuild, nullUnless(d.Entry >= 0, d.Entry), at.UnixMicro())
}

// StoppedMatch is a match that does not continue, because two builds compute different positions. For example, build
// 2 computes a position at entry 31 that differs from the position that build 1 stored.
type StoppedMatch struct {
	Match string
	// StoredBuild is the build that stored the match, and ThisBuild the build that computes another position.
	StoredBuild, ThisBuild string
	// Entry is the first entry with a different position, if known.
	Entry sql.Null[int]
}

// readStopped ignores a row if the build that stopped the match has stored a position since. RecordRebuilt deletes the
// row after a build has recomputed the same position.
func readStopped(ctx context.Context, a querier, query string) ([]StoppedMatch, error) {
	return queryAll(ctx, a, func(s *StoppedMatch) []any { return []any{&s.Match, &s.StoredBuild, &s.ThisBuild, &s.Entry} }, query)
}

const (
	stoppedMatches = `SELECT id, matches.build, stopped.build, entry FROM stopped JOIN matches ON id = match
		WHERE matches.build <> stopped.build `
	allStopped        = stoppedMatches + `ORDER BY id`
	unreportedStopped = stoppedMatches + `AND told = 0 ORDER BY id`
)

// ReportStopped queues a letter about the stopped matches that no earlier letter has reported. It returns false if there
// are no such matches. Without a recipient no letter is queued.
func (db Operator) ReportStopped(ctx context.Context, to string, at time.Time, write func([]StoppedMatch) ([]byte,
	error)) (wasNotified bool, err error) {
	defer wrapError(&err, "report stopped matches to the operator")
	if to == "" {
		return false, nil
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		wasNotified = false
		tx.pool.engine.acquireLock(ctx, tx, noticesLock)
		found, err := readStopped(ctx, tx, unreportedStopped)
		if err != nil || len(found) == 0 {
			return err
		}
		raw, err := write(found)
		if err != nil {
			return err
		}
		for _, s := range found {
			tx.exec(ctx, `UPDATE stopped SET told = 1 WHERE match = $1 AND build = $2`, s.Match, s.ThisBuild)
		}
		wasNotified = true
		return queueLetters(ctx, tx, newNotice(to, raw, at))
	})
	return wasNotified && err == nil, err
}
