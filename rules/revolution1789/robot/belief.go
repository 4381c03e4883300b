package robot

import (
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/search"
)

// belief estimates the hidden objectives of a view. It assumes that all seats play as partisans do: they sit
// where their objective has reforms to win, and vote for these reforms.
type belief struct {
	known  [engine.MaxSeats]engine.Objective
	hidden []rules.Seat
	// left are the objectives that may be hidden: the leaders that are in play, then the other cards.
	left    []engine.Objective
	leaders int
	// fit rates an objective by the past moves of a seat, from 1 to bestFit.
	fit [engine.MaxSeats][engine.Objectives]int
	// lost are the votes that the robot lost alone against both other voters.
	lost []lostVote
}

type lostVote struct {
	voters [3]rules.Seat
	space  engine.Space
	won    engine.Colour
}

const bestFit = 1 << 12

// seatFit is how likely a seat is taken by its score, from -6 to 6: each point makes it twice as likely.
var seatFit = [13]int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}

// read updates the belief from a view.
func (b *belief) read(v *engine.View) {
	b.known, b.hidden, b.left, b.leaders = v.Objectives, b.hidden[:0], b.left[:0], 0
	var seen [engine.Objectives]bool
	for s := range rules.Seat(v.Players) {
		seen[v.Objectives[s]] = true
		if v.Objectives[s] == 0 {
			b.hidden = append(b.hidden, s)
		}
	}
	for o := engine.LouisXVI; o < engine.Objectives; o++ {
		if !seen[o] {
			b.left = append(b.left, o)
			if o.IsLeader() {
				b.leaders++
			}
		}
	}
	for _, s := range b.hidden {
		for _, o := range b.left {
			b.fit[s][o] = bestFit
		}
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		b.readUnit(v, u)
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if c := engine.Colour(v.Verdicts[s]); c == engine.Monarchist || c == engine.Republican {
			b.readVote(v, s, c)
		}
	}
	for _, l := range b.lost {
		for _, s := range l.voters {
			b.readBallot(v, s, l.space, l.won, 2)
		}
	}
}

// readUnit concludes from the seats that hold a unit, or held it until a purge.
func (b *belief) readUnit(v *engine.View, u engine.Unit) {
	holders := [...]rules.Seat{v.Holders[u], v.Traces[u][0], v.Traces[u][1]}
	for _, s := range holders {
		if s != rules.NoSeat && b.known[s] == 0 {
			b.weigh(s, func(o engine.Objective) int { return seatFit[wish(v, o, u)+6] * 1000 / b.all(v, o) })
		}
	}
}

// all is the sum of seatFit over all units.
func (b *belief) all(v *engine.View, o engine.Objective) (sum int) {
	for u := engine.Unit(1); u < engine.Units; u++ {
		sum += seatFit[wish(v, o, u)+6]
	}
	return sum
}

// wish is the score of a unit for an objective while no crisis was voted on and no minister in office.
func wish(v *engine.View, o engine.Objective, u engine.Unit) (n int) {
	fresh := engine.State{Cards: v.Cards}
	return seatScore(&fresh, o, engine.NewAtom(engine.VerbSeat, int(u)))
}

// readVote concludes from the result of a vote. Without a purge the vote was unanimous; else two of the three
// voters have voted for it.
func (b *belief) readVote(v *engine.View, s engine.Space, c engine.Colour) {
	against := 2
	for _, u := range engine.UnitsAround(s) {
		if v.Traces[u][0] != rules.NoSeat {
			against = 8
		}
	}
	for _, u := range engine.UnitsAround(s) {
		voter := v.Holders[u]
		if v.Traces[u][0] != rules.NoSeat {
			voter = v.Traces[u][0]
		}
		b.readBallot(v, voter, s, c, against)
	}
}

// readBallot concludes from a ballot of a seat, which is against the objective of the seat with a chance of
// against/(16+against).
func (b *belief) readBallot(v *engine.View, voter rules.Seat, s engine.Space, c engine.Colour, against int) {
	if voter == rules.NoSeat || b.known[voter] != 0 {
		return
	}
	fresh := engine.State{Cards: v.Cards, VoteSpace: s}
	b.weigh(voter, func(o engine.Objective) int {
		if ballot(&fresh, o) == c {
			return 16
		}
		return against
	})
}

// weigh multiplies the fits of a seat by the likelihood of its move with each objective. For example, a ballot for
// Monarchy makes Robespierre an eighth as likely as Louis XVI.
func (b *belief) weigh(s rules.Seat, likely func(engine.Objective) int) {
	most := 1
	for _, o := range b.left {
		b.fit[s][o] *= likely(o)
		most = max(most, b.fit[s][o])
	}
	for _, o := range b.left {
		b.fit[s][o] = max(1, int(int64(b.fit[s][o])*bestFit/int64(most)))
	}
}

// deal returns objectives for all seats, with a frequency that follows the fits (the Metropolis algorithm).
func (b *belief) deal(lot *search.Lot) [engine.MaxSeats]engine.Objective {
	cards, n := b.left, len(b.hidden)
	swap := func(i, j int) { cards[i], cards[j] = cards[j], cards[i] }
	// The leaders are in play: they come first, and stay among the first n cards.
	at := 0
	for i, o := range cards {
		if o.IsLeader() {
			swap(i, at)
			at++
		}
	}
	for i := at; i < n; i++ {
		swap(i, i+rules.RandomBelow(lot, len(cards)-i))
	}
	fit := func(place int, o engine.Objective) int {
		if place >= n {
			return 1
		}
		return b.fit[b.hidden[place]][o]
	}
	for range 20 * n {
		i, j := rules.RandomBelow(lot, n), rules.RandomBelow(lot, len(cards))
		if i == j || j >= n && cards[i].IsLeader() {
			continue
		}
		now, then := fit(i, cards[i])*fit(j, cards[j]), fit(i, cards[j])*fit(j, cards[i])
		if then >= now || rules.RandomBelow(lot, now) < then {
			swap(i, j)
		}
	}
	out := b.known
	for i, s := range b.hidden {
		out[s] = cards[i]
	}
	return out
}
