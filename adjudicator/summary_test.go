package adjudicator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// summed fails when the summary of a match is not that of its position and history.
func summed(t *testing.T, c *club, g rules.Game, id string) {
	t.Helper()
	m := c.stored(id)
	pos, err := m.At(g)
	if err != nil {
		t.Fatal(err)
	}
	history, err := c.db.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := adjudicator.Summarize(g, pos)
	want.Began = history[0].At
	if m.State == adjudicator.Over {
		want.Ended = history[len(history)-1].At
	}
	if d := cmp.Diff(&want, m.Summary); d != "" {
		t.Errorf("the summary of %s (-want +stored):\n%s", id, d)
	}
}

// TestSummary: a match that was stored without a summary gets one with its next letter, or
// when it is looked for.
func TestSummary(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game{}, orchards...)
	summed(t, c, rulestest.Game{}, id)
	forget := func() {
		t.Helper()
		m := c.stored(id)
		m.Summary = nil
		if err := c.db.Apply(t.Context(), adjudicator.Change{Match: m}); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	c.sends("north", "STATUS")
	summed(t, c, rulestest.Game{}, id)
	want := c.stored(id).Summary
	forget()
	m, err := c.adj.Summary(t.Context(), id)
	if err != nil || cmp.Diff(want, m.Summary) != "" {
		t.Errorf("found out: %+v, %v, want %+v", m, err, want)
	}
}
