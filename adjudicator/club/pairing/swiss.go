package pairing

import (
	"cmp"
	"slices"
)

// Player is somebody who is to be paired for the next round of a Swiss tournament.
type Player struct {
	ID ID
	// Points are half points: 2 for a win, 1 for a draw, 2 for a bye.
	Points int
	// Seed is his place in the order of strength before the first round; 1 is the strongest.
	Seed int
	// Byes is how many rounds he has had nobody to meet.
	Byes int
	// Firsts and Seconds are how often he has had each seat, and LastFirst whether he had
	// the first one when he played last.
	Firsts, Seconds int
	LastFirst       bool
	// Met is how often he has met whom.
	Met map[ID]int
}

// lean is how much more often he has had the first seat.
func (p *Player) lean() int { return min(max(p.Firsts-p.Seconds, -mostLean), mostLean) }

const (
	// mostLean, mostRepeats and mostApart bound what is told apart, so that costs stay
	// numbers.
	mostLean, mostRepeats, mostApart = 5, 3, 40
	// mostTogether is how many are paired at once; more than that are paired by their order,
	// so many at a time.
	mostTogether = 384
)

// Swiss pairs a round. What counts, in this order:
//
//  1. nobody meets anybody again, and nobody has a second bye, while that can be had;
//  2. those with equal points meet, and the bye goes to somebody with the fewest: the sum of
//     the squares of the differences is the smallest there is;
//  3. seats are in balance, likewise;
//  4. in each group of equal points the upper half by seed meets the lower half in order.
//
// All of it is the cheapest of all pairings ([Perfect]).
func Swiss(players []Player) (out Round) {
	sorted := slices.Clone(players)
	slices.SortFunc(sorted, func(a, b Player) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.ID, b.ID))
	})
	for len(sorted) > 0 {
		n := len(sorted)
		if n > mostTogether {
			n = mostTogether / 2
		}
		f := newField(sorted[:n])
		for i, j := range MinCostMatching(f.size(), f.cost) {
			switch {
			case i == len(f.players):
			case j == len(f.players):
				out.Bye = f.players[i].ID
			case i < j:
				out.Pairs = append(out.Pairs, seats(&f.players[i], &f.players[j], len(out.Pairs)))
			}
		}
		sorted = sorted[n:]
	}
	return out
}

// seats says who of two takes the first seat: who has had it less often, or not the last time.
// Where that tells nothing, the stronger one takes it at every other table.
func seats(a, b *Player, table int) Pair {
	first := cmp.Or(cmp.Compare(a.lean(), b.lean()), last(a)-last(b))
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

// last is 1 for who had the first seat when he played last, -1 for the second, 0 for a newcomer.
func last(p *Player) int {
	switch {
	case p.Firsts+p.Seconds == 0:
		return 0
	case p.LastFirst:
		return 1
	}
	return -1
}

// field is those who are paired together, by points. Where they are odd, one more stands for
// the bye.
type field struct {
	players []Player
	// begin and length are where the group of a player's points begins, and its size.
	begin, length []int
	// Units are what one of each thing costs: more than all that can be of what counts less.
	lean, apart, repeat int64
}

func newField(players []Player) *field {
	n := len(players)
	f := &field{players: players, begin: make([]int, n), length: make([]int, n)}
	for i := range players {
		if i > 0 && players[i-1].Points == players[i].Points {
			f.begin[i] = f.begin[i-1]
		} else {
			f.begin[i] = i
		}
		for j := f.begin[i]; j <= i; j++ {
			f.length[j] = i - f.begin[i] + 1
		}
	}
	pairs := int64(f.size() / 2)
	f.lean = pairs*int64(n) + 1
	f.apart = f.lean * (pairs*2*(mostLean+1)*(mostLean+1) + 1)
	f.repeat = f.apart * (pairs*mostApart*mostApart + 1)
	return f
}

// size is an even number.
func (f *field) size() int { return (len(f.players) + 1) &^ 1 }

// cost is what it costs that two meet.
func (f *field) cost(i, j int) int64 {
	if i > j {
		i, j = j, i
	}
	if j == len(f.players) {
		return f.bye(i)
	}
	a, b := &f.players[i], &f.players[j]
	return f.repeat*int64(min(a.Met[b.ID], mostRepeats)) + f.apart*square(a.Points-b.Points) + f.lean*imbalance(a.lean(), b.lean()) + f.fold(i, j)
}

// bye is what it costs that a player has nobody to meet. Of those with equal points it is the
// last.
func (f *field) bye(i int) int64 {
	p, lowest := &f.players[i], f.players[len(f.players)-1].Points
	return f.repeat*int64(min(p.Byes, mostRepeats)) + f.apart*square(p.Points-lowest) + int64(len(f.players)-1-i)
}

// fold is how far two are from meeting as the halves of their group do. Of different groups
// they are to be neighbours.
func (f *field) fold(i, j int) int64 {
	if f.begin[i] == f.begin[j] {
		return int64(abs(j - i - f.length[i]/2))
	}
	return int64(j - i - 1)
}

// imbalance is what the better of both ways to seat two leaves of their leans.
func imbalance(a, b int) int64 {
	return min(square(a+1)+square(b-1), square(a-1)+square(b+1))
}

func square(d int) int64 {
	d = min(abs(d), mostApart)
	return int64(d * d)
}

func abs(d int) int { return max(d, -d) }
