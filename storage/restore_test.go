package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
)

// playing is a database with a match under way and one that is over.
func playing(t *testing.T, dir string) (*DB, *match.Match) {
	t.Helper()
	db := open(t, dir)
	m := aMatch(t, db)
	m.State, m.Position, m.Epoch = match.Playing, []byte(`{}`), 2
	for i := range m.Seats {
		m.Seats[i].LastLetter = 4
	}
	if err := db.Apply(t.Context(), exchange.Change{Match: m, Receipt: receipt()}); err != nil {
		t.Fatal(err)
	}
	return db, m
}

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	dir := t.TempDir()
	db, m := playing(t, dir)
	copied := filepath.Join(dir, "copy.db")
	// The database stays open, as a daemon keeps it.
	if err := Backup(t.Context(), filepath.Join(dir, "s.db"), copied); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v", info, err)
	}
	if err := Backup(t.Context(), filepath.Join(dir, "s.db"), copied); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second backup to the same file: %v", err)
	}

	m, err := db.Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	m.Position = []byte(`{"later":1}`)
	if err := db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(t.Context(), copied, filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"), RestoreOptions{}, noon)
	if err != nil {
		t.Fatal(err)
	}
	if r.Matches != 1 || !r.NewestLetter.Equal(receipt().At) || r.PreviousPath != filepath.Join(dir, "s-before-19891109-120000.db") {
		t.Errorf("restored: %+v", r)
	}
	after, err := open(t, dir).Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if after.Epoch != 3 || string(after.Position) != `{}` {
		t.Errorf("the match has epoch %d and position %s", after.Epoch, after.Position)
	}
	if after.Seats[0].LastLetter != 4+letterNumberGap {
		t.Errorf("the letters go on from %d: an old number would be given twice", after.Seats[0].LastLetter)
	}
	kept, err := Open(t.Context(), r.PreviousPath, filepath.Join(dir, "s.key"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if was, err := kept.Match(t.Context(), m.ID); err != nil || string(was.Position) != `{"later":1}` {
		t.Errorf("the database that was there: %v, %v", was, err)
	}
	remaining, err := filepath.Glob(filepath.Join(dir, "*restoring*"))
	if err != nil || len(remaining) > 0 {
		t.Errorf("left behind: %v, %v", remaining, err)
	}
}

// TestRestoreRefused: what is no good backup leaves the present database alone.
func TestRestoreRefused(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	for _, tt := range []struct {
		name, want string
		spoil      func(t *testing.T, backup, dir string)
	}{
		{"missing", "no such file", func(t *testing.T, backup, _ string) { must(t, os.Remove(backup)) }},
		{"no database", "not a database", func(t *testing.T, backup, _ string) {
			must(t, os.WriteFile(backup, []byte(strings.Repeat("x", 4096)), 0o600))
		}},
		{"cut off", "", func(t *testing.T, backup, _ string) {
			info, err := os.Stat(backup)
			must(t, err)
			must(t, os.Truncate(backup, info.Size()/2))
		}},
		{"newer schema", "use a newer Samizdat", func(t *testing.T, backup, dir string) {
			db, err := Open(t.Context(), backup, filepath.Join(dir, "s.key"))
			must(t, err)
			_, err = db.writer.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
			must(t, errors.Join(err, db.Close()))
		}},
		{"another key", "", func(t *testing.T, _, dir string) {
			other := filepath.Join(dir, "other.key")
			_, err := readKey(other, true)
			must(t, err)
			must(t, os.Rename(other, filepath.Join(dir, "s.key")))
		}},
		{"no key", "no such file", func(t *testing.T, _, dir string) { must(t, os.Remove(filepath.Join(dir, "s.key"))) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db, _ := playing(t, dir)
			backup, path := filepath.Join(dir, "copy.db"), filepath.Join(dir, "s.db")
			must(t, Backup(t.Context(), path, backup))
			must(t, db.Close())
			was, err := os.ReadFile(path)
			must(t, err)
			tt.spoil(t, backup, dir)
			_, err = Restore(t.Context(), backup, path, filepath.Join(dir, "s.key"), RestoreOptions{}, noon)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(was) {
				t.Errorf("the present database has changed: %v", err)
			}
		})
	}
}

// TestCheckFindsDamage: a database with a page overwritten is not called sound.
func TestCheckFindsDamage(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils the file")
	dir := t.TempDir()
	db, _ := playing(t, dir)
	path := filepath.Join(dir, "copy.db")
	must(t, Backup(t.Context(), filepath.Join(dir, "s.db"), path))
	must(t, db.Close())
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("\xff", 4096)), 3*4096)
	must(t, errors.Join(err, f.Close()))
	damaged, err := openReadOnly(t.Context(), path, nil)
	if err == nil {
		err = errors.Join(checkDatabase(t.Context(), damaged), damaged.Close())
	}
	if err == nil {
		t.Error("a damaged database is called sound")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNewest: letters are read again since the newest that is known, and what a clock
// took up that ran ahead is passed over.
func TestNewest(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	const day = 24 * time.Hour
	for _, tt := range []struct {
		name string
		at   []time.Duration // from noon, in the order in which they were taken up
		want time.Time
	}{
		{"none", nil, time.Time{}},
		{"as usual", []time.Duration{-3 * day, -2 * day}, noon.Add(-2 * day)},
		{"the clock ran ahead", []time.Duration{-3 * day, 300 * day, -2 * day, 300 * day}, noon.Add(-2 * day)},
		{"it ran ahead long ago", []time.Duration{-time.Hour, -2 * day}, noon.Add(-2 * day)},
		{"it was never right", []time.Duration{300 * day}, time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		db := open(t, t.TempDir())
		for i, d := range tt.at {
			r := receipt()
			r.Digest, r.At = fmt.Sprint(i), noon.Add(d)
			must(t, db.Apply(t.Context(), exchange.Change{Receipt: r}))
		}
		must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
			if got, err := newestReceived(ctx, tx, noon); err != nil || !got.Equal(tt.want) {
				t.Errorf("%s: since %v, want %v; %v", tt.name, got, tt.want, err)
			}
			return nil
		}))
	}
}

