package main

import (
	"fmt"
	"maps"
	"slices"

	"samizdat/internal/test/league"
	"samizdat/rules/search"
)

// calibrate prints, for the positions of a generation, how often the Democrat has won the match
// where a leaf gives it a chance of 0 to 10 %, 10 to 20 % and so on, for three parts of the match.
func calibrate(leafPath, positionsPath string) error {
	l, err := league.ReadLeaf(leafPath)
	if err != nil {
		return err
	}
	matches, err := readMatches(positionsPath)
	if err != nil {
		return err
	}
	const bins, parts = 10, 3
	var n, chance, won [parts][bins]float64
	for _, p := range slices.Concat(slices.Collect(maps.Values(matches))...) {
		c := float64(l.ChanceOf(p.Turn, &p.Features)) / search.Certain
		part, bin := min(parts-1, int(p.Turn-1)/4), min(bins-1, int(c*bins))
		n[part][bin]++
		chance[part][bin] += c
		won[part][bin] += p.Result
	}
	for part, turns := range [...]string{"1 to 4", "5 to 8", "9 and 10"} {
		for bin := range bins {
			if k := n[part][bin]; k > 0 {
				fmt.Printf("turns %-8s called %3.0f %%, won %3.0f %% of %4.0f positions\n", turns, 100*chance[part][bin]/k, 100*won[part][bin]/k, k)
			}
		}
	}
	return nil
}
