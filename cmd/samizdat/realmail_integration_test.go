//go:build integration

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/mailtest/realmail"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// realTime bounds the game by mail servers that sync every letter to the disk.
const realTime = 3 * time.Minute

// TestRealServersGame lets two robots play a whole match by mail: the daemon is a
// process of its own, and the letters go through Postfix and Dovecot. The doctor
// looks at the account before the game and while the daemon serves it.
func TestRealServersGame(t *testing.T) {
	began := time.Now()
	g := games[0]
	_, most := g.Seats()
	setup := rules.Setup{Seats: most, Revision: g.Revision()}
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
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(dir), "samizdat.yaml")
	text := fmt.Sprintf("data: %s\naddress: %s\nletters: {pictures: false}\n"+
		"imap: {address: %q, tls: tls, ca_file: %s, user: %[2]s, password: %[5]s}\n"+
		"smtp: {address: %[6]q, tls: starttls, ca_file: %[4]s, user: %[2]s, password: %[5]s}\n", dir, referee, s.IMAPS, s.CA, realmail.Password, s.Submission)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	realDoctor(ctx, t, file, "note  daemon: none has served", "was moved to Samizdat.Ignored")

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
	realDoctor(ctx, t, file, "ok    daemon: one is serving", "filed away to Samizdat.Ignored already")

	// The same match every time, and a short one: it ends long before the last turn.
	const seed = 1
	d.Adjudicator.Random = playout.Bytes(seed)
	tb := clients{seats: seats, players: map[string]*player{}}
	for i, seat := range seats {
		if tb.players[seat], err = newRealPlayer(s, accounts[i+1]); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tb.players[seat].close)
	}
	hurry(t, tb.players)
	m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: g.Name(), Players: tb.addresses()})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	tb.out = &out
	game := demoGameTable{clients: &tb, daemon: d, game: g, match: m.ID, digest: digest{to: &out, began: time.Now()}}
	maker := g.(rules.RobotMaker)
	robots := maker.Robots()
	for i := range seats {
		r, err := maker.Robot(robots[len(robots)-1], seed+uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		game.robots = append(game.robots, r)
	}
	if err := game.play(ctx); err != nil {
		t.Fatalf("%v after %d orders\n%s", err, game.orders, out.String())
	}
	p.kill()
	stopped = true
	if err := game.finish(ctx, filepath.Join(filepath.Dir(dir), "record.jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", out.String())
	if end, err := d.DB.Match(ctx, m.ID); err != nil || end.State != adjudicator.Over {
		t.Errorf("the match is not over: %v %v", end, err)
	}
	if game.orders < 50 {
		t.Errorf("the game had %d letters with orders only", game.orders)
	}
	t.Logf("%v in all", time.Since(began).Round(time.Second))
}

// realDoctor runs the doctor, who must find nothing bad.
func realDoctor(ctx context.Context, t *testing.T, config string, says ...string) {
	t.Helper()
	out, err := program(ctx, "doctor", "--config", config).CombinedOutput()
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
func hurry(t *testing.T, players map[string]*player) {
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
			for _, p := range players {
				select {
				case p.news <- struct{}{}:
				default:
				}
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// newRealPlayer connects to both servers with encryption, as they demand.
func newRealPlayer(s realmail.Servers, address string) (*player, error) {
	pem, err := os.ReadFile(s.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	p := &player{address: address, news: make(chan struct{}, 1), ids: map[string]bool{}}
	p.imap, err = imapclient.DialTLS(s.IMAPS, &imapclient.Options{
		TLSConfig: &tls.Config{RootCAs: pool},
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(*imapclient.UnilateralDataMailbox) {
			select {
			case p.news <- struct{}{}:
			default:
			}
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("connect %s to Dovecot: %w", address, err)
	}
	if err := p.imap.Login(address, realmail.Password).Wait(); err != nil {
		return nil, fmt.Errorf("log %s in to Dovecot: %w", address, err)
	}
	if _, err := p.imap.Select("INBOX", nil).Wait(); err != nil {
		return nil, fmt.Errorf("open the inbox of %s: %w", address, err)
	}
	if p.smtp, err = smtp.DialTLS(s.Submissions, &tls.Config{RootCAs: pool}); err != nil {
		return nil, fmt.Errorf("connect %s to Postfix: %w", address, err)
	}
	if err := p.smtp.Auth(sasl.NewPlainClient("", address, realmail.Password)); err != nil {
		return nil, fmt.Errorf("log %s in to Postfix: %w", address, err)
	}
	return p, nil
}
