package storage

import (
	"context"
	"database/sql"
	"time"

	"samizdat/adjudicator"
)

// otherBuild are the matches that may still be moved, and that another program has stored.
const otherBuild = `position IS NOT NULL AND build <> $1 AND (state = 'playing' OR due IS NOT NULL)`

// OtherBuilds counts the running matches that another program than build has stored.
func (db *DB) OtherBuilds(ctx context.Context, build string) (n int, err error) {
	defer wrap(&err, "count the matches of other builds")
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) FROM matches WHERE `+otherBuild, build).Scan(&n)
	return n, err
}

// OtherBuild lists some of them, in the order of their names, behind a name.
func (db *DB) OtherBuild(ctx context.Context, build, after string, limit int) (ids []string, err error) {
	defer wrap(&err, "list the matches of other builds")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} },
		`SELECT id FROM matches WHERE `+otherBuild+` AND id > $2 ORDER BY id LIMIT $3 + 0`, build, after, limit)
}

// Rebuilt notes that a build comes to the positions that other builds have stored. A match
// that has moved meanwhile is left as it is.
func (db *DB) Rebuilt(ctx context.Context, build string, matches []*adjudicator.Match) (err error) {
	defer wrap(&err, "note which matches were rebuilt")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, m := range matches {
			if _, err := tx.ExecContext(ctx, `UPDATE matches SET build = $1 WHERE id = $2 AND build = $3 AND head = $4`, build, m.ID, m.Build, m.Head); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM stopped WHERE match IN (SELECT id FROM matches WHERE build = $1)`, build)
		return err
	})
}

// Stop notes that a build comes to another position of a match.
func (db *DB) Stop(ctx context.Context, d *adjudicator.Differs, at time.Time) (err error) {
	defer wrap(&err, "stop match %s", d.Match)
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO stopped (match, build, entry, at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (match) DO UPDATE SET build = excluded.build, entry = excluded.entry, at = excluded.at, told = 0 WHERE stopped.build <> excluded.build`,
			d.Match, d.Is, when(d.Entry >= 0, d.Entry), at.UnixMicro())
		return err
	})
}

// Stopped is a match that is stopped.
type Stopped struct {
	Match string
	// Was is the build that stored it, Is the one that comes to another position.
	Was, Is string
	// Entry is where that shows first; not valid where it is not known.
	Entry sql.Null[int]
}

// stopped reads the matches that are stopped. What was stored since by the program that stopped
// it, or by another, runs again.
func stopped(ctx context.Context, a asker, query string) ([]Stopped, error) {
	return list(ctx, a, func(s *Stopped) []any { return []any{&s.Match, &s.Was, &s.Is, &s.Entry} }, query)
}

const (
	stoppedMatches    = `SELECT id, matches.build, stopped.build, entry FROM stopped JOIN matches ON id = match WHERE matches.build <> stopped.build `
	allStopped        = stoppedMatches + `ORDER BY id`
	stoppedAndNotTold = stoppedMatches + `AND told = 0 ORDER BY id`
)

// TellStopped queues one letter on the matches that are stopped and of which no letter has
// told, if there are any. It reports whether there was one. Without a recipient nothing is
// queued.
func (db *DB) TellStopped(ctx context.Context, to string, at time.Time, write func([]Stopped) ([]byte, error)) (told bool, err error) {
	defer wrap(&err, "tell the operator which matches are stopped")
	if to == "" {
		return false, nil
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		told = false
		if err := tx.pool.engine.one(ctx, tx, telling); err != nil {
			return err
		}
		found, err := stopped(ctx, tx, stoppedAndNotTold)
		if err != nil || len(found) == 0 {
			return err
		}
		raw, err := write(found)
		if err != nil {
			return err
		}
		for _, s := range found {
			if _, err := tx.ExecContext(ctx, `UPDATE stopped SET told = 1 WHERE match = $1 AND build = $2`, s.Match, s.Is); err != nil {
				return err
			}
		}
		told = true
		return queue(ctx, tx, note(to, raw, at))
	})
	return told && err == nil, err
}
