//go:build long && linux

package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
)

// The robots that play: good matches last longer, others are made quicker.
const (
	good  = "sensible"
	hasty = "random"
)

// match makes a match of so many entries, without letters. One that ends too early is made
// again, with another seed.
func (b *bench) match(id string, seed uint64, robot string, entries int) (*recordtest.Match, error) {
	for {
		m, err := recordtest.Begin(recordtest.Plan{Game: b.game, ID: id, Seats: b.setup.Seats, Revision: b.setup.Revision,
			Robot: robot, Seed: seed, Began: time.Now()})
		for err == nil && len(m.Record.Steps) < entries && !m.Over() {
			err = m.Step()
		}
		if err != nil || !m.Over() {
			return m, err
		}
		seed += 1 << 32
	}
}

// store puts a match into a database as the referee would have, with one letter to each seat
// that asks what is asked.
func (b *bench) store(ctx context.Context, d *daemon.Daemon, made *recordtest.Match) (*match.Match, error) {
	position, err := made.Position.MarshalJSON()
	if err != nil {
		return nil, err
	}
	entries := made.Record.Entries()
	m := &match.Match{ID: made.ID, Game: b.game.Name(), Revision: made.Revision, Options: map[string]string{},
		State: match.Playing, Created: made.Began.UTC()}
	m.Secret, m.Position, m.Build = made.Secret, position, d.Adjudicator.Build
	m.Head, m.EntryCount, m.OrderEntryCount, m.Used = made.Head, len(entries), len(entries)-1, len(made.Record.Outcomes())
	for i, name := range b.seats {
		key := sha256.Sum256([]byte(made.ID + name))
		s := match.Seat{Name: name}
		s.Player, s.Joined, s.SeedWords, s.Key = match.NewPlayer(b.address(made.ID, i)), true, made.Record.Header.Words[i], key[:]
		m.Seats = append(m.Seats, s)
	}
	if err := d.DB.Create(ctx, m, nil); err != nil {
		return nil, err
	}
	c := exchange.Change{Match: m, Letters: lettersTo(d, m, made.Position, 1, []byte("Subject: what is asked\r\n\r\n"))}
	for _, e := range entries {
		c.Entries = append(c.Entries, *e)
	}
	return m, d.DB.Apply(ctx, c)
}

// address is where a seat of a match gets its letters.
func (b *bench) address(match string, seat int) string {
	local, domain, _ := strings.Cut(b.mailboxes[seat], "@")
	return local + "+" + match + "@" + domain
}

// lettersTo are letters to all seats that ask what is asked, as many to each as is said.
func lettersTo(d *daemon.Daemon, m *match.Match, pos rules.Position, each int, raw []byte) (out []exchange.OutgoingLetter) {
	for range each {
		for i := range m.Seats {
			s, seat := &m.Seats[i], rules.Seat(i)
			s.LastLetter++
			var l exchange.OutgoingLetter
			l.Match, l.Seat, l.Number, l.To, l.Date = m.ID, seat, s.LastLetter, s.Player.Address, time.Now()
			l.MessageID = d.Adjudicator.Codec.LetterID(s.Key, exchange.Token{Match: m.ID, Seat: seat, Number: s.LastLetter})
			l.EntryCount, l.Raw.Bytes = m.EntryCount, raw
			for _, o := range pos.OpenDecisions(nil) {
				if o.Seat == seat {
					l.Decisions = append(l.Decisions, o.ID)
					s.AskedSince = m.Created
				}
			}
			out = append(out, l)
		}
	}
	return out
}

// manyID is the name of one of the many matches.
func manyID(i int) string { return fmt.Sprintf("many%d", i) }

// drainEvery is after how many new matches their letters are sent away.
const drainEvery = 250

// many gives the directory with the many matches, which it makes where they are not there.
// Its database is as a daemon of this build leaves it.
func (b *bench) many(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(b.dir, "many")
	if b.filled {
		return dir
	}
	b.filled = true
	d := b.open(t, b.configuration(dir, false))
	there, err := d.DB.StartedMatches(t.Context())
	check(t, err)
	for n := len(there); n < b.matches; n += drainEvery {
		check(t, b.storeSome(t.Context(), d, n, min(n+drainEvery, b.matches)))
		drain(t, d, nil)
		if n%1000 == 0 {
			say("%d of %d matches made", n, b.matches)
		}
	}
	b.verify(t, d)
	b.settle(t, d)
	check(t, d.Close())
	return dir
}

// storeSome makes and stores some of the many matches.
func (b *bench) storeSome(ctx context.Context, d *daemon.Daemon, from, to int) error {
	g, ctx := errgroup.WithContext(ctx)
	// Those that are there at the same time are stored by one commit.
	g.SetLimit(8 * runtime.GOMAXPROCS(0))
	for i := from; i < to; i++ {
		g.Go(func() error {
			m, err := b.match(manyID(i), uint64(i)+1<<20, hasty, b.entries)
			if err == nil {
				_, err = b.store(ctx, d, m)
			}
			return err
		})
	}
	return g.Wait()
}

// verify verifies the records of some of the many matches.
func (b *bench) verify(t *testing.T, d *daemon.Daemon) {
	t.Helper()
	for i := 0; i < b.matches; i += max(1, b.matches/20) {
		rec, err := d.Adjudicator.Export(t.Context(), manyID(i), true)
		check(t, err)
		_, err = record.ReplayVerified(rec, b.game, nil)
		if err := errors.Join(err, record.VerifyStream(rec)); err != nil || len(rec.Entries()) < b.entries {
			t.Fatalf("the record of %s has %d entries: %v", manyID(i), len(rec.Entries()), err)
		}
	}
}

// settle lets the daemon do what it does once after another build has served.
func (b *bench) settle(t *testing.T, d *daemon.Daemon) {
	t.Helper()
	if settled(t, d) {
		return
	}
	say("another build has made the matches, or none: they are played again")
	s := b.serve(t, d, nil)
	s.until(func() bool {
		stats, err := d.DB.Operator.Stats(t.Context())
		check(t, err)
		if stats.Stopped > 0 {
			t.Fatalf("%d matches come out otherwise", stats.Stopped)
		}
		return settled(t, d)
	})
	s.stop()
}

// settled reports whether nothing of that is left to be done.
func settled(t *testing.T, d *daemon.Daemon) bool { return d.CountMatchesToRebuild(t.Context()) == 0 }

// configuration is that of a daemon in a directory.
func (b *bench) configuration(dir string, pictures bool) config.Config {
	c := config.Local(dir, []string{"ada", "ben"})
	if s := b.servers; s != nil {
		c.Address, c.IMAP, c.SMTP = s.Address, s.IMAP, s.SMTP
	}
	c.Letters.Pictures = pictures
	return c
}
