package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"runtime/debug"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// work is what one change does in a transaction. It may be done again from its beginning, in another
// transaction: what it changes outside the database is undone before, by what it has left in undo.
type work = func(ctx context.Context, tx *transaction) error

// transaction is one that writes, or a snapshot.
type transaction struct {
	in interface {
		runner
		Rollback() error
	}
	pool *pool
	undo []func()
	// server is the connection to PostgreSQL; nil where statements are run at once. Queued are those that are run with the
	// next, and failed is why one of them has.
	server *sql.Conn
	queued []queued
	failed error
}

// queued is a statement that is run later, with what becomes of its result.
type queued struct {
	statement string
	args      []any
	took      func(sql.Result, error) error
}

// write makes a change. When it returns without an error, the change is on disk. An error of the change means
// that nothing of it is stored, unless it is ErrUnknown.
func (db *DB) write(ctx context.Context, do work) error { return db.engine.write(ctx, db, do, false) }

// writeSoon is write for a change that nobody waits for but who made it: a moment may go by until another comes
// with which it is written.
func (db *DB) writeSoon(ctx context.Context, do work) error {
	return db.engine.write(ctx, db, do, true)
}

// ExecContext runs a statement.
func (tx *transaction) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	statement, args = tx.pool.adapt(statement, args)
	return tx.in.ExecContext(ctx, statement, args...)
}

// QueryContext asks.
func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	query, args = tx.pool.adapt(query, args)
	return tx.in.QueryContext(ctx, query, args...)
}

// QueryRowContext asks for one row.
func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if tx.flush(ctx) != nil {
		// It must not run; of what has failed, run tells.
		stopped, stop := context.WithCancel(ctx)
		stop()
		ctx = stopped
	}
	query, args = tx.pool.adapt(query, args)
	return tx.in.QueryRowContext(ctx, query, args...)
}

// later runs a statement whose result nothing before the next query depends on: on a server all that are queued until then are sent
// together, so that the way there and back is gone once. Took is given what comes of it, and says what of that is an
// error of the change.
func (tx *transaction) later(ctx context.Context, took func(sql.Result, error) error, statement string, args ...any) error {
	if tx.server == nil {
		return took(tx.ExecContext(ctx, statement, args...))
	}
	if tx.pool.watch != nil { // Who watches is told of a statement when those before it were run.
		if err := tx.flush(ctx); err != nil {
			return err
		}
	}
	statement, args = tx.pool.adapt(statement, args)
	tx.queued = append(tx.queued, queued{statement, args, took})
	return nil
}

// done takes what comes of a statement of which nothing is wanted, and says what was being done.
func done(doing string, args ...any) func(sql.Result, error) error {
	return func(_ sql.Result, err error) error {
		wrap(&err, doing, args...)
		return err
	}
}

// flush runs what is queued. When something of it has failed, nothing more of the change is run.
func (tx *transaction) flush(ctx context.Context) error {
	if len(tx.queued) == 0 || tx.failed != nil {
		return tx.failed
	}
	all := tx.queued
	tx.queued = nil
	tx.failed = tx.server.Raw(func(c any) error {
		var batch pgx.Batch
		for _, q := range all {
			batch.Queue(q.statement, q.args...)
		}
		results := c.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
		for _, q := range all {
			tag, err := results.Exec()
			if err = q.took(driver.RowsAffected(tag.RowsAffected()), err); err != nil {
				_ = results.Close() // It says the same.
				return err
			}
		}
		return results.Close()
	})
	return tx.failed
}

// Rollback ends it.
func (tx *transaction) Rollback() error { return tx.in.Rollback() }

// key seals what the transaction writes.
func (tx *transaction) key() *key { return tx.pool.key }

// seal is a value as its column holds it: with the column's name and what names the row.
func (tx *transaction) seal(value any, column string, row ...any) driver.Valuer {
	return sealed{tx.key(), value, append([]any{column}, row...)}
}

// run does a change, and undoes what it has changed outside the database if it fails. It makes an
// error of a panic: whoever writes may do it for others too.
func (tx *transaction) run(ctx context.Context, do work) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	err = do(ctx, tx)
	if err == nil {
		err = tx.flush(ctx)
	}
	if tx.failed != nil {
		err = tx.failed
	}
	return err
}

// undone undoes what a change has changed outside the database.
func (tx *transaction) undone() {
	for i := len(tx.undo) - 1; i >= 0; i-- {
		tx.undo[i]()
	}
	tx.undo = nil
}
