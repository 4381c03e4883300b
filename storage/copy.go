package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Copy moves a club from one engine to the other. Rows are copied as stored, because sealed values are bound to
// column and row. So a copy needs the same key, and is no restore: epochs and letter numbers stay, and receipts
// and outbox continue.
//
// Until the copy is checked the target has a mark, and opening it fails. Another Copy starts again.

var (
	// ErrUnfinished means that a copy into the database was not finished.
	ErrUnfinished = errors.New("a copy into the database was not finished; repeat \"samizdat copy\"")
	// ErrUsed means that other processes use a database that is to be copied.
	ErrUsed = errors.New("the database is in use; stop all samizdat processes first")
	// ErrNotEmpty means that the copy would overwrite a club.
	ErrNotEmpty = errors.New("the target already contains a club and is not overwritten")
)

// unfinished is the table that marks an unfinished copy. It contains a hash of the club's key.
const unfinished = "unfinished"

// exclusiveName is the application_name of connections that must be the only ones.
const exclusiveName = "samizdat-alone"

// Copy copies a club to a database that is empty or contains an unfinished copy of the same club. from and to are
// files or URLs. check examines the copy before it can be used; told is called after each table.
func Copy(ctx context.Context, from, to, keyPath string, check func(ctx context.Context, from, to *DB) error,
	report func(table string, rows int64)) (err error) {
	defer wrapError(&err, "copy %s to %s", redactURL(from), redactURL(to))
	if from == to {
		return errors.New("source and target are the same")
	}
	if found, err := Exists(ctx, exclusiveURL(from)); err != nil || !found {
		return errors.Join(fmt.Errorf("there is no database in %s", redactURL(from)), err)
	}
	source, err := Open(ctx, exclusiveURL(from), keyPath)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if err := Restorable(to); err != nil {
		return err
	}
	target, err := openUnchecked(ctx, exclusiveURL(to), keyPath)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	c := copier{from: source, to: target, check: check, told: report, club: hex.EncodeToString(mac(source.key.digests, "club"))}
	return source.engine.runExclusively(ctx, source.connection, func() error {
		return target.engine.runExclusively(ctx, target.connection, func() error { return c.run(ctx) })
	})
}

func exclusiveURL(where string) string {
	u, err := url.Parse(where)
	if !isURL(where) || err != nil {
		return where
	}
	q := u.Query()
	q.Set("application_name", exclusiveName)
	u.RawQuery = q.Encode()
	return u.String()
}

type copier struct {
	from, to *DB
	check    func(ctx context.Context, from, to *DB) error
	told     func(table string, rows int64)
	club     string
	tables   []table
}

func (c *copier) run(ctx context.Context) error {
	if err := errors.Join(checkUnused(ctx, c.from.connection), checkUnused(ctx, c.to.connection)); err != nil {
		return err
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	// The source is locked against writes until the copy is finished.
	err := c.from.bulk(ctx, c.tables, func(source *bulk) error {
		if err := c.to.bulk(ctx, nil, func(target *bulk) error { return c.rows(ctx, source, target) }); err != nil {
			return err
		}
		if err := c.to.engine.finishCopy(ctx, c.to.connection); err != nil {
			return fmt.Errorf("bring the copy to order: %w", err)
		}
		if err := c.check(ctx, c.from, c.to); err != nil {
			return fmt.Errorf("look at the copy: %w", err)
		}
		return checkUnused(ctx, c.from.connection)
	})
	if err == nil {
		_, err = c.to.writer.ExecContext(ctx, `DROP TABLE `+unfinished)
	}
	return err
}

// leaveTimeout is the wait for connections of ended programs to disappear.
const leaveTimeout = 2 * time.Second

// checkUnused returns ErrUsed if other connections use a PostgreSQL database. For files the directory lock does
// that.
func checkUnused(ctx context.Context, db *connection) error {
	_, err := backoff.Retry(ctx, func() (any, error) {
		n, err := db.engine.countOthers(ctx, db.writer)
		if err == nil && n > 0 {
			return nil, fmt.Errorf("%d connections: %w", n, ErrUsed)
		}
		return nil, markPermanent(err)
	}, backoff.WithBackOff(backoff.NewConstantBackOff(50*time.Millisecond)), backoff.WithMaxElapsedTime(leaveTimeout))
	return err
}

func (c *copier) begin(ctx context.Context) error {
	theirs, err := readTables(ctx, c.from.writer)
	if err != nil {
		return err
	}
	ours, err := readTables(ctx, c.to.writer)
	if err != nil {
		return err
	}
	if c.tables, err = matchTables(theirs, ours); err != nil {
		return err
	}
	marked, err := c.to.engine.hasTable(ctx, c.to.writer, unfinished)
	if err != nil {
		return err
	}
	if marked {
		var club string
		if err := c.to.writer.QueryRowContext(ctx, `SELECT max(club) FROM `+unfinished).Scan(&club); err != nil {
			return fmt.Errorf("see what was copied before: %w", err)
		}
		if club != c.club {
			return fmt.Errorf("there is an unfinished copy of another club: %w", ErrNotEmpty)
		}
		return nil
	}
	for _, t := range c.tables {
		var any bool
		if err := c.to.writer.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+quoteName(t.name)+`)`).Scan(&any); err != nil {
			return fmt.Errorf("see whether the target is empty: %w", err)
		}
		if any && !slices.Contains(idleTables, t.name) {
			return fmt.Errorf("rows in %s: %w", t.name, ErrNotEmpty)
		}
	}
	return c.to.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `CREATE TABLE `+unfinished+` (club text NOT NULL)`)
		if err := tx.flush(ctx); err != nil { // PostgreSQL parses queued statements before it runs the first.
			return err
		}
		tx.exec(ctx, `INSERT INTO `+unfinished+` (club) VALUES ($1)`, c.club)
		return nil
	})
}

