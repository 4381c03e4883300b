package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"runtime/debug"
)

// work is what one change does in a transaction. It may be done again from its beginning, in another
// transaction: what it changes outside the database is undone before, by what it has left in undo.
type work = func(ctx context.Context, tx *transaction) error

// transaction is one that writes, or a snapshot.
type transaction struct {
	*sql.Tx
	pool *pool
	undo []func()
}

// write makes a change. When it returns without an error, the change is on disk. An error of the change means
// that nothing of it is stored, unless it is ErrUnknown.
func (db *DB) write(ctx context.Context, do work) error { return db.engine.write(ctx, db, 0, do) }

// ExecContext runs a statement.
func (tx *transaction) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	statement, args = tx.pool.adapt(statement, args)
	return tx.Tx.ExecContext(ctx, statement, args...)
}

// QueryContext asks.
func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	query, args = tx.pool.adapt(query, args)
	return tx.Tx.QueryContext(ctx, query, args...)
}

// QueryRowContext asks for one row.
func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	query, args = tx.pool.adapt(query, args)
	return tx.Tx.QueryRowContext(ctx, query, args...)
}

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
	return do(ctx, tx)
}

// undone undoes what a change has changed outside the database.
func (tx *transaction) undone() {
	for i := len(tx.undo) - 1; i >= 0; i-- {
		tx.undo[i]()
	}
	tx.undo = nil
}
