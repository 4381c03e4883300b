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

// stmtCache lets the driver keep prepared statements: to parse the dozen of
// them that a letter takes costs more than to run them. A limit that is a parameter alone
// becomes part of SQLite's plan, and has the statement parsed again whenever it is bound; a sum
// does not, and so all limits have "+ 0" behind them.
const stmtCache = "_stmt_cache_size=64"

// openSQLite opens a file for its one writer.
func openSQLite(path string, k *key) *pool {
	p := openFile(fileURI(path)+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate&"+
		"_foreign_keys=on&_secure_delete=fast&"+stmtCache, k)
	p.SetMaxOpenConns(1)
	return p
}

// readSQLite opens it for some readers.
func readSQLite(ctx context.Context, path string, k *key) (*pool, error) {
	p := openFile(fileURI(path)+"?mode=ro&_query_only=true&_busy_timeout=5000&"+stmtCache, k)
	p.SetMaxOpenConns(readers)
	p.SetMaxIdleConns(readers)
	var only string
	if err := p.QueryRowContext(ctx, "PRAGMA query_only").Scan(&only); err != nil || only != "1" {
		return nil, errors.Join(fmt.Errorf("query_only is %q", only), err, p.Close())
	}
	return p, nil
}

func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// openFile opens a file.
func openFile(dsn string, k *key) *pool {
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		panic(err) // There is such a driver.
	}
	return &pool{DB: db, engine: sqlite{}, key: k}
}

// openExisting opens a database that must be there, for reading, a file or a URL.
func openExisting(ctx context.Context, where string, k *key) (*pool, error) {
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
	p := openFile(fileURI(path)+"?mode=ro&_busy_timeout=5000", k)
	if err := p.PingContext(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// lockClause are what says to PostgreSQL which rows are to be locked until the change ends. Here there is one change at a time.
var lockClause = regexp.MustCompile(` FOR UPDATE( SKIP LOCKED)?`)

// anyClause asks for what is in a list, which is an argument.
var anyClause = regexp.MustCompile(`= ANY \((\$\d+)\)`)

func (sqlite) adaptStatement(statement string) string {
	if strings.Contains(statement, " FOR UPDATE") {
		statement = lockClause.ReplaceAllString(statement, "")
	}
	if strings.Contains(statement, "= ANY (") {
		statement = anyClause.ReplaceAllString(statement, "IN (SELECT value FROM json_each($1))")
	}
	return statement
}

// adaptValue makes one text of a list.
func (sqlite) adaptValue(v driver.Value) driver.Value {
	switch v.(type) {
	case []int64, []string:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return v
}

func (sqlite) acquireLock(context.Context, *transaction, lock) error { return nil }

func (sqlite) isConnectionLost(error) bool { return false }

func (sqlite) hasRecipientIndex() bool { return false }

// exclusiveURL does it: of two processes that prepare a file, one fails at a step that the other has made,
// and goes on behind it.
func (sqlite) runExclusively(_ context.Context, _ *connection, do func() error) error { return do() }

func (s sqlite) checkSettings(ctx context.Context, db *connection) error {
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

// nextLetterIDs takes the numbers behind the last: nobody else writes meanwhile.
func (sqlite) nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error) {
	ids := make([]int64, n)
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM outbox`).Scan(&ids[0])
	for i := 1; i < n; i++ {
		ids[i] = ids[0] + int64(i)
	}
	return ids, err
}

// maxBatch is how many changes one transaction may have: what is stored first must not wait long
// for what comes behind it.
const maxBatch = 64

// batchWait is how long a change that can wait does, unless another comes with which it is written. While
// letters come in, one mostly does: the disk is waited for once then, and a letter of the same match does not
// wait for what became of the answers to the last.
const batchWait = 5 * time.Millisecond

// commitGroup puts changes that are made at the same time into one transaction, so that the disk is
// waited for once. Whoever comes while it is written makes the next one, of all that have
// come meanwhile. The zero value is not ready: see newCommits.
type commitGroup struct {
	// writing is held by whoever writes.
	writing chan struct{}
	// waitForBatch is how long a change that can wait does.
	batchWait time.Duration

	mu      sync.Mutex
	waiting []*change
	// exclusiveURL is how many changes are still to be written alone: a transaction of several has failed,
	// and it may be for one of them.
	singles int
}

func newCommits() commitGroup {
	return commitGroup{writing: make(chan struct{}, 1), batchWait: batchWait}
}

// change is one of the changes of a transaction: all of it is stored, or nothing.
type change struct {
	ctx context.Context
	do  changeFunc
	tx  *transaction
	// err is what came of it, once done is closed.
	err  error
	done chan struct{}
}

// write makes a change. An error of the change leaves those that are written with it alone; when the
// transaction itself fails, none of them is stored, and each gets the error.
func (sqlite) write(ctx context.Context, db *connection, do changeFunc, canWait bool) error {
	c := &change{ctx: ctx, do: do, done: make(chan struct{})}
	g := &db.commits
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.mu.Unlock()
	if canWait {
		c.waitForBatch(g.batchWait)
	}
	for {
		select {
		case <-c.done:
			return c.err
		case g.writing <- struct{}{}:
			db.commitBatch()
			<-g.writing
		case <-ctx.Done():
			if g.withdraw(c) {
				return asBusy(ctx, context.Cause(ctx))
			}
			<-c.done // It is being written.
			return c.err
		}
	}
}

// waitForBatch waits a moment for somebody else to write the change.
func (c *change) waitForBatch(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// withdraw takes back a change that is not being written yet.
func (g *commitGroup) withdraw(c *change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, c)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

// lineLetter takes the changes of the next transaction, in the order in which they came.
func (g *commitGroup) next() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxBatch)
	if g.singles > 0 && n > 0 {
		g.singles--
		n = 1
	}
	together := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return together
}

// commitBatch writes the changes that wait, in one transaction, and tells those who made them.
func (db *connection) commitBatch() {
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
			db.commits.singles = len(together)
			db.commits.mu.Unlock()
		}
	}
	for _, c := range together {
		if db.recordDamage(c.err); c.err != nil && c.tx != nil {
			c.tx.runUndo()
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
		if c.err = asBusy(c.ctx, context.Cause(c.ctx)); c.err != nil {
			continue
		}
		if len(together) == 1 {
			// It needs no savepoint to be undone alone.
			if err := c.tx.run(ctx, c.do); err != nil {
				return errors.Join(err, begun.Rollback())
			}
			continue
		}
		if err := runInSavepoint(ctx, c); err != nil {
			return errors.Join(err, begun.Rollback())
		}
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// runInSavepoint makes one change of a transaction. What has failed is undone, and nothing else; an error means
// that it could not be: then nothing is left of the transaction.
func runInSavepoint(ctx context.Context, c *change) error {
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
