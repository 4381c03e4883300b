package storage

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/test/pgtest"
)

// toCopy is a club in a file, and an empty database with the same key beside it, on whichever engine is tested.
func toCopy(t *testing.T) (dir, from, to string) {
	t.Helper()
	dir = t.TempDir()
	must(t, open(t, dir).Close())
	from, to = filepath.Join(dir, "from.db"), pgtest.At(filepath.Join(dir, "s.db"))
	db, err := Open(t.Context(), from, filepath.Join(dir, "s.key"))
	must(t, err)
	aMatch(t, db)
	for range 3 {
		_, err := oneLetter(t.Context(), db, "mabc")
		must(t, err)
	}
	o := db.Outbox("referee@x.test")
	due, err := o.Due(t.Context(), noon, 10)
	must(t, err)
	must(t, o.MarkSent(t.Context(), []int64{due[0].ID}, noon))
	must(t, db.Close())
	return dir, from, to
}

// copied copies, and has nothing to say or to check.
func copied(ctx context.Context, dir, from, to string) error {
	return Copy(ctx, from, to, filepath.Join(dir, "s.key"), func(context.Context, *DB, *DB) error { return nil }, func(string, int64) {})
}

// tallies are the rows of all tables.
func tallies(t *testing.T, dir, where string) map[string]rowDigest {
	t.Helper()
	db, err := Open(t.Context(), where, filepath.Join(dir, "s.key"))
	must(t, err)
	defer db.Close()
	all, err := readTables(t.Context(), db.writer)
	must(t, err)
	all, out := maps.Clone(all), map[string]rowDigest{}
	list, err := compareTables(all, all)
	must(t, err)
	must(t, db.runBulk(t.Context(), nil, func(b *bulkTransaction) error {
		for _, tb := range list {
			var n rowDigest
			must(t, b.each(t.Context(), tb, func(next func() ([]any, error)) error {
				for {
					row, err := next()
					if row == nil || err != nil {
						return err
					}
					n.add(row)
				}
			}))
			out[tb.name] = n
		}
		return nil
	}))
	return out
}

// TestCopy: a club goes to the other engine and back, and every row is the same; it goes on where it was, with letters
// that nothing is mistaken for.
func TestCopy(t *testing.T) {
	t.Parallel()
	dir, from, to := toCopy(t)
	db, err := Open(t.Context(), from, filepath.Join(dir, "s.key"))
	must(t, err)
	_, err = db.writer.ExecContext(t.Context(), `INSERT INTO arrivals (uid_validity, uid, arrived, size, truncated, raw, claim)
		VALUES (1, 2, 3, 4, 0, x'05', 6); UPDATE outbox SET claim = 6`)
	must(t, errors.Join(err, db.Close()))
	back := filepath.Join(dir, "back.db")
	must(t, copied(t.Context(), dir, from, to))
	must(t, copied(t.Context(), dir, to, back))
	was, is := tallies(t, dir, from), tallies(t, dir, back)
	if was["arrivals"].rows != 1 || is["arrivals"].rows != 0 {
		t.Errorf("letters in hand were %d and are %d", was["arrivals"].rows, is["arrivals"].rows)
	}
	was["arrivals"] = is["arrivals"]
	if !maps.Equal(was, is) {
		t.Errorf("it was %v, and has become %v", was, is)
	}
	if was["entries"].rows != 3 || was["outbox"].rows != 5 || was["seats"].rows != 2 {
		t.Errorf("there is little to be copied: %v", was)
	}
	db = open(t, dir)
	if n, err := consistent(t.Context(), db, "mabc"); err != nil || n != 3 {
		t.Errorf("%d entries: %v", n, err)
	}
	if due, err := db.Outbox("referee@x.test").Due(t.Context(), noon, 10); err != nil || len(due) == 0 {
		t.Errorf("letters are claimed by whom there is not: %v, %v", due, err)
	}
	if _, err := oneLetter(t.Context(), db, "mabc"); err != nil {
		t.Error(err)
	}
	if n, err := consistent(t.Context(), db, "mabc"); err != nil || n != 4 {
		t.Errorf("%d entries: %v", n, err)
	}
}

