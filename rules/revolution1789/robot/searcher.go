package robot

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/search"
)

// searcher plays matches to their end for each option of a seat, a ballot or a call. In each simulated match the
// other seats get objectives that fit their past moves (belief.go) and play as partisans do.
type searcher struct {
	seed        uint64
	simulations int
	// partisan answers the other questions, and proposes answers.
	partisan partisanRobot
	view     *engine.View
	belief   belief
	dealSeed uint64
	// gifts are the seats that get tokens if the robot starts a revolution.
	gifts    rules.Seats
	dealt    engine.Position
	dealtFor int
	world    engine.Position
	lot      search.Lot
	random   *rand.Rand
	options  [engine.Units + engine.MaxSeats]rules.Atom
	events   []rules.Event
}

func newSearcher(seed uint64) rules.Robot {
	r := &searcher{seed: seed, simulations: simulations}
	r.partisan.lot = rand.New(rand.NewPCG(seed, 1789))
	r.random = rand.New(&r.lot)
	return r
}

// simulations is the number of simulated matches for a decision, and priorWeight the number that the choice of
// the partisan robot counts for.
const (
	simulations = 800
	priorWeight = 4
)

// Choose implements rules.Robot.
func (r *searcher) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	r.view = look().(*engine.View)
	if mine := r.partisan.mine; d.Kind == engine.KindPurge && r.partisan.voted == r.view.VoteSpace && r.view.Counts[mine] == 1 {
		r.belief.lost = append(r.belief.lost, lostVote{r.view.Voters, r.view.VoteSpace, mine.Other()})
	}
	choice := r.partisan.Choose(func() rules.View { return r.view }, d, options)
	if d.Kind == engine.KindName || d.Kind == engine.KindPurge {
		return choice
	}
	r.belief.read(r.view)
	r.dealSeed, r.dealtFor = search.Mix(r.seed+uint64(d.ID)), -1
	r.gifts = 0
	if r.view.Objectives[r.view.Seat()].IsLeader() {
		r.gifts = r.bestGifts()
	}
	if d.Kind == engine.KindGive || engine.AtomVerb(options[0]) == engine.VerbEndAnswer && d.Kind == engine.KindCall {
		return giveTo(r.gifts, options)
	}
	arms := make([]search.Arm, len(options))
	for i, a := range options {
		arms[i] = search.Arm{Atom: a}
		if a != choice {
			arms[i].Prior = -search.Certain / 50
		}
	}
	search.Halve(arms, search.Budget{Simulations: r.simulations, PriorWeight: priorWeight}, r.simulate)
	if d.Kind == engine.KindVote {
		r.partisan.mine = engine.Colour(engine.AtomValue(arms[0].Atom))
	}
	return arms[0].Atom
}

// giveTo returns the next gift to the seats of a set. It relies on three ministers where that is allowed, and
// announces no gifts in a call.
func giveTo(to rules.Seats, options []rules.Atom) rules.Atom {
	if v := engine.AtomVerb(options[0]); v == engine.VerbDecline || v == engine.VerbEndAnswer {
		return options[0]
	}
	for _, a := range options {
		if engine.AtomVerb(a) == engine.VerbGive && to.Has(rules.Seat(engine.AtomValue(a))) {
			return a
		}
	}
	return engine.NewAtom(engine.VerbEndGifts, 0)
}

// simulate plays an option out and returns whether the robot wins: search.Certain or 0.
func (r *searcher) simulate(a *search.Arm, n int) int {
	me := r.view.Seat()
	if n != r.dealtFor {
		r.lot.Seed(r.dealSeed, uint64(2*n))
		r.view.Imagine(&r.dealt, r.belief.deal(&r.lot))
		r.dealtFor = n
	}
	r.world = r.dealt
	r.lot.Seed(r.dealSeed, uint64(2*n+1))
	p := &r.world
	if p.Phase == engine.Voting {
		r.vote(p, engine.Colour(engine.AtomValue(a.Atom)))
	} else {
		r.apply(p, me, a.Atom)
	}
	for p.Phase != engine.Over {
		if p.Phase == engine.Voting {
			r.vote(p, engine.NoColour)
			continue
		}
		s := rules.Seat(slices.IndexFunc(p.DecisionIDs[:], func(id rules.DecisionID) bool { return id != 0 }))
		r.apply(p, s, r.policy(p, s, p.Options(r.options[:0], p.DecisionIDs[s])))
	}
	if result, _ := p.Result(); result.Winners.Has(me) {
		return search.Certain
	}
	return 0
}

func (r *searcher) apply(p *engine.Position, s rules.Seat, a rules.Atom) {
	var err error
	if r.events, err = p.Apply(p.DecisionIDs[s], a, &r.lot, r.events[:0]); err != nil {
		panic(fmt.Errorf("simulate an answer of seat %d: %w", s, err)) // The answer is not an option.
	}
}

// vote casts the ballots of a vote. mine is the robot's own ballot if it is under trial.
func (r *searcher) vote(p *engine.Position, mine engine.Colour) {
	monarchy := 0
	for _, s := range p.Voters {
		c := mine
		if s != r.view.Seat() || mine == engine.NoColour {
			c = ballot(&p.State, p.Objectives[s])
		}
		if c == engine.Monarchist {
			monarchy++
		}
	}
	r.events = p.Vote(monarchy, r.events[:0])
}

// policy answers for a seat in a simulated match.
func (r *searcher) policy(p *engine.Position, s rules.Seat, options []rules.Atom) rules.Atom {
	o := p.Objectives[s]
	switch p.Phase {
	case engine.Seating:
		return best(r.random, options, func(a rules.Atom) int { return seatScore(&p.State, o, a) })
	case engine.Purging:
		return options[r.random.IntN(len(options))]
	case engine.Calling:
		return call(r.random, &p.State, o, options)
	}
	if s == r.view.Seat() {
		return giveTo(r.gifts, options)
	}
	return giveTo(0, options)
}

// bestGifts returns the gifts that make a revolution succeed in most of the deals of the belief.
func (r *searcher) bestGifts() rules.Seats {
	const deals = 100
	me := r.view.Seat()
	var states [deals]engine.State
	var sets [deals]rules.Seats
	for n := range deals {
		r.lot.Seed(r.dealSeed, uint64(n)<<32)
		states[n] = r.view.State
		t := &states[n]
		t.Objectives = r.belief.deal(&r.lot)
		for s, o := range t.Objectives[:t.Players] {
			if rules.Seat(s) != me && o.Faction() == t.Objectives[me].Faction() {
				sets[n] |= rules.Only(rules.Seat(s))
			}
		}
	}
	chosen, most := rules.Seats(0), -1
	for _, set := range sets {
		won := 0
		for n := range states {
			if states[n].CountErrors(me, set) <= engine.Allowance(r.view.Players) {
				won++
			}
		}
		if won > most || won == most && set < chosen {
			chosen, most = set, won
		}
	}
	return chosen
}
