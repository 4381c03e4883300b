// Package storage keeps matches, letters and the outbox in one SQLite file, or in a database of a
// PostgreSQL server, which several daemons may use.
//
// # What it promises
//
//   - One set of statements serves both engines. What differs stands in connection.go, sqlite.go and
//     postgres.go; parameters are $1, $2, ..., which appear in that order for the first time.
//   - The file is in WAL mode with synchronous=FULL: what is committed survives a
//     power cut. The pragmas are read back at the start, since a misspelt one is
//     not an error to the driver.
//   - The file has one writer connection and a small pool of readers. Of a letter
//     receipt, entries, position, kept orders, letters sent
//     and outbox change together or not at all.
//   - What is written to the file at the same time shares a transaction, so that the disk is waited
//     for once; each change has a savepoint of its own, and none is done before the
//     commit (sqlite.go).
//   - Transactions of the file begin and end on their connection (connection.go), and what is asked for each letter is
//     not ended before it has its answer, a moment later: database/sql would have goroutines for both.
//   - On a server each change is a transaction of its own. It locks what it depends on, so that it is
//     stored as if no other had been at work at the same time: see below. Two that wait for
//     each other are told apart by the server, and one is done again, a bounded number of times; so is, once,
//     what a lost connection has ended before its commit. If that was lost, the
//     error is ErrUnknown: who made the change looks whether it is stored, as receipts tell of letters.
//   - A match has a version, and so has a player. A change made from an older one is
//     refused with match.ErrConflict and the caller adjudicates again.
//   - The schema is made by numbered migrations, one transaction each, of which the first makes all tables
//     (schema.go). A database from a newer program, or from a build before the first release, is refused.
//   - A file that cannot be written is refused at the start. It is looked through for damage
//     where a daemon has not left it in order, beside the work, and before it is migrated.
//   - Entries and letters that came in are compressed with dictionaries (columns.go).
//   - A match that is over is packed into one row, and read as before (archive.go).
//   - What is deleted is overwritten in pages that are written anyway (secure_delete=FAST). A page that becomes free keeps
//     what stood on it until it is used again, sealed where it was hidden.
//   - What is hidden is sealed with a key from a file beside the database (seal.go), so
//     that a copy of the database alone tells no die, no hand and no order. The table in
//     docs/storage.md says of each column whether it is.
//   - Nobody but their owner may read the files.
//
// # Changes at the same time
//
// On a server transactions are READ COMMITTED: each statement sees what was committed when it began, and
// what a statement changes or locks is its own until the commit. Who comes second waits, and
// then sees what the first has made of it. So every change begins with what orders it among its kind:
//
//   - A letter is taken up once: its receipt has a unique digest, and the second to insert it waits for
//     the first, and is told ErrDuplicate.
//   - What a letter, a clock, an act of a player or of the director, or the end of a pause does to a match begins with an update of the
//     match's row at the version that was read. Who comes second waits, finds another version, and is told
//     ErrConflict. Seats, entries, observers and the numbers of letters are only changed by who has
//     that row; several matches are taken in the order of their names.
//   - The clock that waits for a letter's way, and a letter that came back, read the match within the transaction, after they have locked
//     its row.
//   - Players, members, offers, tournaments and what the director was asked have versions as well. Results are
//     counted by who has locked the match and the result.
//   - To make a player known, or to forget one, is for one at a time (the lock enrolling); so is to
//     tell the director or the operator something once (telling), to put letters that rest into the line (lining), and
//     to claim arrivals (claiming): who does sees the claims of all others.
//   - Letters of the outbox are claimed, put into the line and freed by who has locked their rows, and passes over those that
//     another has locked. What only who has claimed a letter may do is done by an update that asks for his claim. Who drops
//     letters drops those that have no claim when he has their rows. Letters to one reader have numbers in the order of their
//     commits, since who writes one has the row of the match; nobody claims one while an older one waits that he does not have.
//   - Arrivals are stored and taken away by the poller, and what comes of them is noted by who has the claim.
//   - All other changes are one statement, or are made while no daemon runs.
//
// What a change read before its transaction began is as old as that on SQLite: versions tell of it there as here.
package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/pressly/goose/v3"
)

// DB is an open database: its tables in groups, which share a connection. It is what the adjudicator stores
// matches and players in.
type DB struct {
	*connection
	Matches
	Players
	Club     Club
	Inbox    Inbox
	Operator Operator
	Upkeep   Upkeep
	Daemons  Daemons
}

// Club is what the secretary of a club needs.
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
	// Players are those who sit in them, and observe them.
	Players struct{ *connection }
	// ClubMembers are those of the club, what they and the director have asked for, and what all may read.
	ClubMembers struct{ *connection }
	// ClubOffers are matches that are to be, and that members play.
	ClubOffers struct{ *connection }
	// ClubResults are what matches of the club have come to, with ladders and tournaments.
	ClubResults struct{ *connection }
	// Inbox is what is known of the looking for letters.
	Inbox struct{ *connection }
	// Operator is what whoever runs the referee, and the director, are told.
	Operator struct{ *connection }
	// Upkeep is what is done with matches that nobody asks for: they are played again by a new build, packed and cleared.
	Upkeep struct{ *connection }
	// Daemons are those that serve from one database on a server.
	Daemons struct{ *connection }
)

