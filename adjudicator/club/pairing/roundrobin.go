package pairing

// RoundRobin pairs all players with each other by Berger's circle. No player has one seat more than
// once more often than the other. twice appends all rounds with swapped seats.
func RoundRobin(players []ID, twice bool) (rounds []Round) {
	n := (len(players) + 1) &^ 1
	at := func(i int) ID {
		if i < len(players) {
			return players[i]
		}
		return 0
	}
	for r := range n - 1 {
		var round Round
		for i := range n / 2 {
			a, b := at((r+i)%(n-1)), at((r-i+n-1)%(n-1))
			if i == 0 {
				b = at(n - 1)
			}
			// The fixed player changes seats each round, the others by their place in the circle.
			if i == 0 && r%2 == 1 || i%2 == 1 {
				a, b = b, a
			}
			switch {
			case a == 0:
				round.Bye = b
			case b == 0:
				round.Bye = a
			default:
				round.Pairs = append(round.Pairs, Pair{a, b})
			}
		}
		rounds = append(rounds, round)
	}
	if !twice {
		return rounds
	}
	for _, first := range rounds[:len(rounds):len(rounds)] {
		second := Round{Bye: first.Bye}
		for _, p := range first.Pairs {
			second.Pairs = append(second.Pairs, Pair{p.Second, p.First})
		}
		rounds = append(rounds, second)
	}
	return rounds
}
