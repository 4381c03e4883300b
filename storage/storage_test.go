package storage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

var noon = time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)

// empty is a database without a match: to copy it is quicker than to make the schema for
// each test.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "empty")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s.db")
	db, err := Open(context.Background(), path, filepath.Join(dir, "s.key"))
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// open opens the database in a directory, where there is one.
func open(t testing.TB, dir string) *DB {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "s.key")); errors.Is(err, os.ErrNotExist) && pgtest.Used() {
		pgtest.Where(t, filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"), Open)
	} else if _, err := os.Stat(filepath.Join(dir, "s.db")); errors.Is(err, os.ErrNotExist) && !pgtest.Used() {
		data, err := empty()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "s.db"), data, 0o600))
		_, err = readKey(filepath.Join(dir, "s.key"), true)
		must(t, err)
	}
	db, err := Open(t.Context(), pgtest.At(filepath.Join(dir, "s.db")), filepath.Join(dir, "s.key"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // some tests have closed it
	return db
}

// aMatch is a match of two that has just been made.
func aMatch(t testing.TB, db *DB) *match.Match {
	t.Helper()
	secret, err := record.NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	m := &match.Match{
		ID:       "mabc",
		Game:     "game",
		Revision: 3,
		Options:  map[string]string{"a": "b"},
		State:    match.Inviting,
		Created:  noon,
		Seats: []match.Seat{{Name: "north", Occupant: match.Occupant{Player: match.NewPlayer("n@x.test")},
			Correspondence: match.Correspondence{Key: []byte("kn")}},
			{Name: "south", Occupant: match.Occupant{Player: match.NewPlayer("s@x.test")}, Correspondence: match.Correspondence{Key: []byte("ks")}}},
		Chance:   match.Chance{Secret: secret},
		Progress: match.Progress{Head: secret.Commitment()},
	}
	if err := db.Create(t.Context(), m, []exchange.OutgoingLetter{dispatch(m, 0, 1), dispatch(m, 1, 1)}); err != nil {
		t.Fatal(err)
	}
	return m
}

func dispatch(m *match.Match, seat rules.Seat, n int64) exchange.OutgoingLetter {
	return exchange.OutgoingLetter{
		Addressee:       exchange.Addressee{Match: m.ID, Seat: seat, Number: n, To: m.Seats[seat].Player.Address},
		Heading:         exchange.Heading{MessageID: "id"},
		Schedule:        exchange.Schedule{Date: noon},
		LetterQuestions: exchange.LetterQuestions{Decisions: []rules.DecisionID{7}},
		Raw:             exchange.RenderedMessage{Bytes: []byte("a letter")},
	}
}

func TestMatchComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, dir).Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.Secret.Hex() != m.Secret.Hex() || string(got.Seats[1].Key) != "ks" || got.Options["a"] != "b" || !got.Created.Equal(noon) ||
		got.Version != 1 {
		t.Errorf("got %+v, want %+v", got, m)
	}
}

// TestChange: everything that a letter leads to is there afterwards.
func TestChange(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	m.State, m.Position, m.EntryCount, m.Head = match.Playing, []byte(`{"x":1}`), 1, "h"
	m.Pending = []match.PendingAnswer{{Seat: 1, Play: 4, Answer: rules.Answer{Atoms: []rules.Atom{9}}}}
	m.Seats[0].LastLetter = 2
	c := exchange.Change{Match: m, Receipt: receipt(), Entries: []record.Entry{{Seq: 0, Hash: "h"}},
		Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}
	if err := db.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	got, err := db.Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.State != match.Playing || string(got.Position) != `{"x":1}` || got.Version != 2 || len(got.Pending) != 1 || got.Seats[0].LastLetter != 2 {
		t.Errorf("got %+v", got)
	}
	if s, ok, err := db.Sent(t.Context(), m.ID, 0, 2); err != nil || !ok || len(s.Decisions) != 1 || s.Decisions[0] != 7 {
		t.Errorf("letter 2: %+v, %v, %v", s, ok, err)
	}
	if h, err := db.History(t.Context(), m.ID); err != nil || len(h) != 1 || h[0].Hash != "h" {
		t.Errorf("history %+v, %v", h, err)
	}
	if d, seen, err := db.Received(t.Context(), m.ID, 0, "d", ""); err != nil || !seen || d != exchange.DispositionDone {
		t.Errorf("the receipt is not there: %v, %v", seen, err)
	}
}

func receipt() *exchange.Receipt {
	return &exchange.Receipt{Match: "mabc", Seat: 0, Digest: "d", Raw: []byte("raw"), Disposition: exchange.DispositionDone, At: noon}
}

