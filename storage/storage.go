// Package storage stores matches, letters and the outbox in an SQLite file, or in a PostgreSQL database that
// several daemons may share.
//
// # Guarantees
//
//   - One set of SQL statements serves both engines. Differences are in connection.go, sqlite.go and postgres.go.
//     Parameters are $1, $2, ..., in the order of their first use.
//   - The SQLite file is in WAL mode (https://sqlite.org/wal.html) with synchronous=FULL: committed changes survive a
//     power cut. The pragmas are read back, because the driver accepts misspelt ones.
//   - SQLite has one writer connection and a few readers. One transaction stores everything that follows from a letter:
//     its receipt, entries, position, pending answers, sent letters and outbox.
//   - Concurrent changes of the file share a transaction (group commit), so that they wait for the disk once. Each change
//     has a savepoint and returns after the commit (sqlite.go).
//   - PostgreSQL runs each change in a transaction of its own, with row locks as below. Deadlocks and lost connections
//     before the commit are retried a limited number of times. If the connection is lost during the commit, the error is
//     ErrCommitUnknown, and the caller must check whether the change is stored, e.g. by a receipt.
//   - Matches and players have versions. A change based on an older version fails with match.ErrConflict, and the caller
//     adjudicates again.
//   - Numbered migrations create and change the schema (schema.go). Databases of newer programs, and of builds before the
//     first release, are refused.
//   - A read-only file is refused at the start. A file is checked for damage before a migration, and in the background
//     after a crash.
//   - Entries and received letters are compressed with dictionaries (columns.go).
//   - A finished match is packed into one row and can be read as before (archive.go).
//   - Deleted content is overwritten in pages that are written anyway (secure_delete=FAST). Free pages keep their old
//     content, encrypted if it was secret.
//   - Hidden content is encrypted with a key from a file beside the database (seal.go): a copy of the database alone
//     reveals no die, hand or order. docs/storage.md lists the columns.
//   - Only the owner may read the files.
//
// # Concurrent changes
//
// PostgreSQL transactions are READ COMMITTED. Two changes of the same data cannot interfere:
//
//   - The receipt of a letter has a unique digest. The second insert of the digest waits and gets ErrDuplicate.
//   - A change of a match updates the row of the match at the version that was read. The second change gets ErrConflict.
//     Seats, entries, observers and letter numbers are changed only with that row locked. Several matches are
//     locked in the order of their IDs.
//   - Code that handles a bounce, or starts a clock after the delivery of a letter, locks the match before reading it.
//   - Players, members, offers, tournaments and the director's requests have versions too. While a
//     result is counted, the rows of its match and of the result are locked.
//   - Advisory locks protect four tasks: creating and forgetting players (playersLock), notices to director and operator
//     (noticesLock), the order of outbox letters (outboxOrderLock), and claims to arrivals (arrivalsLock).
//   - Letters of the outbox are claimed and released with their rows locked, skipping rows locked by others. A change
//     that needs a claim has a condition for it in its WHERE clause. Letters to the same recipient are numbered in
//     commit order, because the transaction that stores a letter has locked the match. A letter is not claimed while an
//     older letter to its reader is claimed by another daemon.
//   - The poller inserts and deletes arrivals; the claimant records their outcomes.
//   - Other changes are single statements, or happen while no daemon runs.
//
// Data read before a transaction may be outdated; versions detect that on both engines.
package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/pressly/goose/v3"
)

// DB is an open database: groups of tables that share a connection. It stores the adjudicator's matches and players.
type DB struct {
	*connection
	Matches
	Players
	Club     Club
	Inbox    Inbox
	Operator Operator
	Upkeep   Upkeep
	Daemons  Daemons
	Hooks    Hooks
}

// Club contains the tables that club mail (package clubmail) uses.
type Club struct {
	*connection
	Players
	ClubMembers
	ClubOffers
	ClubResults
}

type (
	// Matches are the matches with their seats, histories and letters.
	Matches struct{ *connection }
	// Players are players and observers.
	Players struct{ *connection }
	// ClubMembers are the members, their requests, the director's requests, and announcements.
	ClubMembers struct{ *connection }
	// ClubOffers are offers of matches, and the members' current matches.
	ClubOffers struct{ *connection }
	// ClubResults are the results of matches, ladders and tournaments.
	ClubResults struct{ *connection }
	// Inbox stores the watermark and the outages of the inbox.
	Inbox struct{ *connection }
	// Operator stores notices to the operator and the director.
	Operator struct{ *connection }
	// Upkeep rebuilds matches with a new build, packs them and deletes old letters.
	Upkeep struct{ *connection }
	// Daemons are the daemons that share a PostgreSQL database.
	Daemons struct{ *connection }
)

// connection is an open database, shared by all groups of tables.
type connection struct {
	engine         engine
	writer, reader *pool
	commits        commitGroup
	key            key
	// session is the newest session of this daemon, or nil on SQLite.
	session atomic.Pointer[Session]
	newest  newestInboxTime
	corrupt atomic.Bool
}

const readerConnections = 4