// restorable is a directory with a closed database, whose match has moved on since the backup beside it.
func restorable(t *testing.T) (dir, path, backup string) {
	t.Helper()
	dir = t.TempDir()
	path, backup = filepath.Join(dir, "s.db"), filepath.Join(dir, "copy.db")
	db, m := playing(t, dir)
	must(t, Backup(t.Context(), path, backup))
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	m.Position = []byte(`{"later":1}`)
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	must(t, db.Close())
	return dir, path, backup
}

// TestRestoreTakesOverOrFails: where a match that has ended cannot be taken over, nothing is restored, unless it may go on.
func TestRestoreTakesOverOrFails(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	dir, path, backup := restorable(t)
	db := open(t, dir)
	ended, err := db.Match(t.Context(), "mabc")
	must(t, err)
	ended.State = match.Over
	must(t, db.Apply(t.Context(), exchange.Change{Match: ended}))
	_, err = db.writer.ExecContext(t.Context(), `DROP TABLE archives`)
	must(t, errors.Join(err, db.Close()))
	was, err := os.ReadFile(path)
	must(t, err)
	key := filepath.Join(dir, "s.key")
	if _, err := Restore(t.Context(), backup, path, key, RestoreOptions{}, noon); err == nil ||
		!strings.Contains(err.Error(), "ended after the backup and cannot be copied: mabc") {
		t.Errorf("it is restored: %v", err)
	}
	now, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(was, now) {
		t.Errorf("the present database has changed: %v", err)
	}
	if remaining, err := filepath.Glob(filepath.Join(dir, "*.restor*")); err != nil || len(remaining) > 0 {
		t.Errorf("left behind: %v, %v", remaining, err)
	}
	if r, err := Restore(t.Context(), backup, path, key, RestoreOptions{ContinueEnded: true}, noon); err != nil || r.Matches != 1 || len(r.Ended) != 1 {
		t.Errorf("to go on: %+v, %v", r, err)
	}
}

