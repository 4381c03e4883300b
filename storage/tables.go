package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// bulkEngine is the part of engine that Copy and Restore use.
type bulkEngine interface {
	// catalog returns queries for the columns of all tables with their types, and for foreign keys.
	catalog() (columns, references string)
	hasTable(ctx context.Context, db querier, table string) (bool, error)
	countOtherConnections(ctx context.Context, db querier) (int, error)
	// receivedOrder is the column that sorts received letters by arrival.
	receivedOrder() string
	// prepareBulk prepares a transaction without time-outs, and locks tables against writes.
	prepareBulk(ctx context.Context, b *bulkTransaction, locked []table) error
	// writeRows inserts the rows that next returns, until next returns nil.
	writeRows(ctx context.Context, b *bulkTransaction, t table, next func() ([]any, error)) error
	resetSequences(ctx context.Context, b *bulkTransaction, tables []table) error
	// finishCopy completes a copy: it updates the statistics of PostgreSQL, or empties the WAL of SQLite.
	finishCopy(ctx context.Context, db *connection) error
}

// kind is the type of a column, independent of the engine.
type kind string

var columnKinds = map[string]kind{"INTEGER": "integer", "bigint": "integer", "TEXT": "text", "text": "text", "BLOB": "bytes",
	"bytea": "bytes"}

type column struct {
	name string
	kind kind
}

type table struct {
	name       string
	columns    []column
	references []string
}

func quoteName(name string) string { return `"` + name + `"` }

func (t table) columnList() string {
	return quoteName(strings.Join(t.names(), `", "`))
}

func (t table) names() (out []string) {
	for _, c := range t.columns {
		out = append(out, c.name)
	}
	return out
}

// order returns an ORDER BY clause for the order of insertion, or "" if the order does not matter.
func (t table) order() string {
	if t.name == "received" {
		return ` ORDER BY at, uid`
	}
	return ""
}

// These tables and columns are not copied. Claims end with their daemons, the letters of arrivals are still in the inbox
// and are read again, and the limits on the number of replies (table answered)
// start from zero.
var (
	transientTables = []string{"arrivals", "answered"}
	claimColumns    = []string{"claim"}
)

func readTables(ctx context.Context, p *pool) (map[string]table, error) {
	columns, references := p.engine.catalog()
	out := map[string]table{}
	err := eachRow(ctx, p, func(scan func(...any) error) error {
		var tableName, name, sqlType string
		if err := scan(&tableName, &name, &sqlType); err != nil {
			return err
		}
		if tableName == unfinishedTable || tableName == "goose_db_version" {
			return nil
		}
		k, ok := columnKinds[sqlType]
		if !ok {
			return fmt.Errorf("column %s of table %s has unknown type %s", name, tableName, sqlType)
		}
		t := out[tableName]
		t.name, t.columns = tableName, append(t.columns, column{name, k})
		out[tableName] = t
		return nil
	}, columns)
	if err == nil {
		err = eachRow(ctx, p, func(scan func(...any) error) error {
			var from, to string
			err := scan(&from, &to)
			t := out[from]
			t.references = append(t.references, to)
			out[from] = t
			return err
		}, references)
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of tables: %w", err)
	}
	return out, nil
}

// compareTables returns the tables of source, each after the tables that it references. It returns an error if the
// tables or columns of target differ.
func compareTables(source, target map[string]table) (out []table, err error) {
	byName := func(x, y column) int { return strings.Compare(x.name, y.name) }
	for _, name := range slices.Sorted(maps.Keys(source)) {
		if !slices.Equal(slices.SortedFunc(slices.Values(source[name].columns), byName),
			slices.SortedFunc(slices.Values(target[name].columns), byName)) {
			return nil, fmt.Errorf("the columns of table %s differ between source and target", name)
		}
	}
	if len(source) != len(target) {
		return nil, fmt.Errorf("the source has %d tables, the target %d", len(source), len(target))
	}
	isAdded := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if isAdded[name] {
			return
		}
		isAdded[name] = true
		for _, r := range source[name].references {
			add(r)
		}
		out = append(out, source[name])
	}
	for _, name := range slices.Sorted(maps.Keys(source)) {
		add(name)
	}
	return out, nil
}

