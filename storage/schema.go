package storage

import (
	"context"
	"database/sql"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pressly/goose/v3"
)

// baseVersion is the version of the schema that the files below make of an empty database. Databases of older
// builds, which had no release, have lower numbers.
const baseVersion = 62

var (
	//go:embed schema/tables.sql
	tablesSchema string
	//go:embed schema/sqlite.sql
	sqliteSchema string
	//go:embed schema/postgres.sql
	postgresSchema string
)

// laterMigrations are the changes of the schema since then, in their order: the first makes version baseVersion+1. Each is written for
// SQLite, as the tables are, and runs in a transaction of its own.
var laterMigrations = []string{
	// Letters are not stored again when their pictures are drawn, what letters were called is made again, and all
	// matches have summaries.
	`DROP INDEX outbox_undrawn;
	DROP INDEX matches_unsummed;
	ALTER TABLE outbox DROP COLUMN final;
	ALTER TABLE sent DROP COLUMN message_id;`,
}

// newestVersion is that of the schema that this program works with.
func newestVersion() int64 { return int64(baseVersion + len(laterMigrations)) }

var (
	// ErrNewer: a newer Samizdat has changed the database.
	ErrNewer = errors.New("use a newer Samizdat")
	// ErrOlder: the database is one of a build before the first release that this program does not know.
	ErrOlder = errors.New("start a Samizdat that was built from commit 612bfc0c once, which brings it to 62, and then this one")
)

// checkVersionSupported refuses a version of the schema that this program cannot bring to the newest. No database has version 0.
func checkVersionSupported(have int64) error {
	switch newest := newestVersion(); {
	case have > newest:
		return fmt.Errorf("the schema has version %d, this program knows %d: %w", have, newest, ErrNewer)
	case have > 0 && have < baseVersion:
		return fmt.Errorf("the schema has version %d, this program goes on from %d: %w", have, baseVersion, ErrOlder)
	}
	return nil
}

// schemaVersion reads the version of a database that was made before.
func schemaVersion(ctx context.Context, db querier) (have int64, err error) {
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have); err != nil {
		return 0, fmt.Errorf("this is no database of Samizdat: %w", err)
	}
	return have, checkVersionSupported(have)
}

// migrations are the base and what came later, for an engine.
func migrations(e engine) []*goose.Migration {
	dialect := e.schema()
	out := make([]*goose.Migration, 0, 1+len(laterMigrations))
	for i, statements := range append([]string{tablesSchema + dialect.base}, laterMigrations...) {
		statements = dialect.text(statements)
		out = append(out, goose.NewGoMigration(int64(baseVersion+i), &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, statements)
			return err
		}}, nil))
	}
	return out
}

// dialect is how an engine makes tables.
type dialect struct {
	name goose.Dialect
	// base is what only this engine has.
	base string
	// adaptStatement is a statement of SQLite as the engine takes it.
	text func(string) string
}

func (sqlite) schema() dialect {
	return dialect{goose.DialectSQLite3, sqliteSchema, func(s string) string { return s }}
}

// typeName finds the types of columns, and strict what makes SQLite keep to them.
var (
	typeName = regexp.MustCompile(`\b(INTEGER|TEXT|BLOB|x'')`)
	strict   = regexp.MustCompile(`\) STRICT(, WITHOUT ROWID)?;`)
)

// schema gives texts the order of their bytes. Flags are bigint here too, so that a statement is the same for both
// engines, and a row can be copied as it is.
func (postgres) schema() dialect {
	types := strings.NewReplacer("INTEGER", "bigint", "TEXT", `text COLLATE "C"`, "BLOB", "bytea", "x''", "''")
	return dialect{goose.DialectPostgres, postgresSchema, func(s string) string {
		return strict.ReplaceAllString(typeName.ReplaceAllStringFunc(s, types.Replace), ");")
	}}
}

// migrate brings the schema from a version to the newest. Another process may be doing the same: then one of the two fails
// at a step that the other has made, and goes on behind it.
func migrate(ctx context.Context, p *goose.Provider, have int64) error {
	for {
		_, err := p.Up(ctx)
		if err == nil {
			return nil
		}
		now, failed := p.GetDBVersion(ctx)
		if failed != nil || now <= have {
			return errors.Join(err, failed)
		}
		have = now
	}
}