// TestRestoreInterrupted: wherever the renames of a restore are interrupted, nothing opens or begins a database
// in that place, and the next restore keeps all of the old one.
func TestRestoreInterrupted(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	for renames := range 4 {
		t.Run(fmt.Sprint(renames), func(t *testing.T) {
			t.Parallel()
			dir, path, backup := restorable(t)
			key, ctx := filepath.Join(dir, "s.key"), t.Context()
			must(t, os.WriteFile(path+"-wal", []byte("newest letters"), 0o600))
			must(t, copyFile(backup, path+restoringSuffix))
			if CheckRestoreFinished(path+restoringSuffix) == nil {
				t.Error("half a copy can be opened")
			}
			if err := CheckRestoreFinished(path); err != nil {
				t.Errorf("the old database cannot be opened while it is copied: %v", err)
			}
			must(t, os.Chtimes(path+restoringSuffix, noon, noon))
			must(t, os.Rename(path+restoringSuffix, path+restoredSuffix))
			for _, suffix := range databaseSuffixes[:max(renames-1, 0)] {
				if err := os.Rename(path+suffix, previousName(path, noon)+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			_, opened := Open(ctx, path, key)
			_, exists := Exists(ctx, path)
			_, looked := Inspect(ctx, path)
			copied := Copy(ctx, filepath.Join(dir, "copy.db"), path, key, nil, nil)
			for what, err := range map[string]error{"opened": opened, "asked for": exists, "inspected": looked, "copied to": copied,
				"backed up": Backup(ctx, path, filepath.Join(dir, "again.db"))} {
				if !errors.Is(err, ErrRestoring) {
					t.Errorf("%s: %v", what, err)
				}
			}
			r, err := Restore(ctx, backup, path, key, RestoreOptions{}, noon.Add(time.Hour))
			if err != nil || r.Matches != 1 {
				t.Fatalf("restored again: %+v, %v", r, err)
			}
			if wal, err := os.ReadFile(previousName(path, noon) + "-wal"); err != nil || string(wal) != "newest letters" {
				t.Errorf("of the old database is kept %q, %v", wal, err)
			}
			if _, err := os.Stat(previousName(path, noon)); err != nil {
				t.Error(err)
			}
			if m, err := open(t, dir).Match(ctx, "mabc"); err != nil || string(m.Position) != `{}` {
				t.Errorf("the restored match is %+v, %v", m, err)
			}
		})
	}
}

// TestRestoreKilled kills restores. Each leaves the old database or the restored one, or what only a restore opens; the old
// one is never lost.
func TestRestoreKilled(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "backups are copies of the file")
	rnd := rand.New(rand.NewPCG(34, 18))
	dir, path, backup := restorable(t)
	key, ctx := filepath.Join(dir, "s.key"), t.Context()
	position := func(path string) string {
		db, err := Open(ctx, path, key)
		must(t, err)
		m, err := db.Match(ctx, "mabc")
		must(t, errors.Join(err, db.Close()))
		return string(m.Position)
	}
	for range long.N(6, 100) {
		c := start(t, os.Args[0], "restore", dir, nil)
		if text := c.says(t); text != "begins" {
			t.Fatal(text)
		}
		time.Sleep(time.Duration(rnd.IntN(30)) * time.Millisecond)
		_ = c.cmd.Process.Kill() // It may have ended.
		_ = c.cmd.Wait()
		switch err := CheckRestoreFinished(path); {
		case err == nil && position(path) != "{}" && position(path) != `{"later":1}`:
			t.Fatalf("the match stands at %s", position(path))
		case err != nil && !errors.Is(err, ErrRestoring):
			t.Fatal(err)
		}
	}
	_, err := Restore(ctx, backup, path, key, RestoreOptions{}, noon)
	must(t, err)
	kept, err := filepath.Glob(filepath.Join(dir, "s-before-*.db"))
	must(t, err)
	for _, k := range kept {
		if position(k) == `{"later":1}` {
			return
		}
	}
	t.Errorf("the old database is none of %v", kept)
}

// beRestored restores the backup of restorable.
func beRestored(ctx context.Context, dir string) error {
	fmt.Println("begins")
	_, err := Restore(ctx, filepath.Join(dir, "copy.db"), filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"), RestoreOptions{}, time.Now())
	return err
}
