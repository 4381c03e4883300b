package usage_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/club/usage"
)

// TestTotals: the sums do not depend on the order of matches, and count each match and play once.
func TestTotals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type counted struct {
			match  usage.Match
			scores map[string]usage.Score
		}
		var matches []counted
		for range rapid.IntRange(0, 6).Draw(t, "matches") {
			keys := rapid.SampledFrom([]string{"14 event", "14 Ops", "3 Ops", "110 event, then Ops"})
			turns := rapid.SliceOfN(rapid.IntRange(1, 10), 1, 3)
			won := rapid.IntRange(0, 1).Draw(t, "won")
			matches = append(matches, counted{usage.Match{LastTurn: rapid.IntRange(0, 10).Draw(t, "turns"), Dice: map[string][6]int{"b": {1, 2}},
				Plays:    map[string]map[string][]int{"a": rapid.MapOf(keys, turns).Draw(t, "a"), "b": rapid.MapOf(keys, turns).Draw(t, "b")},
				Openings: map[string]string{"a": rapid.SampledFrom([]string{"Gdansk", "Poznan 2"}).Draw(t, "opening")}},
				map[string]usage.Score{"a": {N: 1, Won: won}, "b": {N: 1, Won: 1 - won}}})
		}
		sum := func() (string, *usage.Totals) {
			totals := usage.NewTotals()
			for _, m := range matches {
				totals.Add(m.match, m.scores)
			}
			text, err := json.Marshal([]any{totals, totals.Uses(), totals.Openings()})
			if err != nil {
				t.Fatal(err)
			}
			return string(text), totals
		}
		before, totals := sum()
		plays, openings := 0, 0
		for _, m := range matches {
			for _, uses := range m.match.Plays {
				for _, turns := range uses {
					plays += len(turns)
				}
			}
		}
		for _, u := range totals.Uses() {
			plays -= u.Plays()
			if u.Won+u.Drawn > u.N || u.N > len(matches) {
				t.Errorf("%+v", u)
			}
		}
		for _, o := range totals.Openings() {
			openings += o.N
		}
		if plays != 0 || openings != len(matches) || totals.Matches != len(matches) || totals.Seats["a"].Won+totals.Seats["b"].Won != len(matches) {
			t.Errorf("%d plays are missing, there are %d openings in %d matches", plays, openings, len(matches))
		}
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Shuffle(len(matches), func(i, j int) { matches[i], matches[j] = matches[j], matches[i] })
		if after, _ := sum(); after != before {
			t.Errorf("in another order (-before +after):\n%s", cmp.Diff(before, after))
		}
	})
}

// TestUsesSorted: uses are sorted by the number of their card, not by its text.
func TestUsesSorted(t *testing.T) {
	t.Parallel()
	totals := usage.NewTotals()
	totals.Add(usage.Match{Plays: map[string]map[string][]int{"a": {"110 event": {9}, "14 event": {1}, "14 Ops": {2, 3}, "3 Ops": {4}}}}, nil)
	var got []string
	for _, u := range totals.Uses() {
		got = append(got, u.How)
	}
	if want := []string{"Ops", "Ops", "event", "event"}; !slices.Equal(got, want) || totals.Uses()[3].Card != 110 {
		t.Errorf("%q", got)
	}
}
