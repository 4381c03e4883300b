package storage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// finish plays a match with so many entries to its end, a letter to each player for each.
// Nothing waits any more.
func finish(t testing.TB, db *DB, m *match.Match, entries int) {
	t.Helper()
	play(t, db, m, entries, true)
}

// play plays a match until it has so many entries, and is over then if that is wanted.
func play(t testing.TB, db *DB, m *match.Match, entries int, isOver bool) {
	t.Helper()
	ctx := t.Context()
	for seq := m.EntryCount; seq < entries; seq++ {
		e := record.Entry{Seq: seq, At: noon.Add(time.Duration(seq) * time.Minute), Orders: []string{fmt.Sprintf("MOVE %d", seq)},
			Letter: strings.Repeat("a1", 32)}
		must(t, m.Secret.Seal(m.ID, m.Head, &e))
		if seq == 2 {
			e.Sealed = "what no secret has sealed"
		}
		m.State, m.Position, m.Head = match.Playing, fmt.Appendf(nil, `{"after":%d}`, seq), e.Hash
		m.EntryCount++
		c := exchange.Change{Match: m, Entries: []record.Entry{e}}
		r := receipt()
		r.Match, r.Digest = m.ID, fmt.Sprintf("digest %d", seq)
		c.Receipt = r
		for seat := range m.Seats {
			m.Seats[seat].LastLetter++
			d := dispatch(m, rules.Seat(seat), m.Seats[seat].LastLetter+1)
			d.Decisions, d.EntryCount = []rules.DecisionID{rules.DecisionID(seq)}, m.EntryCount
			c.Letters = append(c.Letters, d)
		}
		if isOver && seq == entries-1 {
			m.State, m.Pending = match.Over, []match.PendingAnswer{{Seat: 1, Play: 7}}
			m.Summary = &match.Summary{Began: noon, Ended: e.At, Over: true}
		}
		must(t, db.Apply(ctx, c))
		m.Version++
	}
	emptied(t, db)
}

// emptied books all letters as sent.
func emptied(t testing.TB, db *DB) {
	t.Helper()
	_, err := db.writer.ExecContext(t.Context(), `UPDATE outbox SET state = 'sent' WHERE state = 'waiting'`)
	must(t, err)
}

// matchRead is what is read of a match.
type matchRead struct {
	Match   *match.Match
	History []record.Entry
	Letters [2][]exchange.SentLetter
}

func readAll(t testing.TB, db *DB, id string) (r matchRead) {
	t.Helper()
	var err error
	r.Match, err = db.Match(t.Context(), id)
	must(t, err)
	r.History, err = db.History(t.Context(), id)
	must(t, err)
	for seat := range r.Letters {
		r.Letters[seat], err = db.Letters(t.Context(), id, rules.Seat(seat))
		must(t, err)
	}
	return r
}

func sameRead(was, is matchRead) string {
	return cmp.Diff(was, is, cmpopts.EquateEmpty(), cmp.Exporter(func(reflect.Type) bool { return true }))
}

func archiveMatch(t testing.TB, db *DB, id string) bool {
	t.Helper()
	a, err := db.Upkeep.Archiver()
	must(t, err)
	isDone, err := a.Archive(t.Context(), id, noon)
	must(t, err)
	return isDone
}

// rows counts the rows of a match in a table.
func rows(t testing.TB, db *DB, table, id string) (n int) {
	t.Helper()
	must(t, db.writer.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+` WHERE match = $1`, id).Scan(&n))
	return n
}

