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

// engine is what differs between the two that hold a database: SQLite and PostgreSQL.
type engine interface {
	// adaptStatement is a statement, and value an argument, as the engine takes it. Statements ask for what is in a
	// list of numbers or texts by "= ANY ($1)".
	adaptStatement(statement string) string
	adaptValue(v driver.Value) driver.Value
	// isLost tells whether an error of a statement outside a transaction is one of the connection.
	isConnectionLost(err error) bool
	// schema is how tables are made.
	schema() dialect
	// exclusiveURL lets nobody else prepare the database meanwhile.
	runExclusively(ctx context.Context, db *connection, do func() error) error
	// checkSettings looks whether connections are as the rest of the package wants them.
	checkSettings(ctx context.Context, db *connection) error
	// write makes a change in a transaction, see DB.write; one that can wait may be written together with
	// another that comes soon, see DB.writeSoon.
	write(ctx context.Context, db *connection, do changeFunc, canWait bool) error
	// acquireLock waits until no other change holds a lock, and holds it until the change ends.
	acquireLock(ctx context.Context, tx *transaction, what lock) error
	// nextLetterIDs numbers new rows of the outbox.
	nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error)
	// hasRecipientIndex reports whether letters are found by their recipient. Where they are not, they are numbered in the
	// order of their commits.
	hasRecipientIndex() bool
	// checkIntegrity looks for all damage, lookForDamage for what is found quickly; taken and left are about
	// a file that was damaged.
	checkIntegrity(ctx context.Context, p *pool) error
	lookForDamage(ctx context.Context, p *pool) error
	markInUse(ctx context.Context, db *connection) (bool, error)
	markClean(ctx context.Context, db *connection) error
	bulkEngine
}

// isURL tells whether a database is one of a server.
func isURL(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

// pool is connections to a database.
type pool struct {
	*sql.DB
	engine engine
	key    *key
	// server is how to connect to PostgreSQL; nil for SQLite.
	server *pgx.ConnConfig
	// watch is told of each statement; only tests set it.
	watch func(statement string, args []any)
}

// adapt gives a statement with its arguments as the engine takes them.
func (p *pool) adapt(statement string, args []any) (string, []any) {
	if p.watch != nil {
		p.watch(statement, args)
	}
	out := make([]any, len(args))
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			out[i] = p.engine.adaptValue(a) // The driver says what is wrong with it.
			continue
		}
		if b, ok := v.(bool); ok { // Flags are numbers in both.
			v = int64(0)
			if b {
				v = int64(1)
			}
		}
		out[i] = p.engine.adaptValue(v)
	}
	return p.engine.adaptStatement(statement), out
}

// ExecContext runs a statement.
func (p *pool) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	statement, args = p.adapt(statement, args)
	return p.DB.ExecContext(ctx, statement, args...)
}

// QueryContext asks. It asks again, once, where the connection was lost.
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	query, args = p.adapt(query, args)
	rows, err := p.DB.QueryContext(ctx, query, args...)
	if err != nil && p.engine.isConnectionLost(err) {
		return p.DB.QueryContext(ctx, query, args...)
	}
	return rows, err
}

// QueryRowContext asks for one row, as QueryContext does.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	query, args = p.adapt(query, args)
	row := p.DB.QueryRowContext(ctx, query, args...)
	if err := row.Err(); err != nil && p.engine.isConnectionLost(err) {
		return p.DB.QueryRowContext(ctx, query, args...)
	}
	return row
}

// beginSnapshot begins a transaction that reads what is there now.
func (p *pool) beginSnapshot(ctx context.Context) (*transaction, error) {
	if p.server == nil {
		tx, err := p.begin(p.uncancelled(ctx), "BEGIN")
		if err != nil {
			return nil, err
		}
		return &transaction{in: tx, pool: p}, nil
	}
	how := &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}
	tx, err := p.BeginTx(ctx, how)
	if err != nil && p.engine.isConnectionLost(err) {
		tx, err = p.BeginTx(ctx, how)
	}
	return &transaction{in: tx, pool: p}, err
}

// uncancelled is the context of a statement that takes no longer than a moment on a file: it is not ended
// before that, for which it would have to be watched. On a server it is the context itself.
func (p *pool) uncancelled(ctx context.Context) context.Context {
	if p.server != nil || ctx.Err() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// runner is a connection, or a transaction of one.
type runner interface {
	querier
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// fileTransaction is a transaction of a file that has a connection for itself. One of database/sql has a goroutine that waits for
// its end, and another for the end of each query: to start and wake them takes a part of what a letter does.
type fileTransaction struct {
	*sql.Conn
	ended bool
}

// insertBegun begins a transaction of a file: "BEGIN" one that reads, "BEGIN IMMEDIATE" one that writes.
func (p *pool) begin(ctx context.Context, how string) (*fileTransaction, error) {
	c, err := p.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, how); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &fileTransaction{Conn: c}, nil
}

// Commit ends it. After an error nothing of it is stored.
func (b *fileTransaction) Commit() error { return b.end("COMMIT") }

// Rollback ends it, and does nothing where it has ended.
func (b *fileTransaction) Rollback() error { return b.end("ROLLBACK") }

func (b *fileTransaction) end(how string) error {
	if b.ended {
		return sql.ErrTxDone
	}
	b.ended = true
	_, err := b.ExecContext(context.Background(), how)
	if err != nil {
		err = errors.Join(err, b.Raw(forceRollback))
	}
	return errors.Join(err, b.Close())
}

// forceRollback leaves a transaction that could not be ended, as after a commit for which there is no room. SQLite may have left it
// itself; a connection that stays in it is not used again.
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

// changeFunc is what one change does in a transaction. It may be done again from its beginning, in another
// transaction: what it changes outside the database is undone before, by what it has left in undo.
type changeFunc = func(ctx context.Context, tx *transaction) error

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
	handle    func(sql.Result, error) error
}

// write makes a change. When it returns without an error, the change is on disk. An error of the change means
// that nothing of it is stored, unless it is ErrUnknown.
func (db *connection) write(ctx context.Context, do changeFunc) error {
	return db.engine.write(ctx, db, do, false)
}

// writeSoon is write for a change that nobody waits for but who made it: a moment may go by until another comes
// with which it is written.
func (db *connection) writeSoon(ctx context.Context, do changeFunc) error {
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

// laterMigrations runs a statement whose result nothing before the next query depends on: on a server all that are queued until then are sent
// together, so that the way there and back is gone once. Took is given what comes of it, and says what of that is an
// error of the change.
func (tx *transaction) enqueue(ctx context.Context, took func(sql.Result, error) error, statement string, args ...any) error {
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

// wrapResult takes what comes of a statement of which nothing is wanted, and says what was being done.
func wrapResult(doing string, args ...any) func(sql.Result, error) error {
	return func(_ sql.Result, err error) error {
		wrapError(&err, doing, args...)
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
			if err = q.handle(driver.RowsAffected(tag.RowsAffected()), err); err != nil {
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
func (tx *transaction) run(ctx context.Context, do changeFunc) (err error) {
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

// runUndo undoes what a change has changed outside the database.
func (tx *transaction) runUndo() {
	for i := len(tx.undo) - 1; i >= 0; i-- {
		tx.undo[i]()
	}
	tx.undo = nil
}
