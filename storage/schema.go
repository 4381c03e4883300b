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

// baseVersion is the schema version that the files below create, the first that was released.
const baseVersion = 62

var (
	//go:embed schema/tables.sql
	tablesSchema string
	//go:embed schema/sqlite.sql
	sqliteSchema string
	//go:embed schema/postgres.sql
	postgresSchema string
)

// laterMigrations are the migrations after the base, in order: the first leads to version baseVersion+1. They are in
// SQLite's dialect, and each runs in a transaction.
var laterMigrations = []string{
	// These indexes and columns are not needed: pictures are drawn again, Message-IDs are derived from letter names, and
	// all matches have summaries.
	`DROP INDEX outbox_undrawn;
	DROP INDEX matches_unsummed;
	ALTER TABLE outbox DROP COLUMN final;
	ALTER TABLE sent DROP COLUMN message_id;`,
	// Background jobs (column thinking: a robot must answer, or an analysis must be made), and analyses of finished
	// matches.
	`ALTER TABLE matches ADD COLUMN thinking TEXT;
	ALTER TABLE matches ADD COLUMN analysis BLOB;
	CREATE INDEX matches_thinking ON matches (thinking, id) WHERE thinking IS NOT NULL;`,
	// usage holds counts of how the match of a result was played (JSON), or NULL until they are made.
	`ALTER TABLE results ADD COLUMN usage TEXT;
	CREATE INDEX results_usage ON results (ended, match) WHERE usage IS NULL;`,
	// Web hooks and their queued notices.
	`CREATE TABLE hooks (
		id        INTEGER PRIMARY KEY, -- the member; negative for hooks of the operator
		hook      BLOB NOT NULL, -- JSON
		kinds     TEXT NOT NULL,
		match     TEXT NOT NULL,
		state     TEXT NOT NULL, -- asking, asked, confirmed
		failing   INTEGER,
		attempts  INTEGER NOT NULL DEFAULT 0,
		due       INTEGER NOT NULL DEFAULT 0
	) STRICT;
	CREATE TABLE notices (
		id     INTEGER PRIMARY KEY /* numbered */,
		hook   INTEGER NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
		at     INTEGER NOT NULL,
		notice TEXT NOT NULL -- JSON
	) STRICT;
	CREATE INDEX notices_hook ON notices (hook, id);`,
	`CREATE INDEX hooks_asking ON hooks (id) WHERE state = 'asking';`,
	`ALTER TABLE observers ADD COLUMN spoken INTEGER NOT NULL DEFAULT 0;`,
}

func newestVersion() int64 { return int64(baseVersion + len(laterMigrations)) }

var (
	// ErrNewer means that the database was changed by a newer program.
	ErrNewer = errors.New("use a newer Samizdat")
	// ErrOlder means that the database is from a build before the first release.
	ErrOlder = errors.New("first start a Samizdat that was built from commit 612bfc0c: it migrates the database to version 62. Then start this program again")
)

// checkVersionSupported returns an error for a schema that this program cannot use or upgrade. A new database has
// version 0.
func checkVersionSupported(have int64) error {
	switch newest := newestVersion(); {
	case have > newest:
		return fmt.Errorf("the schema has version %d, this program knows %d: %w", have, newest, ErrNewer)
	case have > 0 && have < baseVersion:
		return fmt.Errorf("the schema has version %d; this program upgrades from version %d or later: %w", have, baseVersion, ErrOlder)
	}
	return nil
}

func schemaVersion(ctx context.Context, db querier) (have int64, err error) {
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have); err != nil {
		return 0, fmt.Errorf("this is not a Samizdat database: %w", err)
	}
	return have, checkVersionSupported(have)
}

func migrations(e engine) []*goose.Migration {
	d := e.dialect()
	out := make([]*goose.Migration, 0, 1+len(laterMigrations))
	for i, statements := range append([]string{tablesSchema + d.base}, laterMigrations...) {
		statements = d.translate(statements)
		out = append(out, goose.NewGoMigration(int64(baseVersion+i), &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, statements)
			return err
		}}, nil))
	}
	return out
}

type dialect struct {
	name goose.Dialect
	// base is the part of the base schema that only this engine has.
	base string
	// translate converts a statement from SQLite's dialect.
	translate func(string) string
}

func (sqlite) dialect() dialect {
	return dialect{goose.DialectSQLite3, sqliteSchema, func(s string) string { return s }}
}

// For the STRICT clause of SQLite see https://sqlite.org/stricttables.html.
var (
	typePattern  = regexp.MustCompile(`\b(INTEGER|TEXT|BLOB|x'')`)
	strictClause = regexp.MustCompile(`\) STRICT(, WITHOUT ROWID)?;`)
)

// numberedKey marks a primary key that the database numbers. SQLite numbers each INTEGER PRIMARY KEY.
const numberedKey = "INTEGER PRIMARY KEY /* numbered */"

// dialect returns the dialect of PostgreSQL. Texts are sorted by bytes. Flags are bigint as in SQLite, so that
// statements and copied rows are the same for both engines.
func (postgres) dialect() dialect {
	types := strings.NewReplacer("INTEGER", "bigint", "TEXT", `text COLLATE "C"`, "BLOB", "bytea", "x''", "''")
	return dialect{goose.DialectPostgres, postgresSchema, func(s string) string {
		s = strings.ReplaceAll(s, numberedKey, "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
		return strictClause.ReplaceAllString(typePattern.ReplaceAllStringFunc(s, types.Replace), ");")
	}}
}

// migrate upgrades the schema from version have. If two processes migrate at the same time, a step that the faster
// process has done fails in the slower process, which then continues with the next step.
func migrate(ctx context.Context, p *goose.Provider, have int64) error {
	for {
		_, err := p.Up(ctx)
		if err == nil {
			return nil
		}
		version, versionErr := p.GetDBVersion(ctx)
		if versionErr != nil || version <= have {
			return errors.Join(err, versionErr)
		}
		have = version
	}
}
