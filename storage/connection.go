package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/mattn/go-sqlite3"
)

// engine is the part of the package that differs between SQLite and PostgreSQL.
type engine interface {
	// adaptStatement and adaptValue convert a statement and an argument for the engine. Statements test membership
	// in a list of numbers or texts with "= ANY ($1)".
	adaptStatement(statement string) string
	adaptValue(v driver.Value) driver.Value
	// isConnectionLost reports whether a statement outside a transaction failed because the connection was lost.
	isConnectionLost(err error) bool
	dialect() dialect
	// runExclusively calls run, which creates or changes tables. Processes that start at the same time must not disturb
	// each other.
	runExclusively(ctx context.Context, db *connection, run func() error) error
	checkSettings(ctx context.Context, db *connection) error
	// write runs a change in a transaction, see connection.write. With canWait, the change may wait for another change
	// and share its commit, see connection.writeSoon.
	write(ctx context.Context, db *connection, run changeFunc, canWait bool) error
	// acquireLock waits for a lock and holds it until the transaction ends.
	acquireLock(ctx context.Context, tx *transaction, what lock)
	nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error)
	// hasRecipientIndex reports whether the outbox has an index on recipients. Without this index, findAddressLetters
	// looks for older and newer letters separately, so the engine must assign IDs in commit order.
	hasRecipientIndex() bool
	// checkIntegrity checks the whole database for damage; lookForDamage checks only the pages (see DB.QuickCheck).
	// markInUse and markClean detect crashes (see DB.MarkInUse).
	checkIntegrity(ctx context.Context, p *pool) error
	lookForDamage(ctx context.Context, p *pool) error
	markInUse(ctx context.Context, db *connection) (bool, error)
	markClean(ctx context.Context, db *connection) error
	bulkEngine
}

func isURL(location string) bool {
	return strings.HasPrefix(location, "postgres://") || strings.HasPrefix(location, "postgresql://")
}

type pool struct {
	*sql.DB
	engine engine
	key    *key
	// server is the PostgreSQL configuration, or nil for SQLite.
	server *pgx.ConnConfig
	// onStatement is called with each statement, in tests.
	onStatement func(statement string, args []any)
}

// adapt converts a statement and its arguments for the engine, e.g. "= ANY ($1)" to "IN (SELECT value FROM
// json_each($1))" on SQLite, and true to 1.
func (p *pool) adapt(statement string, args []any) (string, []any) {
	if p.onStatement != nil {
		p.onStatement(statement, args)
	}
	out := make([]any, len(args))
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			out[i] = p.engine.adaptValue(a) // The driver reports the error.
			continue
		}
		if b, ok := v.(bool); ok { // Flags are numbers on both engines.
			v = int64(0)
			if b {
				v = int64(1)
			}
		}
		out[i] = p.engine.adaptValue(v)
	}
	return p.engine.adaptStatement(statement), out
}

func (p *pool) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	statement, args = p.adapt(statement, args)
	return p.DB.ExecContext(ctx, statement, args...)
}

// QueryContext runs a query, and repeats it once after a lost connection.
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	query, args = p.adapt(query, args)
	rows, err := p.DB.QueryContext(ctx, query, args...)
	if err != nil && p.engine.isConnectionLost(err) {
		return p.DB.QueryContext(ctx, query, args...)
	}
	return rows, err
}

func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	query, args = p.adapt(query, args)
	row := p.DB.QueryRowContext(ctx, query, args...)
	if err := row.Err(); err != nil && p.engine.isConnectionLost(err) {
		return p.DB.QueryRowContext(ctx, query, args...)
	}
	return row
}

func (p *pool) beginSnapshot(ctx context.Context) (*transaction, error) {
	if p.server == nil {
		tx, err := p.begin(p.withoutCancel(ctx), "BEGIN")
		if err != nil {
			return nil, err
		}
		return &transaction{inner: tx, pool: p}, nil
	}
	options := &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}
	tx, err := p.BeginTx(ctx, options)
	if err != nil && p.engine.isConnectionLost(err) {
		tx, err = p.BeginTx(ctx, options)
	}
	return &transaction{inner: tx, pool: p}, err
}

