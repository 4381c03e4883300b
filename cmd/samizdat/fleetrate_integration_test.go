//go:build integration

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

var fleetRate = flag.Int("fleet-rate", 0, "of how many matches TestFleetRate measures the letters; 0 for not at all")

// ratePlayers is how many players write the letters, by turns: letters of one wait for each other.
const ratePlayers = 40

// TestFleetRate measures how many letters a second one daemon adjudicates and answers from a file, and one,
// two and three from PostgreSQL, when the invitations to many matches are answered at once. The server waits for
// its disk, as the file does.
//
//	go test -tags integration ./cmd/samizdat -run TestFleetRate -v -fleet-rate 400
func TestFleetRate(t *testing.T) {
	if *fleetRate == 0 {
		t.Skip("it measures only with -fleet-rate")
	}
	for _, daemons := range []int{0, 1, 2, 3} {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Minute, errors.New("the letters took too long"))
		defer cancel()
		name := fmt.Sprintf("%d daemons on PostgreSQL", daemons)
		if daemons == 0 {
			name = "1 daemon on a file"
		}
		t.Run(name, func(t *testing.T) { measure(ctx, t, daemons) })
	}
}

func measure(ctx context.Context, t *testing.T, daemons int) {
	dir := t.TempDir()
	c, cfg := newCrashMail(ctx, t, dir, ratePlayers/2, 1)
	f := &fleet{crash: c, watch: &takeovers{poller: -1}}
	c.try = f.patiently
	if daemons > 0 {
		f.server = pgtest.Start(t, "fsync=on", "full_page_writes=on")
		cfg.DatabaseLocation = f.server.URL("postgres")
	}
	var err error
	c.reader, err = daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	c.must(err)
	t.Cleanup(func() { c.must(c.reader.Close()) })
	key, err := os.ReadFile(cfg.KeyFile())
	c.must(err)
	accounts := c.boxes.Accounts[len(c.boxes.Accounts)-ratePlayers:]
	var players [ratePlayers]*crashPlayer
	for i := range players {
		players[i] = c.player(accounts[i])
	}
	for i := range *fleetRate {
		to := []string{players[2*i%ratePlayers].Address, players[2*i%ratePlayers+1].Address}
		_, err := c.reader.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: dawn1989.Game().Name(), Players: to})
		c.must(err)
	}
	run := func(n int, until func() bool) time.Duration {
		startTime := time.Now()
		var members []*member
		for i := range max(n, 1) {
			if n == 0 {
				m := &member{t: t, config: dir + "/file.yaml", said: f.watch.of(0)}
				c.must(os.WriteFile(m.config, []byte(f.settings(dir)+"answers: {burst: 0}\n"), 0o600))
				m.start()
				members = append(members, m)
				continue
			}
			members = append(members, f.recruitAt(i, cfg, key, f.server.URL("postgres")))
		}
		for !until() {
			c.pass(20 * time.Millisecond)
		}
		duration := time.Since(startTime)
		for _, m := range members {
			m.kill()
		}
		return duration
	}
	idle := func(playing int) func() bool {
		return func() bool {
			s, err := c.reader.DB.Operator.Stats(ctx)
			c.must(err)
			return s.Outbox["waiting"] == 0 && s.Matches["playing"] == playing
		}
	}
	run(min(daemons, 1), idle(0))
	joined := 0
	for hasMore := true; hasMore; {
		hasMore = false
		for _, p := range players {
			l, ok, err := p.Fetch()
			c.must(err)
			if !ok {
				continue
			}
			hasMore, p.Last = true, l
			d, err := p.Draft("JOIN " + demo.JoinWords)
			c.must(err)
			raw, err := d.Render()
			c.must(err)
			p.deliver(d.To, raw)
			joined++
		}
	}
	duration := run(daemons, idle(*fleetRate))
	answers := 0
	for _, a := range accounts {
		for _, raw := range c.mailbox(a.Address, a.Password) {
			if message.Read(raw).InReplyTo != "" {
				answers++
			}
		}
	}
	t.Logf("%d letters came in and %d answers went out in %.1f s: %.0f letters a second", joined, answers, duration.Seconds(), float64(joined)/duration.Seconds())
}
