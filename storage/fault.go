package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"
)

// ErrBusy means that a change waited too long for the database.
var ErrBusy = errors.New("the database was busy for too long")

var sqliteFaults = []sqlite3.ErrNo{
	sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrNomem, sqlite3.ErrReadonly,
	sqlite3.ErrProtocol, sqlite3.ErrPerm, sqlite3.ErrAuth, sqlite3.ErrCorrupt, sqlite3.ErrNotADB,
}

// postgresFaults are classes and values of SQLSTATE about the server, the connection or other transactions.
var postgresFaults = []string{
	"08", "28", "40", "53", "55", "57", "58", "F0", // connection, login, rollback, resources, lock, operator, system, configuration
	"25006", "25P03", "3D000", "42501", "XX001", "XX002", // standby, idle too long, no database, privilege, damage
}

// Fault reports whether an error is a fault of the database, not of the data: locked, full, unreachable or damaged.
// The same change may succeed later. The reason, e.g. "database or disk is full", names no match and no player. All
// code that retries decides by Fault.
func (*connection) Fault(err error) (reason string, ok bool) {
	var sqliteErr sqlite3.Error
	var pgErr *pgconn.PgError
	var netErr net.Error
	switch {
	case errors.As(err, &sqliteErr):
		return sqliteErr.Code.Error(), slices.Contains(sqliteFaults, sqliteErr.Code)
	case errors.As(err, &pgErr):
		return fmt.Sprintf("%s (SQLSTATE %s)", pgErr.Message, pgErr.Code), slices.ContainsFunc(postgresFaults, func(state string) bool {
			return len(pgErr.Code) == 5 && pgErr.Code[:len(state)] == state
		})
	case errors.Is(err, ErrBusy):
		return ErrBusy.Error(), true
	case errors.Is(err, ErrCommitUnknown):
		return ErrCommitUnknown.Error(), true
	case pgconn.Timeout(err) || errors.As(err, new(*net.OpError)) || errors.As(err, new(*net.DNSError)):
		if errors.As(err, &netErr) && netErr.Timeout() {
			return "the database server does not answer in time", true
		}
		return "the database server cannot be reached", true
	case pgconn.SafeToRetry(err), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err,
		driver.ErrBadConn), errors.Is(err, sql.ErrConnDone):
		return "the connection to the database server is lost", true
	}
	return "", false
}

func wrapBusy(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// ErrDamaged means that the file is damaged.
var ErrDamaged = errors.New("the database is damaged, restore a backup")

// cleanMark is the user_version of a file after a clean shutdown. While a daemon runs, and after a crash,
// user_version is 0.
const cleanMark = 1

// MarkInUse records that a daemon has started, and reports whether the last shutdown was clean. The mark is on disk
// before anything else is written.
func (db *DB) MarkInUse(ctx context.Context) (wasClean bool, err error) {
	defer wrapError(&err, "mark the database as in use")
	return db.engine.markInUse(ctx, db.connection)
}

func (sqlite) markInUse(ctx context.Context, db *connection) (wasClean bool, err error) {
	mark, err := db.readCleanMark(ctx)
	if err != nil || mark == 0 {
		return false, err
	}
	_, err = db.writer.ExecContext(ctx, "PRAGMA user_version = 0")
	return mark == cleanMark, err
}

// MarkClean records a clean shutdown, unless damage was found.
func (db *DB) MarkClean(ctx context.Context) (err error) {
	defer wrapError(&err, "mark the database as cleanly closed")
	if db.corrupt.Load() {
		return nil
	}
	return db.engine.markClean(ctx, db.connection)
}

func (sqlite) markClean(ctx context.Context, db *connection) error {
	_, err := db.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", cleanMark))
	return err
}

func (db *connection) readCleanMark(ctx context.Context) (n int, err error) {
	err = db.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n)
	return n, err
}

// QuickCheck reads the whole SQLite file while others write. For gigabytes that takes seconds if the file is in the
// cache of the operating system, and minutes on a slow disk. Unlike the checks of backups, it does not compare
// indexes with tables. Damage is returned as ErrDamaged.
func (db *DB) QuickCheck(ctx context.Context) error {
	return db.engine.lookForDamage(ctx, db.reader)
}

func (sqlite) lookForDamage(ctx context.Context, p *pool) error {
	found, err := runCheck(ctx, p, "quick_check")
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("check for damage: %w", wrapDamage(err))
	case len(found) > 0:
		return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(found, "; "))
	}
	return nil
}

func wrapDamage(err error) error {
	var sqliteErr sqlite3.Error
	var pgErr *pgconn.PgError
	isDamage := errors.As(err, &sqliteErr) && (sqliteErr.Code == sqlite3.ErrCorrupt || sqliteErr.Code == sqlite3.ErrNotADB) ||
		errors.As(err, &pgErr) && (pgErr.Code == "XX001" || pgErr.Code == "XX002") // data_corrupted, index_corrupted
	if isDamage && !errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

func (db *connection) recordDamage(err error) {
	if errors.Is(wrapDamage(err), ErrDamaged) {
		db.corrupt.Store(true)
	}
}

func checkDatabase(ctx context.Context, p *pool) error {
	if err := p.engine.checkIntegrity(ctx, p); err != nil {
		return err
	}
	_, err := schemaVersion(ctx, p)
	return err
}

func (sqlite) checkIntegrity(ctx context.Context, db *pool) error {
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		found, err := runCheck(ctx, db, pragma)
		if err != nil {
			return fmt.Errorf("check for damage: %w", err)
		}
		if len(found) > 0 {
			return fmt.Errorf("the database is damaged: %s", strings.Join(found, "; "))
		}
	}
	return nil
}

const maxDamageLines = 5

func runCheck(ctx context.Context, db querier, pragma string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "PRAGMA "+pragma)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var problems []string
	for rows.Next() && len(problems) < maxDamageLines {
		line := make([]sql.NullString, len(columns))
		targets := make([]any, len(columns))
		for i := range line {
			targets[i] = &line[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		if line[0].String != "ok" {
			problems = append(problems, pragma+": "+line[0].String)
		}
	}
	return problems, rows.Err()
}

func (k *key) checkKey(ctx context.Context, db querier) error {
	var id string
	var secret []byte
	err := db.QueryRowContext(ctx, `SELECT id, secret FROM matches LIMIT 1`).Scan(&id, &secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a secret: %w", err)
	}
	_, err = k.unseal(secret, "secret", id)
	return err
}