// connection is to an open database.
type connection struct {
	engine         engine
	writer, reader *pool
	commits        commitGroup
	key            key
	// session is this daemon's newest, where there are several; nil where it never had one.
	session atomic.Pointer[Session]
	latest  newestInboxTime
	// corrupt: something that was read or written was damaged.
	corrupt atomic.Bool
}

// readers is how many connections read beside those that write.
const readers = 4

// Open opens a database and brings it to the newest schema: a file of SQLite, or a database of a PostgreSQL
// server, whose URL it is then. The key file is made when it is missing and the database is new.
func Open(ctx context.Context, where, keyPath string) (*DB, error) {
	if err := Restorable(where); err != nil {
		return nil, fmt.Errorf("open the database %w", err)
	}
	db, err := openUnchecked(ctx, where, keyPath)
	if err != nil {
		return nil, err
	}
	marked, err := db.engine.hasTable(ctx, db.reader, unfinished)
	if err == nil && marked {
		err = ErrUnfinished
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", redacted(where), err), db.Close())
	}
	return db, nil
}

// openUnchecked opens a database also where a copy into it or its restore is unfinished.
func openUnchecked(ctx context.Context, where, keyPath string) (*DB, error) {
	c := &connection{commits: newCommits()}
	if err := c.connect(ctx, where, keyPath); err != nil {
		return nil, fmt.Errorf("open the database %s: %w", redacted(where), markDamage(err))
	}
	players := Players{c}
	return &DB{connection: c, Matches: Matches{c}, Players: players, Club: Club{c, players, ClubMembers{c}, ClubOffers{c}, ClubResults{c}},
		Inbox: Inbox{c}, Operator: Operator{c}, Upkeep: Upkeep{c}, Daemons: Daemons{c}}, nil
}

func (db *connection) connect(ctx context.Context, where, keyPath string) (err error) {
	db.engine = sqlite{}
	if isURL(where) {
		db.engine = postgres{}
		db.writer, err = openPostgres(ctx, where, &db.key, writers, nil)
	} else if err = makeFilePrivate(where, keyPath); err == nil {
		db.writer = openSQLite(where, &db.key)
	}
	if err == nil {
		err = db.engine.runExclusively(ctx, db, func() error { return db.prepare(ctx, keyPath) })
	}
	if err == nil {
		db.reader, err = openReaders(ctx, where, &db.key)
	}
	if err != nil && db.writer != nil {
		err = errors.Join(err, db.writer.Close())
	}
	return err
}

// openReaders opens a database for those who only read.
func openReaders(ctx context.Context, where string, k *key) (*pool, error) {
	if isURL(where) {
		return openPostgres(ctx, where, k, readers, map[string]string{"default_transaction_read_only": "on"})
	}
	return readSQLite(ctx, where, k)
}

func (db *connection) prepare(ctx context.Context, keyPath string) error {
	if err := db.engine.checkSettings(ctx, db); err != nil {
		return err
	}
	p, err := goose.NewProvider(db.engine.schema().name, db.writer.DB, nil, goose.WithGoMigrations(migrations(db.engine)...))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if err := checkVersionSupported(have); err != nil {
		return err
	}
	if db.key, err = readKey(keyPath, have == 0); err != nil {
		return err
	}
	if have < newestVersion() {
		// A migration makes new rows of what it reads.
		if err := db.engine.lookForDamage(ctx, db.writer); err != nil {
			return err
		}
		if err := migrate(ctx, p, have); err != nil {
			return fmt.Errorf("bring the schema to version %d: %w", newestVersion(), err)
		}
	}
	if have == 0 {
		// What is new is in order, and need not be looked through.
		if err := db.engine.markClean(ctx, db); err != nil {
			return err
		}
	}
	// What may only be read opens without a word. The statement changes
	// nothing, but asks for the right to.
	if _, err := db.writer.ExecContext(ctx, `UPDATE matches SET version = version WHERE FALSE`); err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	// With another key every letter would fail, and a new match would be lost with it.
	return db.key.checkKey(ctx, db.writer)
}

// Close closes the database.
func (db *DB) Close() error { return errors.Join(db.reader.Close(), db.writer.Close()) }

// querier is a connection that is asked, in a transaction or without one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// wrapError says in an error, if there is one, what was being done.
func wrapError(err *error, doing string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(doing+": %w", append(args, *err)...)
	}
}

// eachRow calls row for each row that a query gives.
func eachRow(ctx context.Context, a querier, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := a.QueryContext(ctx, query, args...)
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

// queryAll reads what a query gives, one value from the columns of each row.
func queryAll[T any](ctx context.Context, a querier, columns func(*T) []any, query string, args ...any) ([]T, error) {
	var out []T
	err := eachRow(ctx, a, func(scan func(...any) error) error {
		var v T
		err := scan(columns(&v)...)
		out = append(out, v)
		return err
	}, query, args...)
	return out, err
}

// column reads what a query gives that asks for one column.
func queryColumn[T any](ctx context.Context, a querier, query string, args ...any) ([]T, error) {
	return queryAll(ctx, a, func(v *T) []any { return []any{v} }, query, args...)
}
