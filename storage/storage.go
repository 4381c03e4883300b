// Package storage keeps matches, letters and the outbox in one SQLite file.
//
// # What it promises
//
//   - The file is in WAL mode with synchronous=FULL: what is committed survives a
//     power cut. The pragmas are read back at the start, since a misspelt one is
//     not an error to the driver.
//   - There is one writer connection and a small pool of readers. Of a letter
//     receipt, entries, position, kept orders, letters sent
//     and outbox change together or not at all.
//   - What is written at the same time shares a transaction, so that the disk is waited
//     for once; each change has a savepoint of its own, and none is done before the
//     commit (commit.go).
//   - A match has a version, and so has a player. A change made from an older one is
//     refused with adjudicator.ErrConflict and the caller adjudicates again.
//   - The schema is made by numbered migrations, one transaction each. A file
//     from a newer program is refused.
//   - A file that cannot be written is refused at the start. It is looked through for damage
//     where a daemon has not left it in order, beside the work, and before it is migrated.
//   - Entries and letters that came in are compressed with dictionaries (compact.go).
//   - A match that is over is packed into one row, and read as before (archive.go).
//   - What is deleted is overwritten (secure_delete), as ballots that are counted.
//   - What is hidden is sealed with a key from a file beside the database (seal.go), so
//     that a copy of the database alone tells no die, no hand and no order. The table in
//     docs/storage.md says of each column whether it is.
//   - Nobody but their owner may read the files.
package storage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is an open database.
type DB struct {
	writer, reader *sql.DB
	commits        commits
	key            key
	// corrupt: something that was read or written was damaged.
	corrupt atomic.Bool
}

// readers is how many connections read beside the writer.
const readers = 4

// cached lets the driver keep prepared statements: to parse the dozen of
// them that a letter takes costs more than to run them.
const cached = "_stmt_cache_size=64"

// Open opens the database and brings it to the newest schema. The key file is
// made when it is missing and the database is new.
func Open(ctx context.Context, path, keyPath string) (*DB, error) {
	file := "file:" + (&url.URL{Path: path}).EscapedPath()
	if err := private(path, keyPath); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db := &DB{commits: newCommits()}
	w := connect(file+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate&_foreign_keys=on&_secure_delete=on&"+cached, &db.key)
	w.SetMaxOpenConns(1)
	db.writer = w
	if err := db.prepare(ctx, keyPath); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", path, asDamage(err)), w.Close())
	}
	r := connect(file+"?mode=ro&_query_only=true&_busy_timeout=5000&"+cached, &db.key)
	r.SetMaxOpenConns(readers)
	r.SetMaxIdleConns(readers)
	db.reader = r
	var only string
	if err := r.QueryRowContext(ctx, "PRAGMA query_only").Scan(&only); err != nil || only != "1" {
		return nil, errors.Join(fmt.Errorf("open the database %s for reading: query_only is %q", path, only), err, db.Close())
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, keyPath string) error {
	// Two processes that turn a new file to WAL at once do not wait for each other, as they
	// do everywhere else.
	_, err := backoff.Retry(ctx, func() (any, error) {
		err := db.settings(ctx)
		var e sqlite3.Error
		if err != nil && !(errors.As(err, &e) && e.Code == sqlite3.ErrBusy) {
			err = backoff.Permanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(10*time.Millisecond)), backoff.WithMaxElapsedTime(5*time.Second))
	if err != nil {
		return err
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db.writer, dir)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	have, newest, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if have > newest {
		return tooNew(have, newest)
	}
	if db.key, err = readKey(keyPath, have == 0); err != nil {
		return err
	}
	if have < newest {
		// A migration makes new rows of what it reads.
		if err := lookForDamage(ctx, db.writer); err != nil {
			return err
		}
		if err := migrate(ctx, p, have); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	// A file that may only be read opens without a word. The statement changes
	// nothing, but asks for the right to.
	if _, err := db.writer.ExecContext(ctx, `UPDATE matches SET version = version WHERE 0`); err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	// With another key every letter would fail, and a new match would be lost with it.
	return db.key.opens(ctx, db.writer)
}

// settings looks whether the connection is as the rest of the package wants it.
func (db *DB) settings(ctx context.Context) error {
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := db.writer.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil {
			return fmt.Errorf("read pragma %s: %w", pragma, err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("pragma %s is %s, not %s", pragma, got, want)
		}
	}
	return nil
}

// migrate brings the schema to the newest version. Another process may be doing the
// same: then one of the two fails at a step that the other has made, and goes on
// behind it.
func migrate(ctx context.Context, p *goose.Provider, have int64) error {
	for {
		_, err := p.Up(ctx)
		if err == nil {
			return nil
		}
		now, _, failed := p.GetVersions(ctx)
		if failed != nil || now <= have {
			return errors.Join(err, failed)
		}
		have = now
	}
}

// Close closes the database.
func (db *DB) Close() error { return errors.Join(db.reader.Close(), db.writer.Close()) }

// asker is a connection that is asked, in a transaction or without one.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// wrap says in an error, if there is one, what was being done.
func wrap(err *error, doing string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(doing+": %w", append(args, *err)...)
	}
}

// each calls row for each row that a query gives.
func each(ctx context.Context, a asker, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := a.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// list reads what a query gives, one value from the columns of each row.
func list[T any](ctx context.Context, a asker, columns func(*T) []any, query string, args ...any) ([]T, error) {
	var out []T
	err := each(ctx, a, func(scan func(...any) error) error {
		var v T
		err := scan(columns(&v)...)
		out = append(out, v)
		return err
	}, query, args...)
	return out, err
}
