// Package pairing pairs the players of a tournament and computes the table. The pairings depend only on the players
// and their results.
//
//   - [Swiss] pairs players with equal points, without rematches, with balanced sides.
//   - [RoundRobin] pairs all players with each other.
//   - [Bracket] and [NextRound] pair the players of a knock-out.
//   - [Table] is the table of results with tie-breaks.
package pairing

import (
	"cmp"
	"slices"
)

// Player is a player in a Swiss tournament.
type Player struct {
	ID ID
	// Points are half points: 2 for a win or a bye, 1 for a draw.
	Points int
	// Seed is the rank by strength before the first round; 1 is the strongest.
	Seed int
	Byes int
	// Firsts and Seconds count how often the player has had the first and the second seat, as chess counts white and
	// black. LastFirst is set if the player had the first seat in the last game.
	Firsts, Seconds int
	LastFirst       bool
	Meetings        map[ID]int
}

func (p *Player) colourDifference() int {
	return min(max(p.Firsts-p.Seconds, -maxColourDifference), maxColourDifference)
}

const (
	// maxColourDifference, maxRepeats and maxPointsDifference limit the summands of a cost, so that costs fit into an int64.
	maxColourDifference, maxRepeats, maxPointsDifference = 5, 3, 40
	// maxMatchingSize is the maximum number of players in one matching. A larger field is divided by rank into parts.
	maxMatchingSize = 384
)

// Swiss pairs a round. The criteria, in this order:
//
//  1. no rematch and no second bye, if possible;
//  2. equal points: the sum of the squares of the differences is minimal, and a player with the
//     fewest points gets the bye;
//  3. balanced seats: the sum of the squares of Firsts minus Seconds, after the round, is minimal;
//  4. in each group with equal points, the upper half by seed meets the lower half in order.
//
// The pairing has the minimal sum of the costs of its pairs ([MinCostMatching]).
func Swiss(players []Player) (out Round) {
	sorted := slices.Clone(players)
	slices.SortFunc(sorted, func(a, b Player) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.ID, b.ID))
	})
	for len(sorted) > 0 {
		n := len(sorted)
		if n > maxMatchingSize {
			n = maxMatchingSize / 2
		}
		f := newField(sorted[:n])
		for i, j := range MinCostMatching(f.size(), f.cost) {
			switch {
			case i == len(f.players):
			case j == len(f.players):
				out.Bye = f.players[i].ID
			case i < j:
				out.Pairs = append(out.Pairs, assignSeats(&f.players[i], &f.players[j], len(out.Pairs)))
			}
		}
		sorted = sorted[n:]
	}
	return out
}

// assignSeats gives the first seat to the player who has had it less often. If both have had it equally often, the
// player who did not have it last gets it; if that does not decide, the stronger player gets it in every second
// pair. table is the index of the pair.
func assignSeats(a, b *Player, table int) Pair {
	first := cmp.Or(cmp.Compare(a.colourDifference(), b.colourDifference()), lastSeat(a)-lastSeat(b))
	if first == 0 {
		first = table%2*2 - 1
		if a.Seed > b.Seed {
			first = -first
		}
	}
	if first < 0 {
		return Pair{a.ID, b.ID}
	}
	return Pair{b.ID, a.ID}
}

// lastSeat returns 1 if the player had the first seat in the last game, -1 for the second seat, and 0 without a game.
func lastSeat(p *Player) int {
	switch {
	case p.Firsts+p.Seconds == 0:
		return 0
	case p.LastFirst:
		return 1
	}
	return -1
}

// matchingField holds the players of a matching, sorted by points. If their number is odd, an extra vertex
// stands for the bye.
type matchingField struct {
	players []Player
	// groupStart and groupSize hold, for each player, the start and the size of the group of players with equal
	// points.
	groupStart, groupSize []int
	// The unit cost of each criterion: it exceeds all possible costs of the less important criteria together.
	seatUnit, pointsUnit, rematchUnit int64
}

