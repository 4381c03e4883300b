package storage

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"samizdat/internal/test/pgtest"
)

// TestOlder: a database of a build that this program does not know is refused with a line that says what to do, and left
// as it is.
func TestOlder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	path, key := pgtest.At(filepath.Join(dir, "s.db")), filepath.Join(dir, "s.key")
	_, err := db.writer.ExecContext(t.Context(), `UPDATE goose_db_version SET version_id = version_id - $1 WHERE version_id > 0`, len(laterMigrations)+1)
	must(t, errors.Join(err, db.Close()))
	refused := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrOlder) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = Open(t.Context(), path, key)
	refused("open", err)
	_, err = ListMatches(t.Context(), path, key, noon, ListOptions{})
	refused("list", err)
	i, err := Inspect(t.Context(), path)
	must(t, err)
	refused("inspect", i.Check(t.Context()))
	if have, err := schemaVersion(t.Context(), i.pool); have != baseVersion-1 {
		t.Errorf("it has version %d now, %v", have, err)
	}
	must(t, i.Close())
}

// TestLater: a database as the base made it is brought to the newest schema by the changes since, and goes on.
func TestLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	k, err := readKey(filepath.Join(dir, "s.key"), true)
	must(t, err)
	p := openSQLite(filepath.Join(dir, "s.db"), &k)
	if pgtest.Used() {
		where, err := pgtest.Empty(t, filepath.Join(dir, "s.db"))
		must(t, err)
		p, err = openPostgres(t.Context(), where, &k, writerConnections, nil)
		must(t, err)
	}
	provider, err := goose.NewProvider(p.engine.dialect().name, p.DB, nil, goose.WithGoMigrations(migrations(p.engine)...))
	must(t, err)
	_, err = provider.UpTo(context.Background(), baseVersion)
	must(t, errors.Join(err, p.Close()))
	db := open(t, dir)
	if have, err := schemaVersion(t.Context(), db.reader); err != nil || have != newestVersion() {
		t.Errorf("it has version %d, %v", have, err)
	}
	m := aMatch(t, db)
	if n, err := oneLetter(t.Context(), db, m.ID); err != nil || n != 1 {
		t.Errorf("%d entries, %v", n, err)
	}
}
