package dawn1989_test

import (
	"testing"

	"samizdat/internal/playout"
	"samizdat/internal/test/long"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestSensibleBeatsRandom: on either side the sensible robot wins at least 95 of
// 100 matches against the random one, and never loses one by holding a scoring
// card.
func TestSensibleBeatsRandom(t *testing.T) {
	t.Parallel()
	games := long.N(40, 100)
	for side, robots := range [][]string{{"sensible", "random"}, {"random", "sensible"}} {
		me := engine.Side(side)
		t.Run(me.String(), func(t *testing.T) {
			t.Parallel()
			sum, err := playout.Run(t.Context(), playout.Plan{Game: dawn1989.Game(), Robots: robots, Matches: games, Seed: 1989})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(sum.Results)
			if sum.Illegal > 0 || sum.Stuck > 0 {
				t.Errorf("illegal %d, stuck %d: %+v", sum.Illegal, sum.Stuck, sum.Bad)
			}
			if n := sum.Wins[me.String()]; n*100 < 95*games {
				t.Errorf("%d wins of %d, want at least 95 of 100", n, games)
			}
			if n := sum.Results[engine.HeldCard.String()+" "+me.Enemy().String()]; n > 0 {
				t.Errorf("%d matches lost by a scoring card in hand", n)
			}
		})
	}
}

// TestRobotNames: every robot that is named is made, and no other.
func TestRobotNames(t *testing.T) {
	t.Parallel()
	for _, name := range dawn1989.Game().RobotNames() {
		if _, err := dawn1989.Game().Robot(name, 1); err != nil {
			t.Error(err)
		}
	}
	if _, err := dawn1989.Game().Robot("grandmaster", 1); err == nil {
		t.Error("a robot that does not exist was made")
	}
}
