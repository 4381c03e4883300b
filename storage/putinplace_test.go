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

	"samizdat/adjudicator"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
)

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
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
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
	ended.State = adjudicator.Over
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: ended}))
	_, err = db.writer.ExecContext(t.Context(), `DROP TABLE archives`)
	must(t, errors.Join(err, db.Close()))
	was, err := os.ReadFile(path)
	must(t, err)
	key := filepath.Join(dir, "s.key")
	if _, err := Restore(t.Context(), backup, path, key, Restoring{}, noon); err == nil || !strings.Contains(err.Error(), "mabc ended after the backup") {
		t.Errorf("it is restored: %v", err)
	}
	now, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(was, now) {
		t.Errorf("the present database has changed: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.restor*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if r, err := Restore(t.Context(), backup, path, key, Restoring{GoOn: true}, noon); err != nil || r.Matches != 1 || len(r.Ended) != 1 {
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
			must(t, copyFile(backup, path+halfRestored))
			if Restorable(path+halfRestored) == nil {
				t.Error("half a copy can be opened")
			}
			if err := Restorable(path); err != nil {
				t.Errorf("the old database cannot be opened while it is copied: %v", err)
			}
			must(t, os.Chtimes(path+halfRestored, noon, noon))
			must(t, os.Rename(path+halfRestored, path+allRestored))
			for _, suffix := range besides[:max(renames-1, 0)] {
				if err := os.Rename(path+suffix, keptAs(path, noon)+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			_, opened := Open(ctx, path, key)
			_, exists := Exists(ctx, path)
			_, looked := Inspect(ctx, path)
			copied := Copy(ctx, filepath.Join(dir, "copy.db"), path, key, nil, nil)
			for what, err := range map[string]error{"opened": opened, "asked for": exists, "inspected": looked, "copied to": copied, "backed up": Backup(ctx, path, filepath.Join(dir, "again.db"))} {
				if !errors.Is(err, ErrRestoring) {
					t.Errorf("%s: %v", what, err)
				}
			}
			r, err := Restore(ctx, backup, path, key, Restoring{}, noon.Add(time.Hour))
			if err != nil || r.Matches != 1 {
				t.Fatalf("restored again: %+v, %v", r, err)
			}
			if wal, err := os.ReadFile(keptAs(path, noon) + "-wal"); err != nil || string(wal) != "newest letters" {
				t.Errorf("of the old database is kept %q, %v", wal, err)
			}
			if _, err := os.Stat(keptAs(path, noon)); err != nil {
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
		if said := c.says(t); said != "begins" {
			t.Fatal(said)
		}
		time.Sleep(time.Duration(rnd.IntN(30)) * time.Millisecond)
		_ = c.cmd.Process.Kill() // It may have ended.
		_ = c.cmd.Wait()
		switch err := Restorable(path); {
		case err == nil && position(path) != "{}" && position(path) != `{"later":1}`:
			t.Fatalf("the match stands at %s", position(path))
		case err != nil && !errors.Is(err, ErrRestoring):
			t.Fatal(err)
		}
	}
	_, err := Restore(ctx, backup, path, key, Restoring{}, noon)
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
	_, err := Restore(ctx, filepath.Join(dir, "copy.db"), filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"), Restoring{}, time.Now())
	return err
}
