package robot

import (
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/search"
)

// belief estimates the hidden objectives of a view. It assumes that all seats play like the partisan robot: they take
// units at crises that can win a reform for their objective, and vote for these reforms.
type belief struct {
	knownObjectives    [engine.MaxSeats]engine.Objective
	hiddenSeats        []rules.Seat
	possibleObjectives []engine.Objective
	// fit rates an objective by the past moves of a seat, from 1 to bestFit.
	fit [engine.MaxSeats][engine.Objectives]int
	// lostVotes are the votes that the robot lost by one ballot to two: it knows how the other two voted.
	lostVotes []lostVote
}

type lostVote struct {
	voters [3]rules.Seat
	space  engine.Space
	winner engine.Colour
}

const bestFit = 1 << 12

// unitFit is the relative likelihood that a seat takes a unit, indexed by the score of the unit (-6 to 6) plus 6. Each
// point doubles it.
var unitFit = [13]int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}

func (b *belief) update(v *engine.View) {
	b.knownObjectives, b.hiddenSeats, b.possibleObjectives = v.Objectives, b.hiddenSeats[:0], b.possibleObjectives[:0]
	var seen [engine.Objectives]bool
	for s := range rules.Seat(v.Players) {
		seen[v.Objectives[s]] = true
		if v.Objectives[s] == 0 {
			b.hiddenSeats = append(b.hiddenSeats, s)
		}
	}
	for o := engine.LouisXVI; o < engine.Objectives; o++ {
		if !seen[o] {
			b.possibleObjectives = append(b.possibleObjectives, o)
		}
	}
	for _, s := range b.hiddenSeats {
		for _, o := range b.possibleObjectives {
			b.fit[s][o] = bestFit
		}
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		b.updateByUnit(v, u)
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if c := engine.Colour(v.Verdicts[s]); c == engine.Monarchist || c == engine.Republican {
			b.updateByVote(v, s, c)
		}
	}
	for _, l := range b.lostVotes {
		for _, s := range l.voters {
			b.updateByBallot(v, s, l.space, l.winner, 2)
		}
	}
}

func (b *belief) updateByUnit(v *engine.View, u engine.Unit) {
	holders := [...]rules.Seat{v.Holders[u], v.Traces[u][0], v.Traces[u][1]}
	for _, s := range holders {
		if s != rules.NoSeat && b.knownObjectives[s] == 0 {
			b.multiplyFits(s, func(o engine.Objective) int { return unitFit[initialUnitScore(v, o, u)+6] * 1000 / b.sumSeatFits(v, o) })
		}
	}
}

func (b *belief) sumSeatFits(v *engine.View, o engine.Objective) (sum int) {
	for u := engine.Unit(1); u < engine.Units; u++ {
		sum += unitFit[initialUnitScore(v, o, u)+6]
	}
	return sum
}

// initialUnitScore returns the score of a unit for an objective before the first vote and the first minister.
func initialUnitScore(v *engine.View, o engine.Objective, u engine.Unit) (n int) {
	start := engine.State{Cards: v.Cards}
	return scoreUnit(&start, o, engine.NewAtom(engine.VerbSeat, int(u)))
}

// updateByVote updates the fits of the voters at a space, where colour c won. A vote without a purge was unanimous.
// Otherwise one voter voted against the result, so againstWeight is higher.
func (b *belief) updateByVote(v *engine.View, s engine.Space, c engine.Colour) {
	againstWeight := 2
	for _, u := range engine.UnitsAround(s) {
		if v.Traces[u][0] != rules.NoSeat {
			againstWeight = 8
		}
	}
	for _, u := range engine.UnitsAround(s) {
		voter := v.Holders[u]
		if v.Traces[u][0] != rules.NoSeat {
			voter = v.Traces[u][0]
		}
		b.updateByBallot(v, voter, s, c, againstWeight)
	}
}

// updateByBallot updates the fits of a seat as if its secret ballot had been c. It assumes that a seat votes against its
// objective with the probability againstWeight/(16+againstWeight).
func (b *belief) updateByBallot(v *engine.View, voter rules.Seat, s engine.Space, c engine.Colour, againstWeight int) {
	if voter == rules.NoSeat || b.knownObjectives[voter] != 0 {
		return
	}
	start := engine.State{Cards: v.Cards, VoteSpace: s}
	b.multiplyFits(voter, func(o engine.Objective) int {
		if chooseBallot(&start, o) == c {
			return 16
		}
		return againstWeight
	})
}

// multiplyFits multiplies the fits of a seat by the likelihood of its move with each objective. For example, a ballot for
// Monarchy makes Robespierre an eighth as likely as Louis XVI.
func (b *belief) multiplyFits(s rules.Seat, likelihood func(engine.Objective) int) {
	maxFit := 1
	for _, o := range b.possibleObjectives {
		b.fit[s][o] *= likelihood(o)
		maxFit = max(maxFit, b.fit[s][o])
	}
	for _, o := range b.possibleObjectives {
		b.fit[s][o] = max(1, int(int64(b.fit[s][o])*bestFit/int64(maxFit)))
	}
}

// dealObjectives draws an assignment of objectives to seats. Its probability is proportional to the product of its fits
// (Metropolis algorithm).
func (b *belief) dealObjectives(random *search.Lot) [engine.MaxSeats]engine.Objective {
	cards, n := b.possibleObjectives, len(b.hiddenSeats)
	swap := func(i, j int) { cards[i], cards[j] = cards[j], cards[i] }
	// The leaders are always dealt, so they stay among the first n cards, which are those of the hidden seats.
	leaderCount := 0
	for i, o := range cards {
		if o.IsLeader() {
			swap(i, leaderCount)
			leaderCount++
		}
	}
	for i := leaderCount; i < n; i++ {
		swap(i, i+rules.RandomBelow(random, len(cards)-i))
	}
	fit := func(place int, o engine.Objective) int {
		if place >= n {
			return 1
		}
		return b.fit[b.hiddenSeats[place]][o]
	}
	for range 20 * n {
		i, j := rules.RandomBelow(random, n), rules.RandomBelow(random, len(cards))
		if i == j || j >= n && cards[i].IsLeader() {
			continue
		}
		currentFit, swappedFit := fit(i, cards[i])*fit(j, cards[j]), fit(i, cards[j])*fit(j, cards[i])
		if swappedFit >= currentFit || rules.RandomBelow(random, currentFit) < swappedFit {
			swap(i, j)
		}
	}
	out := b.knownObjectives
	for i, s := range b.hiddenSeats {
		out[s] = cards[i]
	}
	return out
}
