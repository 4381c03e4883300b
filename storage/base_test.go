package storage

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"samizdat/internal/test/pgtest"
)

var updateBase = flag.Bool("update", false, "write base.sql anew")

// TestBase: a new file has the schema that all migrations make of an empty one, and no row that they do not make.
func TestBase(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server has a migration for it")
	k, err := readKey(filepath.Join(t.TempDir(), "s.key"), true)
	must(t, err)
	migrated := connect(filepath.Join(t.TempDir(), "s.db"), &k)
	t.Cleanup(func() { must(t, migrated.Close()) })
	sub, err := fs.Sub(migrations, "migrations")
	must(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, migrated.DB, sub)
	must(t, err)
	_, err = p.Up(t.Context())
	must(t, err)
	texts := func(p *pool, query string) []string {
		l, err := list(t.Context(), p, func(s *string) []any { return []any{s} }, query)
		must(t, err)
		return l
	}
	const (
		schema   = `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%' ORDER BY type <> 'table', rowid`
		versions = `SELECT version_id || ', ' || is_applied FROM goose_db_version WHERE version_id > 0 ORDER BY id`
	)
	if *updateBase {
		var out strings.Builder
		for _, s := range texts(migrated, schema) {
			fmt.Fprintf(&out, "%s;\n", s)
		}
		fmt.Fprintf(&out, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (%s);\n", strings.Join(texts(migrated, versions), "), ("))
		must(t, os.WriteFile("base.sql", []byte(out.String()), 0o644))
	}
	db := open(t, t.TempDir())
	for _, query := range []string{schema, versions} {
		if d := cmp.Diff(slices.Sorted(slices.Values(texts(migrated, query))), slices.Sorted(slices.Values(texts(db.writer, query)))); d != "" {
			t.Errorf("-migrated +new:\n%s", d)
		}
	}
	if d := cmp.Diff(rowsOf(t, migrated), rowsOf(t, db.writer)); d != "" {
		t.Errorf("rows: -migrated +new:\n%s", d)
	}
}
