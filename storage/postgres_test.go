//go:build integration

package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
)

// openAt opens a database.
func openAt(t *testing.T, url, key string) *DB {
	t.Helper()
	db, err := Open(t.Context(), url, key)
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestSchemasAgree: both engines have the same tables, columns, types, keys and indexes.
func TestSchemasAgree(t *testing.T) {
	t.Parallel()
	db := openAt(t, pgtest.Start(t).URL("postgres"), filepath.Join(t.TempDir(), "s.key"))
	file, err := Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), filepath.Join(t.TempDir(), "s.key"))
	must(t, err)
	t.Cleanup(func() { must(t, file.Close()) })
	type column struct {
		Type    string
		NotNull bool
		Key     int
	}
	read := func(db *DB, query string) map[string]column {
		out := map[string]column{}
		must(t, eachRow(t.Context(), db.writer, func(scan func(...any) error) error {
			var table, name string
			var c column
			err := scan(&table, &name, &c.Type, &c.NotNull, &c.Key)
			out[table+"."+name] = c
			return err
		}, query))
		return out
	}
	want := read(file, `SELECT t.name, c.name, CASE c.type WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytea' ELSE 'bigint' END, c."notnull"
		OR c.pk > 0, c.pk
		FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'goose%' AND t.name NOT LIKE 'sqlite%'`)
	got := read(db, `SELECT c.table_name, c.column_name, c.data_type, c.is_nullable = 'NO', coalesce(k.ordinal_position, 0)
		FROM information_schema.columns c
		LEFT JOIN (SELECT u.table_name, u.column_name, u.ordinal_position FROM information_schema.key_column_usage u
			JOIN information_schema.table_constraints t ON t.constraint_name = u.constraint_name AND t.constraint_type = 'PRIMARY KEY') k
			ON k.table_name = c.table_name AND k.column_name = c.column_name
		WHERE c.table_schema = 'public' AND c.table_name NOT LIKE 'goose%'`)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("columns (-SQLite +PostgreSQL):\n%s", d)
	}
	names := func(db *DB, query string) []string {
		l, err := queryAll(t.Context(), db.writer, func(s *string) []any { return []any{s} }, query)
		must(t, err)
		return l
	}
	// What SQLite finds by reading through other indexes, and what several daemons need.
	but := `'outbox_claim', 'outbox_recipient', 'outbox_waiting', 'matches_playing', 'matches_running'`
	if d := cmp.Diff(names(file, `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY name`),
		names(db, `SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%\_key' AND indexname NOT LIKE '%\_pkey'
			AND indexname NOT LIKE 'goose%' AND indexname NOT IN (`+but+`) ORDER BY indexname COLLATE "C"`)); d != "" {
		t.Errorf("indexes (-SQLite +PostgreSQL):\n%s", d)
	}
	if odd := names(db, `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
		AND table_name NOT LIKE 'goose%'
		AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`); len(odd) > 0 {
		t.Errorf("texts are not in the order of their bytes: %v", odd)
	}
}

// TestAtOnceOnServer: many change the same match, others theirs, with several daemons: each is taken up once, and
// what loses is told so.
func TestAtOnceOnServer(t *testing.T) {
	t.Parallel()
	s, key := pgtest.Start(t), filepath.Join(t.TempDir(), "s.key")
	var dbs []*DB
	for range 3 {
		dbs = append(dbs, openAt(t, s.URL("postgres"), key))
	}
	one, matches, letters := dbs[0], crowd, 6
	aCrowd(t, one)
	var all errgroup.Group
	for i := range matches {
		for _, db := range dbs {
			all.Go(func() error {
				for range letters {
					for {
						_, err := oneLetter(context.Background(), db, crowdMatch(i))
						if err == nil {
							break
						}
						if !errors.Is(err, match.ErrConflict) && !errors.Is(err, exchange.ErrDuplicate) {
							return fmt.Errorf("match %d: %w", i, err)
						}
					}
				}
				return nil
			})
		}
	}
	must(t, all.Wait())
	for i := range matches {
		if n, err := consistent(t.Context(), one, crowdMatch(i)); err != nil || n != letters*len(dbs) {
			t.Errorf("match %d has %d entries, %v", i, n, err)
		}
	}
}

