package pairing

// Bracket pairs the first round of a knock-out; seeds are sorted by strength. The two strongest can
// only meet in the final, the four strongest not before the semifinals, and so on. If the number of
// players is no power of two, the strongest have a bye: Second of their pair is 0. For example,
// seeds 1 to 3 give the pairs (1, 0) and (2, 3).
func Bracket(seeds []ID) []Pair {
	order := []int{0}
	for len(order) < len(seeds) {
		var next []int
		for _, s := range order {
			next = append(next, s, 2*len(order)-1-s)
		}
		order = next
	}
	places := make([]ID, len(order))
	for i, s := range order {
		if s < len(seeds) {
			places[i] = seeds[s]
		}
	}
	return NextRound(places)
}

// NextRound pairs the winners, in the order of their pairs.
func NextRound(winners []ID) (pairs []Pair) {
	for i := 0; i+1 < len(winners); i += 2 {
		pairs = append(pairs, Pair{winners[i], winners[i+1]})
	}
	return pairs
}
