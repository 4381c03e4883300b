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

// sqlite implements engine for SQLite.
type sqlite struct{}

// stmtCache makes the driver cache prepared statements, because parsing takes longer than running them. SQLite would
// plan a query again for each value of a bare parameter behind LIMIT, so all statements write it as "LIMIT $1 + 0".
const stmtCache = "_stmt_cache_size=64"

func openSQLite(path string, k *key) *pool {
	p := openFile(fileURI(path)+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate&"+
		"_foreign_keys=on&_secure_delete=fast&"+stmtCache, k)
	p.SetMaxOpenConns(1)
	return p
}

func openSQLiteReaders(ctx context.Context, path string, k *key) (*pool, error) {
	p := openFile(fileURI(path)+"?mode=ro&_query_only=true&_busy_timeout=5000&"+stmtCache, k)
	p.SetMaxOpenConns(readerConnections)
	p.SetMaxIdleConns(readerConnections)
	var only string
	if err := p.QueryRowContext(ctx, "PRAGMA query_only").Scan(&only); err != nil || only != "1" {
		return nil, errors.Join(fmt.Errorf("pragma query_only must be 1, got %q", only), err, p.Close())
	}
	return p, nil
}

func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func openFile(dsn string, k *key) *pool {
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		panic(err) // The driver is registered.
	}
	return &pool{DB: db, engine: sqlite{}, key: k}
}

func openForReading(ctx context.Context, location string, k *key) (*pool, error) {
	if isURL(location) {
		return openReaders(ctx, location, k)
	}
	return openReadOnly(ctx, location, k)
}