func newField(players []Player) *matchingField {
	n := len(players)
	f := &matchingField{players: players, groupStart: make([]int, n), groupSize: make([]int, n)}
	for i := range players {
		if i > 0 && players[i-1].Points == players[i].Points {
			f.groupStart[i] = f.groupStart[i-1]
		} else {
			f.groupStart[i] = i
		}
		for j := f.groupStart[i]; j <= i; j++ {
			f.groupSize[j] = i - f.groupStart[i] + 1
		}
	}
	pairs := int64(f.size() / 2)
	f.seatUnit = pairs*int64(n) + 1
	f.pointsUnit = f.seatUnit * (pairs*2*(maxColourDifference+1)*(maxColourDifference+1) + 1)
	f.rematchUnit = f.pointsUnit * (pairs*maxPointsDifference*maxPointsDifference + 1)
	return f
}

func (f *matchingField) size() int { return (len(f.players) + 1) &^ 1 }

func (f *matchingField) cost(i, j int) int64 {
	if i > j {
		i, j = j, i
	}
	if j == len(f.players) {
		return f.byeCost(i)
	}
	a, b := &f.players[i], &f.players[j]
	return f.rematchUnit*int64(min(a.Meetings[b.ID], maxRepeats)) + f.pointsUnit*square(a.Points-b.Points) +
		f.seatUnit*imbalance(a.colourDifference(), b.colourDifference()) +
		f.foldDistance(i, j)
}

// byeCost returns the cost of a bye for a player. Among players with equal points, it is lowest for the last one.
func (f *matchingField) byeCost(i int) int64 {
	p, lowest := &f.players[i], f.players[len(f.players)-1].Points
	return f.rematchUnit*int64(min(p.Byes, maxRepeats)) + f.pointsUnit*square(p.Points-lowest) + int64(len(f.players)-1-i)
}

// foldDistance returns how far a pair is from the ideal one. In a group of 6 players, ideal pairs are 0-3, 1-4 and
// 2-5. Players of different groups should be neighbours in the order.
func (f *matchingField) foldDistance(i, j int) int64 {
	if f.groupStart[i] == f.groupStart[j] {
		return int64(abs(j - i - f.groupSize[i]/2))
	}
	return int64(j - i - 1)
}

// imbalance returns the sum of the squares of two players' colour differences after their game, with the better
// seating.
func imbalance(a, b int) int64 {
	return min(square(a+1)+square(b-1), square(a-1)+square(b+1))
}

func square(d int) int64 {
	d = min(abs(d), maxPointsDifference)
	return int64(d * d)
}

func abs(d int) int { return max(d, -d) }

// ID is the ID of a player; 0 is none.
type ID = int64

// Pair is a match of two players: First takes the first seat of the game, Second the second.
type Pair struct {
	First  ID `json:"first"`
	Second ID `json:"second"`
}

// Round holds the pairs of a round. Bye is the player without an opponent, or 0.
type Round struct {
	Pairs []Pair `json:"pairs"`
	Bye   ID     `json:"bye,omitempty"`
}

// RoundRobin pairs all players with each other by Berger's circle. For each player, the numbers of first and second
// seats differ by at most one. If isDoubled is set, all rounds are repeated with swapped seats.
func RoundRobin(players []ID, isDoubled bool) (rounds []Round) {
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
			// The last player, who is fixed, changes seats each round; the others get seats by their place in the circle.
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
	if !isDoubled {
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

// Bracket pairs the first round of a knock-out; seeds are sorted by strength. The two strongest can only meet in the
// final, the four strongest not before the semifinals, and so on. If the number of players is not a power of two, the
// strongest players have a bye: in their pairs Second is 0. For example, seeds 1 to 3 give the pairs (1, 0) and (2,
// 3).
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

// NextRound pairs the winners of a knock-out round: the winner of the first pair with that of the second, and so on.
func NextRound(winners []ID) (pairs []Pair) {
	for i := 0; i+1 < len(winners); i += 2 {
		pairs = append(pairs, Pair{winners[i], winners[i+1]})
	}
	return pairs
}
