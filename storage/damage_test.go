package storage

import (
	"testing"

	"github.com/mattn/go-sqlite3"
	"samizdat/internal/test/pgtest"
)

// TestLeftInOrder: a database is in order when who served it has said so, and nobody serves
// it since, and when it is new; and never when something damaged was seen.
func TestLeftInOrder(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server looks after damage itself")
	dir := t.TempDir()
	db := open(t, dir)
	taken := func(want bool) {
		t.Helper()
		if got, err := db.Taken(t.Context()); err != nil || got != want {
			t.Errorf("in order: %v, %v; want %v", got, err, want)
		}
		must(t, db.Close())
		db = open(t, dir)
	}
	taken(true)
	taken(false)
	must(t, db.Left(t.Context()))
	taken(true)
	taken(false)
	must(t, db.LookForDamage(t.Context()))
	db.note(sqlite3.Error{Code: sqlite3.ErrCorrupt})
	must(t, db.Left(t.Context()))
	taken(false)
}
