package adjudicator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// summed fails when the summary of a match is not that of its position and history.
func summed(t *testing.T, c *club, g *rules.Game, id string) {
	t.Helper()
	m := c.stored(id)
	pos, err := m.CurrentPosition(g)
	if err != nil {
		t.Fatal(err)
	}
	history, err := c.db.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := match.Summarize(g, pos)
	want.Began = history[0].At
	if m.State == match.Over {
		want.Ended = history[len(history)-1].At
	}
	if d := cmp.Diff(&want, m.Summary); d != "" {
		t.Errorf("the summary of %s (-want +stored):\n%s", id, d)
	}
}