// TestArchive: a match that is over becomes one row, and is read as before. What comes later
// is added; letters that came in are kept for a while.
func TestArchive(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	if archiveMatch(t, db, m.ID) {
		t.Error("a match that has not begun is archived")
	}
	finish(t, db, m, 5)
	was := readAll(t, db, m.ID)
	if !archiveMatch(t, db, m.ID) || archiveMatch(t, db, m.ID) && rows(t, db, "archives", m.ID) != 1 {
		t.Fatal("it is not archived")
	}
	if d := sameRead(was, readAll(t, db, m.ID)); d != "" {
		t.Errorf("it is read otherwise (-was +is):\n%s", d)
	}
	for table, want := range map[string]int{"entries": 0, "sent": 0, "received": 5, "archives": 1} {
		if n := rows(t, db, table, m.ID); n != want {
			t.Errorf("%s has %d rows of it, want %d", table, n, want)
		}
	}
	if s, ok, err := db.Sent(t.Context(), m.ID, 1, 4); err != nil || !ok || s.EntryCount != 3 ||
		!slices.Equal(s.Decisions, []rules.DecisionID{2}) {
		t.Errorf("letter 4 is %+v, %v, %v", s, ok, err)
	}
	if _, ok, err := db.Sent(t.Context(), m.ID, 1, 99); err != nil || ok {
		t.Errorf("there is a letter 99: %v", err)
	}
	if n, err := db.Upkeep.CountUnarchived(t.Context()); err != nil || n != 0 {
		t.Errorf("%d matches are not archived, %v", n, err)
	}

	// One more letter, which has an entry.
	m = was.Match
	e := record.Entry{Seq: 5, At: noon.Add(time.Hour)}
	must(t, m.Secret.Seal(m.ID, m.Head, &e))
	m.Head, m.EntryCount = e.Hash, 6
	m.Seats[0].LastLetter++
	must(t, db.Apply(t.Context(), exchange.Change{Match: m, Entries: []record.Entry{e},
		Letters: []exchange.OutgoingLetter{dispatch(m, 0, 99)}}))
	m.Version++
	was.History = append(was.History, e)
	was.Letters[0] = append(was.Letters[0], exchange.SentLetter{Number: 99})
	check := func(when string) {
		t.Helper()
		is := readAll(t, db, m.ID)
		is.Letters[0][len(is.Letters[0])-1].Decisions = nil
		if d := sameRead(was, is); d != "" {
			t.Errorf("%s (-was +is):\n%s", when, d)
		}
	}
	check("with a later letter")
	if archiveMatch(t, db, m.ID) {
		t.Error("it is archived while a letter waits")
	}
	emptied(t, db)
	if !archiveMatch(t, db, m.ID) {
		t.Error("it is not archived again")
	}
	check("archived again")
}

// packHistory packs the entries of a match that runs.
func packHistory(t testing.TB, db *DB, id string) bool {
	t.Helper()
	a, err := db.Upkeep.Archiver()
	must(t, err)
	isDone, err := a.PackHistory(t.Context(), id, noon)
	must(t, err)
	return isDone
}

