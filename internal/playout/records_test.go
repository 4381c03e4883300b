package playout_test

import (
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// makeRecords writes the records of the newest revision that are missing.
var makeRecords = flag.Bool("make", false, "write the records of the newest revision that are missing in testdata/records")

// recordsDir holds whole matches of every revision of the rules, as the program of that
// time played them. The files are never written again: matches that have begun go on
// by the rules that they began with.
var recordsDir = filepath.Join("..", "..", "testdata", "records")

// recorded are the matches of each revision: the robot, and the seed of dice and robots.
var recorded = map[int][]struct {
	robot string
	seed  uint64
}{
	1: {{"random", 14}, {"random", 78}, {"sensible", 6}},
	2: {{"random", 78}, {"random", 107}, {"sensible", 100}},
}

// recordFile is the file of a match.
func recordFile(g *rules.Game, revision int, robot string, seed uint64) string {
	return filepath.Join(recordsDir, fmt.Sprintf("%s-rules%d-%s-%d.jsonl.gz", g.Name(), revision, robot, seed))
}

// recordOf is the record of a match.
func recordOf(t *testing.T, g *rules.Game, revision int, robot string, seed uint64) *record.Record {
	t.Helper()
	rec, err := record.ReadFile(recordFile(g, revision, robot, seed))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestRecords plays the records again: every answer is legal, the game asks for the
// outcomes that are recorded, they are those of the sealed stream, every position has
// the bytes that it had, and the match ends.
func TestRecords(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	if *makeRecords {
		for _, m := range recorded[g.Revision()] {
			file := recordFile(g, g.Revision(), m.robot, m.seed)
			if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
				pack(t, file, playedRecord(t, m.robot, m.seed))
			}
		}
	}
	for revision := 1; revision <= g.Revision(); revision++ {
		if len(recorded[revision]) == 0 {
			t.Errorf("there is no record of revision %d", revision)
		}
		for _, m := range recorded[revision] {
			t.Run(fmt.Sprintf("rules %d, %s, seed %d", revision, m.robot, m.seed), func(t *testing.T) {
				t.Parallel()
				rec := recordOf(t, g, revision, m.robot, m.seed)
				if rec.Header.Rules != revision {
					t.Fatalf("the record is of revision %d", rec.Header.Rules)
				}
				final, err := record.Replay(rec, g, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, isOver := final.Position.Result(); !isOver {
					t.Error("the match is not over")
				}
				if err := record.VerifyStream(rec); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// playedRecord is the record of a match by the newest revision.
func playedRecord(t *testing.T, robot string, seed uint64) *record.Record {
	t.Helper()
	g := dawn1989.Game()
	m, err := recordtest.Begin(recordtest.Plan{Game: g, ID: fmt.Sprintf("%s%d", robot, seed), Seats: 2, Revision: g.Revision(), Robot: robot, Seed: seed,
		Began: time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)})
	for err == nil && !m.Over() {
		err = m.Step()
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.Record
}

func pack(t *testing.T, file string, rec *record.Record) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	if err := errors.Join(rec.Write(w), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
