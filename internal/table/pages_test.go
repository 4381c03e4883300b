package table_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/internal/table"
	"samizdat/rules"
	"samizdat/rules/liarsdice"
)

// TestPractice: a match is played by answers alone, gone on with from its record, and verifies.
func TestPractice(t *testing.T) {
	t.Parallel()
	games := rules.Games{liarsdice.Game()}
	m, err := table.Begin(t.Context(), table.Options{Game: games[0], Seats: 3, Seed: 5, Robot: "counter"})
	if err != nil {
		t.Fatal(err)
	}
	kept := func() *record.Record {
		t.Helper()
		rec, err := m.Record(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := rec.Write(&b); err != nil {
			t.Fatal(err)
		}
		if rec, err = record.Read(&b); err != nil {
			t.Fatal(err)
		}
		return rec
	}
	stand := func() table.State {
		t.Helper()
		s, err := m.PlayRobots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := stand()
	for n := 0; s.End == "" && n < 60; n++ {
		if n == 2 {
			if m, err = table.ResumeRecord(t.Context(), games, kept(), 5); err != nil {
				t.Fatal(err)
			}
			stand()
		}
		if err := m.Answer(t.Context(), "DOUBT"); err != nil {
			t.Fatal(err)
		}
		if s = stand(); strings.Contains(s.Orders, ": refused") { // There was no bid to doubt.
			if err := m.Answer(t.Context(), "BID 1 six"); err != nil {
				t.Fatal(err)
			}
			s = stand()
		}
		if s.Events == "" {
			t.Errorf("after %d answers nothing is told", n+1)
		}
	}
	if !strings.HasPrefix(s.End, "The match is over: ") {
		t.Errorf("the match ends with %q", s.End)
	}
	var out strings.Builder
	if isSame, err := report.Verify(&out, games, kept(), report.Evidence{}, false); err != nil || !isSame {
		t.Errorf("the record does not verify: %v\n%s", err, out.String())
	}
}
