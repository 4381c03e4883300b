package history_test

import (
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
)

// whole is the record of a whole match of 1989.
func whole(t testing.TB) *record.Record {
	t.Helper()
	rec, err := record.ReadFile(filepath.Join("..", "..", "testdata", "records", "1989-rules2-sensible-100.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// played is the record of a match between random robots that a seed determines.
func played(t testing.TB, g *rules.Game, seats int, seed uint64) *record.Record {
	t.Helper()
	m, err := recordtest.Begin(recordtest.Plan{Game: g, ID: "played", Seats: seats, Revision: g.Revision(), Robot: rules.RandomName, Seed: seed,
		Began: time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)})
	for err == nil && !m.Over() {
		err = m.Step()
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.Record
}
