package playout_test

import (
	"testing"

	"samizdat/playout"
	"samizdat/rules/dawn1989"
)

// TestPrograms: with orders ahead nothing is illegal or stuck, much fewer
// hand-overs are needed, and what was saved adds up.
func TestPrograms(t *testing.T) {
	t.Parallel()
	plan := playout.Plan{Game: dawn1989.Game{}, Robots: []string{"sensible"}, Games: 20, Seed: 3}
	plain := run(t, plan)
	plan.Style = playout.StylePrograms
	ahead := run(t, plan)
	if ahead.Illegal != 0 || ahead.Stuck != 0 {
		t.Fatalf("illegal %d, stuck %d: %+v", ahead.Illegal, ahead.Stuck, ahead.Bad)
	}
	if s := ahead.Saved; ahead.WithoutAhead-ahead.HandOvers != s.Answers+s.Plans+s.LookAhead {
		t.Errorf("%d hand-overs instead of %d, but saved %+v", ahead.HandOvers, ahead.WithoutAhead, *s)
	}
	if 100*ahead.HandOvers > 65*plain.HandOvers {
		t.Errorf("%d hand-overs with orders ahead, %d without", ahead.HandOvers, plain.HandOvers)
	}
	t.Logf("%d plain; %d by programs, of %d; saved %+v; %d fired, %d dropped", plain.HandOvers, ahead.HandOvers, ahead.WithoutAhead,
		*ahead.Saved, ahead.Fired, ahead.Dropped)
}
