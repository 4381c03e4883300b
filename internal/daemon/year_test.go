package daemon

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/test/clocktest"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/storage"
)

var yearSeed = flag.Uint64("year-seed", 19, "seed of TestYear")

// year is a referee with the real database, scheduler and outbox, by a clock that shows
// whole minutes, and matches in which everything happens that may. What is to become of
// their clocks, logs say that are counted minute by minute.
type year struct {
	t      *testing.T
	cfg    config.Config
	d      *Daemon
	begin  time.Time
	rng    *rand.Rand
	now    int // minutes since it begins
	tables []*yearTable
	seen   map[int64]bool
	// down says that the mail server takes no letters of ours.
	down bool
	// backup is where the database was copied to, with the logs of that moment; missed are the letters
	// since.
	backup *yearBackup
	missed []yearLetter
	sent   int
	// counts is how often what happened.
	counts map[clocktest.Happening]int
	said   []string
}

// yearBackup is a copy of the database, and what the logs were then.
type yearBackup struct {
	now    int
	tables []*yearTable
}

func (y *year) time(minute int) time.Time { return y.begin.Add(time.Duration(minute) * time.Minute) }

// InboxWatermark and ScanNow implement inbox: every letter is handled as soon as it is there.
func (y *year) InboxWatermark() time.Time { return y.time(y.now) }
func (y *year) ScanNow()                  {}

func newYear(t *testing.T, seed uint64) *year {
	y := &year{t: t, cfg: local(t), begin: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		rng: rand.New(rand.NewPCG(seed, 1)), seen: map[int64]bool{}, counts: map[clocktest.Happening]int{}}
	y.cfg.Letters.Pictures, y.cfg.Letters.HTML = false, false
	y.open()
	t.Cleanup(func() { y.must(y.d.Close()) })
	for i, terms := range []struct{ tempo, zero string }{{"72h+12h<=120h", "claim"}, {"24h+4h<=72h", "forfeit"}, {"phase 48h", "claim"}} {
		y.tables = append(y.tables, &yearTable{y: y, tempo: terms.tempo, zero: terms.zero,
			players: [2]string{fmt.Sprintf("a%d@samizdat.local", i), fmt.Sprintf("b%d@samizdat.local", i)}})
	}
	return y
}

func (y *year) must(err error) {
	y.t.Helper()
	if err != nil {
		y.fail("at %s: %v", y.time(y.now), err)
	}
}

// say notes what happens, for whoever reads of a failure.
func (y *year) say(format string, args ...any) {
	y.said = append(y.said, y.time(y.now).Format("01-02 15:04 ")+fmt.Sprintf(format, args...))
}

func (y *year) fail(format string, args ...any) {
	y.t.Helper()
	y.t.Log(strings.Join(y.said[max(0, len(y.said)-40):], "\n"))
	y.t.Fatalf(format, args...)
}

// open lets the daemon begin to serve.
func (y *year) open() {
	d, err := Open(y.t.Context(), y.cfg, games, slog.New(slog.DiscardHandler))
	y.must(err)
	d.Adjudicator.Now = func() time.Time { return y.time(y.now) }
	d.Adjudicator.Random = y
	d.scheduler.inbox, d.scheduler.outages = y, &outageTracker{store: d.DB.Inbox}
	y.d = d
}

// Read implements io.Reader with bytes that the seed determines.
func (y *year) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(y.rng.Uint32())
	}
	return len(p), nil
}

// pass lets time pass until a minute. In the minute before each in which the logs say that
// something happens nothing may happen; in that minute it has to.
func (y *year) pass(until int) {
	for {
		next := until
		for _, g := range y.tables {
			for _, s := range g.seats {
				if due, what := s.Next(); what != clocktest.Nothing && due < next {
					next = max(due, y.now)
				}
			}
		}
		if next-1 > y.now {
			y.hear(next - 1)
			y.now = next - 1
			y.look()
		}
		y.hear(next)
		y.now = next
		if y.look() == 0 && next == until {
			return
		}
	}
}

// hear lets looks through the inbox have been made that found nothing.
func (y *year) hear(until int) {
	h := y.d.scheduler.outages
	h.lastScan = y.time(max(y.now, until-1))
	y.must(y.d.DB.Inbox.SetWatermark(y.t.Context(), h.lastScan))
}

// look lets the scheduler do what is due, holds it against the logs, and returns how much was
// done.
func (y *year) look() (n int) {
	y.d.scheduler.run(y.t.Context(), y.time(y.now))
	if y.d.scheduler.countFailing() > 0 {
		y.fail("at %s something cannot be carried out", y.time(y.now))
	}
	letters := y.posts()
	for _, g := range y.tables {
		n += g.looked(letters)
	}
	return n
}

// posts are the letters that were put into the outbox since it was looked at; the mail
// server takes all unless it is down.
func (y *year) posts() (out []yearPost) {
	box := y.d.DB.Outbox(y.cfg.Address)
	due, err := box.Due(y.t.Context(), y.time(y.now), 10000)
	y.must(err)
	for _, o := range due {
		if !y.seen[o.ID] {
			y.seen[o.ID] = true
			out = append(out, y.readPost(o))
		}
	}
	return out
}

// takes lets the mail server take what waits.
func (y *year) takes() {
	if y.down {
		return
	}
	box := y.d.DB.Outbox(y.cfg.Address)
	due, err := box.Due(y.t.Context(), y.time(y.now), 10000)
	y.must(err)
	var ids []int64
	for _, o := range due {
		ids = append(ids, o.ID)
		if p := y.readPost(o); p.table != nil && len(p.table.seats) > 0 {
			p.table.seats[p.seat].Accepted(p.number, y.now)
		}
	}
	y.must(box.MarkSent(y.t.Context(), ids, y.time(y.now)))
}

