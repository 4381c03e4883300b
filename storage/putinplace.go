package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A restore builds the new database in samizdat.db.restoring, while samizdat.db stays as it is. The first of three
// renames, to samizdat.db.restored, is its commit: from then on whoever puts it in place does the other two, which
// keep samizdat.db as samizdat-before-TIME.db and make samizdat.db.restored the new samizdat.db.
const (
	halfRestored = ".restoring"
	allRestored  = ".restored"
)

// besides are what SQLite adds to the name of a database for the files that belong to it.
var besides = []string{"", "-wal", "-shm"}

// ErrRestoring: a restore was interrupted.
var ErrRestoring = errors.New("a restore of it was interrupted: call \"samizdat restore\" with the backup again")

// Restorable refuses a database whose restore has not come to its end: one that is half there, and one whose place is
// empty or still has the old database. Where that cannot be seen, whoever opens the database is told why.
func Restorable(where string) error {
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if isURL(where) {
		return nil
	}
	if strings.HasSuffix(where, halfRestored) || strings.HasSuffix(where, allRestored) || there(where+allRestored) || there(where+halfRestored) && !there(where) {
		return fmt.Errorf("%s: %w", where, ErrRestoring)
	}
	return nil
}

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// removeDatabase removes a database that nobody uses.
func removeDatabase(path string) (err error) {
	for _, suffix := range besides {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// keptAs is the name of a database that was replaced at a time.
func keptAs(path string, at time.Time) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-before-" + at.UTC().Format("20060102-150405") + ext
}

// replace puts samizdat.db.restoring, which is complete, in the place of the database. Where that fails the database is as
// it was, or the next restore goes on.
func replace(path string, now time.Time) (kept string, err error) {
	for {
		taken, err := exists(keptAs(path, now))
		if err != nil {
			return "", err
		}
		if !taken {
			break
		}
		now = now.Add(time.Second)
	}
	// Whoever goes on keeps the database under the same name.
	if err := os.Chtimes(path+halfRestored, now, now); err != nil {
		return "", err
	}
	if err := os.Rename(path+halfRestored, path+allRestored); err != nil {
		return "", err
	}
	kept, err = putInPlace(path)
	if err != nil {
		if there, e := exists(path); e == nil && there {
			err = errors.Join(err, os.Remove(path+allRestored))
		}
	}
	return kept, err
}

// putInPlace puts samizdat.db.restored in place, if it is there, and returns where the database lies that was there
// before. It may be interrupted at any moment, and called again.
func putInPlace(path string) (kept string, err error) {
	info, err := os.Stat(path + allRestored)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	to := keptAs(path, info.ModTime())
	for _, suffix := range besides {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if there, err := exists(to); err != nil || !there {
		to = ""
	}
	return to, os.Rename(path+allRestored, path)
}
