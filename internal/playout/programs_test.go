package playout_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/long"
	"samizdat/internal/playout"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestPrograms: with orders ahead nothing is illegal or stuck, a third of the
// hand-overs and more are saved, and what was saved adds up.
func TestPrograms(t *testing.T) {
	t.Parallel()
	plan := playout.Plan{Game: dawn1989.Game{}, Robots: []string{"sensible"}, Games: long.N(4, 16), Seed: 3}
	plain := run(t, plan)
	plan.Style = playout.StyleConditional
	ahead := run(t, plan)
	if ahead.Illegal != 0 || ahead.Stuck != 0 {
		t.Fatalf("illegal %d, stuck %d: %+v", ahead.Illegal, ahead.Stuck, ahead.Bad)
	}
	if s := ahead.Saved; ahead.WithoutAhead-ahead.HandOvers != s.Answers+s.Plans+s.LookAhead {
		t.Errorf("%d hand-overs instead of %d, but saved %+v", ahead.HandOvers, ahead.WithoutAhead, *s)
	}
	for what, all := range map[string]int{"plain": plain.HandOvers, "the same matches": ahead.WithoutAhead} {
		if 3*ahead.HandOvers > 2*all {
			t.Errorf("%d hand-overs with orders ahead, %d without (%s)", ahead.HandOvers, all, what)
		}
	}
	if diff := cmp.Diff(ahead, run(t, plan)); diff != "" {
		t.Errorf("two runs of the same plan differ:\n%s", diff)
	}
}

// eager is the game with robots that write all of their orders ahead at once.
type eager struct{ dawn1989.Game }

func (g eager) Robot(name string, seed uint64) (rules.Robot, error) {
	r, err := g.Game.Robot(name, seed)
	return struct{ rules.ConditionalRobot }{r.(rules.ConditionalRobot)}, err
}

// TestLettersOpenedLate: an order ahead that is thought out when it is asked for
// is the one that would have been written.
func TestLettersOpenedLate(t *testing.T) {
	t.Parallel()
	plan := playout.Plan{Game: dawn1989.Game{}, Robots: []string{"sensible"}, Games: long.N(1, 3), Seed: 12, Style: playout.StyleConditional}
	late := run(t, plan)
	plan.Game = eager{}
	if diff := cmp.Diff(run(t, plan), late); diff != "" {
		t.Errorf("opened late, letters differ:\n%s", diff)
	}
}

// TestLine: the line of a run tells its style and the hand-overs of one match.
func TestLine(t *testing.T) {
	t.Parallel()
	for style, want := range map[string]string{"": "plain", playout.StylePlain: "plain", playout.StyleConditional: "programs"} {
		sum := run(t, playout.Plan{Game: dawn1989.Game{}, Robots: []string{"random"}, Games: 3, Seed: 1, Style: style})
		if sum.Style != want {
			t.Errorf("style %q is called %q", style, sum.Style)
		}
		if got, want := sum.HandOversPerGame, math.Round(float64(sum.HandOvers)/3*10)/10; got != want {
			t.Errorf("%v hand-overs a game, of %d in 3", got, sum.HandOvers)
		}
		line, err := json.Marshal(sum)
		if err != nil || !strings.Contains(string(line), `"style":"`+want+`"`) {
			t.Errorf("%s (%v)", line, err)
		}
	}
}