// goesDeaf lets nobody look for so many minutes: an outage, or a clock that jumps forward.
func (y *year) goesDeaf(minutes int) {
	h := y.d.scheduler.outages
	h.lastScan = y.time(y.now)
	y.must(y.d.DB.Inbox.SetWatermark(y.t.Context(), h.lastScan))
	for _, g := range y.tables {
		for _, s := range g.seats {
			s.Times.Deaf(y.now, y.now+minutes)
		}
	}
	y.say("nobody looks for %d minutes", minutes)
	y.now += minutes
}

// setBack sets the clock of the system back.
func (y *year) setBack(minutes int) {
	y.say("the clock is set back by %d minutes", minutes)
	y.now -= minutes
	for _, g := range y.tables {
		for _, s := range g.seats {
			s.SetBack(y.now)
		}
		for _, t := range g.times {
			if len(g.seats) == 0 && t != nil {
				t.SetBack(y.now)
			}
		}
		g.setBack()
		g.next = min(g.next, y.now+60)
	}
}

// database names the database.
func (y *year) database() string { return filepath.Join(y.cfg.Data, "samizdat.db") }

// backupOf names the backup that was made in a minute.
func (y *year) backupOf(minute int) string {
	return filepath.Join(y.cfg.Data, fmt.Sprintf("backup-%d.db", minute))
}

// backs up the database.
func (y *year) backsUp() {
	b := &yearBackup{now: y.now}
	h := y.d.scheduler.outages
	h.lastScan = y.time(y.now)
	y.must(y.d.DB.Inbox.SetWatermark(y.t.Context(), h.lastScan))
	for _, g := range y.tables {
		b.tables = append(b.tables, g.clone())
	}
	if to := y.backupOf(y.now); pgtest.Used() {
		pgtest.Copy(y.t, y.database(), to, false)
	} else {
		y.must(storage.Backup(y.t.Context(), y.cfg.DSN(), to))
	}
	y.backup, y.missed = b, nil
}

// restores puts the backup back. The letters since then are read again.
func (y *year) restores() {
	b := y.backup
	if b == nil || b.now > y.now-60 {
		return
	}
	y.say("the backup of %s is put back", y.time(b.now))
	y.must(y.d.Close())
	var err error
	if from := y.backupOf(b.now); pgtest.Used() {
		pgtest.Copy(y.t, from, y.database(), false)
		_, err = storage.AdoptRestored(y.t.Context(), y.cfg.DSN(), y.cfg.KeyFile(), storage.RestoreOptions{}, y.time(y.now))
	} else {
		_, err = storage.Restore(y.t.Context(), from, y.cfg.DSN(), y.cfg.KeyFile(), storage.RestoreOptions{}, y.time(y.now))
	}
	y.must(err)
	y.seen = map[int64]bool{}
	y.open()
	y.tables, y.backup = b.tables, nil
	for _, g := range y.tables {
		for _, s := range g.seats {
			s.Times.Deaf(b.now, y.now)
		}
	}
	again := y.missed
	y.missed = nil
	for _, l := range again {
		if g := y.of(l.match); g != nil {
			g.hands(l)
		}
	}
	for _, g := range y.tables {
		g.next = y.now + 30
	}
}

// of is the table where a match is played.
func (y *year) of(match string) *yearTable {
	i := slices.IndexFunc(y.tables, func(g *yearTable) bool { return g.id == match })
	if i < 0 {
		return nil
	}
	return y.tables[i]
}

// trouble is what befalls the referee.
func (y *year) trouble() {
	switch y.rng.IntN(8) {
	case 0, 1:
		y.goesDeaf(6 + y.rng.IntN(1500))
	case 2:
		y.goesDeaf(24 * 60 * (1 + y.rng.IntN(3))) // The clock jumps ahead ...
		y.look()
		y.pass(y.now + 200)
		y.setBack(24 * 60) // ... and is put right.
	case 3:
		y.setBack(1 + y.rng.IntN(120))
	case 4:
		y.down = true
		y.say("no letters go out")
	case 5:
		y.takes()
		y.backsUp()
	case 6:
		y.restores()
	case 7:
		y.must(y.d.Close())
		y.open()
	}
	y.look()
}

// TestYear lets matches be played for a year, in which players are slow, away, silent and
// not to be reached, and the referee is down, sets its clock wrong and puts a backup back. In each
// minute in which the log says that something happens by itself it happens, once, and in no other.
func TestYear(t *testing.T) {
	t.Parallel()
	y := newYear(t, *yearSeed)
	days := long.N(12, 365)
	trouble := 24 * 60
	for end := days * 24 * 60; y.now < end; {
		next := trouble
		for _, g := range y.tables {
			next = min(next, g.next)
		}
		y.pass(max(next, y.now))
		if y.now >= trouble {
			y.down = false
			y.takes()
			y.trouble()
			trouble = y.now + 600 + y.rng.IntN(6*24*60)
		}
		for _, g := range y.tables {
			if g.next <= y.now {
				g.acts()
			}
		}
		y.takes()
	}
	t.Logf("%d days, %d letters: %v", days, y.sent, y.counts)
	for _, what := range []clocktest.Happening{clocktest.Reminder, clocktest.Told, clocktest.Forfeit, clocktest.AskAgain} {
		if y.counts[what] == 0 && (long.Run || what == clocktest.Reminder) {
			t.Errorf("in %d days there was no %s", days, what)
		}
	}
}
