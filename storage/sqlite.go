package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/mattn/go-sqlite3"
)

// sqlite is a database in a file, which one daemon uses.
type sqlite struct{}

// cached lets the driver keep prepared statements: to parse the dozen of
// them that a letter takes costs more than to run them. A limit that is a parameter alone
// becomes part of SQLite's plan, and has the statement parsed again whenever it is bound; a sum
// does not, and so all limits have "+ 0" behind them.
const cached = "_stmt_cache_size=64"

// openSQLite opens a file for its one writer.
func openSQLite(path string, k *key) *pool {
	p := connect(inFile(path)+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate&_foreign_keys=on&_secure_delete=fast&"+cached, k)
	p.SetMaxOpenConns(1)
	return p
}

// readSQLite opens it for some readers.
func readSQLite(ctx context.Context, path string, k *key) (*pool, error) {
	p := connect(inFile(path)+"?mode=ro&_query_only=true&_busy_timeout=5000&"+cached, k)
	p.SetMaxOpenConns(readers)
	p.SetMaxIdleConns(readers)
	var only string
	if err := p.QueryRowContext(ctx, "PRAGMA query_only").Scan(&only); err != nil || only != "1" {
		return nil, errors.Join(fmt.Errorf("query_only is %q", only), err, p.Close())
	}
	return p, nil
}

func inFile(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// connect opens a file.
func connect(dsn string, k *key) *pool {
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		panic(err) // There is such a driver.
	}
	return &pool{DB: db, engine: sqlite{}, key: k}
}

// openThere opens a database that must be there, for reading, a file or a URL.
func openThere(ctx context.Context, where string, k *key) (*pool, error) {
	if isURL(where) {
		return openReaders(ctx, where, k)
	}
	return openReadOnly(ctx, where, k)
}

// openReadOnly opens a file that must be there, for reading.
func openReadOnly(ctx context.Context, path string, k *key) (*pool, error) {
	if err := Restorable(path); err != nil {
		return nil, err
	}
	// The driver would say only that it cannot open the file.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	p := connect(inFile(path)+"?mode=ro&_busy_timeout=5000", k)
	if err := p.PingContext(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// locks are what says to PostgreSQL which rows are to be locked until the change ends. Here there is one change at a time.
var locks = regexp.MustCompile(` FOR UPDATE( SKIP LOCKED)?`)

// inList asks for what is in a list, which is an argument.
var inList = regexp.MustCompile(`= ANY \((\$\d+)\)`)

func (sqlite) text(statement string) string {
	if strings.Contains(statement, " FOR UPDATE") {
		statement = locks.ReplaceAllString(statement, "")
	}
	if strings.Contains(statement, "= ANY (") {
		statement = inList.ReplaceAllString(statement, "IN (SELECT value FROM json_each($1))")
	}
	return statement
}

// value makes one text of a list.
func (sqlite) value(v driver.Value) driver.Value {
	switch v.(type) {
	case []int64, []string:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return v
}

func (sqlite) one(context.Context, *transaction, lock) error { return nil }

func (sqlite) lost(error) bool { return false }

func (sqlite) indexesRecipients() bool { return false }

// alone does it: of two processes that prepare a file, one fails at a step that the other has made,
// and goes on behind it.
func (sqlite) alone(_ context.Context, _ *DB, do func() error) error { return do() }

func (s sqlite) settings(ctx context.Context, db *DB) error {
	// Two processes that turn a new file to WAL at once do not wait for each other, as they
	// do everywhere else.
	_, err := backoff.Retry(ctx, func() (any, error) {
		err := pragmas(ctx, db.writer)
		var e sqlite3.Error
		if err != nil && !(errors.As(err, &e) && e.Code == sqlite3.ErrBusy) {
			err = backoff.Permanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(10*time.Millisecond)), backoff.WithMaxElapsedTime(5*time.Second))
	return err
}

// pragmas reads the settings back.
func pragmas(ctx context.Context, p *pool) error {
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "2", "busy_timeout": "5000"} {
		var got string
		if err := p.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil {
			return fmt.Errorf("read pragma %s: %w", pragma, err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("pragma %s is %s, not %s", pragma, got, want)
		}
	}
	return nil
}

// letters takes the numbers behind the last: nobody else writes meanwhile.
func (sqlite) letters(ctx context.Context, tx *transaction, n int) ([]int64, error) {
	ids := make([]int64, n)
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM outbox`).Scan(&ids[0])
	for i := 1; i < n; i++ {
		ids[i] = ids[0] + int64(i)
	}
	return ids, err
}