func (sqlite) catalog() (columns, references string) {
	return `SELECT m.name, c.name, c.type FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'
		AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid`,
		`SELECT m.name, f."table" FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY 1, 2`
}

func (sqlite) hasTable(ctx context.Context, db querier, table string) (ok bool, err error) {
	return queryValue[bool](ctx, db, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)`, table)
}

func (sqlite) receivedOrder() string                                           { return "rowid" }
func (postgres) receivedOrder() string                                         { return "at" }
func (sqlite) countOtherConnections(context.Context, querier) (int, error)     { return 0, nil }
func (sqlite) prepareBulk(context.Context, *bulkTransaction, []table) error    { return nil }
func (sqlite) resetSequences(context.Context, *bulkTransaction, []table) error { return nil }
func (sqlite) finishCopy(ctx context.Context, db *connection) error {
	_, err := db.writer.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

func (sqlite) writeRows(ctx context.Context, b *bulkTransaction, t table, next func() ([]any, error)) (err error) {
	values := make([]string, len(t.columns))
	for i := range values {
		values[i] = fmt.Sprintf("$%d", i+1)
	}
	s, err := b.tx.PrepareContext(ctx, `INSERT INTO `+quoteName(t.name)+` (`+t.columnList()+`) VALUES (`+strings.Join(values, ", ")+`)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for {
		row, err := next()
		if row == nil || err != nil {
			return err
		}
		if _, err := s.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
}

func (postgres) catalog() (columns, references string) {
	return `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()
		ORDER BY table_name, ordinal_position`,
		`SELECT t.relname, r.relname FROM pg_constraint AS f JOIN pg_class AS t ON t.oid = f.conrelid JOIN pg_class AS r ON r.oid = f.confrelid
			WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace ORDER BY 1, 2`
}

func (postgres) hasTable(ctx context.Context, db querier, table string) (ok bool, err error) {
	return queryValue[bool](ctx, db, `SELECT to_regclass($1) IS NOT NULL`, table)
}

func (postgres) countOtherConnections(ctx context.Context, db querier) (n int, err error) {
	return queryValue[int](ctx, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		AND application_name <> $1 AND (application_name = $2 OR usename = current_user)`,
		exclusiveName, sessionSettings["application_name"])
}

func (postgres) prepareBulk(ctx context.Context, b *bulkTransaction, locked []table) error {
	for _, limit := range []string{"statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"} {
		if _, err := b.tx.ExecContext(ctx, `SELECT set_config(name, '0', true) FROM pg_settings WHERE name = $1`, limit); err != nil {
			return err
		}
	}
	for _, t := range locked {
		if _, err := b.tx.ExecContext(ctx, `LOCK TABLE `+quoteName(t.name)+` IN SHARE MODE`); err != nil {
			return fmt.Errorf("lock table %s: %w", t.name, err)
		}
	}
	return nil
}

func (postgres) writeRows(ctx context.Context, b *bulkTransaction, t table, next func() ([]any, error)) error {
	return b.conn.Raw(func(c any) error {
		_, err := c.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{t.name}, t.names(), pgx.CopyFromFunc(next))
		return err
	})
}

func (postgres) resetSequences(ctx context.Context, b *bulkTransaction, tables []table) error {
	for _, t := range tables {
		for _, c := range t.columns {
			var sequence sql.NullString
			if err := b.tx.QueryRowContext(ctx, `SELECT pg_get_serial_sequence($1, $2)`, quoteName(t.name), c.name).Scan(&sequence); err != nil {
				return err
			}
			if !sequence.Valid {
				continue
			}
			id := quoteName(c.name)
			if _, err := b.tx.ExecContext(ctx, `SELECT setval($1, coalesce(max(`+id+`), 1), max(`+id+`) IS NOT NULL) FROM `+quoteName(t.name),
				sequence.String); err != nil {
				return fmt.Errorf("reset the sequence of %s: %w", t.name, err)
			}
		}
	}
	return nil
}

func (postgres) finishCopy(ctx context.Context, db *connection) error {
	return db.runBulk(ctx, nil, func(b *bulkTransaction) error {
		_, err := b.tx.ExecContext(ctx, `ANALYZE`)
		return err
	})
}