// TestAllOrNothing: a change that cannot be made whole leaves no trace.
func TestAllOrNothing(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	stale := *m
	stale.Version = 0
	change := exchange.Change{Match: &stale, Receipt: receipt(), Entries: []record.Entry{{Seq: 0}},
		Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}
	if err := db.Apply(t.Context(), change); !errors.Is(err, match.ErrConflict) {
		t.Fatalf("error %v, want a conflict", err)
	}
	change.Match = m
	change.Letters = []exchange.OutgoingLetter{dispatch(m, 0, 2), dispatch(m, 0, 2)}
	if err := db.Apply(t.Context(), change); err == nil {
		t.Fatal("the same letter twice was taken")
	}
	untouched(t, db, m)
	change.Letters = nil
	if err := db.Apply(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	again, err := db.Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	change.Match, change.Entries = again, []record.Entry{{Seq: 1}}
	if err := db.Apply(t.Context(), change); !errors.Is(err, exchange.ErrDuplicate) {
		t.Fatalf("error %v, want a duplicate", err)
	}
	if h, err := db.History(t.Context(), m.ID); err != nil || len(h) != 1 {
		t.Errorf("the duplicate left %d entries, %v", len(h), err)
	}
}

func untouched(t *testing.T, db *DB, m *match.Match) {
	t.Helper()
	if got, err := db.Match(t.Context(), m.ID); err != nil || got.Version != 1 {
		t.Errorf("version %d, %v; want 1", got.Version, err)
	}
	if _, seen, err := db.Received(t.Context(), m.ID, 0, "d", ""); err != nil || seen {
		t.Errorf("the receipt is there: %v, %v", seen, err)
	}
	if h, err := db.History(t.Context(), m.ID); err != nil || len(h) != 0 {
		t.Errorf("the history has %d entries, %v", len(h), err)
	}
	if due, err := db.Outbox("").Due(t.Context(), noon, 10); err != nil || len(due) != 2 {
		t.Errorf("%d letters are due, %v; want the 2 invitations", len(due), err)
	}
}

func TestNoMatch(t *testing.T) {
	t.Parallel()
	if _, err := open(t, t.TempDir()).Match(t.Context(), "none"); !errors.Is(err, exchange.ErrNoMatch) {
		t.Errorf("error %v, want no match", err)
	}
}

func TestOutbox(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	aMatch(t, db)
	box := db.Outbox("referee@x.test")
	due, err := box.Due(t.Context(), noon, 10)
	if err != nil || len(due) != 2 || due[0].EnvelopeFrom != "referee@x.test" || string(due[0].Raw) != "a letter" {
		t.Fatalf("due %+v, %v", due, err)
	}
	later := noon.Add(time.Hour)
	if err := errors.Join(box.MarkFailed(t.Context(), due[0].ID, noon, later, false, "450 busy"),
		box.MarkSent(t.Context(), []int64{due[1].ID}, noon)); err != nil {
		t.Fatal(err)
	}
	if now, err := box.Due(t.Context(), noon, 10); err != nil || len(now) != 0 {
		t.Errorf("%d letters are due at once, %v", len(now), err)
	}
	if at, ok, err := box.NextDue(t.Context()); err != nil || !ok || !at.Equal(later) {
		t.Errorf("next due %v, %v, %v; want %v", at, ok, err, later)
	}
	again, err := box.Due(t.Context(), later, 10)
	if err != nil || len(again) != 1 || again[0].Attempts != 1 {
		t.Fatalf("due later %+v, %v", again, err)
	}
	if err := box.MarkFailed(t.Context(), again[0].ID, later, later, true, "550 nobody"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := box.NextDue(t.Context()); err != nil || ok {
		t.Errorf("something is still due: %v, %v", ok, err)
	}
}

// TestDurable: the pragmas that make a commit survive a power cut are on.
func TestDurable(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it reads the pragmas")
	db := open(t, t.TempDir())
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2"} {
		var got string
		if err := db.writer.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, %v; want %s", pragma, got, err, want)
		}
	}
	if _, err := db.reader.ExecContext(t.Context(), "DELETE FROM matches"); err == nil {
		t.Error("the readers may write")
	}
}

