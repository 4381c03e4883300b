//go:build integration

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/mailclient"
	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest/realmail"
	"samizdat/rules"
)

// realTime bounds the game by mail servers that sync every letter to the disk.
const realTime = 3 * time.Minute

// TestRealServersGame lets two robots play by mail: the daemon is a process of its
// own, and the letters go through Postfix and Dovecot. An ordinary run plays the
// beginning of a match, a long one the whole. The doctor looks at the account before
// the game and while the daemon serves it.
func TestRealServersGame(t *testing.T) {
	startTime := time.Now()
	g := games[0]
	_, maximum := g.Seats()
	setup := rules.Setup{Seats: maximum, Revision: g.Revision()}
	seats := g.SeatNames(setup)
	const referee = "referee@test"
	accounts := []string{referee}
	for _, s := range seats {
		accounts = append(accounts, s+"@test")
	}
	s := realmail.Start(t, accounts, nil)
	ctx, cancel := context.WithTimeoutCause(t.Context(), realTime, errors.New("the game took too long"))
	defer cancel()

	dir := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(filepath.Dir(dir), "samizdat.yaml")
	password := filepath.Join(filepath.Dir(dir), "password")
	if err := os.WriteFile(password, []byte(realmail.Password), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SAMIZDAT_LETTERS_PICTURES", "false")
	realDoctor(ctx, t, []string{"init", "--config", file, "--provider", "own", "--address", referee, "--imap", s.IMAPS, "--smtp", s.Submission, "--ca", s.CA,
		"--password-file", password, "--operator", "operator@test", "--club", "none", "--data", dir},
		"note  daemon: no daemon has served", "was moved to Samizdat.Ignored")

	p := &process{t: t, config: file}
	p.start()
	stopped := false
	t.Cleanup(func() {
		if !stopped {
			p.kill()
		}
		if t.Failed() {
			t.Logf("the daemon:\n%s", p.errs.String())
		}
	})
	awaitLock(ctx, t, dir)
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	realDoctor(ctx, t, []string{"doctor", "--config", file}, "ok    daemon: a daemon is serving", "already moved to Samizdat.Ignored")

	// The same match every time, and a short one: it ends long before the last turn.
	const seed = 1
	var out bytes.Buffer
	players := demo.Players{Out: &out, Seats: seats, Clients: map[string]*mailclient.Client{}}
	for i, seat := range seats {
		c, err := newRealClient(s, accounts[i+1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		players.Clients[seat] = c
	}
	hurry(t, players.Clients)
	game, err := demo.NewMatch(ctx, d, &players, g, seed, demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := game.Join(ctx, demo.JoinWords); err != nil {
		t.Fatal(err)
	}
	for hasMore := true; hasMore && game.OrderLetters < long.N(40, 10000); {
		if hasMore, err = game.PlayNextOrder(ctx); err != nil {
			t.Fatalf("%v after %d orders\n%s", err, game.OrderLetters, out.String())
		}
	}
	p.kill()
	stopped = true
	t.Logf("\n%s", out.String())
	if game.OrderLetters < long.N(40, 50) {
		t.Errorf("the game had %d letters with orders only", game.OrderLetters)
	}
	if long.Run {
		if err := game.Finish(ctx, filepath.Join(filepath.Dir(dir), "record.jsonl")); err != nil {
			t.Fatal(err)
		}
		if end, err := d.DB.Match(ctx, game.ID); err != nil || end.State != match.Over {
			t.Errorf("the match is not over: %v %v", end, err)
		}
	}
	t.Logf("%v in all", time.Since(startTime).Round(time.Second))
}

// realDoctor runs the doctor, or the set-up that runs it. It must find nothing bad.
func realDoctor(ctx context.Context, t *testing.T, command []string, says ...string) {
	t.Helper()
	out, err := program(ctx, command...).CombinedOutput()
	if err != nil {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	for _, want := range append(says, "ok    plus addressing", "ok    clock", "Nothing is bad.") {
		if !strings.Contains(string(out), want) {
			t.Errorf("the doctor does not say %q:\n%s", want, out)
		}
	}
}

// awaitLock waits until the daemon serves; its database is made then.
func awaitLock(ctx context.Context, t *testing.T, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		// To take the lock would be in the daemon's way.
		if _, err := os.Stat(filepath.Join(dir, "serve.lock")); err == nil {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the daemon does not start")
		}
	}
}

// hurry makes players look for mail often: Dovecot holds news of a mailbox back for
// half a second, which is most of the time that such a game takes.
func hurry(t *testing.T, clients map[string]*mailclient.Client) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(40 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			for _, c := range clients {
				c.Wake()
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// newRealClient connects to both servers with encryption, as they demand.
func newRealClient(s realmail.Servers, address string) (*mailclient.Client, error) {
	pem, err := os.ReadFile(s.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return mailclient.Dial(mailclient.Account{IMAP: s.IMAPS, SMTP: s.Submissions, Address: address, Password: realmail.Password, TLS: &tls.Config{RootCAs: pool}})
}
