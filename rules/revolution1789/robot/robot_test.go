package robot_test

import (
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/revolution1789/robot"
)

// wins is how often each seat wins in so many matches, with the robots named.
func wins(t *testing.T, games int, names ...string) []int {
	t.Helper()
	table, err := engine.Rules{}.NewSimulation(rules.Setup{Seats: len(names), Revision: engine.Rules{}.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int, len(names))
	for seed := range uint64(games) {
		robots := make([]rules.Robot, len(names))
		for i, name := range names {
			if robots[i], err = (&rules.Game{Robots: robot.Makers()}).Robot(name, seed*100+uint64(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.Begin(rulestest.NewDice(seed)); err != nil {
			t.Fatal(err)
		}
		for d, options, open := table.Ask(); open; d, options, open = table.Ask() {
			if err := table.Answer(robots[d.Seat].Choose(table.View, d, options)); err != nil {
				t.Fatalf("%s, seed %d: %v", names[d.Seat], seed, err)
			}
		}
		r, over := table.Result()
		if !over {
			t.Fatalf("seed %d: nothing is asked and the match goes on", seed)
		}
		for i := range out {
			if r.Winners.Has(rules.Seat(i)) {
				out[i]++
			}
		}
	}
	return out
}

// TestPartisanWinsMore: who plays for his card wins more often than who plays at random, in
// whatever seat.
func TestPartisanWinsMore(t *testing.T) {
	t.Parallel()
	const games = 600
	for seat := range 2 {
		names := []string{"random", "random", "random", "random", "random", "random"}
		names[seat] = "partisan"
		won, others := wins(t, games, names...), 0
		for i, n := range won {
			if i != seat {
				others += n
			}
		}
		if mean := others / 5; won[seat] < mean*11/10 {
			t.Errorf("in seat %d it wins %d of %d, the others %d", seat, won[seat], games, mean)
		}
	}
}

// TestQuietCallsNothing: a quiet robot plays on to the end without a revolution.
func TestQuietCallsNothing(t *testing.T) {
	t.Parallel()
	wins(t, 20, "quiet", "quiet", "quiet", "quiet")
}
