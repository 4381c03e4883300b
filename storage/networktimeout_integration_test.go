//go:build integration

package storage

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"samizdat/adjudicator"
	"samizdat/internal/test/pgtest"
)

// TestSilentServer: when the network loses all that is said, without a word of it, whoever asks or changes is told
// so in bounded time, with a context that never ends; when it is whole again all goes on.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Start(t).Proxy(t)
	db := openAt(t, proxy.URL("postgres")+"&statement_timeout=400", filepath.Join(t.TempDir(), "s.key"))
	m := aMatch(t, db)
	ctx := context.Background()
	for what, do := range map[string]func() error{
		"a read":      func() error { _, err := db.Match(ctx, m.ID); return err },
		"a statement": func() error { _, err := db.writer.ExecContext(ctx, `UPDATE seats SET letters = letters`); return err },
		"a change":    func() error { return db.Apply(ctx, adjudicator.Change{Match: m}) },
		"the outbox":  func() error { _, err := db.Outbox("r@x.test").Due(ctx, noon, 1); return err },
	} {
		proxy.Split()
		ended, began := make(chan error, 1), time.Now()
		go func() { ended <- do() }()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: no error", what)
			}
			t.Logf("%s: %v, %v", what, time.Since(began).Round(time.Millisecond), err)
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
	must(t, other.Apply(t.Context(), adjudicator.Change{Match: m}))
	if err := tx.Commit(); err == nil {
		t.Error("the transaction of one who was silent is committed")
	}
}

// TestNetworkTimeout: a connection waits longer than the server lets a statement run, and as long as it takes where
// the server does.
func TestNetworkTimeout(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{"": 36 * time.Second, "500": 600 * time.Millisecond, "10s": 12 * time.Second, "5min": 6 * time.Minute, "0": 0} {
		c, err := pgx.ParseConfig("postgres://x.test/s")
		must(t, err)
		c.RuntimeParams["statement_timeout"] = limits["statement_timeout"]
		if in != "" {
			c.RuntimeParams["statement_timeout"] = in
		}
		if got, err := networkTimeout(c); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", in, got, err, want)
		}
		c.RuntimeParams["application_name"] = lone
		if got, err := networkTimeout(c); err != nil || got != 0 {
			t.Errorf("alone: %v, %v", got, err)
		}
	}
	if _, err := openPostgres(t.Context(), "postgres://x.test/s?statement_timeout=long", &key{}, 1, nil); err == nil || errors.As(err, new(*pgconn.ConnectError)) {
		t.Errorf("a time that is none: %v", err)
	}
}
