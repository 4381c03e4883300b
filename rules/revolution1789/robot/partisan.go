package robot

import (
	"math/rand/v2"
	"slices"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// partisanRobot votes for the reforms that its card wants and sits at the unit where they are voted on. It learns
// which seats share its aims from the counts of the votes in which it took part; see learn.
type partisanRobot struct {
	lot *rand.Rand
	// mine is the robot's ballot of the vote under way, at the space voted.
	mine  engine.Colour
	voted engine.Space
	// trust is a score for each seat: high for seats that seemed to vote as the robot did.
	trust [engine.MaxSeats]int
}

// Choose implements rules.Robot.
func (r *partisanRobot) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	v := look().(*engine.View)
	o := v.Objectives[v.Seat()]
	switch d.Kind {
	case engine.KindName:
		return options[r.lot.IntN(len(options))]
	case engine.KindSeat:
		return best(r.lot, options, func(a rules.Atom) int { return seatScore(&v.State, o, a) })
	case engine.KindVote:
		r.voted, r.mine = v.VoteSpace, ballot(&v.State, o)
		return engine.NewAtom(engine.VerbVote, int(r.mine))
	case engine.KindPurge:
		r.learn(v)
		return best(r.lot, options, func(a rules.Atom) int { return -r.trust[engine.AtomValue(a)] })
	case engine.KindCall:
		return call(r.lot, &v.State, o, options)
	}
	return r.give(options)
}

// best returns an option with the highest score and draws lots among equal options.
func best(lot *rand.Rand, options []rules.Atom, score func(rules.Atom) int) rules.Atom {
	start := lot.IntN(len(options))
	choice, most := options[start], score(options[start])
	for i := 1; i < len(options); i++ {
		a := options[(start+i)%len(options)]
		if n := score(a); n > most {
			choice, most = a, n
		}
	}
	return choice
}

// value scores the result of a crisis for a card: 3 for a minister that the card wants, 1 for a minister of its
// leader's colour, -3 for the opposite of its wish. For example, a wish for a Republican minister who is in office
// already scores 3/2 = 1.
func value(v *engine.State, o engine.Objective, s engine.Space, as engine.Colour) int {
	r := v.Cards[s].Reform(as)
	n := 0
	switch o.WantedColour(r) {
	case as:
		n = 3
	case as.Other():
		n = -3
	default:
		if o.Faction().Colour() == as {
			n = 1
		}
	}
	if v.Ministers[r] == as {
		// A vote for the minister in office changes no minister.
		n /= 2
	}
	return n
}

// ballot is the colour of the better result of the vote under way for a card.
func ballot(v *engine.State, o engine.Objective) engine.Colour {
	if value(v, o, v.VoteSpace, engine.Republican) > value(v, o, v.VoteSpace, engine.Monarchist) {
		return engine.Republican
	}
	return engine.Monarchist
}

// seatScore scores a unit by the best results of its open crises.
func seatScore(v *engine.State, o engine.Objective, a rules.Atom) int {
	if engine.AtomVerb(a) != engine.VerbSeat {
		return 0
	}
	x, y := engine.Unit(engine.AtomValue(a)).Spaces()
	n := 0
	for _, s := range [...]engine.Space{x, y} {
		if v.Verdicts[s] == engine.CrisisOpen {
			n += max(value(v, o, s, engine.Monarchist), value(v, o, s, engine.Republican))
		}
	}
	return n
}

// learn updates trust from the counts of a split vote. For example, if the robot's ballot was the only one of its
// colour, each other voter loses a point; with two of three ballots, each gains a point.
func (r *partisanRobot) learn(v *engine.View) {
	if r.voted != v.VoteSpace {
		return
	}
	with := int(v.Counts[r.mine])
	for _, s := range v.Voters {
		if s != v.Seat() && s != rules.NoSeat {
			r.trust[s] += with*2 - 3
		}
	}
	r.voted = 0
}

// call starts a revolution only late in the match (after turn 14), and while the present ministers do not meet the
// robot's objective.
func call(lot *rand.Rand, v *engine.State, o engine.Objective, options []rules.Atom) rules.Atom {
	revolution := engine.NewAtom(engine.VerbRevolution, 0)
	if !slices.Contains(options, revolution) {
		return options[0]
	}
	if !o.IsMet(v.Ministers) && v.Turn > 14 && lot.IntN(4) == 0 {
		return revolution
	}
	return options[0]
}

// give hands tokens to the seats with the highest positive trust, and stops if no seat is left that has it.
func (r *partisanRobot) give(options []rules.Atom) rules.Atom {
	if engine.AtomVerb(options[0]) == engine.VerbDecline {
		return options[0]
	}
	a := best(r.lot, options, func(a rules.Atom) int {
		if engine.AtomVerb(a) != engine.VerbGive {
			return 0
		}
		return r.trust[engine.AtomValue(a)]
	})
	if engine.AtomVerb(a) == engine.VerbGive && r.trust[engine.AtomValue(a)] <= 0 {
		return engine.NewAtom(engine.VerbEndGifts, 0)
	}
	return a
}