func openReadOnly(ctx context.Context, path string, k *key) (*pool, error) {
	if err := CheckRestoreFinished(path); err != nil {
		return nil, err
	}
	// The driver's error does not give the reason.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	p := openFile(fileURI(path)+"?mode=ro&_busy_timeout=5000", k)
	if err := p.PingContext(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// lockClause matches PostgreSQL's row locks. SQLite needs none, because it runs one change at a time.
var lockClause = regexp.MustCompile(` FOR UPDATE( SKIP LOCKED)?`)

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

func (sqlite) acquireLock(context.Context, *transaction, lock) {}

func (sqlite) isConnectionLost(error) bool { return false }

func (sqlite) hasRecipientIndex() bool { return false }

// runExclusively needs no lock: if two processes prepare a file at the same time, a step that the faster process has
// done fails in the slower process, which then continues with the next step.
func (sqlite) runExclusively(_ context.Context, _ *connection, run func() error) error { return run() }

func (s sqlite) checkSettings(ctx context.Context, db *connection) error {
	// If two processes switch a new file to WAL, SQLite returns ErrBusy instead of waiting.
	_, err := backoff.Retry(ctx, func() (any, error) {
		err := checkPragmas(ctx, db.writer)
		var e sqlite3.Error
		if err != nil && !(errors.As(err, &e) && e.Code == sqlite3.ErrBusy) {
			err = backoff.Permanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(10*time.Millisecond)), backoff.WithMaxElapsedTime(5*time.Second))
	return err
}

func checkPragmas(ctx context.Context, p *pool) error {
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "2",
		"busy_timeout": "5000"} {
		var got string
		if err := p.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil {
			return fmt.Errorf("read pragma %s: %w", pragma, err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("pragma %s must be %s, got %s", pragma, want, got)
		}
	}
	return nil
}

// nextLetterIDs returns the IDs after the highest ID in the outbox. They stay free, because SQLite has only one writer.
func (sqlite) nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error) {
	ids := make([]int64, n)
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM outbox`).Scan(&ids[0])
	for i := 1; i < n; i++ {
		ids[i] = ids[0] + int64(i)
	}
	return ids, err
}

// maxBatch limits the changes in a transaction, so that the first change does not wait long.
const maxBatch = 64

// batchWait is how long a change waits for another to share its transaction. While letters arrive, another change
// usually follows, and both need only one write to the disk.
const batchWait = 5 * time.Millisecond

// commitGroup implements group commit: concurrent changes share a transaction. Changes that arrive during a commit
// form the next transaction.
type commitGroup struct {
	// writing is a lock: it contains a value while a goroutine writes.
	writing chan struct{}
	// batchWait is the constant batchWait, except in tests.
	batchWait time.Duration

	mu      sync.Mutex
	waiting []*change
	// After a shared transaction has failed, the next separateCount changes get a transaction each.
	separateCount int
}

func newCommitGroup() commitGroup {
	return commitGroup{writing: make(chan struct{}, 1), batchWait: batchWait}
}

type change struct {
	ctx context.Context
	run changeFunc
	tx  *transaction
	// err is the result, valid after done is closed.
	err  error
	done chan struct{}
}

// write runs a change. An error of a change does not affect others in the transaction. If the transaction itself
// fails, all its changes get the error.
func (sqlite) write(ctx context.Context, db *connection, run changeFunc, canWait bool) error {
	c := &change{ctx: ctx, run: run, done: make(chan struct{})}
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
				return wrapBusy(ctx, context.Cause(ctx))
			}
			<-c.done // The change is being written.
			return c.err
		}
	}
}

func (c *change) waitForBatch(limit time.Duration) {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// withdraw removes a waiting change, or returns false if it is being written.
func (g *commitGroup) withdraw(c *change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, c)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

func (g *commitGroup) takeBatch() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxBatch)
	if g.separateCount > 0 && n > 0 {
		g.separateCount--
		n = 1
	}
	batch := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return batch
}

func (db *connection) commitBatch() {
	batch := db.commits.takeBatch()
	if len(batch) == 0 {
		return
	}
	if err := db.commit(batch); err != nil {
		for _, c := range batch {
			// Even a change that succeeded may depend on another that was not stored.
			c.err = err
		}
		if len(batch) > 1 {
			db.commits.mu.Lock()
			db.commits.separateCount = len(batch)
			db.commits.mu.Unlock()
		}
	}
	for _, c := range batch {
		if db.recordDamage(c.err); c.err != nil && c.tx != nil {
			c.tx.runUndo()
		}
		close(c.done)
	}
}

// commit writes changes in one transaction and sets their errors. After an error none is stored.
func (db *connection) commit(batch []*change) (err error) {
	// The end of a change's context does not end the transaction.
	ctx := context.WithoutCancel(batch[0].ctx)
	sqliteTx, err := db.writer.begin(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, c := range batch {
		c.tx = &transaction{inner: sqliteTx, pool: db.writer}
		if c.err = wrapBusy(c.ctx, context.Cause(c.ctx)); c.err != nil {
			continue
		}
		if len(batch) == 1 {
			// A single change needs no savepoint.
			if err := c.tx.run(ctx, c.run); err != nil {
				return errors.Join(err, sqliteTx.Rollback())
			}
			continue
		}
		if err := runInSavepoint(ctx, sqliteTx, c); err != nil {
			return errors.Join(err, sqliteTx.Rollback())
		}
	}
	if err := sqliteTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// runInSavepoint runs a change of a shared transaction. A change that fails is rolled back, with its error in c.err.
// runInSavepoint returns an error only if the whole transaction must end.
func runInSavepoint(ctx context.Context, sqliteTx *sqliteTransaction, c *change) error {
	if _, err := sqliteTx.ExecContext(ctx, "SAVEPOINT part"); err != nil {
		return fmt.Errorf("begin a change: %w", err)
	}
	c.err = c.tx.run(ctx, c.run)
	if c.err != nil {
		if _, err := sqliteTx.ExecContext(ctx, "ROLLBACK TO part"); err != nil {
			// The disk is full or the file damaged: the transaction cannot continue.
			return errors.Join(c.err, fmt.Errorf("undo a change: %w", err))
		}
	}
	if _, err := sqliteTx.ExecContext(ctx, "RELEASE part"); err != nil {
		return fmt.Errorf("end a change: %w", err)
	}
	return nil
}
