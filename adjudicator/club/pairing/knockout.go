package pairing

// Bracket pairs the first round of a knock-out, the strongest first. The strongest two can only
// meet in the last round, the strongest four not before the last but one, and so on. Where
// the players are not a power of two, the strongest have nobody to meet in the first round:
// the second of their pair is 0.
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

// NextRound pairs those who have won, in the order of their pairs.
func NextRound(winners []ID) (pairs []Pair) {
	for i := 0; i+1 < len(winners); i += 2 {
		pairs = append(pairs, Pair{winners[i], winners[i+1]})
	}
	return pairs
}
