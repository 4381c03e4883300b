package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// ErrUnknown: the connection was lost while a change was committed. It may be stored or not.
var ErrUnknown = errors.New("the connection was lost, and it is not known whether it is stored")

// postgres is a database of a PostgreSQL server, which several daemons may use.
type postgres struct{}

// sessionSettings are how long the server lets a statement run, wait for a lock, and a transaction do nothing.
var sessionSettings = map[string]string{"statement_timeout": "30s", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "10s",
	"application_name": "samizdat"}

const (
	// writers is how many changes are written at once.
	writers = 4
	// maxTries is how often a change is tried that others get in the way of.
	maxTries = 20
	// longest is how long a transaction may take.
	maxTransaction = time.Minute
)

// openPostgres connects to a database. Passwords stand in its URL, or where PostgreSQL's own programs
// look for them.
func openPostgres(ctx context.Context, where string, k *key, size int, settings map[string]string) (*pool, error) {
	config, err := pgx.ParseConfig(where)
	if err != nil {
		return nil, err
	}
	config.ConnectTimeout = 10 * time.Second
	for _, all := range []map[string]string{sessionSettings, settings} {
		for name, v := range all {
			if config.RuntimeParams[name] == "" {
				config.RuntimeParams[name] = v
			}
		}
	}
	limit, err := networkTimeout(config)
	if err != nil {
		return nil, err
	}
	setNetworkTimeout(config, limit)
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &pool{DB: db, engine: postgres{}, key: k, server: config}, nil
}

// indexHint are what says to SQLite which index is to be read.
var indexHint = regexp.MustCompile(` INDEXED BY \w+`)

func (postgres) adaptStatement(statement string) string {
	if strings.Contains(statement, "INDEXED BY") {
		return indexHint.ReplaceAllString(statement, "")
	}
	return statement
}

// adaptValue takes out of texts what they cannot hold here: bytes that are no UTF-8, and 0.
func (postgres) adaptValue(v driver.Value) driver.Value {
	if s, ok := v.(string); ok {
		return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
	}
	return v
}

func (postgres) hasRecipientIndex() bool { return true }

// prepareLock is the number of the lock under which a database is prepared.
const prepareLock = 0x73616d69

// exclusiveURL holds a lock: of several daemons that find a new database, one makes the schema and the key.
func (postgres) runExclusively(ctx context.Context, db *connection, do func() error) error {
	c, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, prepareLock); err != nil {
		return errors.Join(err, c.Close())
	}
	err = do()
	_, e := c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, prepareLock)
	return errors.Join(err, e, c.Close())
}

func (postgres) checkSettings(ctx context.Context, db *connection) error {
	var commit, encoding string
	if err := db.writer.QueryRowContext(ctx, `SELECT current_setting('synchronous_commit'), current_setting('server_encoding')`).
		Scan(&commit, &encoding); err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	if commit == "off" {
		return errors.New("synchronous_commit is off: a power cut would lose letters")
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the encoding is %s, not UTF8", encoding)
	}
	return nil
}

// lock is one of the locks that changes hold which read what none may write meanwhile, and which is not a row.
type lock int

const (
	// enrolling is held by who makes a player known, or forgets one; lining by who puts letters that
	// rest into the line; claiming by who claims arrivals; telling by who writes to the operator or the director once for all.
	playersLock lock = 1989_03 + iota
	turnsLock
	arrivalsLock
	noticesLock
)

func (postgres) acquireLock(ctx context.Context, tx *transaction, what lock) error {
	return tx.enqueue(ctx, wrapResult("wait for a lock"), `SELECT pg_advisory_xact_lock($1, 0)`, int(what))
}

func (postgres) nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error) {
	return queryColumn[int64](ctx, tx, `SELECT nextval('outbox_id_seq') FROM generate_series(1, $1)`, n)
}

// write does a change in a transaction of its own, as if no other was at work at the same time: what reads
// what another writes is done again. A connection that is lost before the commit is replaced once. The server
// itself puts commits together.
func (postgres) write(ctx context.Context, db *connection, do changeFunc, _ bool) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 2*time.Millisecond, 200*time.Millisecond
	connections := writers + 1 // All of the pool may be lost at once.
	_, err := backoff.Retry(ctx, func() (any, error) {
		gone, err := tryOnce(ctx, db, do)
		if gone && err != nil && !errors.Is(err, ErrUnknown) {
			if connections--; connections > 0 {
				return nil, err
			}
		}
		if !isRetryable(err) {
			err = permanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(maxTransaction))
	db.recordDamage(err)
	return err
}

func permanent(err error) error {
	if err == nil {
		return nil
	}
	return backoff.Permanent(err)
}

// tryOnce does a change once, and reports whether the connection was lost meanwhile.
func tryOnce(ctx context.Context, db *connection, do changeFunc) (gone bool, err error) {
	// The transaction does not end with whoever waits for it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxTransaction)
	defer cancel()
	defer func() { err = asBusy(ctx, err) }()
	c, err := db.writer.Conn(ctx)
	if err != nil {
		return true, fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, closeConn(c)) }()
	begun, err := c.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return isLost(c), fmt.Errorf("begin: %w", err)
	}
	tx := &transaction{in: begun, pool: db.writer, server: c}
	if err := tx.run(ctx, do); err != nil {
		gone := isLost(c)
		tx.runUndo()
		_ = begun.Rollback() // What was lost is rolled back by the server.
		return gone, err
	}
	if err := begun.Commit(); err != nil {
		tx.runUndo()
		if !isCertainlyRefused(err) {
			err = fmt.Errorf("%w: %w", ErrUnknown, err)
		}
		return isLost(c), fmt.Errorf("commit: %w", err)
	}
	return false, nil
}

