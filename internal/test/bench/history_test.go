//go:build long && linux

package bench

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/config"
	"samizdat/internal/test/recordtest"
)

// longSeed is that of a match between good robots that lasts.
const longSeed = 7

// longID is the name of the long match.
const longID = "long"

// longMatch is a match that was played by mail in this process.
type longMatch struct {
	// dir has its database as it is after many entries.
	dir  string
	made *recordtest.Match
	// running, over and cleared are bytes of the database, without those of an empty one: after
	// many entries, and at the end, with the letters that came in and without. The last two are
	// 0 where the match was not played to its end.
	running, over, cleared float64
}

// played plays the long match once.
func (b *bench) played(t *testing.T) *longMatch {
	t.Helper()
	if b.long != nil {
		return b.long
	}
	b.long = &longMatch{dir: filepath.Join(b.dir, "long")}
	l := b.long
	check(t, os.RemoveAll(l.dir))
	m, err := b.match(longID, longSeed, good, b.history) // It may have found a seed that is better.
	if err == nil {
		l.made, err = b.match(longID, m.Seed, good, 1)
	}
	check(t, err)
	d := b.open(t, b.configuration(l.dir, true))
	empty := inUse(t, d.Config)
	_, err = b.store(t.Context(), d, l.made)
	check(t, err)
	check(t, d.Close())
	b.playOn(t, l, l.dir, b.history)
	keep := config.Default().KeepLetters
	l.running = b.atRest(t, l.dir, keep) - empty
	if !b.brief {
		over := t.TempDir()
		copyDir(t, l.dir, over)
		b.playOn(t, l, over, 1<<30)
		l.over = b.atRest(t, over, keep) - empty
		l.cleared = b.atRest(t, over, time.Nanosecond) - empty
	}
	return l
}

// playOn plays the long match by mail until it has so many entries, or is over.
func (b *bench) playOn(t *testing.T, l *longMatch, dir string, entries int) {
	t.Helper()
	d := b.open(t, b.configuration(dir, true))
	for {
		m, err := d.DB.Match(t.Context(), longID)
		check(t, err)
		raw := b.order(t, d, longID, l.made.Robots)
		if raw == nil || m.EntryCount >= entries {
			check(t, d.Close())
			return
		}
		take(t, d, raw)
		drain(t, d, nil)
	}
}

// atRest is how many bytes are in use when a daemon has served for a while, which packs entries
// and drops the letters to matches that are over after so long.
func (b *bench) atRest(t *testing.T, dir string, keep time.Duration) float64 {
	t.Helper()
	cfg := b.configuration(dir, false)
	cfg.KeepLetters = keep
	d := b.open(t, cfg)
	s := b.serve(t, d, nil)
	time.Sleep(b.rest)
	s.stop()
	check(t, d.Close())
	return inUse(t, cfg)
}

// inUse is how many bytes of a database hold something.
func inUse(t *testing.T, cfg config.Config) (bytes float64) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+cfg.DSN()+"?mode=ro")
	check(t, err)
	row := db.QueryRowContext(t.Context(),
		`SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
	check(t, errors.Join(row.Scan(&bytes), db.Close()))
	return bytes
}

// size notes how large the database of a match is.
func (b *bench) size(t *testing.T) {
	l := b.played(t)
	b.table.note(fmt.Sprintf("database of a match played by mail, at %d entries", b.history), "kB", l.running/1000)
	if l.over > 0 {
		b.table.note("database of the same match when it is over", "kB", l.over/1000)
		b.table.note("and when the letters that came in are not kept any more", "kB", l.cleared/1000)
	}
}

// requests measures letters to a match with a long history, from their bytes to the commit.
func (b *bench) requests(t *testing.T) {
	for _, q := range []struct {
		name, text string
		// upgraded: another build has stored the match.
		upgraded bool
	}{
		{"HISTORY", "HISTORY", false}, {"RESEND", "RESEND 3", false}, {"TAKEBACK", "TAKEBACK", false},
		{"the first letter after an upgrade", "", true}, {"an order", "", false},
	} {
		b.request(t, fmt.Sprintf("%s, at %d entries", q.name, b.history), q.text, q.upgraded)
	}
}

// request measures a letter to a copy of the long match; without a text it brings an order.
func (b *bench) request(t *testing.T, name, text string, upgraded bool) {
	t.Helper()
	l, dir := b.played(t), t.TempDir()
	copyDir(t, l.dir, dir)
	d := b.open(t, b.configuration(dir, false))
	m, err := d.DB.Match(t.Context(), longID)
	check(t, err)
	request := func(text string) []byte { return letter(t, d.Config.Address, m, 0, m.Seats[0].LastLetter, text) }
	// The statements are prepared, and the templates read, by another letter.
	take(t, d, request("STATUS"))
	raw := b.order(t, d, longID, l.made.Robots)
	if text != "" {
		raw = request(text)
	}
	if upgraded {
		d.Adjudicator.Build = "another"
	}
	check(t, b.table.took(name, "ms", 1, func() error {
		_, err := handle(t, d, raw) // To refuse takes as long as to do.
		return err
	}))
	check(t, d.Close())
}

// copyDir copies the files of a directory, without those of mailboxes.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	files, err := os.ReadDir(from)
	check(t, err)
	for _, f := range files {
		if !f.IsDir() {
			data, err := os.ReadFile(filepath.Join(from, f.Name()))
			check(t, err)
			check(t, os.WriteFile(filepath.Join(to, f.Name()), data, 0o600))
		}
	}
}

// Letters that wait are of so many matches.
const backlogMatches = 100

// outbox measures letters that wait to be sent: how long it takes to find those whose turn it
// is, and how quickly they go, by the first tenth of them.
func (b *bench) outbox(t *testing.T) {
	d := b.open(t, b.configuration(t.TempDir(), false))
	raw := []byte("Subject: what is asked\r\n\r\n" + filler(17_300))
	matches := min(backlogMatches, b.backlog/2)
	for i := range matches {
		made, err := b.match(fmt.Sprintf("waits%d", i), uint64(i), hasty, 1)
		check(t, err)
		m, err := b.store(t.Context(), d, made)
		check(t, err)
		m.Version++
		each := b.backlog/matches/len(b.seats) - 1 // Beside the one that store has queued.
		check(t, d.DB.Apply(t.Context(), exchange.Change{Match: m, Letters: lettersTo(d, m, made.Position, each, raw)}))
	}
	name := thousands(b.backlog) + " letters wait: "
	box := d.DB.Outbox(d.Config.Address)
	const looks = 10
	check(t, b.table.took(name+"finding the next", "ms", looks, func() error {
		for range looks {
			if due, err := box.Due(t.Context(), time.Now(), 64); err != nil || len(due) == 0 {
				return errors.Join(err, fmt.Errorf("%d letters are due", len(due)))
			}
		}
		return nil
	}))
	s := b.serve(t, d, nil)
	n := 0
	s.until(func() bool {
		sent, err := box.SentSince(t.Context(), s.began)
		check(t, err)
		n = len(sent)
		return n >= b.backlog/10
	})
	passed, busy := time.Since(s.began), processor()-s.used
	s.stop()
	b.table.note(name+"sending", "letters/s", float64(n)/passed.Seconds())
	b.table.note(name+"sending, of the processor", "ms a letter", inMillis(busy)/float64(n))
	check(t, d.Close())
}
