package robot

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// partisanRobot votes for the reforms that its card wants, sits where they are voted on, and
// takes whoever votes with it for a friend. What it thinks of others it learns from the
// counts of votes that it took part in, and from whom people point at.
type partisanRobot struct {
	lot *rand.Rand
	// mine is the ballot of the vote under way, at the space voted.
	mine  engine.Colour
	voted engine.Space
	// trust is how often somebody seemed to want what we want.
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
		return best(r.lot, options, func(a rules.Atom) int { return r.seat(v, o, a) })
	case engine.KindVote:
		r.voted, r.mine = v.VotedOn, engine.Monarchist
		if value(v, o, v.VotedOn, engine.Republican) > value(v, o, v.VotedOn, engine.Monarchist) {
			r.mine = engine.Republican
		}
		return engine.NewAtom(engine.VerbVote, int(r.mine))
	case engine.KindPurge:
		r.learn(v)
		return best(r.lot, options, func(a rules.Atom) int { return -r.trust[engine.AtomValue(a)] })
	case engine.KindCall:
		return r.call(v, o, options)
	}
	return r.give(v, o, options)
}

// best is one of the options with the highest score; a lot decides among equals.
func best(lot *rand.Rand, options []rules.Atom, score func(rules.Atom) int) rules.Atom {
	start := lot.IntN(len(options))
	order := slices.Concat(options[start:], options[:start])
	return slices.MaxFunc(order, func(a, b rules.Atom) int { return cmp.Compare(score(a), score(b)) })
}

// value is what a crisis is worth to a card if it is voted so: 2 for a minister that it wants,
// 1 for one of its leader's colour, less for the other way round.
func value(v *engine.View, o engine.Objective, s engine.Space, as engine.Colour) int {
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
		// The minister is there already; to vote so again changes nothing.
		n /= 2
	}
	return n
}

// seat scores a unit: what its open crises may still bring.
func (r *partisanRobot) seat(v *engine.View, o engine.Objective, a rules.Atom) int {
	if engine.AtomVerb(a) != engine.VerbSeat {
		return 0
	}
	x, y := engine.Unit(engine.AtomValue(a)).Spaces()
	n := 0
	for _, s := range [...]engine.Space{x, y} {
		if v.Verdicts[s] == engine.Open {
			n += max(value(v, o, s, engine.Monarchist), value(v, o, s, engine.Republican))
		}
	}
	return n
}

// learn takes from the counts of a split vote who may have voted against us: alone against
// two we trust neither, with one other we trust both a little less.
func (r *partisanRobot) learn(v *engine.View) {
	if r.voted != v.VotedOn {
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

// call calls when the ministers do not make the card win already and it can tell its friends.
func (r *partisanRobot) call(v *engine.View, o engine.Objective, options []rules.Atom) rules.Atom {
	revolution := engine.NewAtom(engine.VerbRevolution, 0)
	if !slices.Contains(options, revolution) {
		return options[0]
	}
	if !o.IsMet(v.Ministers) && v.Turn > 14 && r.lot.IntN(4) == 0 {
		return revolution
	}
	return options[0]
}

// give gives tokens to those whom the robot trusts, about as many as its faction may have.
func (r *partisanRobot) give(v *engine.View, o engine.Objective, options []rules.Atom) rules.Atom {
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
		return engine.NewAtom(engine.VerbGiven, 0)
	}
	return a
}
