package search_test

import (
	"math"
	"testing"

	"samizdat/rules"
	"samizdat/rules/search"
)

// TestHalve: the best of eight options is found although each result is mostly luck, since
// the luck is the same for all.
func TestHalve(t *testing.T) {
	t.Parallel()
	var lot search.Lot
	found := 0
	const searches = 200
	for seed := range uint64(searches) {
		arms := make([]search.Arm, 8)
		for i := range arms {
			arms[i].Atom = rules.Atom(i)
		}
		calls := 0
		search.SequentialHalving(arms, search.Budget{Simulations: 96}, func(a *search.Arm, n int) int {
			calls++
			lot.Seed(seed, uint64(n))
			luck := rules.RandomBelow(&lot, search.Certain/2)
			own := rules.RandomBelow(&lot, search.Certain/10*int(1+a.Atom))
			return luck + own/10
		})
		if calls != 96-96%8 {
			t.Fatalf("%d simulations, want %d", calls, 96)
		}
		if arms[0].Atom == 7 {
			found++
		}
	}
	if found < searches*9/10 {
		t.Errorf("the best option is found in %d of %d searches", found, searches)
	}
}

// TestHalvePrior: without a difference in results the prior decides.
func TestHalvePrior(t *testing.T) {
	t.Parallel()
	for best := range 5 {
		arms := make([]search.Arm, 5)
		for i := range arms {
			arms[i] = search.Arm{Atom: rules.Atom(i), Prior: -1000}
		}
		arms[best].Prior = 0
		search.SequentialHalving(arms, search.Budget{Simulations: 40, PriorWeight: 4}, func(*search.Arm, int) int { return search.Certain / 2 })
		if arms[0].Atom != rules.Atom(best) {
			t.Errorf("option %d is chosen, want %d", arms[0].Atom, best)
		}
	}
}

// TestLogistic compares the table with the function.
func TestLogistic(t *testing.T) {
	t.Parallel()
	for z := -10 * search.Unit; z <= 10*search.Unit; z += 7 {
		want := 1 / (1 + math.Exp(-float64(z)/search.Unit))
		if got := float64(search.Logistic(int64(z))) / search.Certain; math.Abs(got-want) > 0.0004 {
			t.Fatalf("Logistic(%d) is %.5f, want %.5f", z, got, want)
		}
	}
}
