package storage

import (
	"context"
	"database/sql"

	"samizdat/adjudicator"
)

// unsummedMatches are the matches that were dealt and were stored without a summary.
const unsummedMatches = `summary IS NULL AND position IS NOT NULL`

// Unsummed lists some of the matches that were stored without a summary, in the order of
// their names, behind a name.
func (db *DB) Unsummed(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrap(&err, "list the matches without a summary")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} },
		`SELECT id FROM matches WHERE `+unsummedMatches+` AND id > ? ORDER BY id LIMIT ?`, after, limit)
}

// Summed keeps the summaries of matches that were stored without one. A match that has moved
// meanwhile is left as it is.
func (db *DB) Summed(ctx context.Context, matches []*adjudicator.Match) (err error) {
	defer wrap(&err, "keep the summaries of matches")
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, m := range matches {
			if _, err := tx.ExecContext(ctx, `UPDATE matches SET summary = seal(?, 'matches.summary', id) WHERE id = ? AND version = ? AND `+unsummedMatches,
				inJSON{m.Summary}, m.ID, m.Version); err != nil {
				return err
			}
		}
		return nil
	})
}