// isCertainlyRefused tells whether a commit that failed has certainly stored nothing: the server has said so. A server that
// ends a session may do so between a commit and the answer to it. What pgconn.SafeToRetry says is not asked: when
// the connection is lost while the answer is awaited, it may find the connection closed and call that safe.
func isCertainlyRefused(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(said.Code, "57")
}

// closeConn gives a connection back. One that was lost is gone already.
func closeConn(c *sql.Conn) error {
	if err := c.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

// isLost tells whether a connection is.
func isLost(c *sql.Conn) bool {
	gone := true
	_ = c.Raw(func(d any) error { // Its error means the same.
		gone = d.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return gone
}

// isRetryable tells whether a change can be done again since others were in its way.
func isRetryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

func (postgres) isConnectionLost(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return strings.HasPrefix(said.Code, "08") || strings.HasPrefix(said.Code, "57P0")
	}
	var wire *net.OpError
	return pgconn.SafeToRetry(err) || errors.As(err, &wire) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn)
}

// IsTemporary tells of an error of [Open] whether it may pass by itself, as no setting is wrong: the server starts or
// stops, has no connection left, or nobody answers.
func IsTemporary(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return postgres{}.isConnectionLost(err) || said.Code == "53300"
	}
	return postgres{}.isConnectionLost(err) || errors.As(err, new(*net.DNSError)) || pgconn.Timeout(err)
}

// The server looks after damage itself.
func (postgres) checkIntegrity(context.Context, *pool) error          { return nil }
func (postgres) lookForDamage(context.Context, *pool) error           { return nil }
func (postgres) markInUse(context.Context, *connection) (bool, error) { return true, nil }
func (postgres) markClean(context.Context, *connection) error         { return nil }

// redacted is where a database is, without a password.
func redacted(where string) string {
	if !isURL(where) {
		return where
	}
	u, err := url.Parse(where)
	if err != nil {
		return "of the URL"
	}
	hide := u.Query()
	for name := range hide {
		if strings.Contains(name, "password") {
			hide.Set(name, "xxxxx")
			u.RawQuery = hide.Encode()
		}
	}
	return u.Redacted()
}

// networkTimeout is how long a connection waits for a word of the server: somewhat longer than the server lets a statement
// run. A network that loses all that is said, without a word of it, would let readers wait for ever. It is
// 0, for as long as it takes, where statements have all the time that they want.
func networkTimeout(config *pgx.ConnConfig) (time.Duration, error) {
	limit := config.RuntimeParams["statement_timeout"]
	if config.RuntimeParams["application_name"] == exclusiveName {
		return 0, nil
	}
	d, err := time.ParseDuration(strings.Replace(limit, "min", "m", 1))
	if ms, e := strconv.Atoi(limit); e == nil {
		d, err = time.Duration(ms)*time.Millisecond, nil
	}
	if err != nil {
		return 0, fmt.Errorf("statement_timeout: %q is no time, such as 30s", limit)
	}
	return d * 6 / 5, nil
}

// setNetworkTimeout lets the connections of a configuration wait for so long at most.
func setNetworkTimeout(config *pgx.ConnConfig, limit time.Duration) {
	dial := (&net.Dialer{}).DialContext
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil || limit <= 0 {
			return c, err
		}
		return &timeoutConn{Conn: c, limit: limit}, nil
	}
}

// timeoutConn is a connection on which nothing that is waited for takes longer than limit.
type timeoutConn struct {
	net.Conn
	limit time.Duration
	mu    sync.Mutex
	// until is how long who uses it wants to wait; zero when he has not said.
	until time.Time
}

// Read implements io.Reader.
func (c *timeoutConn) Read(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write implements io.Writer.
func (c *timeoutConn) Write(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *timeoutConn) wait(set func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := time.Now().Add(c.limit)
	if !c.until.IsZero() && c.until.Before(until) {
		until = c.until
	}
	return set(until)
}

// SetDeadline implements net.Conn. It holds also for what waits already: so a context that ends is heard.
func (c *timeoutConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = t
	return c.Conn.SetDeadline(t)
}
