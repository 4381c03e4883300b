package adjudicator_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/internal/test/rulestest/council"
)

// councilOfRounds is a council of five in its first vote, with many rounds to come.
func councilOfRounds(t testing.TB, rounds string) (*club, string) {
	t.Helper()
	c := newClub(t, council.Game())
	inv := adjudicator.Invitation{Game: "council", Options: map[string]string{"rounds": rounds}}
	for _, s := range councillors {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	all(t, c, councillors, "JOIN")
	all(t, c, councillors, "NAME miller")
	return c, m.ID
}

// kinds are the kinds of what is asked.
func kinds(t testing.TB, c *club, id string) string {
	t.Helper()
	var out []string
	for _, d := range owedIn(t, c, council.Game(), id) {
		out = append(out, d.Kind)
	}
	return strings.Join(slices.Compact(out), " ")
}

// TestStandingAnswer: an answer that stands answers each question to come until
// something changes or its writer says something else, and closes the question when
// all have one.
func TestStandingAnswer(t *testing.T) {
	t.Parallel()
	c, id := councilOfRounds(t, "9")
	round := func(vote, fine string) {
		t.Helper()
		all(t, c, councillors, "VOTE "+vote)
		if fine != "" {
			says(t, c, fine)
		}
	}
	golden(t, "council/standing.txt", c.sends("tanner", "HOLD ALWAYS").Text) // before it is asked
	round("YES", "")
	all(t, c, []string{"miller", "smith", "weaver"}, "HOLD UNTIL CHANGE")
	if got := kinds(t, c, id); got != "hold" {
		t.Fatalf("asked: %s", got)
	}
	golden(t, "council/stands.txt", c.sends("tanner", "STATUS").Text)
	c.reopen()
	says(t, c, "baker HOLD")
	if got := kinds(t, c, id); got != "fine" {
		t.Fatalf("asked: %s", got)
	}
	says(t, c, "miller FINE Smith")
	round("YES", "") // The water stands at 2: nothing has changed.
	if got := kinds(t, c, id); got != "hold" {
		t.Fatalf("asked: %s", got)
	}
	says(t, c, "baker HOLD UNTIL CHANGE")
	says(t, c, "baker FINE Smith")
	round("YES", "smith FINE Baker") // All have one, and nobody waits.
	if !strings.Contains(c.last("miller").Text, "fines the Baker") {
		t.Errorf("the question of the end did not close:\n%s", c.last("miller").Text)
	}
	round("NO", "weaver FINE Baker")
	round("NO", "tanner FINE Baker")
	round("NO", "") // The water is at its mark.
	for _, s := range councillors {
		asked := strings.Contains(c.last(s).Subject, "Your move")
		if asked != (s != "tanner") {
			t.Errorf("%s is asked: %v\n%s", s, asked, c.last(s).Text)
		}
	}
	if !strings.Contains(oneLine(c.last("smith").Text), "HOLD UNTIL CHANGE: lapsed It no longer answers for you, so we are asking you. Something has changed.") {
		t.Errorf("a standing answer has ended, and its writer is not told:\n%s", c.last("smith").Text)
	}
	all(t, c, []string{"miller", "baker", "smith", "weaver"}, "HOLD")
	says(t, c, "miller FINE Smith")
	if l := c.sends("tanner", "DROP"); !strings.Contains(l.Text, "Your saved orders are dropped") {
		t.Errorf("DROP:\n%s", l.Text)
	}
	round("YES", "")
	all(t, c, []string{"miller", "baker", "smith", "weaver"}, "HOLD")
	if got := kinds(t, c, id); got != "hold" {
		t.Errorf("asked after DROP: %s", got)
	}
	says(t, c, "tanner CALL")
	verified(t, c, council.Game(), id)
	if rec := c.export(id, true); bytes.Contains(rec, []byte("ALWAYS")) || bytes.Contains(rec, []byte("UNTIL")) {
		t.Error("the record tells of standing answers")
	}
}

// TestStandingTellsNothing: whether a seat's answers stand, whether it answers at all
// or lets the rule for silence, nobody else can tell from letters and records.
func TestStandingTellsNothing(t *testing.T) {
	t.Parallel()
	others := []string{"miller", "baker", "smith", "weaver"}
	// Where the seat has nothing to say it writes STATUS, so that the clock goes on as
	// in the other matches.
	play := func(first, second string, quiet bool) (string, []string) {
		c, id := councilOfRounds(t, "3")
		all(t, c, councillors, "VOTE YES")
		says(t, c, "tanner "+first)
		all(t, c, others, "HOLD")
		says(t, c, "miller FINE Smith")
		all(t, c, councillors, "VOTE YES")
		if quiet {
			silent(t, c, council.Game(), id, "tanner", "hold")
			c.uid++ // It numbers the letters of all.
		} else {
			says(t, c, "tanner "+second)
		}
		all(t, c, others, "HOLD")
		says(t, c, "baker FINE Smith")
		out := []string{string(c.export(id, false)), string(c.export(id, true))}
		for _, s := range others {
			out = append(out, c.bytes[address(s)]...)
		}
		verified(t, c, council.Game(), id)
		return id, out
	}
	_, want := play("HOLD", "HOLD", false)
	for name, got := range map[string][]string{
		"always":       second(play("HOLD ALWAYS", "STATUS", false)),
		"until change": second(play("HOLD UNTIL CHANGE", "STATUS", false)),
		"again":        second(play("HOLD ALWAYS", "HOLD", false)),
		"withdrawn":    second(play("CALL\nHOLD", "CALL\nHOLD", false)),
		"silent":       second(play("HOLD", "", true)),
	} {
		if !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%s: others can tell by the one below, where otherwise is the other:\n%s\n%s", name, got[i], want[i])
					break
				}
			}
		}
	}
}

func second[A, B any](_ A, b B) B { return b }
