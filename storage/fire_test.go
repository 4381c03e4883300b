package storage

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// aLetter is a change that touches every table, with so many bytes in it that
// cannot be compressed.
func aLetter(t *testing.T, m *match.Match, size int) exchange.Change {
	t.Helper()
	r := receipt()
	r.Raw = make([]byte, size)
	_, _ = rand.Read(r.Raw) // never fails
	m.State, m.Position, m.EntryCount = match.Playing, []byte(`{}`), 1
	return exchange.Change{Match: m, Receipt: r, Entries: []record.Entry{{Seq: 0}}, Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}
}

// TestFull: a letter that does not fit leaves nothing, whatever was still
// written of it; and it goes through when there is room again. Wherever in the
// letter the room ends, the matches can be read meanwhile.
func TestFull(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it fills the file")
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		for room := range 6 {
			t.Run(fmt.Sprintf("%d bytes, room for %d pages", size, room), func(t *testing.T) {
				t.Parallel()
				db := open(t, t.TempDir())
				m := aMatch(t, db)
				var pages int
				must(t, db.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages))
				limit := func(n int) {
					t.Helper()
					_, err := db.writer.ExecContext(t.Context(), "PRAGMA max_page_count = "+strconv.Itoa(n))
					must(t, err)
				}
				c := aLetter(t, m, size)
				limit(pages + room)
				for range 2 {
					err := db.Apply(t.Context(), c)
					if size < 100<<10 && err == nil {
						return // It fits after all.
					}
					if err == nil || !strings.Contains(err.Error(), "full") || errors.Is(err, exchange.ErrDuplicate) ||
						errors.Is(err, match.ErrConflict) {
						t.Fatalf("error %v, want one about a full disk", err)
					}
					if reason, ok := db.Fault(err); !ok {
						t.Fatalf("%v is no fault of the database, but %q", err, reason)
					}
					untouched(t, db, m)
				}
				limit(math.MaxInt32)
				must(t, db.Apply(t.Context(), c))
				if h, err := db.History(t.Context(), m.ID); err != nil || len(h) != 1 {
					t.Errorf("the history has %d entries, %v", len(h), err)
				}
			})
		}
	}
}

// TestFullDisk does the same with a real disk, where that can be had: there the
// write-ahead log has no room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it fills the disk of the file")
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small disk can only be had as root: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, 0)) })
	db := open(t, dir)
	t.Cleanup(func() { must(t, db.Close()) }) // before the disk goes
	m := aMatch(t, db)
	ballast := filepath.Join(dir, "ballast")
	f, err := os.Create(ballast)
	must(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, f.Close())
	c := aLetter(t, m, 200<<10)
	for range 2 {
		err := db.Apply(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), "full") {
			t.Fatalf("error %v, want one about a full disk", err)
		}
		if reason, ok := db.Fault(err); !ok {
			t.Fatalf("%v is no fault of the database, but %q", err, reason)
		}
		untouched(t, db, m)
	}
	must(t, os.Remove(ballast))
	must(t, db.Apply(t.Context(), c))
}

// TestLocked: another process keeps the database for itself for longer than we
// wait. A letter then fails with nothing half done, and goes through when the
// other is gone, however it went.
func TestLocked(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it locks the file")
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	other := start(t, os.Args[0], "half", dir, nil)
	if got := other.says(t); got != "half" {
		t.Fatal(got)
	}
	_, err := db.writer.ExecContext(t.Context(), "PRAGMA busy_timeout = 50")
	must(t, err)
	c := aLetter(t, m, 100)
	for range 2 {
		err := db.Apply(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), "locked") {
			t.Fatalf("error %v, want one about the lock", err)
		}
		if reason, ok := db.Fault(err); !ok {
			t.Fatalf("%v is no fault of the database, but %q", err, reason)
		}
		untouched(t, db, m)
	}
	other.kill(t)
	must(t, db.Apply(t.Context(), c))
}

// TestKilledInTheMiddle: a process that dies within a letter, with half of it on
// the disk already, leaves nothing of it to the next.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	must(t, db.Close())
	other := start(t, os.Args[0], "half", dir, nil)
	if got := other.says(t); got != "half" {
		t.Fatal(got)
	}
	if info, err := os.Stat(filepath.Join(dir, "s.db-wal")); !pgtest.Used() && (err != nil || info.Size() < 1<<20) {
		t.Errorf("the test shows nothing: half a letter is not on the disk: %v", err)
	}
	other.kill(t)
	db = open(t, dir)
	untouched(t, db, m)
	must(t, db.Apply(t.Context(), aLetter(t, m, 100)))
}

