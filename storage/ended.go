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

// ended lists the matches that run here and that have ended in another database with the same
// key, so that their secrets are published. What is to be done with them is done while the
// other is at hand, as present.
func (db *DB) ended(ctx context.Context, path string, do func(ids []string) error) (err error) {
	defer wrap(&err, "look for matches that have ended in %s", path)
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
	newest, err := newestSchema()
	if err != nil {
		return err
	}
	var have int64
	if err := db.writer.QueryRowContext(ctx, `SELECT max(version_id) FROM present.goose_db_version WHERE is_applied`).Scan(&have); err != nil {
		return err
	}
	if have != newest {
		return fmt.Errorf("the schema has version %d, this program reads %d", have, newest)
	}
	var ids []string
	err = each(ctx, db.writer, func(scan func(...any) error) error {
		m := adjudicator.Match{State: adjudicator.Over}
		err := scan(&m.ID, db.key.unsealed(inJSON{&m.Acts}, "matches.acts", &m.ID))
		if m.Published() {
			ids = append(ids, m.ID)
		}
		return err
	}, `SELECT p.id, p.acts FROM present.matches p JOIN main.matches m ON m.id = p.id WHERE p.state = $1 AND m.state NOT IN ($1, $2) ORDER BY p.id`,
		string(adjudicator.Over), string(adjudicator.CalledOff))
	if err != nil || len(ids) == 0 {
		return err
	}
	return do(ids)
}

// takeOver takes matches as they are in the database at hand as present: history, position and
// all that came in. Nothing is sent again. Whoever sits in them stays, and so do the numbers
// of letters, which leave a gap.
func (db *DB) takeOver(ctx context.Context, ids []string) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, id := range ids {
			if err := takeOver(ctx, tx, id); err != nil {
				return fmt.Errorf("take match %s over: %w", id, err)
			}
		}
		return nil
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
		`UPDATE main.seats AS s SET (`+seats+`) = (SELECT `+seats+` FROM present.seats p WHERE p.match = s.match AND p.seat = s.seat) WHERE match = $1`,
		dropWaiting+`$1 IN (match, watched)`)
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s, id); err != nil {
			return err
		}
	}
	return nil
}

// columnsOf lists the columns of a table, but for some.
func columnsOf(ctx context.Context, tx *transaction, table string, but ...string) (string, error) {
	names, err := list(ctx, tx, func(name *string) []any { return []any{name} }, `SELECT name FROM pragma_table_info($1) ORDER BY cid`, table)
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(but, name) })
	return strings.Join(names, ", "), err
}
