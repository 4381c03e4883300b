package playout_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/playout"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// run plays a plan, and leaves the times out.
func run(t *testing.T, plan playout.Plan) playout.Summary {
	t.Helper()
	sum, err := playout.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	sum.Seconds, sum.PerSecond = 0, 0
	return sum
}

// TestRevisions: by every revision of the rules of 1989 no match is stuck, and no answer
// that is offered is illegal.
func TestRevisions(t *testing.T) {
	t.Parallel()
	for revision := 1; revision <= dawn1989.Game().Revision(); revision++ {
		for robot, games := range map[string]int{"random": long.N(10, 3000), "sensible": long.N(2, 300)} {
			sum := run(t, playout.Plan{Game: dawn1989.Game(), Revision: revision, Robots: []string{robot}, Matches: games, Seed: 14})
			if sum.Illegal != 0 || sum.Stuck != 0 || sum.Matches != games {
				t.Errorf("revision %d, %s robots: %+v", revision, robot, sum)
			}
		}
	}
}

// TestSameSeed: the same plan gives the same summary, another seed another one,
// and every match ends in some way.
func TestSameSeed(t *testing.T) {
	t.Parallel()
	plan := playout.Plan{Game: dawn1989.Game(), Robots: []string{"random"}, Matches: long.N(30, 300), Seed: 5}
	one := run(t, plan)
	if diff := cmp.Diff(one, run(t, plan)); diff != "" {
		t.Errorf("two runs of the same plan differ:\n%s", diff)
	}
	if one.Illegal != 0 || one.Stuck != 0 {
		t.Errorf("illegal %d, stuck %d: %+v", one.Illegal, one.Stuck, one.Bad)
	}
	results, turns := 0, 0
	for _, n := range one.Results {
		results += n
	}
	for _, n := range one.Turns {
		turns += n
	}
	if results != plan.Matches || turns != plan.Matches {
		t.Errorf("%d results and %d turns of %d matches", results, turns, plan.Matches)
	}
	plan.Seed = 6
	if other := run(t, plan); other.Decisions == one.Decisions {
		t.Error("another seed gives as many decisions")
	}
}

// TestOneGameAgain: a match of a plan is played again alone by its own seed.
func TestOneGameAgain(t *testing.T) {
	t.Parallel()
	plan := playout.Plan{Game: dawn1989.Game(), Robots: []string{"random", "random"}, Seed: 77}
	total := 0
	for n := range 20 {
		alone := plan
		alone.Matches, alone.Seed = 1, playout.MatchSeed(plan.Seed, n)
		total += run(t, alone).Decisions
	}
	plan.Matches = 20
	if got := run(t, plan).Decisions; got != total {
		t.Errorf("20 matches together take %d decisions, one by one %d", got, total)
	}
}

// plain hides the game's own table, so that the contract of positions is played.
func plain() *rules.Game {
	g := dawn1989.Game()
	g.NewSimulation = nil
	return g
}

// TestTableIsThePosition: a game's own table plays exactly as its positions do,
// which test every answer.
func TestTableIsThePosition(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	for _, options := range []map[string]string{nil, {"bidding": "yes"}} {
		plan := playout.Plan{Game: g, Options: options, Robots: []string{"random"}, Matches: long.N(10, 60), Seed: 3}
		own := run(t, plan)
		plan.Game = plain()
		slow := run(t, plan)
		own.Turns, slow.Turns = nil, nil
		if diff := cmp.Diff(slow, own); diff != "" {
			t.Errorf("%v: positions and table differ:\n%s", options, diff)
		}
	}
}

// TestAnyGame plays a game of three that has no table of its own.
func TestAnyGame(t *testing.T) {
	t.Parallel()
	sum := run(t, playout.Plan{Game: rulestest.Game(), Robots: []string{"random"}, Matches: 200, Seed: 1})
	if sum.Illegal != 0 || sum.Stuck != 0 || len(sum.Robots) != 3 {
		t.Errorf("%+v", sum)
	}
}

// broken is Three Orchards with robots and a table of a test.
func broken(robot rules.Robot, table rules.Simulation) *rules.Game {
	g := rulestest.Game()
	g.Robots = []rules.RobotMaker{{Name: "broken", New: func(uint64) rules.Robot { return robot }}}
	g.NewSimulation = func(rules.Setup) (rules.Simulation, error) { return table, nil }
	return g
}

type choose func(d rules.Decision, options []rules.Atom) rules.Atom

func (c choose) Choose(_ func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	return c(d, options)
}

// stub is a table that asks the same question for ever.
type stub struct {
	options []rules.Atom
	closed  bool
	err     error
}

func (s *stub) Begin(rules.Chance) error { return nil }
func (s *stub) Ask() (rules.Decision, []rules.Atom, bool) {
	return rules.Decision{ID: 1, Kind: "stub"}, s.options, !s.closed
}
func (s *stub) View() rules.View                               { panic("nobody looks") }
func (s *stub) Answer(rules.Atom) error                        { return s.err }
func (s *stub) Turn() int                                      { return 4 }
func (s *stub) Statistics([]rules.Statistic) []rules.Statistic { return nil }
func (s *stub) Result() (rules.Result, bool)                   { return rules.Result{}, false }

