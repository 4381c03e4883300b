package main

import (
	"context"
	"errors"
	"flag"
	"testing"
	"time"

	"samizdat/internal/test/long"
)

var (
	groupKills  = flag.Int("group-kills", long.N(6, 60), "how often TestKilledInGroups kills the daemon")
	groupTables = flag.Int("group-tables", long.N(10, 24), "how many matches it plays at once")
)

// TestKilledInGroups plays many matches at once. Letters of all of them lie in the inbox when the daemon
// is started, and it is killed as soon as some are committed, with others. At the end every record
// verifies, no order was lost or carried out twice, and every letter was answered by one letter.
//
//	go test ./cmd/samizdat -run TestKilledInGroups -v -timeout 30m -group-kills 60 -group-tables 16
func TestKilledInGroups(t *testing.T) {
	t.Parallel()
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute+time.Duration(*groupKills)*10*time.Second, errors.New("the games took too long"))
	defer cancel()
	c := newCrash(ctx, t, *groupTables)
	caught := 0
	for c.kills < *groupKills {
		c.answered()
		c.deal()
		c.quiet()
		c.daemon.kill()
		c.kills++
		before := c.versions()
		sent := 0
		for _, g := range c.tables {
			if c.move(g) {
				sent++
			}
		}
		c.restart()
		if sent == 0 {
			continue
		}
		for done := 0; done == 0; done = c.moved(before) {
			c.until(time.Now().Add(time.Millisecond))
		}
		c.pass(8 * time.Millisecond)
		c.daemon.kill()
		c.kills++
		if c.moved(before) < sent {
			caught++
		}
		c.restart()
	}
	c.settle()
	orders := 0
	for _, g := range c.games {
		orders += c.check(g)
	}
	if caught == 0 && *groupKills >= 20 {
		t.Error("no kill came between the letters of a group")
	}
	t.Logf("seed %d: %d kills, %d of them between the commits of so many matches' letters, %d; %d letters delivered twice; %d matches, %d orders carried out; %.0f s",
		*crashSeed, c.kills, caught, len(c.tables), c.twice, len(c.games), orders, time.Since(began).Seconds())
}

// answered waits until the answer of every letter is there.
func (c *crash) answered() {
	for _, g := range c.tables {
		for g.waits != "" {
			for _, p := range g.players {
				p.letters(g)
			}
			c.pass(10 * time.Millisecond)
		}
	}
}

// restart starts the daemon again.
func (c *crash) restart() {
	c.daemon.errs.Reset()
	c.daemon.start()
}

// versions are those of the matches under way.
func (c *crash) versions() map[string]int64 {
	out := map[string]int64{}
	for _, g := range c.tables {
		m, err := c.reader.DB.Match(c.ctx, g.id)
		c.must(err)
		out[g.id] = m.Version
	}
	return out
}

// moved counts the matches that have changed.
func (c *crash) moved(since map[string]int64) (n int) {
	for id, version := range c.versions() {
		if version > since[id] {
			n++
		}
	}
	return n
}