// TestKilledAnywhere: a process that takes up letter after letter is killed. What
// it said was done is done, and the match is whole.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	aMatch(t, db)
	for round := range 8 {
		before, err := consistent(t.Context(), db, "mabc")
		must(t, err)
		other := start(t, os.Args[0], "letters", dir, nil)
		text := other.says(t)
		for range 3 * round {
			text = other.says(t)
		}
		if last := other.kill(t); last != "" {
			text = last
		}
		told, err := strconv.Atoi(text)
		must(t, err)
		// At most one letter was committed and not told.
		n, err := consistent(t.Context(), db, "mabc")
		if err != nil || n < told || n > told+1 || n <= before {
			t.Fatalf("round %d: %d entries, the other process told of %d; %v", round, n, told, err)
		}
	}
}

// TestBackupUnderLoad: while letters come in, every backup holds a whole match
// and passes the check; and no letter fails for it.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	dir := t.TempDir()
	db := open(t, dir)
	aMatch(t, db)
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
				if _, err := oneLetter(t.Context(), db, "mabc"); err != nil {
					done <- err
					return
				}
			}
		}
	}()
	last := -1
	for i := range 12 {
		// The letters go on between two backups.
		for {
			m, err := db.Match(t.Context(), "mabc")
			must(t, err)
			if m.EntryCount > last {
				break
			}
		}
		sub := filepath.Join(dir, strconv.Itoa(i))
		must(t, os.Mkdir(sub, 0o700))
		must(t, Backup(t.Context(), filepath.Join(dir, "s.db"), filepath.Join(sub, "s.db")))
		must(t, copyFile(filepath.Join(dir, "s.key"), filepath.Join(sub, "s.key")))
		n, err := consistent(t.Context(), open(t, sub), "mabc")
		if err != nil || n <= last {
			t.Errorf("backup %d has %d entries after %d, %v", i, n, last, err)
		}
		last = n
	}
	close(stop)
	must(t, <-done)
	if n, err := consistent(t.Context(), db, "mabc"); err != nil || n < last {
		t.Errorf("%d entries, the last backup has %d; %v", n, last, err)
	}
}

// TestReadOnly: a database or a directory that cannot be written is found at the
// start, not with the first letter.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it is about the modes of files")
	// Others must be able to come here: root may write everywhere, so as root
	// the test asks another to try. On file systems in memory nothing may be run.
	dir, err := os.MkdirTemp("/tmp", "samizdat-readonly")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chmod(dir, 0o755))
	program, as := os.Args[0], someUser
	if os.Getuid() == 0 {
		program = filepath.Join(dir, "program")
		must(t, copyFile(os.Args[0], program))
		must(t, os.Chmod(program, 0o755))
	}
	for _, tt := range []struct {
		name            string
		file, directory os.FileMode
		fresh           bool
		want            string
	}{
		{"file", 0o444, 0o777, false, "readonly"},
		{"directory", 0o444, 0o555, false, "s.db"},
		{"directory, file may be written", 0o666, 0o555, false, "s.db"},
		{"directory, no database yet", 0, 0o555, true, "s.db"},
		{"unreadable", 0, 0o777, false, "s.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sub := filepath.Join(dir, strings.ReplaceAll(tt.name, " ", "-"))
			must(t, os.Mkdir(sub, 0o755))
			if !tt.fresh {
				must(t, open(t, sub).Close())
				must(t, os.Chmod(filepath.Join(sub, "s.db"), tt.file))
				for _, name := range []string{"s.db", "s.key"} {
					must(t, someUsers(filepath.Join(sub, name)))
				}
			}
			must(t, os.Chmod(sub, tt.directory))
			t.Cleanup(func() { must(t, os.Chmod(sub, 0o755)) })
			c := start(t, program, "open", sub, as)
			got := c.says(t)
			if err := c.cmd.Wait(); err == nil || !strings.HasPrefix(got, "error:") || !strings.Contains(got, tt.want) {
				t.Errorf("the other process says %q (%v), want an error with %q", got, err, tt.want)
			}
		})
	}
}