// TestBadMatches: what goes wrong is counted and told with its seed.
func TestBadMatches(t *testing.T) {
	t.Parallel()
	first := choose(func(_ rules.Decision, o []rules.Atom) rules.Atom { return o[0] })
	tests := []struct {
		name           string
		robot          rules.Robot
		table          stub
		illegal, stuck int
		what           string
	}{
		{"no option", choose(func(rules.Decision, []rules.Atom) rules.Atom { return 9 }), stub{options: []rules.Atom{1, 2}}, 1, 0, "not an option"},
		{"refused", first, stub{options: []rules.Atom{1}, err: errors.New("not so")}, 1, 0, "not so"},
		{"panic", choose(func(rules.Decision, []rules.Atom) rules.Atom { panic("oh") }), stub{options: []rules.Atom{1}}, 1, 0, "panic: oh"},
		{"nothing to answer", first, stub{}, 0, 1, "no answer to"},
		{"nothing asked", first, stub{closed: true}, 0, 1, "no decision is open"},
		{"without end", first, stub{options: []rules.Atom{1}}, 0, 1, "not over after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := broken(tt.robot, &tt.table)
			sum := run(t, playout.Plan{Game: g, Robots: []string{"broken"}, Matches: 1, Seed: 42})
			if sum.Illegal != tt.illegal || sum.Stuck != tt.stuck || len(sum.Bad) != 1 || len(sum.Results) != 0 {
				t.Fatalf("%+v", sum)
			}
			if b := sum.Bad[0]; b.Seed != 42 || !strings.Contains(b.What, tt.what) {
				t.Errorf("%+v, want the seed and %q", b, tt.what)
			}
		})
	}
}

// TestPlans: plans that make no sense are refused.
func TestPlans(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]playout.Plan{
		"three robots":   {Game: dawn1989.Game(), Robots: []string{"random", "random", "random"}},
		"no robot":       {Game: dawn1989.Game()},
		"unknown robot":  {Game: dawn1989.Game(), Robots: []string{"clever"}, Matches: 1},
		"unknown option": {Game: dawn1989.Game(), Robots: []string{"random"}, Options: map[string]string{"colour": "red"}},
	} {
		if _, err := playout.Run(t.Context(), plan); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkPlayout plays matches at random, as "samizdat playout" does.
func BenchmarkPlayout(b *testing.B) {
	bench(b, playout.Plan{Game: dawn1989.Game(), Robots: []string{"random"}, Matches: 100, Seed: 1})
}

// BenchmarkPositions plays the same matches through the contract of positions.
func BenchmarkPositions(b *testing.B) {
	bench(b, playout.Plan{Game: plain(), Robots: []string{"random"}, Matches: 100, Seed: 1})
}

// BenchmarkSensible plays matches between sensible robots.
func BenchmarkSensible(b *testing.B) {
	bench(b, playout.Plan{Game: dawn1989.Game(), Robots: []string{"sensible"}, Matches: 5, Seed: 1})
}

func bench(b *testing.B, plan playout.Plan) {
	b.ReportAllocs()
	games, decisions := 0, 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		s, err := playout.Run(b.Context(), plan)
		if err != nil {
			b.Fatal(err)
		}
		games += s.Matches
		decisions += s.Decisions
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(decisions), "allocs/decision")
}

// TestManySeats: robots of five seats and of twelve play a game of sealed answers
// and ballots to its end; nobody may win.
func TestManySeats(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 12} {
		sum := run(t, playout.Plan{Game: council.Game(), Robots: slices.Repeat([]string{"random"}, n), Matches: 100, Seed: 3})
		if sum.Illegal != 0 || sum.Stuck != 0 || sum.Wins["draw"] != 0 || n == 5 && sum.Wins["nobody"] == 0 {
			t.Errorf("%d seats: illegal %d, stuck %d, draws %d, nobody %d", n, sum.Illegal, sum.Stuck, sum.Wins["draw"], sum.Wins["nobody"])
		}
	}
}

// TestStopped: matches that were not begun when it was stopped are not summed up.
func TestStopped(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	sum, err := playout.Run(ctx, playout.Plan{Game: dawn1989.Game(), Robots: []string{"random"}, Matches: 1000, Seed: 1})
	if sum.Matches != 0 || !errors.Is(err, cause) {
		t.Errorf("%d matches, %v", sum.Matches, err)
	}
	for _, games := range []int{-5, 0, playout.MaxMatches + 1} {
		if _, err := playout.Run(t.Context(), playout.Plan{Game: dawn1989.Game(), Robots: []string{"random"}, Matches: games}); err == nil {
			t.Errorf("%d matches are played", games)
		}
	}
}

// TestHandOvers: the line of a run tells the hand-overs of one match.
func TestHandOvers(t *testing.T) {
	t.Parallel()
	sum := run(t, playout.Plan{Game: dawn1989.Game(), Robots: []string{"random"}, Matches: 3, Seed: 1})
	if got, want := sum.HandOversPerGame, math.Round(float64(sum.HandOvers)/3*10)/10; got != want {
		t.Errorf("%v hand-overs a game, of %d in 3", got, sum.HandOvers)
	}
}
