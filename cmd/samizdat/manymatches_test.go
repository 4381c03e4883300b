package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
	"samizdat/mail/message"
)

var (
	manyMatches = flag.Int("matches", 10_000, "how many matches the database of BenchmarkManyMatches has")
	keepMatches = flag.String("keep-matches", "", "directory in which BenchmarkManyMatches leaves its database")
)

// BenchmarkManyMatches measures what waits for a database of many matches: to open it, as
// every command does, to look through it for damage, and to list the matches.
func BenchmarkManyMatches(b *testing.B) {
	dir := *keepMatches
	if dir == "" {
		dir = b.TempDir()
	}
	cfg := config.Local(dir, []string{"democrat", "communist"})
	openDaemon := func() *daemon.Daemon {
		b.Helper()
		d, err := daemon.Open(b.Context(), cfg, games, slog.New(slog.DiscardHandler))
		if err != nil {
			b.Fatal(err)
		}
		return d
	}
	d := openDaemon()
	if ids, err := d.DB.Begun(b.Context()); err != nil {
		b.Fatal(err)
	} else if len(ids) == 0 {
		fillMatches(b, d, *manyMatches)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	config := filepath.Join(dir, "samizdat.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "data: %s\n", dir), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if err := openDaemon().Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("look", func(b *testing.B) {
		d := openDaemon()
		defer d.Close()
		for b.Loop() {
			if err := d.DB.LookForDamage(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			var errs bytes.Buffer
			if run(b.Context(), []string{"matches", "--config", config}, io.Discard, &errs) != 0 {
				b.Fatal(errs.String())
			}
		}
	})
}

// entriesOfMany is how many entries each of many matches has.
const entriesOfMany = 100

// fillMatches puts copies of a match that was dealt into the database. Their histories are
// long enough, and are not what led to their positions.
func fillMatches(b *testing.B, d *daemon.Daemon, n int) {
	b.Helper()
	ctx := b.Context()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	players := []string{d.Config.Embedded.Accounts[0].Address, d.Config.Embedded.Accounts[1].Address}
	first, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: games[0].Name(), Players: players})
	must(err)
	for seat, from := range players {
		token := message.NewToken(first.Seats[seat].Key, message.Name{Match: first.ID, Holder: seat, Number: 1})
		raw, err := message.Draft{From: from, To: message.TokenAddress(d.Config.Address, token.String()), Subject: "Join", MessageID: fmt.Sprintf("%d@many", seat), Date: time.Now(), Text: "JOIN"}.Render()
		must(err)
		_, err = d.Handler(func() {}).Handle(ctx, mail.Received{Raw: raw})
		must(err)
	}
	dealt, err := d.DB.Match(ctx, first.ID)
	must(err)
	history, err := d.DB.History(ctx, first.ID)
	must(err)
	var entries []record.Entry
	for i := range entriesOfMany {
		e := history[min(i, len(history)-1)]
		e.Seq = i
		entries = append(entries, e)
	}
	for i := range n {
		m := *dealt
		m.ID, m.Entries = fmt.Sprintf("m%07d", i), len(entries)
		m.Version = 0
		must(d.DB.Create(ctx, &m, nil))
		must(d.DB.Apply(ctx, adjudicator.Change{Match: &m, Entries: entries}))
	}
}