// TestDamagedAtStart: a damaged database is refused at the start, or found damaged when it is
// looked through, and the error says what to do.
func TestDamagedAtStart(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils the file")
	for _, tt := range []struct {
		name  string
		spoil func(t *testing.T, path string, size int64)
		want  string
	}{
		{"no database", func(t *testing.T, path string, _ int64) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("x", 8192)), 0o600))
		}, "not a database"},
		{"cut off", func(t *testing.T, path string, size int64) { must(t, os.Truncate(path, size/2)) }, "restore a backup"},
		{"page overwritten", func(t *testing.T, path string, _ int64) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteAt([]byte(strings.Repeat("\xff", 4096)), 3*4096)
			must(t, errors.Join(err, f.Close()))
		}, "restore a backup"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db, _ := playing(t, dir)
			must(t, db.Close())
			path := filepath.Join(dir, "s.db")
			info, err := os.Stat(path)
			must(t, err)
			tt.spoil(t, path, info.Size())
			was, err := os.ReadFile(path)
			must(t, err)
			db, err = Open(t.Context(), path, filepath.Join(dir, "s.key"))
			if err == nil {
				err = errors.Join(db.QuickCheck(t.Context()), db.Close())
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(was) {
				t.Errorf("the damaged file has been changed: %v", err)
			}
		})
	}
}

// TestClockSetBack: a clock that ran ahead and is set right stops nothing. A
// letter that was queued or has failed at a time that is still to come is due,
// and order never depends on the clock.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	ahead := noon.Add(3 * 365 * 24 * time.Hour)
	box := db.Outbox("referee@x.test")

	// One of the two invitations fails, and another letter is queued, while the
	// clock is three years ahead.
	due, err := box.Due(t.Context(), ahead, 10)
	if err != nil || len(due) != 2 {
		t.Fatalf("%d letters are due, %v", len(due), err)
	}
	must(t, box.MarkFailed(t.Context(), due[0].ID, ahead, ahead.Add(time.Minute), false, "450 later"))
	must(t, box.MarkSent(t.Context(), []int64{due[1].ID}, ahead))
	must(t, db.Apply(t.Context(), exchange.Change{Letters: []exchange.OutgoingLetter{{Addressee: exchange.Addressee{Seat: rules.NoSeat,
		To: "op@x.test"}, Schedule: exchange.Schedule{Date: ahead}, Raw: exchange.RenderedMessage{Bytes: []byte("a note")}}}}))
	first := receipt()
	first.At = ahead
	c := exchange.Change{Match: m, Receipt: first, Entries: []record.Entry{{Seq: 0, Hash: "first"}}}
	m.EntryCount = 1
	must(t, db.Apply(t.Context(), c))

	// The clock is right again.
	if due, err = box.Due(t.Context(), noon, 10); err != nil || len(due) != 2 {
		t.Errorf("%d letters are due, want the one that failed and the note; %v", len(due), err)
	}
	// A failure now counts from now.
	for _, o := range due {
		must(t, box.MarkFailed(t.Context(), o.ID, noon, noon.Add(time.Minute), false, "450 later"))
	}
	if due, err = box.Due(t.Context(), noon, 10); err != nil || len(due) != 0 {
		t.Errorf("%d letters are due before their time, %v", len(due), err)
	}
	if at, ok, err := box.NextDue(t.Context()); err != nil || !ok || !at.Equal(noon.Add(time.Minute)) {
		t.Errorf("next due is %v, %v, %v", at, ok, err)
	}

	// A letter that came later follows, though its time is before the other's.
	m, err = db.Match(t.Context(), m.ID)
	must(t, err)
	second := receipt()
	second.Digest = "second"
	m.EntryCount = 2
	must(t, db.Apply(t.Context(), exchange.Change{Match: m, Receipt: second, Entries: []record.Entry{{Seq: 1, Hash: "second"}}}))
	if h, err := db.History(t.Context(), m.ID); err != nil || len(h) != 2 || h[0].Hash != "first" || h[1].Hash != "second" {
		t.Errorf("history %+v, %v", h, err)
	}
	// And neither is taken up twice.
	for _, r := range []*exchange.Receipt{first, second} {
		again := *r
		again.At = noon.Add(-time.Hour)
		if err := db.Apply(t.Context(), exchange.Change{Receipt: &again}); !errors.Is(err, exchange.ErrDuplicate) {
			t.Errorf("error %v, want a duplicate", err)
		}
	}
}

// TestClockSetBackMatches: what is held back in a match stays on the list, and is
// due when its time has come.
func TestClockSetBackMatches(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	at := noon.Add(time.Hour)
	m.State = match.Playing
	m.Seats[1].Private.AnswerDue = at
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	for _, tt := range []struct {
		now  time.Time
		want int
	}{{noon.Add(-24 * time.Hour), 0}, {noon, 0}, {at, 1}} {
		if ids, err := db.DueMatches(t.Context(), tt.now, 10); err != nil || len(ids) != tt.want {
			t.Errorf("at %v %d matches are due, want %d; %v", tt.now, len(ids), tt.want, err)
		}
	}
}