// TestCopyRefuses: no club is overwritten, and nothing is copied that the key does not open.
func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	dir, from, to := toCopy(t)
	other := t.TempDir()
	must(t, open(t, other).Close())
	if err := copied(t.Context(), other, from, filepath.Join(dir, "new.db")); !errors.Is(err, ErrOtherKey) {
		t.Errorf("with another key: %v", err)
	}
	if err := copied(t.Context(), dir, filepath.Join(dir, "none.db"), to); err == nil ||
		!strings.Contains(err.Error(), "there is no database") {
		t.Errorf("from nowhere: %v", err)
	}
	if err := copied(t.Context(), dir, from, from); err == nil {
		t.Error("to itself: no error")
	}
	must(t, copied(t.Context(), dir, from, to))
	if err := copied(t.Context(), dir, from, to); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("over a club: %v", err)
	}
	db := open(t, dir)
	if pgtest.Used() {
		if err := copied(t.Context(), dir, to, filepath.Join(dir, "new.db")); !errors.Is(err, ErrInUse) {
			t.Errorf("while it is used: %v", err)
		}
	}
	must(t, db.Close())
	must(t, os.Remove(filepath.Join(dir, "s.key")))
	if err := copied(t.Context(), dir, from, filepath.Join(dir, "new.db")); err == nil {
		t.Error("without a key: no error")
	}
	if _, err := os.Stat(filepath.Join(dir, "s.key")); err == nil {
		t.Error("a new key was made")
	}
}

// TestCopyAgain: nobody opens a copy that was found wrong, or whose process was killed, among the rows or behind
// them; to copy again begins anew, for the same club alone.
func TestCopyAgain(t *testing.T) {
	t.Parallel()
	dir, from, to := toCopy(t)
	key := filepath.Join(dir, "s.key")
	wrong := errors.New("something is wrong")
	err := Copy(t.Context(), from, to, key, func(context.Context, *DB, *DB) error { return wrong }, func(string, int64) {})
	if !errors.Is(err, wrong) {
		t.Errorf("a check that fails: %v", err)
	}
	program, err := os.Executable()
	must(t, err)
	for _, at := range []string{"copy rows", "copy check"} {
		c := start(t, program, at, dir, nil)
		if text := c.says(t); text != at {
			t.Fatal(text)
		}
		c.kill(t)
		if _, err := Open(t.Context(), to, key); !errors.Is(err, ErrUnfinished) {
			t.Errorf("killed, %s: %v", at, err)
		}
		if err := copied(t.Context(), dir, to, filepath.Join(dir, "new.db")); !errors.Is(err, ErrUnfinished) {
			t.Errorf("copied on, %s: %v", at, err)
		}
	}
	stranger, club, _ := toCopy(t)
	if err := copied(t.Context(), stranger, club, to); err == nil {
		t.Error("another club is copied over it")
	}
	must(t, copied(t.Context(), dir, from, to))
	if was, is := tallies(t, dir, from), tallies(t, dir, to); !maps.Equal(was, is) {
		t.Errorf("it was %v, and has become %v", was, is)
	}
}

// copyAndWait copies, and says when it is in the middle, and waits there to be killed.
func copyAndWait(ctx context.Context, dir, what string) error {
	wait := func() {
		os.Stdout.WriteString(what + "\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	return Copy(ctx, filepath.Join(dir, "from.db"), pgtest.At(filepath.Join(dir, "s.db")), filepath.Join(dir, "s.key"),
		func(context.Context, *DB, *DB) error { wait(); return nil },
		func(table string, _ int64) {
			if what == "copy rows" && table == "seats" {
				wait()
			}
		})
}