// withoutCancel removes cancellation from the context of a short statement on SQLite, because the driver would start a
// goroutine that waits for the cancellation. On PostgreSQL it returns ctx.
func (p *pool) withoutCancel(ctx context.Context) context.Context {
	if p.server != nil || ctx.Err() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

type runner interface {
	querier
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// sqliteTransaction is an SQLite transaction on its own connection. A transaction of database/sql would start two
// goroutines; they take a measurable part of the time for a letter.
type sqliteTransaction struct {
	*sql.Conn
	ended bool
}

// begin begins an SQLite transaction: "BEGIN" for reading, "BEGIN IMMEDIATE" for writing.
func (p *pool) begin(ctx context.Context, statement string) (*sqliteTransaction, error) {
	c, err := p.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, statement); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &sqliteTransaction{Conn: c}, nil
}

// Commit commits the transaction, or stores none of it and returns an error.
func (t *sqliteTransaction) Commit() error { return t.end("COMMIT") }

// Rollback rolls back, unless the transaction has ended.
func (t *sqliteTransaction) Rollback() error { return t.end("ROLLBACK") }

func (t *sqliteTransaction) end(statement string) error {
	if t.ended {
		return sql.ErrTxDone
	}
	t.ended = true
	_, err := t.ExecContext(context.Background(), statement)
	if err != nil {
		err = errors.Join(err, t.Raw(forceRollback))
	}
	return errors.Join(err, t.Close())
}

// forceRollback rolls back a transaction that could not be ended, e.g. after a commit on a full disk. If that fails, it
// returns driver.ErrBadConn, so that the pool drops the connection.
func forceRollback(c any) error {
	conn := c.(*sqlite3.SQLiteConn)
	if conn.AutoCommit() {
		return nil
	}
	if _, err := conn.Exec("ROLLBACK", nil); err != nil {
		return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
	}
	return nil
}

// changeFunc is a change to the database, run in a transaction. It may run again in another transaction; effects
// outside the database must be reverted by functions in tx.undo.
type changeFunc = func(ctx context.Context, tx *transaction) error

// transaction runs a change in a database transaction (inner), which several changes may share.
type transaction struct {
	inner interface {
		runner
		Rollback() error
	}
	pool *pool
	undo []func()
	// server is the PostgreSQL connection, or nil on SQLite. SQLite runs statements at once; PostgreSQL runs the queued
	// statements before the next query. err is the first error of the change.
	server *sql.Conn
	queued []queuedStatement
	err    error
}

type queuedStatement struct {
	statement string
	args      []any
	handle    func(sql.Result, error) error
}

// write runs a change in a transaction. After success the change is on disk. After an error it is not stored at all,
// unless the error is ErrCommitUnknown.
func (db *connection) write(ctx context.Context, run changeFunc) error {
	return db.engine.write(ctx, db, run, false)
}

// writeSoon is like write, but may delay the change for some milliseconds to share a transaction with another.
func (db *connection) writeSoon(ctx context.Context, run changeFunc) error {
	return db.engine.write(ctx, db, run, true)
}

func (db *connection) writeStatement(ctx context.Context, statement string, args ...any) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, statement, args...)
		return nil
	})
}

func (tx *transaction) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	statement, args = tx.pool.adapt(statement, args)
	return tx.inner.ExecContext(ctx, statement, args...)
}

func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	query, args = tx.pool.adapt(query, args)
	return tx.inner.QueryContext(ctx, query, args...)
}

func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if tx.flush(ctx) != nil {
		// The query must not run; transaction.run returns the error.
		stopped, stop := context.WithCancel(ctx)
		stop()
		ctx = stopped
	}
	query, args = tx.pool.adapt(query, args)
	return tx.inner.QueryRowContext(ctx, query, args...)
}

// exec runs a statement, unless the change has failed already.
func (tx *transaction) exec(ctx context.Context, statement string, args ...any) {
	tx.enqueue(ctx, func(_ sql.Result, err error) error { return err }, statement, args...)
}

// enqueue is like exec, with a handler that receives the result and returns the error of the change. PostgreSQL gets
// all queued statements in one round trip before the next query; handlers run only then.
func (tx *transaction) enqueue(ctx context.Context, handle func(sql.Result, error) error, statement string, args ...any) {
	switch {
	case tx.err != nil:
		return
	case tx.server == nil:
		tx.err = handle(tx.ExecContext(ctx, statement, args...))
		return
	case tx.pool.onStatement != nil && tx.flush(ctx) != nil: // onStatement must see the effects of earlier statements.
		return
	}
	statement, args = tx.pool.adapt(statement, args)
	tx.queued = append(tx.queued, queuedStatement{statement, args, handle})
}

func (tx *transaction) fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

func wrapResult(action string, args ...any) func(sql.Result, error) error {
	return func(_ sql.Result, err error) error {
		wrapError(&err, action, args...)
		return err
	}
}

// flush runs the queued statements and returns the error of the change.
func (tx *transaction) flush(ctx context.Context) error {
	if len(tx.queued) == 0 || tx.err != nil {
		return tx.err
	}
	statements := tx.queued
	tx.queued = nil
	tx.err = tx.server.Raw(func(c any) error {
		var batch pgx.Batch
		for _, q := range statements {
			batch.Queue(q.statement, q.args...)
		}
		results := c.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
		for _, q := range statements {
			tag, err := results.Exec()
			if err = q.handle(driver.RowsAffected(tag.RowsAffected()), err); err != nil {
				_ = results.Close() // Close returns the same error.
				return err
			}
		}
		return results.Close()
	})
	return tx.err
}

func (tx *transaction) Rollback() error { return tx.inner.Rollback() }

func (tx *transaction) key() *key { return tx.pool.key }

// seal returns the encrypted form of a value for a column. row holds the values that identify the row.
func (tx *transaction) seal(value any, column string, row ...any) driver.Valuer {
	return sealed{tx.key(), value, append([]any{column}, row...)}
}

// run runs a change and its queued statements. It returns a panic as an error, because other changes may share the
// transaction.
func (tx *transaction) run(ctx context.Context, run changeFunc) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	err = run(ctx, tx)
	if err == nil {
		err = tx.flush(ctx)
	}
	if tx.err != nil {
		err = tx.err
	}
	return err
}

func (tx *transaction) runUndo() {
	for i := len(tx.undo) - 1; i >= 0; i-- {
		tx.undo[i]()
	}
	tx.undo = nil
}
