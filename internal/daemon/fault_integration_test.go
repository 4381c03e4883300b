//go:build integration

package daemon

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
)

// TestTableLocked keeps the table of matches locked on the server of two daemons, as an index that is made or somebody's psql
// does, for several times as long as a letter may fail. No letter goes to quarantine, /healthz says why they wait, and all are
// carried out within moments of the end.
func TestTableLocked(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cfg := config.Local(t.TempDir(), nil)
	cfg.Letters = conversation.LetterOptions{}
	url := pgtest.Start(t).URL("postgres")
	cfg.DatabaseLocation = url + "&lock_timeout=100"
	one, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	two, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	const matches = 6
	ids, letters := invites(t, one, matches)
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	in.QuarantineAfter, in.Retry = 300*time.Millisecond, mail.Backoff{First: 10 * time.Millisecond, Max: 50 * time.Millisecond}
	in.RetryFault = mail.Backoff{First: 50 * time.Millisecond, Max: 200 * time.Millisecond}
	box := mailtest.Mailbox{Server: server.IMAPAddr(), User: in.User, Password: in.Password}
	one.Config.Metrics, two.Config.Metrics = freeAddress(t), freeAddress(t)
	serving, stop := context.WithCancel(ctx)
	defer stop()
	var g errgroup.Group
	for _, d := range []*Daemon{one, two} {
		g.Go(func() error { return d.Serve(serving, in, out) })
	}

	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.BeginTx(ctx, nil)
	if err == nil {
		_, err = lock.ExecContext(ctx, `LOCK TABLE matches IN SHARE ROW EXCLUSIVE MODE`)
	}
	if err == nil {
		err = box.Deliver(letters...)
	}
	if err != nil {
		t.Fatal(err)
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			select {
			case <-ctx.Done():
				t.Fatal("never: " + what)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	locked := time.Now()
	until("the poller's health names the lock", func() bool {
		return strings.Contains(healthz(one)+healthz(two), "lock timeout")
	})
	time.Sleep(time.Duration(long.N(3, 150))*time.Second - time.Since(locked))
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	over := time.Now()
	until("all have joined", func() bool {
		for _, id := range ids {
			if m, err := one.DB.Match(ctx, id); err != nil || m.State != match.Playing {
				return false
			}
		}
		return true
	})
	if d := time.Since(over); d > 20*time.Second {
		t.Errorf("letters waited for %v behind the end of the lock", d)
	}
	until("all are filed", func() bool {
		done, err := box.Folder(string(mail.Done))
		return err == nil && len(done) == len(letters)
	})
	if bad, err := box.Folder(string(mail.Quarantine)); err != nil || len(bad) > 0 {
		t.Errorf("in quarantine are %d letters, %v", len(bad), err)
	}
	stop()
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

// freeAddress is one at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// healthz is what a daemon says of itself; empty where it does not answer.
func healthz(d *Daemon) string {
	res, err := http.Get("http://" + d.Config.Metrics + "/healthz")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return ""
	}
	return string(text)
}
