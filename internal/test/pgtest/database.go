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

// Variable names the environment variable with the URL of a server on which tests make their databases. Without it
// they use files.
const Variable = "SAMIZDAT_TEST_POSTGRES"

// Used tells whether tests make their databases on a server.
func Used() bool { return os.Getenv(Variable) != "" }

// Where is where a test has the database that is named by a path: in that file, or in a database of its own on
// the server that Variable names, whose URL it is then. That one is a copy of one that open has brought to
// the schema, and goes with the test; a key for it is made at keyPath, if none is there. Another process finds it
// by the same path.
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
		_, _ = rand.Read(key) // It never fails.
		err = os.WriteFile(keyPath, []byte(hex.EncodeToString(key)), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	return where
}

// Empty makes the database that is named by a path, without a schema, and returns where it is. It goes with the test.
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

// Copy makes the database that is named by one path a copy of that of another. Connections to both end. It
// goes with the test, if keep is false.
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

// Look opens the database that is named by a path, to look at it or to spoil it. The file is SQLite's, whose driver
// comes with what is tested.
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

// OnFile skips a test that is about SQLite's file, and says why it is. docs/reliability.md counts them.
func OnFile(t testing.TB, why string) {
	t.Helper()
	if Used() {
		t.Skipf("ON A FILE ONLY: %s", why)
	}
}

// Called names the connections of a process that is started with it in its environment, for Ended.
func Called(name string) string { return "PGAPPNAME=" + name }

// Ended waits until the server has ended the connections of a process that was killed, to the database that is named
// by a path. Until then it may still carry out what that has asked for.
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

// server is the connection to the server for tests that all tests of a process share.
var server = sync.OnceValues(func() (*sql.DB, error) {
	db, err := sql.Open("pgx", os.Getenv(Variable))
	if err != nil {
		return nil, fmt.Errorf("connect to the server for tests: %w", err)
	}
	db.SetMaxIdleConns(2)
	return db, nil
})

// onServer runs statements on the server for tests, one after the other.
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

// At is where the database is that is named by a path, on the server or in the file. It does not make it.
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

// literal is the name of a database as a text of SQL; names have no quotation marks.
func literal(where string) string { return strings.ReplaceAll(name(where), `"`, `'`) }

// template is the database that others are copied from, when it is known to be there. It is called by its schema,
// and stays on the server for all processes whose tests want the same.
var template struct {
	sync.Mutex
	name string
}

// database makes the database that is named by a path, if it is not there.
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

// makeTemplate makes the template, if no other process has. Until it is ready it has another name.
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

// schema is a digest of what makes the schema, which lies in the module whose tests run.
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
