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

// ErrCommitUnknown means that the connection was lost during the commit, so that the change may be stored or not.
var ErrCommitUnknown = errors.New("the connection was lost during the commit; the change may or may not be stored")

// postgres implements engine for PostgreSQL.
type postgres struct{}

var sessionSettings = map[string]string{"statement_timeout": "30s", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "10s",
	"application_name": "samizdat"}

const (
	writerConnections = 4
	maxTries          = 20
	maxTransaction    = time.Minute
)

// openPostgres takes passwords from the URL or from PostgreSQL's usual sources, e.g. ~/.pgpass.
func openPostgres(ctx context.Context, location string, k *key, size int, settings map[string]string) (*pool, error) {
	config, err := pgx.ParseConfig(location)
	if err != nil {
		return nil, err
	}
	config.ConnectTimeout = 10 * time.Second
	for _, parameters := range []map[string]string{sessionSettings, settings} {
		for name, v := range parameters {
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

var indexHint = regexp.MustCompile(` INDEXED BY \w+`)

func (postgres) adaptStatement(statement string) string {
	if strings.Contains(statement, "INDEXED BY") {
		return indexHint.ReplaceAllString(statement, "")
	}
	return statement
}

// adaptValue replaces bytes that a PostgreSQL text cannot hold: invalid UTF-8 and 0.
func (postgres) adaptValue(v driver.Value) driver.Value {
	if s, ok := v.(string); ok {
		return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
	}
	return v
}

func (postgres) hasRecipientIndex() bool { return true }

const prepareLock = 0x73616d69

// runExclusively holds a lock: if several daemons find a new database, only one creates the schema and the key.
func (postgres) runExclusively(ctx context.Context, db *connection, run func() error) error {
	c, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, prepareLock); err != nil {
		return errors.Join(err, c.Close())
	}
	err = run()
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
		return errors.New("synchronous_commit must not be off: a power cut would lose letters")
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the encoding must be UTF8, got %s", encoding)
	}
	return nil
}

// lock is an advisory lock (https://www.postgresql.org/docs/current/explicit-locking.html) for a task that depends on
// several rows.
type lock int

const (
	playersLock     lock = 1989_03 + iota // creating or forgetting a player
	outboxOrderLock                       // deciding which letters of the outbox are sent next
	arrivalsLock                          // claiming arrivals
	noticesLock                           // notices to operator and director
)

func (postgres) acquireLock(ctx context.Context, tx *transaction, l lock) {
	tx.enqueue(ctx, wrapResult("wait for a lock"), `SELECT pg_advisory_xact_lock($1, 0)`, int(l))
}

func (postgres) nextLetterIDs(ctx context.Context, tx *transaction, n int) ([]int64, error) {
	return queryColumn[int64](ctx, tx, `SELECT nextval('outbox_id_seq') FROM generate_series(1, $1)`, n)
}

// write runs a change in a transaction of its own, and repeats it after a serialization failure or deadlock (SQLSTATE
// class 40, https://www.postgresql.org/docs/current/errcodes-appendix.html) and after a connection lost before the
// commit. The last parameter (canWait) is ignored, because the server groups commits.
func (postgres) write(ctx context.Context, db *connection, run changeFunc, _ bool) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 2*time.Millisecond, 200*time.Millisecond
	connections := writerConnections + 1 // All connections of the pool may be lost together; the last try is on a new one.
	_, err := backoff.Retry(ctx, func() (any, error) {
		lost, err := runTransaction(ctx, db, run)
		if lost && err != nil && !errors.Is(err, ErrCommitUnknown) {
			if connections--; connections > 0 {
				return nil, err
			}
		}
		if !isRetryable(err) {
			err = markPermanent(err)
		}
		return nil, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(maxTransaction))
	db.recordDamage(err)
	return err
}

func markPermanent(err error) error {
	if err == nil {
		return nil
	}
	return backoff.Permanent(err)
}

func runTransaction(ctx context.Context, db *connection, run changeFunc) (lost bool, err error) {
	// The end of the caller's context does not end the transaction.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxTransaction)
	defer cancel()
	defer func() { err = wrapBusy(ctx, err) }()
	c, err := db.writer.Conn(ctx)
	if err != nil {
		return true, fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, closeConn(c)) }()
	sqlTx, err := c.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return isConnectionClosed(c), fmt.Errorf("begin: %w", err)
	}
	tx := &transaction{inner: sqlTx, pool: db.writer, server: c}
	if err := tx.run(ctx, run); err != nil {
		lost := isConnectionClosed(c)
		tx.runUndo()
		_ = sqlTx.Rollback() // It fails if the connection is lost; the server then rolls back itself.
		return lost, err
	}
	if err := sqlTx.Commit(); err != nil {
		tx.runUndo()
		if !isCertainlyRefused(err) {
			err = fmt.Errorf("%w: %w", ErrCommitUnknown, err)
		}
		return isConnectionClosed(c), fmt.Errorf("commit: %w", err)
	}
	return false, nil
}

