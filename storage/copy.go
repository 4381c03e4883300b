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

var (
	// ErrUnfinished means that a copy into the database was not finished.
	ErrUnfinished = errors.New("a copy into the database was not finished; repeat \"samizdat copy\"")
	// ErrInUse means that other processes use a database that must be idle, e.g. for a copy.
	ErrInUse = errors.New("the database is in use; stop all samizdat processes first")
	// ErrNotEmpty means that the copy would overwrite a club.
	ErrNotEmpty = errors.New("the target already contains a club and is not overwritten")
)

// unfinishedTable marks an unfinished copy. It contains a hash of the club's key.
const unfinishedTable = "unfinished"

// exclusiveName is the application_name of connections that tolerate no other connections, e.g. of "samizdat copy".
const exclusiveName = "samizdat-alone"

// Copy copies a club (all matches and members) from SQLite to PostgreSQL or back. The target must be empty or contain an
// unfinished copy of the same club. from and to are files or URLs. check examines the copy before it can be used;
// report is called after each table.
//
// Rows are copied as stored, without decrypting sealed values, so the copy needs the same key. In contrast to a restore,
// epochs and letter numbers stay, and receipts and outbox remain valid. Until the copy has been checked, the target
// contains unfinishedTable, and opening it fails. A repeated Copy starts from the beginning.
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
	if err := CheckRestoreFinished(to); err != nil {
		return err
	}
	target, err := openUnchecked(ctx, exclusiveURL(to), keyPath)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	c := copier{from: source, to: target, check: check, report: report, clubHash: hex.EncodeToString(computeMAC(source.key.digests, "club"))}
	return source.engine.runExclusively(ctx, source.connection, func() error {
		return target.engine.runExclusively(ctx, target.connection, func() error { return c.run(ctx) })
	})
}

func exclusiveURL(location string) string {
	u, err := url.Parse(location)
	if !isURL(location) || err != nil {
		return location
	}
	q := u.Query()
	q.Set("application_name", exclusiveName)
	u.RawQuery = q.Encode()
	return u.String()
}

type copier struct {
	from, to *DB
	check    func(ctx context.Context, from, to *DB) error
	report   func(table string, rows int64)
	clubHash string
	tables   []table
}

func (c *copier) run(ctx context.Context) error {
	if err := errors.Join(checkNotInUse(ctx, c.from.connection), checkNotInUse(ctx, c.to.connection)); err != nil {
		return err
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	// The source is locked against writes until the copy is finished.
	err := c.from.runBulk(ctx, c.tables, func(source *bulkTransaction) error {
		if err := c.to.runBulk(ctx, nil, func(target *bulkTransaction) error { return c.copyRows(ctx, source, target) }); err != nil {
			return err
		}
		if err := c.to.engine.finishCopy(ctx, c.to.connection); err != nil {
			return fmt.Errorf("finish the copy: %w", err)
		}
		if err := c.check(ctx, c.from, c.to); err != nil {
			return fmt.Errorf("check the copy: %w", err)
		}
		return checkNotInUse(ctx, c.from.connection)
	})
	if err == nil {
		_, err = c.to.writer.ExecContext(ctx, `DROP TABLE `+unfinishedTable)
	}
	return err
}

// disconnectTimeout is how long the server may take to close connections of ended programs.
const disconnectTimeout = 2 * time.Second

// checkNotInUse returns ErrInUse if there are other connections to a PostgreSQL database. An SQLite file is protected
// by the lock of its directory.
func checkNotInUse(ctx context.Context, db *connection) error {
	_, err := backoff.Retry(ctx, func() (any, error) {
		n, err := db.engine.countOtherConnections(ctx, db.writer)
		if err == nil && n > 0 {
			return nil, fmt.Errorf("%d connections: %w", n, ErrInUse)
		}
		return nil, markPermanent(err)
	}, backoff.WithBackOff(backoff.NewConstantBackOff(50*time.Millisecond)), backoff.WithMaxElapsedTime(disconnectTimeout))
	return err
}

// begin checks that the target is empty or has an unfinished copy of the same club, and marks the target as unfinished.
func (c *copier) begin(ctx context.Context) error {
	sourceTables, err := readTables(ctx, c.from.writer)
	if err != nil {
		return err
	}
	targetTables, err := readTables(ctx, c.to.writer)
	if err != nil {
		return err
	}
	if c.tables, err = compareTables(sourceTables, targetTables); err != nil {
		return err
	}
	isUnfinished, err := c.to.engine.hasTable(ctx, c.to.writer, unfinishedTable)
	if err != nil {
		return err
	}
	if isUnfinished {
		var club string
		if err := c.to.writer.QueryRowContext(ctx, `SELECT max(club) FROM `+unfinishedTable).Scan(&club); err != nil {
			return fmt.Errorf("read the mark of an unfinished copy: %w", err)
		}
		if club != c.clubHash {
			return fmt.Errorf("there is an unfinished copy of another club: %w", ErrNotEmpty)
		}
		return nil
	}
	for _, t := range c.tables {
		var hasRows bool
		if err := c.to.writer.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+quoteName(t.name)+`)`).Scan(&hasRows); err != nil {
			return fmt.Errorf("check that the target is empty: %w", err)
		}
		if hasRows && !slices.Contains(daemonTables, t.name) {
			return fmt.Errorf("rows in %s: %w", t.name, ErrNotEmpty)
		}
	}
	return c.to.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `CREATE TABLE `+unfinishedTable+` (club text NOT NULL)`)
		if err := tx.flush(ctx); err != nil { // PostgreSQL parses queued statements before it runs the first.
			return err
		}
		tx.exec(ctx, `INSERT INTO `+unfinishedTable+` (club) VALUES ($1)`, c.clubHash)
		return nil
	})
}