// Open opens an SQLite file or a PostgreSQL URL and migrates the schema to the newest version. A missing key file is
// created for a new database only.
func Open(ctx context.Context, location, keyPath string) (*DB, error) {
	if err := CheckRestoreFinished(location); err != nil {
		return nil, fmt.Errorf("open the database %w", err)
	}
	db, err := openUnchecked(ctx, location, keyPath)
	if err != nil {
		return nil, err
	}
	isUnfinished, err := db.engine.hasTable(ctx, db.reader, unfinishedTable)
	if err == nil && isUnfinished {
		err = ErrUnfinished
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", redactURL(location), err), db.Close())
	}
	return db, nil
}

// openUnchecked opens a database like Open, even if a copy or restore is unfinished.
func openUnchecked(ctx context.Context, location, keyPath string) (*DB, error) {
	c := &connection{commits: newCommitGroup()}
	if err := c.connect(ctx, location, keyPath); err != nil {
		return nil, fmt.Errorf("open the database %s: %w", redactURL(location), wrapDamage(err))
	}
	players := Players{c}
	return &DB{connection: c, Matches: Matches{c}, Players: players, Club: Club{c, players, ClubMembers{c}, ClubOffers{c}, ClubResults{c}},
		Inbox: Inbox{c}, Operator: Operator{c}, Upkeep: Upkeep{c}, Daemons: Daemons{c}, Hooks: Hooks{c}}, nil
}

func (db *connection) connect(ctx context.Context, location, keyPath string) (err error) {
	db.engine = sqlite{}
	if isURL(location) {
		db.engine = postgres{}
		db.writer, err = openPostgres(ctx, location, &db.key, writerConnections, nil)
	} else if err = createPrivateFile(location, keyPath); err == nil {
		db.writer = openSQLite(location, &db.key)
	}
	if err == nil {
		err = db.engine.runExclusively(ctx, db, func() error { return db.prepare(ctx, keyPath) })
	}
	if err == nil {
		db.reader, err = openReaders(ctx, location, &db.key)
	}
	if err != nil && db.writer != nil {
		err = errors.Join(err, db.writer.Close())
	}
	return err
}

func openReaders(ctx context.Context, location string, k *key) (*pool, error) {
	if isURL(location) {
		return openPostgres(ctx, location, k, readerConnections, map[string]string{"default_transaction_read_only": "on"})
	}
	return openSQLiteReaders(ctx, location, k)
}

func (db *connection) prepare(ctx context.Context, keyPath string) error {
	if err := db.engine.checkSettings(ctx, db); err != nil {
		return err
	}
	provider, err := goose.NewProvider(db.engine.dialect().name, db.writer.DB, nil, goose.WithGoMigrations(migrations(db.engine)...))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if err := checkVersionSupported(version); err != nil {
		return err
	}
	if db.key, err = readKey(keyPath, version == 0); err != nil {
		return err
	}
	if version < newestVersion() {
		// A migration would copy damaged rows.
		if err := db.engine.lookForDamage(ctx, db.writer); err != nil {
			return err
		}
		if err := migrate(ctx, provider, version); err != nil {
			return fmt.Errorf("migrate the schema to version %d: %w", newestVersion(), err)
		}
	}
	if version == 0 {
		// A new database needs no check for damage.
		if err := db.engine.markClean(ctx, db); err != nil {
			return err
		}
	}
	// A read-only database opens without an error. This statement changes no row but needs write permission.
	if _, err := db.writer.ExecContext(ctx, `UPDATE matches SET version = version WHERE FALSE`); err != nil {
		return fmt.Errorf("the database must be writable: %w", err)
	}
	// With a wrong key every letter would fail, and a new match could not be read again.
	return db.key.checkKey(ctx, db.writer)
}

// Close closes the connections.
func (db *DB) Close() error { return errors.Join(db.reader.Close(), db.writer.Close()) }

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// wrapError is called with defer. It changes the error "no such table" to "read player 7: no such table".
func wrapError(err *error, action string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(action+": %w", append(args, *err)...)
	}
}

func eachRow(ctx context.Context, db querier, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// queryAll returns the rows of a query. targets returns the pointers for scanning a row.
func queryAll[T any](ctx context.Context, db querier, targets func(*T) []any, query string, args ...any) ([]T, error) {
	var out []T
	err := eachRow(ctx, db, func(scan func(...any) error) error {
		var v T
		err := scan(targets(&v)...)
		out = append(out, v)
		return err
	}, query, args...)
	return out, err
}

func queryColumn[T any](ctx context.Context, db querier, query string, args ...any) ([]T, error) {
	return queryAll(ctx, db, func(v *T) []any { return []any{v} }, query, args...)
}

func queryFirst[T any](ctx context.Context, db querier, targets func(*T) []any, query string, args ...any) (*T, error) {
	rows, err := queryAll(ctx, db, targets, query, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// queryValue returns the value of a query for one row and column, or the zero value without a row.
func queryValue[T any](ctx context.Context, db querier, query string, args ...any) (v T, err error) {
	if err = db.QueryRowContext(ctx, query, args...).Scan(&v); errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return v, err
}

func queryMap[K comparable, V any](ctx context.Context, db querier, query string, args ...any) (map[K]V, error) {
	out := map[K]V{}
	return out, eachRow(ctx, db, func(scan func(...any) error) error {
		var k K
		var v V
		err := scan(&k, &v)
		out[k] = v
		return err
	}, query, args...)
}
