package main

import (
	"math"
	"testing"

	"samizdat/rules/dawn1989/robot"
)

// TestLambdaReturns: a random answer cuts the chain, so that the estimates before it do not learn from what follows.
func TestLambdaReturns(t *testing.T) {
	t.Parallel()
	train := training{lambda: 0.5}
	returns, lastRandom := train.lambdaReturns([]estimate{{0.4, true}, {0.6, true}, {}, {0.8, true}}, 1)
	if lastRandom != 2 {
		t.Errorf("the last random answer is estimate %d, want 2", lastRandom)
	}
	for i, want := range []estimate{{0.5, true}, {0.6, true}, {}, {0.9, true}, {1, true}} {
		if got := returns[i]; got.isKnown != want.isKnown || math.Abs(got.chance-want.chance) > 1e-9 {
			t.Errorf("return %d is %v, want %v", i, got, want)
		}
	}
}

// TestReplay replays a match with the answers of a quick searcher.
func TestReplay(t *testing.T) {
	t.Parallel()
	train := training{lambda: 0.8, simulations: 8}
	m, err := train.playMatch(newNetwork(robot.Level(5).Evaluator).leaf(), 1)
	if err != nil {
		t.Fatal(err)
	}
	positions, err := train.replay(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(positions) < 10 {
		t.Errorf("%d positions in %d answers, want more", len(positions), len(m.Answers))
	}
	for _, p := range positions {
		if p.label < 0 || p.label > 1 || p.turn < 1 {
			t.Fatalf("a position in turn %d has the label %v", p.turn, p.label)
		}
	}
}
