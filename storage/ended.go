package storage

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"samizdat/adjudicator"
)

// beside attaches another database file as "present", reads from it, and detaches it.
func (db *DB) beside(ctx context.Context, path string, do func() error) (err error) {
	if _, err := os.Stat(path); err != nil {
		return err // SQLite would say only that it cannot open the file.
	}
	if _, err := db.writer.ExecContext(ctx, `ATTACH $1 AS present`, "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro"); err != nil {
		return err
	}
	defer func() {
		if _, e := db.writer.ExecContext(ctx, `DETACH present`); err == nil {
			err = e
		}
	}()
	var have int64
	if err := db.writer.QueryRowContext(ctx, `SELECT max(version_id) FROM present.goose_db_version WHERE is_applied`).Scan(&have); err != nil {
		return err
	}
	if newest := newestVersion(); have != newest {
		return fmt.Errorf("the schema has version %d, this program reads %d", have, newest)
	}
	return do()
}

// ended lists the matches whose secret is published in another database with the same key, and not here: those
// that run here, and those that have ended here by an act which the director might still undo.
func (db *DB) ended(ctx context.Context, path string) (ids []string, err error) {
	defer wrap(&err, "look for matches that have ended in %s", path)
	err = db.beside(ctx, path, func() error {
		return each(ctx, db.writer, func(scan func(...any) error) error {
			there, here := adjudicator.Match{State: adjudicator.Over}, adjudicator.Match{}
			err := scan(&there.ID, db.key.unsealed(inJSON{&there.Acts}, "matches.acts", &there.ID), &here.State, db.key.unsealed(inJSON{&here.Acts}, "matches.acts", &there.ID))
			if there.Published() && !here.Published() {
				ids = append(ids, there.ID)
			}
			return err
		}, `SELECT p.id, p.acts, m.state, m.acts FROM present.matches p JOIN main.matches m ON m.id = p.id WHERE p.state = $1 AND m.state <> $2 ORDER BY p.id`,
			string(adjudicator.Over), string(adjudicator.CalledOff))
	})
	return ids, err
}

// takeOver copies matches from another database file, all of them or none: history, position and
// received letters. No letter is sent again. Players keep their seats, and the numbers of
// letters keep their gap.
func (db *DB) takeOver(ctx context.Context, path string, ids []string) error {
	return db.beside(ctx, path, func() error {
		return db.write(ctx, func(ctx context.Context, tx *transaction) error {
			for _, id := range ids {
				if err := takeOver(ctx, tx, id); err != nil {
					return fmt.Errorf("take match %s over from %s: %w", id, path, err)
				}
			}
			return nil
		})
	})
}

func takeOver(ctx context.Context, tx *transaction, id string) error {
	var statements []string
	for _, table := range []string{"entries", "archives", "sent", "received"} {
		columns, err := columnsOf(ctx, tx, table)
		if err != nil {
			return err
		}
		statements = append(statements, `DELETE FROM main.`+table+` WHERE match = $1`,
			`INSERT INTO main.`+table+` (`+columns+`) SELECT `+columns+` FROM present.`+table+` WHERE match = $1`)
	}
	match, err := columnsOf(ctx, tx, "matches", "id", "version")
	if err != nil {
		return err
	}
	seats, err := columnsOf(ctx, tx, "seats", "match", "seat", "player", "letters")
	if err != nil {
		return err
	}
	statements = append(statements,
		`UPDATE main.matches SET version = version + 1, (`+match+`) = (SELECT `+match+` FROM present.matches WHERE id = $1) WHERE id = $1`,
		`UPDATE main.seats AS s SET (`+seats+`) = (SELECT `+seats+` FROM present.seats p WHERE p.match = s.match AND p.seat = s.seat) WHERE match = $1`)
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s, id); err != nil {
			return err
		}
	}
	return dropWaiting(ctx, tx, `$2 IN (match, watched)`, id)
}

// columnsOf lists the columns of a table, but for some.
func columnsOf(ctx context.Context, tx *transaction, table string, but ...string) (string, error) {
	names, err := list(ctx, tx, func(name *string) []any { return []any{name} }, `SELECT name FROM pragma_table_info($1) ORDER BY cid`, table)
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(but, name) })
	return strings.Join(names, ", "), err
}
