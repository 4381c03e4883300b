package storage

import (
	"context"

	"samizdat/adjudicator"
)

// unsummedMatches are the matches that were dealt and were stored without a summary.
const unsummedMatches = `summary IS NULL AND position IS NOT NULL`

// Unsummed lists some of the matches that were stored without a summary, in the order of
// their names, behind a name.
func (db *DB) Unsummed(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrap(&err, "list the matches without a summary")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} },
		`SELECT id FROM matches WHERE `+unsummedMatches+` AND id > $1 ORDER BY id LIMIT $2 + 0`, after, limit)
}

// Summed keeps the summaries of matches that were stored without one. A match that has moved
// meanwhile is left as it is.
func (db *DB) Summed(ctx context.Context, matches []*adjudicator.Match) (err error) {
	defer wrap(&err, "keep the summaries of matches")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, m := range matches {
			if _, err := tx.ExecContext(ctx, `UPDATE matches SET summary = $1 WHERE id = $2 AND version = $3 AND `+unsummedMatches,
				tx.seal(inJSON{m.Summary}, "matches.summary", m.ID), m.ID, m.Version); err != nil {
				return err
			}
		}
		return nil
	})
}
