package pgtest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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
// the schema, and goes with the test. Another process finds it by the same path.
func Where[DB io.Closer](t testing.TB, path string, open func(ctx context.Context, where, keyPath string) (DB, error)) string {
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
		t.Cleanup(func() {
			if err := drop(where); err != nil {
				t.Error(err)
			}
		})
	}
	return where
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

// template is the database that those of this process are copied from.
var template struct {
	sync.Mutex
	url string
}

func database(ctx context.Context, path string, prepare func(url string) error) (where string, made bool, err error) {
	server, err := sql.Open("pgx", os.Getenv(Variable))
	if err != nil {
		return "", false, fmt.Errorf("connect to the server for tests: %w", err)
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	where = At(path)
	var there bool
	if err := server.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE quote_ident(datname) = $1)`, strings.Trim(name(where), `"`)).Scan(&there); err != nil || there {
		return where, false, err
	}
	// One at a time: a template is copied by one at a time in any case.
	template.Lock()
	defer template.Unlock()
	if template.url == "" {
		url := at(fmt.Sprintf("template_%d_%d", os.Getpid(), time.Now().UnixNano()))
		if _, err := server.ExecContext(ctx, `CREATE DATABASE `+name(url)); err != nil {
			return "", false, fmt.Errorf("make a template: %w", err)
		}
		if err := prepare(url); err != nil {
			return "", false, fmt.Errorf("make a template: %w", err)
		}
		template.url = url
	}
	if _, err := server.ExecContext(ctx, `CREATE DATABASE `+name(where)+` TEMPLATE `+name(template.url)); err != nil {
		return "", false, fmt.Errorf("make a database: %w", err)
	}
	return where, true, nil
}

// drop ends who still uses a database, and drops it.
func drop(where string) error {
	server, err := sql.Open("pgx", os.Getenv(Variable))
	if err != nil {
		return err
	}
	_, err = server.ExecContext(context.Background(), `DROP DATABASE IF EXISTS `+name(where)+` WITH (FORCE)`)
	return errors.Join(err, server.Close())
}
