package statistics

import (
	"math"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// TestTail: the tail of chi-square is that of published tables.
func TestTail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		x       float64
		freedom int
		want    float64
	}{
		{3.841459, 1, 0.05}, {6.634897, 1, 0.01}, {5.991465, 2, 0.05}, {7.814728, 3, 0.05}, {9.487729, 4, 0.05}, {11.070498, 5, 0.05}, {15.086272, 5, 0.01},
		{4.351460, 5, 0.5}, {1.145476, 5, 0.95}, {20.515006, 5, 0.001}, {16.918978, 9, 0.05}, {18.307038, 10, 0.05}, {124.342113, 100, 0.05}, {123.225221, 99, 0.05},
		{0, 5, 1}, {0, 4, 1},
	} {
		if got := tailProbability(tt.x, tt.freedom); math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("chi-square %v with %d degrees: %.8f, want %v", tt.x, tt.freedom, got, tt.want)
		}
	}
}

// TestFair: even dice are fair, loaded ones are not, and few are not judged.
func TestFair(t *testing.T) {
	t.Parallel()
	if _, ok := (Dice{5, 5, 5, 5, 5, 4}).TestFairness(); ok {
		t.Error("29 dice are judged")
	}
	fair, ok := Dice{10, 10, 10, 10, 10, 10}.TestFairness()
	if !ok || fair.ChiSquare != 0 || fair.P != 1 || fair.DegreesOfFreedom != 5 {
		t.Errorf("even dice: %+v", fair)
	}
	loaded := Dice{30, 6, 6, 6, 6, 6}
	if fair, _ := loaded.TestFairness(); fair.P > 1e-6 || loaded.ProbabilityBelow() > 0.001 {
		t.Errorf("loaded dice: %+v, as low in %v", fair, loaded.ProbabilityBelow())
	}
	if d := (Dice{0, 0, 30, 30, 0, 0}); math.Abs(d.Mean()-3.5) > 1e-9 || math.Abs(d.ProbabilityBelow()-0.5) > 0.02 {
		t.Errorf("mean %v, as low in %v", d.Mean(), d.ProbabilityBelow())
	}
	for p, want := range map[float64]string{0: "fewer than 1 of 100", 0.004: "fewer than 1 of 100", 0.43: "43 of 100", 1: "more than 99 of 100"} {
		if got := FormatProbability(p); got != want {
			t.Errorf("%v is %q", p, got)
		}
	}
}

// TestPlaces: places are tenths of piles of any size; of a pile of three each of its places
// is expected as often.
func TestPlaces(t *testing.T) {
	t.Parallel()
	var p Places
	for k := range 30 {
		p.add(k%3, 3)
	}
	fair, ok := p.TestFairness()
	if ok || p.N != 30 {
		t.Errorf("30 draws are judged: %+v", fair)
	}
	for k := range 30 {
		p.add(k%3, 3)
		p.add(-1, 3)
		p.add(3, 3)
	}
	if fair, ok = p.TestFairness(); !ok || fair.ChiSquare > 1e-9 || fair.DegreesOfFreedom != 2 {
		t.Errorf("even draws: %+v", fair)
	}
}

// TestDraws: what is not shown of a draw is not counted.
func TestDraws(t *testing.T) {
	t.Parallel()
	var s Totals
	i, n := 2, 9
	s.AddDraw(rulestest.Game(), "north", record.Outcome{Draw: 4, I: &i, N: &n, From: "weather"})
	s.AddDraw(rulestest.Game(), "north", record.Outcome{N: &n, From: "weather", Hidden: true})
	s.AddCount("east", rules.Count{Name: "walls climbed", Successes: 1, Attempts: 3})
	s.AddCount("east", rules.Count{Name: "walls climbed", Successes: 1, Attempts: 1})
	if d := s.FindSeat("north").Draws[0]; d.Count != 2 || s.Places.N != 1 || d.String() != "2 cards from the weather pile" {
		t.Errorf("%s, %d places", d, s.Places.N)
	}
	if c, ok := s.FindSeat("east").FindCount("walls climbed"); !ok || c.Successes != 2 || c.Attempts != 4 || len(s.CountNames()) != 1 {
		t.Errorf("%+v", c)
	}
}
