package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// runner is a connection, or a transaction of one.
type runner interface {
	asker
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// begun is a transaction of a file that has a connection for itself. One of database/sql has a goroutine that waits for
// its end, and another for the end of each query: to start and wake them takes a part of what a letter does.
type begun struct {
	*sql.Conn
	ended bool
}

// begin begins a transaction of a file: "BEGIN" one that reads, "BEGIN IMMEDIATE" one that writes.
func (p *pool) begin(ctx context.Context, how string) (*begun, error) {
	c, err := p.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, how); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &begun{Conn: c}, nil
}

// Commit ends it. After an error nothing of it is stored.
func (b *begun) Commit() error { return b.end("COMMIT") }

// Rollback ends it, and does nothing where it has ended.
func (b *begun) Rollback() error { return b.end("ROLLBACK") }

func (b *begun) end(how string) error {
	if b.ended {
		return sql.ErrTxDone
	}
	b.ended = true
	_, err := b.ExecContext(context.Background(), how)
	if err != nil {
		err = errors.Join(err, b.Raw(rollBack))
	}
	return errors.Join(err, b.Close())
}

// rollBack leaves a transaction that could not be ended, as after a commit for which there is no room. SQLite may have left it
// itself; a connection that stays in it is not used again.
func rollBack(c any) error {
	conn := c.(*sqlite3.SQLiteConn)
	if conn.AutoCommit() {
		return nil
	}
	if _, err := conn.Exec("ROLLBACK", nil); err != nil {
		return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
	}
	return nil
}
