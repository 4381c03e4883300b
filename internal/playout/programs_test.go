package playout

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// games and seed make TestPrograms count in as many matches as docs/speed.md tells of.
var (
	games = flag.Int("games", long.N(2, 16), "matches with and without orders ahead")
	seed  = flag.Uint64("seed", 3, "their seed")
)

// sensible is a plan of matches between sensible robots.
func sensible(g *rules.Game, games int, seed uint64) Plan {
	return Plan{Game: g, Robots: []string{"sensible"}, Games: games, Seed: seed}
}

// playAhead plays the matches of a plan with orders ahead, and sums up what is counted.
func playAhead(t *testing.T, plan Plan) (all counts) {
	t.Helper()
	setup := rules.Setup{Seats: 2, Revision: plan.Game.Revision()}
	p, err := newPlayer(plan, setup)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWriting(plan.Game)
	if err != nil {
		t.Fatal(err)
	}
	for n := range plan.Games {
		var m counts
		seed := GameSeed(plan.Seed, n)
		if err := p.seat(seed); err != nil {
			t.Fatal(err)
		}
		if err := w.play(p, &m, seed, setup); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all.handovers += m.handovers
		all.orders += m.orders
		all.decisions += m.decisions
		all.changes += m.changes
		all.fired += m.fired
		all.dropped += m.dropped
		all.saved.answers += m.saved.answers
		all.saved.plans += m.saved.plans
		all.saved.lookAhead += m.saved.lookAhead
	}
	return all
}

// TestPrograms: with orders ahead nothing is illegal or stuck, a third of the
// hand-overs and more are saved, and what was saved adds up.
func TestPrograms(t *testing.T) {
	t.Parallel()
	plan := sensible(dawn1989.Game(), *games, *seed)
	plain, err := Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	got := playAhead(t, plan)
	t.Logf("%d matches: %d hand-overs in plain play; with orders ahead %+v", *games, plain.HandOvers, got)
	if s := got.saved; got.changes-got.handovers != s.answers+s.plans+s.lookAhead {
		t.Errorf("%d hand-overs instead of %d, but saved %+v", got.handovers, got.changes, s)
	}
	for what, all := range map[string]int{"plain": plain.HandOvers, "the same matches": got.changes} {
		if 3*got.handovers > 2*all {
			t.Errorf("%d hand-overs with orders ahead, %d without (%s)", got.handovers, all, what)
		}
	}
	if again := playAhead(t, plan); again != got {
		t.Errorf("two runs of the same plan differ: %+v and %+v", got, again)
	}
}

// eager is the game with robots that write all of their orders ahead at once.
func eager() *rules.Game {
	g := dawn1989.Game()
	write := g.Robots[0].New
	g.Robots[0].New = func(seed uint64) rules.Robot { return struct{ conditionalRobot }{write(seed).(conditionalRobot)} }
	return g
}

// TestLettersOpenedLate: an order ahead that is thought out when it is asked for
// is the one that would have been written.
func TestLettersOpenedLate(t *testing.T) {
	t.Parallel()
	late, early := playAhead(t, sensible(dawn1989.Game(), long.N(1, 3), 12)), playAhead(t, sensible(eager(), long.N(1, 3), 12))
	if diff := cmp.Diff(early, late, cmp.AllowUnexported(counts{}, match{}, saved{})); diff != "" {
		t.Errorf("opened late, letters differ:\n%s", diff)
	}
}