// isCertainlyRefused reports whether the server answered that a commit has failed. A server that shuts down (SQLSTATE
// class 57) may give this answer although the change is stored. pgconn.SafeToRetry does not decide this: it may
// report true if the connection is lost before the answer.
func isCertainlyRefused(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(pgErr.Code, "57")
}

// closeConn returns a connection to the pool, unless it was lost.
func closeConn(c *sql.Conn) error {
	if err := c.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

func isConnectionClosed(c *sql.Conn) bool {
	isClosed := true
	_ = c.Raw(func(d any) error { // After an error isClosed stays true.
		isClosed = d.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return isClosed
}

// isRetryable reports whether an error is a serialization failure (40001) or a deadlock (40P01).
func isRetryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

func (postgres) isConnectionLost(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return strings.HasPrefix(pgErr.Code, "08") || strings.HasPrefix(pgErr.Code, "57P0")
	}
	var netErr *net.OpError
	return pgconn.SafeToRetry(err) || errors.As(err, &netErr) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn)
}

// IsTemporary reports whether an error of [Open] may disappear without a change of settings: the server starts or
// stops, has no free connection, or does not answer.
func IsTemporary(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return postgres{}.isConnectionLost(err) || pgErr.Code == "53300"
	}
	return postgres{}.isConnectionLost(err) || errors.As(err, new(*net.DNSError)) || pgconn.Timeout(err)
}

// PostgreSQL detects damage itself.
func (postgres) checkIntegrity(context.Context, *pool) error          { return nil }
func (postgres) lookForDamage(context.Context, *pool) error           { return nil }
func (postgres) markInUse(context.Context, *connection) (bool, error) { return true, nil }
func (postgres) markClean(context.Context, *connection) error         { return nil }

// redactURL returns a location without passwords, e.g. "postgres://samizdat:xxxxx@db.example.org/samizdat".
func redactURL(location string) string {
	if !isURL(location) {
		return location
	}
	u, err := url.Parse(location)
	if err != nil {
		return "(invalid URL)"
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(name, "password") {
			query.Set(name, "xxxxx")
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// networkTimeout returns the time limit for an answer of the server, somewhat more than statement_timeout. Without a
// limit readers would wait forever in a network that drops packets. The limit is 0 (none) for exclusive connections.
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
		return 0, fmt.Errorf("statement_timeout: %q is not a duration such as 30s", limit)
	}
	return d * 6 / 5, nil
}

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

// timeoutConn is a connection on which each read or write takes at most limit.
type timeoutConn struct {
	net.Conn
	limit time.Duration
	mu    sync.Mutex
	// deadline is the deadline set by the user of the connection, or zero.
	deadline time.Time
}

func (c *timeoutConn) Read(b []byte) (int, error) {
	if err := c.setDeadline(c.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *timeoutConn) Write(b []byte) (int, error) {
	if err := c.setDeadline(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *timeoutConn) setDeadline(apply func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := time.Now().Add(c.limit)
	if !c.deadline.IsZero() && c.deadline.Before(until) {
		until = c.deadline
	}
	return apply(until)
}

// SetDeadline implements net.Conn. It also applies to a read or write in progress, so that the end of a
// context interrupts it.
func (c *timeoutConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	return c.Conn.SetDeadline(t)
}