// TestPackHistory: of a match that runs the entries are packed whenever there are many in rows. It is read as before,
// then and when more have come, and is archived as another when it is over.
func TestPackHistory(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	m.Summary = &match.Summary{Began: noon}
	long := func(want ...string) {
		t.Helper()
		if ids, err := db.Upkeep.LongHistories(t.Context(), "", 10); err != nil || !slices.Equal(ids, want) {
			t.Errorf("entries of %v are to be packed, want %v, %v", ids, want, err)
		}
	}
	stand := func(when string, want ...int) {
		t.Helper()
		for i, table := range []string{"entries", "sent", "archives", "received"} {
			if n := rows(t, db, table, m.ID); n != want[i] {
				t.Errorf("%s: %s has %d rows of it, want %d", when, table, n, want[i])
			}
		}
	}
	same := func(when string, was matchRead) {
		t.Helper()
		if d := sameRead(was, readAll(t, db, m.ID)); d != "" {
			t.Errorf("%s it is read otherwise (-was +is):\n%s", when, d)
		}
	}
	if packHistory(t, db, m.ID) {
		t.Error("a match that has not begun is packed")
	}
	play(t, db, m, 63, false)
	long()
	play(t, db, m, 70, false)
	long(m.ID)
	const kept = keptLettersPerSeat + 1 // The numbers of these letters begin with 2.
	was := readAll(t, db, m.ID)
	if !packHistory(t, db, m.ID) {
		t.Fatal("it is not packed")
	}
	long()
	stand("packed", 0, 2*kept, 1, 70)
	same("packed", was)
	if s, ok, err := db.Sent(t.Context(), m.ID, 1, 4); err != nil || !ok || s.EntryCount != 3 ||
		!slices.Equal(s.Decisions, []rules.DecisionID{2}) {
		t.Errorf("letter 4 is %+v, %v, %v", s, ok, err)
	}
	if isDone, err := db.Upkeep.DeleteReceived(t.Context(), noon.Add(time.Hour)); err != nil || isDone {
		t.Errorf("letters to a match that runs are deleted, %v", err)
	}
	if archiveMatch(t, db, m.ID) {
		t.Error("a match that runs is archived")
	}

	play(t, db, m, 130, false)
	long(m.ID)
	stand("played on", 60, 2*(kept+60), 1, 130)
	was = readAll(t, db, m.ID)
	for i, e := range was.History {
		if e.Seq != i || e.Prev == "" || e.Hash == "" {
			t.Fatalf("entry %d is %+v", i, e)
		}
	}
	for range 2 {
		if !packHistory(t, db, m.ID) {
			t.Fatal("it is not packed again")
		}
	}
	stand("packed again", 0, 2*kept, 1, 130)
	same("packed again", was)

	finish(t, db, m, 140)
	was = readAll(t, db, m.ID)
	if packHistory(t, db, m.ID) || !archiveMatch(t, db, m.ID) {
		t.Fatal("it is not archived")
	}
	stand("over", 0, 0, 1, 140)
	same("archived", was)
}

// TestPackHistoryMoved: a match that moves while it is packed stays as it is.
func TestPackHistoryMoved(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server has no one turn to write")
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	m.Summary = &match.Summary{Began: noon}
	play(t, db, m, 64, false)
	a, err := db.Upkeep.Archiver()
	must(t, err)
	db.commits.writing <- struct{}{}
	packed := make(chan bool, 1)
	go func() {
		isDone, err := a.PackHistory(t.Context(), m.ID, noon)
		packed <- isDone || err != nil
	}()
	waitFor(t, func() bool {
		db.commits.mu.Lock()
		defer db.commits.mu.Unlock()
		return len(db.commits.waiting) == 1
	})
	_, err = db.writer.DB.ExecContext(t.Context(), `UPDATE matches SET version = version + 1 WHERE id = $1`, m.ID)
	must(t, err)
	<-db.commits.writing
	if <-packed || rows(t, db, "entries", m.ID) != 64 || rows(t, db, "archives", m.ID) != 0 {
		t.Error("it is packed")
	}
}

// TestClear: letters that came in go when their time is over, and those of a match that has
// moved since do not.
func TestClear(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	finish(t, db, m, 5)
	clear := func(before time.Time, want bool) {
		t.Helper()
		if isDone, err := db.Upkeep.DeleteReceived(t.Context(), before); err != nil || isDone != want {
			t.Errorf("cleared %v, want %v, %v", isDone, want, err)
		}
	}
	clear(noon.Add(time.Hour), false)
	if !archiveMatch(t, db, m.ID) {
		t.Fatal("it is not archived")
	}
	clear(noon, false)
	moved := readAll(t, db, m.ID).Match
	must(t, db.Apply(t.Context(), exchange.Change{Match: moved}))
	clear(noon.Add(time.Hour), false)
	if !archiveMatch(t, db, m.ID) {
		t.Fatal("it is not archived again")
	}
	was := readAll(t, db, m.ID)
	clear(noon.Add(time.Hour), true)
	clear(noon.Add(time.Hour), false)
	if n := rows(t, db, "received", m.ID); n != 0 {
		t.Errorf("%d letters are there still", n)
	}
	if d := sameRead(was, readAll(t, db, m.ID)); d != "" {
		t.Errorf("it is read otherwise (-was +is):\n%s", d)
	}
	must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
		if pgtest.Used() {
			return nil // Only a file is restored.
		}
		at, err := newestReceived(ctx, tx, noon.Add(24*time.Hour))
		if !at.Equal(noon) {
			t.Errorf("the newest letter came at %v", at)
		}
		return err
	}))
	for _, hasMore := range []bool{true, true, false} {
		if ok, err := db.Upkeep.DeleteSent(t.Context(), noon.Add(time.Hour), 5); err != nil || ok != hasMore {
			t.Errorf("more: %v, want %v, %v", ok, hasMore, err)
		}
	}
}