// TestRefused: a commit has stored nothing only if the server says so of the statement itself. One that ends the
// session may have committed.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40001"}, true},
		{&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "23505"}, true},
		{&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "57014"}, false},
		{&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, false},
		{&pgconn.PgError{SeverityUnlocalized: "PANIC", Code: "XX000"}, false},
		{fmt.Errorf("read: %w", io.ErrUnexpectedEOF), false},
		{context.DeadlineExceeded, false},
	} {
		if got := isCertainlyRefused(fmt.Errorf("commit: %w", c.err)); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

// TestLostConnections: connections that are cut, and a server that starts anew, cost no letter, and none is taken up
// twice. What is not known is told as that.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t)
	proxy := s.Proxy(t)
	db := openAt(t, proxy.URL("postgres"), filepath.Join(t.TempDir(), "s.key"))
	m := aMatch(t, db)
	stop := make(chan struct{})
	var cutting errgroup.Group
	cutting.Go(func() error {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return nil
			case <-time.After(time.Duration(30+i%7*20) * time.Millisecond):
			}
			if proxy.Cut(); i == 10 {
				if err := s.Restart(context.Background(), true); err != nil {
					return err
				}
			}
		}
	})
	unknown := 0
	var failed []error
	for n, last := 0, time.Now().Add(3*time.Second); time.Now().Before(last); {
		was, err := oneLetter(t.Context(), db, m.ID)
		switch {
		case errors.Is(err, ErrCommitUnknown):
			unknown++
			n = 0
		case err == nil && was != n+1 && n > 0:
			t.Fatalf("letter %d is followed by %d, after:\n%v", n, was, errors.Join(failed...))
		case err == nil:
			n, failed = was, nil
		default:
			failed = append(failed, err)
		}
	}
	close(stop)
	must(t, cutting.Wait())
	n, err := consistent(t.Context(), db, m.ID)
	if err != nil || n == 0 {
		t.Errorf("%d entries, %v", n, err)
	}
	t.Logf("%d letters, of %d it was not known at first", n, unknown)
}

// TestSilentServer: when the network loses all that is said, without a word of it, whoever asks or changes is told
// so in bounded time, with a context that never ends; when it is whole again all goes on.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	server, key := pgtest.Start(t), filepath.Join(t.TempDir(), "s.key")
	// The tables are created without the short timeout, which a busy machine exceeds.
	m := aMatch(t, openAt(t, server.URL("postgres"), key))
	proxy := server.Proxy(t)
	db := openAt(t, proxy.URL("postgres")+"&statement_timeout=500", key)
	ctx := context.Background()
	for what, run := range map[string]func() error{
		"a read":      func() error { _, err := db.Match(ctx, m.ID); return err },
		"a statement": func() error { _, err := db.writer.ExecContext(ctx, `UPDATE seats SET letters = letters`); return err },
		"a change":    func() error { return db.Apply(ctx, exchange.Change{Match: m}) },
		"the outbox":  func() error { _, err := db.Outbox("r@x.test").Due(ctx, noon, 1); return err },
	} {
		proxy.Split()
		ended, startTime := make(chan error, 1), time.Now()
		go func() { ended <- run() }()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: no error", what)
			}
			t.Logf("%s: %v, %v", what, time.Since(startTime).Round(time.Millisecond), err)
		case <-time.After(30 * time.Second):
			t.Errorf("%s hangs", what)
		}
		proxy.Heal()
		if _, err := db.Match(ctx, m.ID); err != nil {
			t.Fatalf("after %s: %v", what, err)
		}
	}
	if now, err := db.Match(ctx, m.ID); err != nil || now.Version != m.Version {
		t.Errorf("what nobody heard of has changed the match: %v", err)
	}
}

// TestSilentClient: a daemon that falls silent within a change stands in nobody's way for long.
func TestSilentClient(t *testing.T) {
	t.Parallel()
	url, key := pgtest.Start(t).URL("postgres"), filepath.Join(t.TempDir(), "s.key")
	silent, other := openAt(t, url+"&idle_in_transaction_session_timeout=200", key), openAt(t, url, key)
	var limit string
	must(t, other.writer.QueryRowContext(t.Context(), `SELECT current_setting('idle_in_transaction_session_timeout')`).Scan(&limit))
	if limit != "10s" {
		t.Errorf("idle_in_transaction_session_timeout is %s", limit)
	}
	m := aMatch(t, other)
	tx, err := silent.writer.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `UPDATE matches SET version = version`)
	must(t, err)
	must(t, other.Apply(t.Context(), exchange.Change{Match: m}))
	if err := tx.Commit(); err == nil {
		t.Error("the transaction of one who was silent is committed")
	}
}

// TestNetworkTimeout: a connection waits longer than the server lets a statement run, and as long as it takes where
// the server does.
func TestNetworkTimeout(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{"": 36 * time.Second, "500": 600 * time.Millisecond, "10s": 12 * time.Second,
		"5min": 6 * time.Minute, "0": 0} {
		c, err := pgx.ParseConfig("postgres://x.test/s")
		must(t, err)
		c.RuntimeParams["statement_timeout"] = sessionSettings["statement_timeout"]
		if in != "" {
			c.RuntimeParams["statement_timeout"] = in
		}
		if got, err := networkTimeout(c); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", in, got, err, want)
		}
		c.RuntimeParams["application_name"] = exclusiveName
		if got, err := networkTimeout(c); err != nil || got != 0 {
			t.Errorf("alone: %v, %v", got, err)
		}
	}
	if _, err := openPostgres(t.Context(), "postgres://x.test/s?statement_timeout=long", &key{}, 1, nil); err == nil ||
		errors.As(err, new(*pgconn.ConnectError)) {
		t.Errorf("a time that is none: %v", err)
	}
}