// idleTables are written by a daemon without any matches.
var idleTables = []string{"looked", "deaf"}

func (c *copier) rows(ctx context.Context, source, target *bulk) error {
	for _, t := range slices.Backward(c.tables) {
		if _, err := target.tx.ExecContext(ctx, `DELETE FROM `+quoteName(t.name)); err != nil {
			return fmt.Errorf("empty table %s: %w", t.name, err)
		}
	}
	for _, t := range c.tables {
		read, err := c.table(ctx, t, source, target)
		if err != nil {
			return fmt.Errorf("copy table %s: %w", t.name, err)
		}
		c.told(t.name, read.rows)
	}
	return c.to.engine.resetSequences(ctx, target, c.tables)
}

func (c *copier) table(ctx context.Context, t table, source, target *bulk) (read tally, err error) {
	if !slices.Contains(transientTables, t.name) {
		err = source.each(ctx, t, func(next func() ([]any, error)) error {
			return c.to.engine.writeRows(ctx, target, t, func() ([]any, error) {
				row, err := next()
				for i := range row {
					row[i] = c.to.engine.adaptValue(row[i])
				}
				if row != nil {
					read.add(row)
				}
				return row, err
			})
		})
	}
	if err != nil {
		return read, err
	}
	var written tally
	err = target.each(ctx, t, func(next func() ([]any, error)) error {
		for {
			row, err := next()
			if row == nil || err != nil {
				return err
			}
			written.add(row)
		}
	})
	if err == nil && written != read {
		err = fmt.Errorf("the copy differs: it has %d rows of %d, or other values", written.rows, read.rows)
	}
	return read, err
}

// tally counts rows and sums their hashes, independent of their order.
type tally struct {
	rows int64
	sum  [sha256.Size / 8]uint64
}

func (t *tally) add(row []any) {
	h := sha256.New()
	for _, v := range row {
		// Types and lengths are hashed too, so that different rows have different hashes: e.g. the text "7" and the number 7.
		switch v := v.(type) {
		case []byte:
			fmt.Fprintf(h, "%T %d ", v, len(v))
			h.Write(v)
		case string:
			fmt.Fprintf(h, "%T %d %s", v, len(v), v)
		default:
			fmt.Fprintf(h, "%T %v ", v, v)
		}
	}
	t.rows++
	for i, sum := 0, h.Sum(nil); i < len(t.sum); i++ {
		t.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

// bulk is a transaction that reads or writes a whole database.
type bulk struct {
	conn *sql.Conn
	tx   *sql.Tx
}

// bulk runs do in a transaction without time limit. The tables in still (on SQLite all tables) are locked against
// writes.
func (db *connection) bulk(ctx context.Context, still []table, do func(*bulk) error) (err error) {
	b := new(bulk)
	if b.conn, err = db.writer.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.conn.Close()) }()
	if b.tx, err = b.conn.BeginTx(ctx, nil); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err = db.engine.disableTimeouts(ctx, b, still); err == nil {
		err = do(b)
	}
	if err != nil {
		_ = b.tx.Rollback() // The server has rolled back a lost transaction.
		return err
	}
	return b.tx.Commit()
}

// each passes the rows of a table to use; next returns nil after the last row.
func (b *bulk) each(ctx context.Context, t table, use func(next func() ([]any, error)) error) error {
	rows, err := b.tx.QueryContext(ctx, `SELECT `+t.list()+` FROM `+quoteName(t.name)+t.order())
	if err != nil {
		return err
	}
	defer rows.Close()
	return use(func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		row, to := make([]any, len(t.columns)), make([]any, len(t.columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		for i, c := range t.columns {
			if slices.Contains(claimColumns, c.name) {
				row[i] = nil
			}
		}
		return row, nil
	})
}