// TestClearMoved: letters stay where one more comes while they are about to be deleted: it would be answered once more.
func TestClearMoved(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server has no one turn to write")
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	finish(t, db, m, 5)
	if !archiveMatch(t, db, m.ID) {
		t.Fatal("it is not archived")
	}
	moved := readAll(t, db, m.ID).Match
	waits := func(n int) func() bool {
		return func() bool {
			db.commits.mu.Lock()
			defer db.commits.mu.Unlock()
			return len(db.commits.waiting) == n
		}
	}
	r := receipt()
	r.Match, r.Digest = m.ID, "one more"
	db.commits.writing <- struct{}{}
	done := make(chan error, 2)
	go func() { done <- db.Apply(t.Context(), exchange.Change{Match: moved, Receipt: r}) }()
	waitFor(t, waits(1))
	go func() {
		_, err := db.Upkeep.DeleteReceived(t.Context(), noon.Add(time.Hour))
		done <- err
	}()
	waitFor(t, waits(2))
	<-db.commits.writing
	must(t, errors.Join(<-done, <-done))
	if n := rows(t, db, "received", m.ID); n != 6 {
		t.Errorf("%d letters are there, want 6", n)
	}
}

// TestNotExact: what would not come out of an archive as it is stays where it is.
func TestNotExact(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	finish(t, db, m, 3)
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	m.Position = []byte("{\n}")
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	a, err := db.Upkeep.Archiver()
	must(t, err)
	if _, err := a.Archive(t.Context(), m.ID, noon); !errors.Is(err, errInexact) {
		t.Errorf("error %v, want %v", err, errInexact)
	}
	if got := readAll(t, db, m.ID); len(got.History) != 3 || string(got.Match.Position) != "{\n}" {
		t.Errorf("it is %+v", got)
	}
}

// archiveKills is how often TestArchiveKilled kills the process.
var archiveKills = long.N(3, 60)

// archivedMatches is how many matches it archives each time, and packedMatches of how many that run it packs the
// entries.
const archivedMatches, packedMatches = 6, 3

