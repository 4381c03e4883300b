package robot

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/rules/search"
)

// searcher is a robot that decides by simulation: to choose a seat, a ballot or a call, it plays simulated matches to the
// end for each option. In each simulated match the other seats get objectives that fit their past moves (belief.go) and
// play as partisans do.
type searcher struct {
	seed        uint64
	simulations int
	// partisan answers the decisions that are not simulated, and proposes answers to the others.
	partisan partisanRobot
	view     *engine.View
	belief   belief
	dealSeed uint64
	// gifts are the seats that get tokens if the robot starts a revolution.
	gifts rules.Seats
	// dealt is the position of the view with objectives dealt for simulation number dealtFor. world is the copy of dealt
	// that is played.
	dealt            engine.Position
	dealtFor         int
	world            engine.Position
	simulationRandom search.Lot
	random           *rand.Rand
	options          [engine.Units + engine.MaxSeats]rules.Atom
	events           []rules.Event
}

func newSearcher(seed uint64) rules.Robot {
	r := &searcher{seed: seed, simulations: simulations}
	r.partisan.random = rand.New(rand.NewPCG(seed, 1789))
	r.random = rand.New(&r.simulationRandom)
	return r
}

// simulations is the number of simulated matches for a decision. Before the simulations, the choice of the partisan
// robot has a better estimate than the other options. This estimate counts as much as priorWeight simulated matches.
const (
	simulations = 800
	priorWeight = 4
)

func (r *searcher) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	r.view = look().(*engine.View)
	if ownBallot := r.partisan.ownBallot; d.Kind == engine.KindPurge && r.partisan.votedSpace == r.view.VoteSpace &&
		r.view.BallotCounts[ownBallot] == 1 {
		r.belief.lostVotes = append(r.belief.lostVotes, lostVote{r.view.Voters, r.view.VoteSpace, ownBallot.Other()})
	}
	choice := r.partisan.Choose(func() rules.View { return r.view }, d, options)
	if d.Kind == engine.KindName || d.Kind == engine.KindPurge {
		return choice
	}
	r.belief.update(r.view)
	r.dealSeed, r.dealtFor = search.Mix(r.seed+uint64(d.ID)), -1
	r.gifts = 0
	if r.view.Objectives[r.view.Seat()].IsLeader() {
		r.gifts = r.findBestGifts()
	}
	if d.Kind == engine.KindGive || engine.AtomVerb(options[0]) == engine.VerbEndAnswer && d.Kind == engine.KindCall {
		return chooseGiftTo(r.gifts, options)
	}
	arms := make([]search.Arm, len(options))
	for i, a := range options {
		arms[i] = search.Arm{Atom: a}
		if a != choice {
			arms[i].Prior = -search.Certain / 50
		}
	}
	search.SequentialHalving(arms, search.Budget{Simulations: r.simulations, PriorWeight: priorWeight}, r.simulate)
	if d.Kind == engine.KindVote {
		r.partisan.ownBallot = engine.Colour(engine.AtomValue(arms[0].Atom))
	}
	return arms[0].Atom
}

// chooseGiftTo returns the option that gives the next token to a seat in receivers. If there is none, it returns the
// option that ends the gifts. If the robot may decline, it declines, and relies on its three ministers. In a call it
// announces no gifts.
func chooseGiftTo(receivers rules.Seats, options []rules.Atom) rules.Atom {
	if v := engine.AtomVerb(options[0]); v == engine.VerbDecline || v == engine.VerbEndAnswer {
		return options[0]
	}
	for _, a := range options {
		if engine.AtomVerb(a) == engine.VerbGive && receivers.Has(rules.Seat(engine.AtomValue(a))) {
			return a
		}
	}
	return engine.NewAtom(engine.VerbEndGifts, 0)
}

func (r *searcher) simulate(a *search.Arm, n int) int {
	ownSeat := r.view.Seat()
	if n != r.dealtFor {
		r.simulationRandom.Seed(r.dealSeed, uint64(2*n))
		r.view.Imagine(&r.dealt, r.belief.dealObjectives(&r.simulationRandom))
		r.dealtFor = n
	}
	r.world = r.dealt
	r.simulationRandom.Seed(r.dealSeed, uint64(2*n+1))
	p := &r.world
	if p.Phase == engine.Voting {
		r.castBallots(p, engine.Colour(engine.AtomValue(a.Atom)))
	} else {
		r.apply(p, ownSeat, a.Atom)
	}
	for p.Phase != engine.Over {
		if p.Phase == engine.Voting {
			r.castBallots(p, engine.NoColour)
			continue
		}
		s := rules.Seat(slices.IndexFunc(p.DecisionIDs[:], func(id rules.DecisionID) bool { return id != 0 }))
		r.apply(p, s, r.chooseInSimulation(p, s, p.Options(r.options[:0], p.DecisionIDs[s])))
	}
	if result, _ := p.Result(); result.Winners.Has(ownSeat) {
		return search.Certain
	}
	return 0
}

func (r *searcher) apply(p *engine.Position, s rules.Seat, a rules.Atom) {
	var err error
	if r.events, err = p.Apply(p.DecisionIDs[s], a, &r.simulationRandom, r.events[:0]); err != nil {
		panic(fmt.Errorf("simulate an answer of seat %d: %w", s, err)) // Every answer comes from the list of options.
	}
}

// castBallots continues after a vote with simulated ballots. ownBallot is the ballot to try for the robot's seat, or
// NoColour.
func (r *searcher) castBallots(p *engine.Position, ownBallot engine.Colour) {
	monarchy := 0
	for _, s := range p.Voters {
		c := ownBallot
		if s != r.view.Seat() || ownBallot == engine.NoColour {
			c = chooseBallot(&p.State, p.Objectives[s])
		}
		if c == engine.Monarchist {
			monarchy++
		}
	}
	r.events = p.ApplyVoteCount(monarchy, r.events[:0])
}

func (r *searcher) chooseInSimulation(p *engine.Position, s rules.Seat, options []rules.Atom) rules.Atom {
	o := p.Objectives[s]
	switch p.Phase {
	case engine.Seating:
		return chooseBest(r.random, options, func(a rules.Atom) int { return scoreUnit(&p.State, o, a) })
	case engine.Purging:
		return options[r.random.IntN(len(options))]
	case engine.Calling:
		return chooseCall(r.random, &p.State, o, options)
	}
	if s == r.view.Seat() {
		return chooseGiftTo(r.gifts, options)
	}
	return chooseGiftTo(0, options)
}

// findBestGifts returns the gifts with which a revolution succeeds most often in deals from the belief.
func (r *searcher) findBestGifts() rules.Seats {
	const deals = 100
	ownSeat := r.view.Seat()
	var states [deals]engine.State
	var sets [deals]rules.Seats
	for n := range deals {
		r.simulationRandom.Seed(r.dealSeed, uint64(n)<<32)
		states[n] = r.view.State
		state := &states[n]
		state.Objectives = r.belief.dealObjectives(&r.simulationRandom)
		for s, o := range state.Objectives[:state.Players] {
			if rules.Seat(s) != ownSeat && o.Faction() == state.Objectives[ownSeat].Faction() {
				sets[n] |= rules.Only(rules.Seat(s))
			}
		}
	}
	chosen, mostSuccesses := rules.Seats(0), -1
	for _, set := range sets {
		successes := 0
		for n := range states {
			if states[n].CountErrors(ownSeat, set) <= engine.Allowance(r.view.Players) {
				successes++
			}
		}
		if successes > mostSuccesses || successes == mostSuccesses && set < chosen {
			chosen, mostSuccesses = set, successes
		}
	}
	return chosen
}
