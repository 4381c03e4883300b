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

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"
)

// ErrBusy: a change waited for its turn for too long.
var ErrBusy = errors.New("the database was busy for too long")

// faultsOfSQLite are the results of SQLite that say something of the file, its disk or whoever else uses it.
var faultsOfSQLite = []sqlite3.ErrNo{
	sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrNomem, sqlite3.ErrReadonly,
	sqlite3.ErrProtocol, sqlite3.ErrPerm, sqlite3.ErrAuth, sqlite3.ErrCorrupt, sqlite3.ErrNotADB,
}

// faultsOfPostgres are the classes of SQLSTATE that say something of the server, the connection to it or other
// transactions; and single states of other classes.
var faultsOfPostgres = []string{
	"08", "28", "40", "53", "55", "57", "58", "F0", // connection, login, rollback, resources, lock, operator, system, configuration
	"25006", "25P03", "3D000", "42501", "XX001", "XX002", // standby, idle too long, no database, privilege, damage
}

// Fault tells of an error whether the database is to blame for it, and not what was to be stored: it is locked, full, away
// or damaged, or others were in the way for too long. The same may go well when that is over. The reason names no match
// and no player. All that tries something again asks this one.
func (*DB) Fault(err error) (reason string, is bool) {
	var file sqlite3.Error
	var said *pgconn.PgError
	var wire net.Error
	switch {
	case errors.As(err, &file):
		return file.Code.Error(), slices.Contains(faultsOfSQLite, file.Code)
	case errors.As(err, &said):
		return fmt.Sprintf("%s (SQLSTATE %s)", said.Message, said.Code), slices.ContainsFunc(faultsOfPostgres, func(state string) bool {
			return len(said.Code) == 5 && said.Code[:len(state)] == state
		})
	case errors.Is(err, ErrBusy):
		return ErrBusy.Error(), true
	case errors.Is(err, ErrUnknown):
		return ErrUnknown.Error(), true
	case pgconn.Timeout(err) || errors.As(err, new(*net.OpError)) || errors.As(err, new(*net.DNSError)):
		if errors.As(err, &wire) && wire.Timeout() {
			return "the database server does not answer in time", true
		}
		return "the database server cannot be reached", true
	case pgconn.SafeToRetry(err), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone):
		return "the connection to the database server is lost", true
	}
	return "", false
}

// inTime says in an error of a change that it has waited for too long, where that is why it was not made.
func inTime(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}
