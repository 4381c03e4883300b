package pgtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver of databases for tests
)

// Variable is the environment variable with the URL of a PostgreSQL server for the tests. Without it
// the tests use SQLite files.
const Variable = "SAMIZDAT_TEST_POSTGRES"

// Used reports whether tests use a PostgreSQL server.
func Used() bool { return os.Getenv(Variable) != "" }

// Where returns the location of a test's database: path itself, or with Variable the URL of a
// database on the server, which is named by a hash of path. Other processes find it by the same
// path. The database is a copy of a template with the schema that open has made, and is dropped
// after the test. Where writes a key to keyPath if there is none.
func Where[DB io.Closer](t testing.TB, path, keyPath string, open func(ctx context.Context, where, keyPath string) (DB, error)) string {
	t.Helper()
	if !Used() {
		return path
	}
	where, made, err := database(t.Context(), path, func(url string) error {
		dir, err := os.MkdirTemp("", "template")
		if err != nil {
			return err
		}
		db, err := open(t.Context(), url, filepath.Join(dir, "key"))
		if err == nil {
			err = db.Close()
		}
		return errors.Join(err, os.RemoveAll(dir))
	})
	if err != nil {
		t.Fatal(err)
	}
	if made {
		dropAfter(t, where)
	}
	if _, err := os.Stat(keyPath); errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		err = os.WriteFile(keyPath, []byte(hex.EncodeToString(key)), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	return where
}

// Empty creates the database of a path without a schema and returns its URL. It is dropped after the
// test.
func Empty(t testing.TB, path string) (where string, err error) {
	where = At(path)
	dropAfter(t, where)
	return where, onServer(t.Context(), `CREATE DATABASE `+name(where))
}

func dropAfter(t testing.TB, where string) {
	t.Cleanup(func() {
		if err := onServer(context.Background(), `DROP DATABASE IF EXISTS `+name(where)+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
	})
}

// Copy replaces the database of the path to by a copy of the database of the path from. Connections
// to both are closed. The copy is dropped after the test unless keep is true.
func Copy(t testing.TB, from, to string, keep bool) {
	t.Helper()
	from, to = At(from), At(to)
	err := onServer(t.Context(), `DROP DATABASE IF EXISTS `+name(to)+` WITH (FORCE)`,
		`ALTER DATABASE `+name(from)+` ALLOW_CONNECTIONS false`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = `+literal(from),
		`CREATE DATABASE `+name(to)+` TEMPLATE `+name(from),
		`ALTER DATABASE `+name(from)+` ALLOW_CONNECTIONS true`)
	if err != nil {
		t.Fatal(err)
	}
	if !keep {
		dropAfter(t, to)
	}
}

// Look opens the database of a path, to inspect or damage it. The package under test provides the
// SQLite driver.
func Look(t testing.TB, path string) *sql.DB {
	t.Helper()
	driver, at := "sqlite3", "file:"+path+"?_busy_timeout=10000"
	if Used() {
		driver, at = "pgx", At(path)
	}
	db, err := sql.Open(driver, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// OnFile skips a test that works with SQLite files only, and prints why. docs/reliability.md counts
// these tests.
func OnFile(t testing.TB, why string) {
	t.Helper()
	if Used() {
		t.Skipf("ON A FILE ONLY: %s", why)
	}
}

// Called returns an environment variable that names the connections of a child process, for Ended.
func Called(name string) string { return "PGAPPNAME=" + name }

// Ended waits until the server has closed the connections of a killed process to the database of a
// path. Until then the server may still execute its statements.
func Ended(t testing.TB, path, name string) {
	t.Helper()
	if !Used() {
		return
	}
	db, err := server()
	for n := 1; err == nil && n > 0; {
		err = db.QueryRowContext(t.Context(), `SELECT count(*), pg_sleep(0.005) FROM pg_stat_activity WHERE datname = `+literal(At(path))+` AND application_name = $1`, name).Scan(&n, new(any))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// server returns the connection pool that all tests of a process share.
var server = sync.OnceValues(func() (*sql.DB, error) {
	db, err := sql.Open("pgx", os.Getenv(Variable))
	if err != nil {
		return nil, fmt.Errorf("connect to the server for tests: %w", err)
	}
	db.SetMaxIdleConns(2)
	return db, nil
})

// onServer executes statements on the server, in order.
func onServer(ctx context.Context, statements ...string) error {
	db, err := server()
	if err != nil {
		return err
	}
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// At returns the location of the database of a path: a URL or the file. It does not create the
// database.
func At(path string) string {
	if !Used() {
		return path
	}
	return at(fmt.Sprintf("test_%x", sha256.Sum256([]byte(path)))[:32])
}

func at(name string) string {
	u, err := url.Parse(os.Getenv(Variable))
	if err != nil {
		panic(err)
	}
	u.Path = "/" + name
	return u.String()
}

func name(where string) string {
	u, err := url.Parse(where)
	if err != nil {
		panic(err)
	}
	return pgx.Identifier{strings.TrimPrefix(u.Path, "/")}.Sanitize()
}

// literal returns the name of a database as an SQL string. Names have no quotation marks.
func literal(where string) string { return strings.ReplaceAll(name(where), `"`, `'`) }

// template is the database that Where copies, once it exists. Its name contains a hash of the
// schema; it stays on the server for other test processes.
var template struct {
	sync.Mutex
	name string
}

// database creates the database of a path if it does not exist.
func database(ctx context.Context, path string, prepare func(url string) error) (where string, made bool, err error) {
	where = At(path)
	there, err := exists(ctx, name(where))
	if err != nil || there {
		return where, false, err
	}
	template.Lock()
	if template.name == "" {
		template.name, err = makeTemplate(ctx, prepare)
	}
	template.Unlock()
	if err != nil {
		return "", false, fmt.Errorf("make a template: %w", err)
	}
	return where, true, onServer(ctx, `CREATE DATABASE `+name(where)+` TEMPLATE `+template.name)
}

func exists(ctx context.Context, name string) (there bool, err error) {
	db, err := server()
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, strings.Trim(name, `"`)).Scan(&there)
	}
	return there, err
}

// makeTemplate creates the template unless another process has. Until the template is complete its
// name ends in _raw.
func makeTemplate(ctx context.Context, prepare func(url string) error) (name string, err error) {
	digest, err := schema()
	if err != nil {
		return "", err
	}
	db, err := server()
	if err != nil {
		return "", err
	}
	lock, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Rollback()) }()
	if _, err := lock.ExecContext(ctx, `SELECT pg_advisory_xact_lock(1989)`); err != nil {
		return "", err
	}
	name = "template_" + digest
	if there, err := exists(ctx, name); there || err != nil {
		return name, err
	}
	raw := name + "_raw"
	if err := onServer(ctx, `DROP DATABASE IF EXISTS `+raw+` WITH (FORCE)`, `CREATE DATABASE `+raw); err != nil {
		return "", err
	}
	if err := prepare(at(raw)); err != nil {
		return "", err
	}
	return name, onServer(ctx, `ALTER DATABASE `+raw+` RENAME TO `+name)
}

// schema returns a hash of the files that define the schema, in the module of the running test.
func schema() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("find the schema: the tests do not run in their module")
		}
		dir = up
	}
	files, err := filepath.Glob(filepath.Join(dir, "storage", "schema", "*.sql"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("find the schema: there is none in %s: %w", dir, err)
	}
	files = append(files, filepath.Join(dir, "storage", "schema.go"))
	h := sha256.New()
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", fmt.Errorf("read the schema: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(f), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}
