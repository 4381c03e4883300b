package compose_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/templates"
)

// TestComposeReadsOnly: what a letter says is a function of what happened and of its
// reader; to write one letter changes no other, and not the match.
func TestComposeReadsOnly(t *testing.T) {
	t.Parallel()
	g := rulestest.Game()
	pos, err := g.Begin(rules.Setup{Seats: 3, Revision: g.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	events, err := pos.Resume(rulestest.NewDice(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := match.Turn{
		Match: &match.Match{ID: "m", Game: g.Name(), State: match.Playing, Seats: []match.Seat{{Name: "North", Occupant: match.Occupant{Joined: true}}, {Name: "South", Occupant: match.Occupant{Joined: true}}, {Name: "West", Occupant: match.Occupant{Joined: true}}}},
		Game:  g, After: pos, Entries: []record.Entry{{}}, Events: events, Remarks: []string{"A remark."},
		LineReports: map[rules.Seat][]match.LineReport{0: {{Line: "PLANT", Outcome: match.OutcomeDone}}},
	}
	was, err := json.Marshal([]any{c.Match.Seats, c.Match.State, pos, c.Events})
	if err != nil {
		t.Fatal(err)
	}
	readers := []rules.Seat{0, 1, 2, rules.NoSeat}
	first := map[rules.Seat]templates.Letter{}
	for range 2 {
		for _, r := range readers {
			options := compose.Options{SectionsBelow: []rules.Section{{Title: "A message", Lines: []string{"Hello."}}}}
			content := compose.WriteLetter(&c, r, options)
			if d := cmp.Diff(first[r], content); len(first) == len(readers) && d != "" {
				t.Errorf("reader %d: the second letter differs:\n%s", r, d)
			}
			first[r] = content
		}
	}
	current, err := json.Marshal([]any{c.Match.Seats, c.Match.State, pos, c.Events})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(was), string(current)); d != "" {
		t.Errorf("the match has changed:\n%s", d)
	}
	if n := len(first[rules.NoSeat].Prompts); n != 0 || !first[rules.NoSeat].IsObserver {
		t.Errorf("who observes is asked %d questions", n)
	}
}
