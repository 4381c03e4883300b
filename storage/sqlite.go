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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/mattn/go-sqlite3"

	_ "samizdat/internal/cgo"
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
	p := connect(inFile(path)+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate&"+
		"_foreign_keys=on&_secure_delete=fast&"+cached, k)
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
func (sqlite) alone(_ context.Context, _ *connection, do func() error) error { return do() }

func (s sqlite) settings(ctx context.Context, db *connection) error {
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
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "2",
		"busy_timeout": "5000"} {
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

// mostTogether is how many changes one transaction may have: what is stored first must not wait long
// for what comes behind it.
const mostTogether = 64

// canWaitFor is how long a change that can wait does, unless another comes with which it is written. While
// letters come in, one mostly does: the disk is waited for once then, and a letter of the same match does not
// wait for what became of the answers to the last.
const canWaitFor = 5 * time.Millisecond

// commits puts changes that are made at the same time into one transaction, so that the disk is
// waited for once. Whoever comes while it is written makes the next one, of all that have
// come meanwhile. The zero value is not ready: see newCommits.
type commits struct {
	// turn is held by whoever writes.
	turn chan struct{}
	// rest is how long a change that can wait does.
	rest time.Duration

	mu      sync.Mutex
	waiting []*change
	// alone is how many changes are still to be written alone: a transaction of several has failed,
	// and it may be for one of them.
	alone int
}

func newCommits() commits { return commits{turn: make(chan struct{}, 1), rest: canWaitFor} }

// change is one of the changes of a transaction: all of it is stored, or nothing.
type change struct {
	ctx context.Context
	do  work
	tx  *transaction
	// err is what came of it, once done is closed.
	err  error
	done chan struct{}
}

// write makes a change. An error of the change leaves those that are written with it alone; when the
// transaction itself fails, none of them is stored, and each gets the error.
func (sqlite) write(ctx context.Context, db *connection, do work, canWait bool) error {
	c := &change{ctx: ctx, do: do, done: make(chan struct{})}
	g := &db.commits
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.mu.Unlock()
	if canWait {
		c.rest(g.rest)
	}
	for {
		select {
		case <-c.done:
			return c.err
		case g.turn <- struct{}{}:
			db.commitNext()
			<-g.turn
		case <-ctx.Done():
			if g.withdraw(c) {
				return inTime(ctx, context.Cause(ctx))
			}
			<-c.done // It is being written.
			return c.err
		}
	}
}

// rest waits a moment for somebody else to write the change.
func (c *change) rest(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// withdraw takes back a change that is not being written yet.
func (g *commits) withdraw(c *change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, c)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

// next takes the changes of the next transaction, in the order in which they came.
func (g *commits) next() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), mostTogether)
	if g.alone > 0 && n > 0 {
		g.alone--
		n = 1
	}
	together := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return together
}

// commitNext writes the changes that wait, in one transaction, and tells those who made them.
func (db *connection) commitNext() {
	together := db.commits.next()
	if len(together) == 0 {
		return
	}
	if err := db.commit(together); err != nil {
		for _, c := range together {
			// What a change found out may come from another that is not stored.
			c.err = err
		}
		if len(together) > 1 {
			db.commits.mu.Lock()
			db.commits.alone = len(together)
			db.commits.mu.Unlock()
		}
	}
	for _, c := range together {
		if db.note(c.err); c.err != nil && c.tx != nil {
			c.tx.undone()
		}
		close(c.done)
	}
}

// commit writes changes in one transaction. It notes what came of each. An error means that none of them
// is stored.
func (db *connection) commit(together []*change) (err error) {
	// The transaction does not end with whoever waits for one of its changes.
	ctx := context.WithoutCancel(together[0].ctx)
	begun, err := db.writer.begin(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, c := range together {
		c.tx = &transaction{in: begun, pool: db.writer}
		if c.err = inTime(c.ctx, context.Cause(c.ctx)); c.err != nil {
			continue
		}
		if len(together) == 1 {
			// It needs no savepoint to be undone alone.
			if err := c.tx.run(ctx, c.do); err != nil {
				return errors.Join(err, begun.Rollback())
			}
			continue
		}
		if err := part(ctx, c); err != nil {
			return errors.Join(err, begun.Rollback())
		}
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// part makes one change of a transaction. What has failed is undone, and nothing else; an error means
// that it could not be: then nothing is left of the transaction.
func part(ctx context.Context, c *change) error {
	if _, err := c.tx.ExecContext(ctx, "SAVEPOINT part"); err != nil {
		return fmt.Errorf("begin a change: %w", err)
	}
	c.err = c.tx.run(ctx, c.do)
	if c.err != nil {
		if _, err := c.tx.ExecContext(ctx, "ROLLBACK TO part"); err != nil {
			// A full disk, or damage, ends the whole transaction.
			return errors.Join(c.err, fmt.Errorf("undo a change: %w", err))
		}
	}
	if _, err := c.tx.ExecContext(ctx, "RELEASE part"); err != nil {
		return fmt.Errorf("end a change: %w", err)
	}
	return nil
}