// TestArchiveKilled: a process that packs matches, those that are over and the entries of those that run, and
// deletes letters to the former is killed at any moment. Each match is then whole or packed, and is read as
// before, and the next process goes on.
func TestArchiveKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	first := aMatch(t, db)
	var ids []string
	was := map[string]matchRead{}
	for i := range archivedMatches + packedMatches {
		m := *first
		m.ID, m.Summary = fmt.Sprintf("mover%d", i), &match.Summary{Began: noon}
		m.Seats = slices.Clone(first.Seats)
		must(t, db.Create(t.Context(), &m, nil))
		if i < archivedMatches {
			finish(t, db, &m, 10)
		} else {
			play(t, db, &m, 70, false)
		}
		ids, was[m.ID] = append(ids, m.ID), readAll(t, db, m.ID)
	}
	backup := filepath.Join(dir, "backup.db")
	if pgtest.Used() {
		pgtest.Copy(t, filepath.Join(dir, "s.db"), backup, false)
	} else {
		must(t, Backup(t.Context(), filepath.Join(dir, "s.db"), backup))
	}
	rng := rand.New(rand.NewPCG(1989, 33))
	seen := map[string]int{}
	for range archiveKills {
		again := t.TempDir()
		if pgtest.Used() {
			pgtest.Copy(t, backup, filepath.Join(again, "s.db"), false)
		} else {
			must(t, copyFile(backup, filepath.Join(again, "s.db")))
		}
		must(t, copyFile(filepath.Join(dir, "s.key"), filepath.Join(again, "s.key")))
		c := start(t, os.Args[0], "archive", again, nil)
		for range rng.IntN(2*archivedMatches + packedMatches) {
			c.says(t)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(3 * time.Millisecond))))
		c.kill(t)
		db := open(t, again)
		for _, id := range ids {
			if d := sameRead(was[id], readAll(t, db, id)); d != "" {
				t.Fatalf("%s (-was +is):\n%s", id, d)
			}
			state := fmt.Sprint(rows(t, db, "entries", id), rows(t, db, "sent", id), rows(t, db, "archives", id), rows(t, db, "received", id))
			switch state {
			case "10 20 0 10", "0 0 1 10", "0 0 1 0", "70 140 0 70", "0 66 1 70":
				seen[state]++
			default:
				t.Errorf("%s has %s entries, letters, archives and receipts in rows", id, state)
			}
		}
		must(t, archiveAll(t.Context(), db, func(string) {}))
		for _, id := range ids {
			if d := sameRead(was[id], readAll(t, db, id)); d != "" || rows(t, db, "entries", id) > 0 ||
				rows(t, db, "received", id) > 0 == (was[id].Match.State == match.Over) {
				t.Fatalf("%s at the end (-was +is):\n%s", id, d)
			}
		}
		must(t, db.Close())
	}
	t.Logf("%d kills: %v", archiveKills, seen)
}

// archiveAll archives what there is to be archived, clears it, and says each step.
func archiveAll(ctx context.Context, db *DB, say func(string)) error {
	a, err := db.Upkeep.Archiver()
	if err != nil {
		return err
	}
	ids, err := db.Upkeep.LongHistories(ctx, "", 1000)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := a.PackHistory(ctx, id, noon); err != nil {
			return err
		}
		say(id)
	}
	if ids, err = db.Upkeep.Unarchived(ctx, "", 1000); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := a.Archive(ctx, id, noon); err != nil {
			return err
		}
		say(id)
	}
	for {
		isDone, err := db.Upkeep.DeleteReceived(ctx, noon.Add(time.Hour))
		if err != nil || !isDone {
			return err
		}
		say("cleared")
	}
}

// TestFreedPages: what archived matches leave free is used by those that come.
func TestFreedPages(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it counts the pages of the file")
	db := open(t, t.TempDir())
	first := aMatch(t, db)
	pages := func() (n, free int) {
		t.Helper()
		must(t, db.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&n))
		must(t, db.writer.QueryRowContext(t.Context(), "PRAGMA freelist_count").Scan(&free))
		return n, free
	}
	maximum := 0
	for i := range 4 {
		m := *first
		m.ID, m.Seats = fmt.Sprintf("mover%d", i), slices.Clone(first.Seats)
		must(t, db.Create(t.Context(), &m, nil))
		finish(t, db, &m, 60)
		n, was := pages()
		if i > 0 && n > maximum+maximum/20 {
			t.Errorf("with match %d there are %d pages, before there were %d", i, n, maximum)
		}
		maximum = max(maximum, n)
		must(t, archiveAll(t.Context(), db, func(string) {}))
		if _, err := db.Upkeep.DeleteSent(t.Context(), noon.Add(24*time.Hour), 1000); err != nil {
			t.Fatal(err)
		}
		if _, free := pages(); free < was+15 {
			t.Errorf("of %d pages %d are free, and before %d were", maximum, free, was)
		}
	}
}
