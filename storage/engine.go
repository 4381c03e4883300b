package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"

	"github.com/jackc/pgx/v5"
)

// engine is what differs between the two that hold a database: SQLite and PostgreSQL.
type engine interface {
	// text is a statement, and value an argument, as the engine takes it. Statements ask for what is in a
	// list of numbers or texts by "= ANY ($1)".
	text(statement string) string
	value(v driver.Value) driver.Value
	// lost tells whether an error of a statement outside a transaction is one of the connection.
	lost(err error) bool
	// schema is how tables are made.
	schema() dialect
	// alone lets nobody else prepare the database meanwhile.
	alone(ctx context.Context, db *DB, do func() error) error
	// settings looks whether connections are as the rest of the package wants them.
	settings(ctx context.Context, db *DB) error
	// write makes a change in a transaction, see DB.write; one that can wait may be written together with
	// another that comes soon, see DB.writeSoon.
	write(ctx context.Context, db *DB, do work, canWait bool) error
	// one waits until no other change holds a lock, and holds it until the change ends.
	one(ctx context.Context, tx *transaction, what lock) error
	// letters numbers new rows of the outbox.
	letters(ctx context.Context, tx *transaction, n int) ([]int64, error)
	// indexesRecipients reports whether letters are found by their recipient. Where they are not, they are numbered in the
	// order of their commits.
	indexesRecipients() bool
	// check looks for all damage, lookForDamage for what is found quickly; taken and left are about
	// a file that was damaged.
	check(ctx context.Context, p *pool) error
	lookForDamage(ctx context.Context, p *pool) error
	taken(ctx context.Context, db *DB) (bool, error)
	left(ctx context.Context, db *DB) error
	inBulk
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
			out[i] = p.engine.value(a) // The driver says what is wrong with it.
			continue
		}
		if b, ok := v.(bool); ok { // Flags are numbers in both.
			v = int64(0)
			if b {
				v = int64(1)
			}
		}
		out[i] = p.engine.value(v)
	}
	return p.engine.text(statement), out
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
	if err != nil && p.engine.lost(err) {
		return p.DB.QueryContext(ctx, query, args...)
	}
	return rows, err
}

// QueryRowContext asks for one row, as QueryContext does.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	query, args = p.adapt(query, args)
	row := p.DB.QueryRowContext(ctx, query, args...)
	if err := row.Err(); err != nil && p.engine.lost(err) {
		return p.DB.QueryRowContext(ctx, query, args...)
	}
	return row
}

// snapshot begins a transaction that reads what is there now.
func (p *pool) snapshot(ctx context.Context) (*transaction, error) {
	if p.server == nil {
		tx, err := p.begin(p.brief(ctx), "BEGIN")
		if err != nil {
			return nil, err
		}
		return &transaction{in: tx, pool: p}, nil
	}
	how := &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}
	tx, err := p.BeginTx(ctx, how)
	if err != nil && p.engine.lost(err) {
		tx, err = p.BeginTx(ctx, how)
	}
	return &transaction{in: tx, pool: p}, err
}

// brief is the context of a statement that takes no longer than a moment on a file: it is not ended
// before that, for which it would have to be watched. On a server it is the context itself.
func (p *pool) brief(ctx context.Context) context.Context {
	if p.server != nil || ctx.Err() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