func TestSecretsAreWrapped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"s.db", "s.db-wal"} {
		b, err := os.ReadFile(filepath.Join(dir, f))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), string(m.Secret.Bytes())) || strings.Contains(string(b), m.Secret.Hex()) {
			t.Errorf("%s holds the secret as it is", f)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils files")
	for _, tt := range []struct {
		name, want string
		spoil      func(ctx context.Context, t *testing.T, dir string)
	}{
		{"key file gone", "key file", func(_ context.Context, t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "s.key")); err != nil {
				t.Fatal(err)
			}
		}},
		{"key file damaged", "64 hexadecimal digits", func(_ context.Context, t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "s.key"), []byte("xyz"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"newer schema", "use a newer Samizdat", func(ctx context.Context, t *testing.T, dir string) {
			raw, err := sql.Open("sqlite3", filepath.Join(dir, "s.db"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := raw.ExecContext(ctx, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
				t.Fatal(err)
			}
			if err := raw.Close(); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := open(t, dir).Close(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t.Context(), t, dir)
			db, err := Open(t.Context(), filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"))
			if err == nil {
				_ = db.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestAnotherKey: a key file of another database opens nothing.
func TestAnotherKey(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	db := open(t, dir)
	aMatch(t, db)
	_ = open(t, other)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), pgtest.At(filepath.Join(dir, "s.db")), filepath.Join(other, "s.key"))
	if err == nil {
		_ = db.Close()
	}
	if !errors.Is(err, ErrOtherKey) {
		t.Errorf("error %v, want one about the key file", err)
	}
}

// TestTwoMigrateAtOnce: the daemon and another command may open a new database in the
// same moment.
func TestTwoMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for range 2 {
		dir := t.TempDir()
		failed := make(chan error, 4)
		for range cap(failed) {
			go func() {
				db, err := Open(context.Background(), filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"))
				if err == nil {
					err = db.Close()
				}
				failed <- err
			}()
		}
		for range cap(failed) {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPrivate: whatever permissions the files of a database had, nobody but their owner
// may read them once it is open.
func TestPrivate(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it is about the modes of files")
	dir := t.TempDir()
	db, _ := playing(t, dir)
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) < 4 {
		t.Fatalf("there are only %v", files)
	}
	modes := func() map[string]fs.FileMode {
		out := map[string]fs.FileMode{}
		for _, f := range files {
			info, err := os.Stat(filepath.Join(dir, f.Name()))
			must(t, err)
			out[f.Name()] = info.Mode().Perm()
		}
		return out
	}
	for name, mode := range modes() {
		if mode&0o077 != 0 {
			t.Errorf("%s is made with %v", name, mode)
		}
		must(t, os.Chmod(filepath.Join(dir, name), 0o666))
	}
	again := open(t, dir)
	for name, mode := range modes() {
		if mode&0o077 != 0 {
			t.Errorf("%s is left with %v", name, mode)
		}
	}
	must(t, again.Close())
	must(t, db.Close())

	must(t, os.Chmod(dir, 0o755))
	must(t, MakePrivate(dir, filepath.Join(dir, "missing")))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has %v, %v", info.Mode(), err)
	}
	must(t, os.Chmod(dir, 0o777|fs.ModeSticky))
	if err := MakePrivate(dir); err == nil {
		t.Error("a directory that everybody uses is taken")
	}
}

// TestLimits: no statement is parsed whenever it is run because its limit is a parameter alone.
func TestLimits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	must(t, err)
	limit, found := regexp.MustCompile(`LIMIT \$\d+( \+ 0)?`), 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		must(t, err)
		for _, m := range limit.FindAllSubmatch(src, -1) {
			if found++; m[1] == nil {
				t.Errorf("%s: %q wants + 0", name, m[0])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d limits were found", found)
	}
}

// someUser runs a program as nobody in particular, when we are root: root may
// write everywhere.
func someUser(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

// someUsers gives a file to him.
func someUsers(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(path, 65534, 65534)
}

// TestLeftInOrder: a database is in order when who served it has said so, and nobody serves
// it since, and when it is new; and never when something damaged was seen.
func TestLeftInOrder(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server looks after damage itself")
	dir := t.TempDir()
	db := open(t, dir)
	taken := func(want bool) {
		t.Helper()
		if got, err := db.MarkInUse(t.Context()); err != nil || got != want {
			t.Errorf("in order: %v, %v; want %v", got, err, want)
		}
		must(t, db.Close())
		db = open(t, dir)
	}
	taken(true)
	taken(false)
	must(t, db.MarkClean(t.Context()))
	taken(true)
	taken(false)
	must(t, db.QuickCheck(t.Context()))
	db.recordDamage(sqlite3.Error{Code: sqlite3.ErrCorrupt})
	must(t, db.MarkClean(t.Context()))
	taken(false)
}
