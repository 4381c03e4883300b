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
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
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
		must(t, each(t.Context(), db.writer, func(scan func(...any) error) error {
			var table, name string
			var c column
			err := scan(&table, &name, &c.Type, &c.NotNull, &c.Key)
			out[table+"."+name] = c
			return err
		}, query))
		return out
	}
	want := read(file, `SELECT t.name, c.name, CASE c.type WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytea' ELSE 'bigint' END, c."notnull" OR c.pk > 0, c.pk
		FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'goose%' AND t.name NOT LIKE 'sqlite%'`)
	got := read(db, `SELECT c.table_name, c.column_name, c.data_type, c.is_nullable = 'NO', coalesce(k.ordinal_position, 0) FROM information_schema.columns c
		LEFT JOIN (SELECT u.table_name, u.column_name, u.ordinal_position FROM information_schema.key_column_usage u
			JOIN information_schema.table_constraints t ON t.constraint_name = u.constraint_name AND t.constraint_type = 'PRIMARY KEY') k
			ON k.table_name = c.table_name AND k.column_name = c.column_name
		WHERE c.table_schema = 'public' AND c.table_name NOT LIKE 'goose%'`)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("columns (-SQLite +PostgreSQL):\n%s", d)
	}
	names := func(db *DB, query string) []string {
		l, err := list(t.Context(), db.writer, func(s *string) []any { return []any{s} }, query)
		must(t, err)
		return l
	}
	// What SQLite finds by reading through other indexes, and what several daemons need.
	but := `'outbox_claim', 'outbox_recipient', 'outbox_waiting', 'matches_playing', 'matches_running'`
	if d := cmp.Diff(names(file, `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY name`),
		names(db, `SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%\_key' AND indexname NOT LIKE '%\_pkey' AND indexname NOT LIKE 'goose%' AND indexname NOT IN (`+but+`) ORDER BY indexname COLLATE "C"`)); d != "" {
		t.Errorf("indexes (-SQLite +PostgreSQL):\n%s", d)
	}
	if odd := names(db, `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'goose%'
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
						if !errors.Is(err, adjudicator.ErrConflict) && !errors.Is(err, adjudicator.ErrDuplicate) {
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
		if got := refused(fmt.Errorf("commit: %w", c.err)); got != c.want {
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
		case errors.Is(err, ErrUnknown):
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