// daemonTables are the tables that may have rows in an empty target: a daemon without matches writes the inbox watermark
// and the inbox outages.
var daemonTables = []string{"looked", "deaf"}

func (c *copier) copyRows(ctx context.Context, source, target *bulkTransaction) error {
	for _, t := range slices.Backward(c.tables) {
		if _, err := target.tx.ExecContext(ctx, `DELETE FROM `+quoteName(t.name)); err != nil {
			return fmt.Errorf("empty table %s: %w", t.name, err)
		}
	}
	for _, t := range c.tables {
		read, err := c.copyTable(ctx, t, source, target)
		if err != nil {
			return fmt.Errorf("copy table %s: %w", t.name, err)
		}
		c.report(t.name, read.rows)
	}
	return c.to.engine.resetSequences(ctx, target, c.tables)
}

func (c *copier) copyTable(ctx context.Context, t table, source, target *bulkTransaction) (read rowDigest, err error) {
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
	var written rowDigest
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
		err = fmt.Errorf("the copy (%d rows) differs from the source (%d rows) in rows or values", written.rows, read.rows)
	}
	return read, err
}

// rowDigest is the number of rows and the sum of their hashes. The sum does not depend on the order of the rows.
type rowDigest struct {
	rows int64
	sum  [sha256.Size / 8]uint64
}

func (d *rowDigest) add(row []any) {
	h := sha256.New()
	for _, v := range row {
		// Types and lengths are hashed too: the text "7" and the number 7 have different hashes.
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
	d.rows++
	for i, sum := 0, h.Sum(nil); i < len(d.sum); i++ {
		d.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

type bulkTransaction struct {
	conn *sql.Conn
	tx   *sql.Tx
}

// runBulk calls run in a transaction without time limit. The tables in locked (on SQLite all) are locked against writes.
func (db *connection) runBulk(ctx context.Context, locked []table, run func(*bulkTransaction) error) (err error) {
	b := new(bulkTransaction)
	if b.conn, err = db.writer.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.conn.Close()) }()
	if b.tx, err = b.conn.BeginTx(ctx, nil); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err = db.engine.prepareBulk(ctx, b, locked); err == nil {
		err = run(b)
	}
	if err != nil {
		_ = b.tx.Rollback() // It fails if the connection is lost; the server then rolls back itself.
		return err
	}
	return b.tx.Commit()
}

// each calls use with the function next, which returns the next row of a table, or nil after the last row. Columns of
// claims (claimColumns) are nil in each row, because claims are not copied.
func (b *bulkTransaction) each(ctx context.Context, t table, use func(next func() ([]any, error)) error) error {
	rows, err := b.tx.QueryContext(ctx, `SELECT `+t.columnList()+` FROM `+quoteName(t.name)+t.order())
	if err != nil {
		return err
	}
	defer rows.Close()
	return use(func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		row, targets := make([]any, len(t.columns)), make([]any, len(t.columns))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
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
