package robot

import (
	"math/rand/v2"
	"slices"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// partisanRobot votes for the reforms that its objective wants, and takes units at crises that decide these reforms. It
// learns which seats share its aims from the counts of the votes in which it took part; see updateTrust.
type partisanRobot struct {
	random *rand.Rand
	// ownBallot is the robot's ballot of the vote under way, at votedSpace.
	ownBallot  engine.Colour
	votedSpace engine.Space
	// trust is high for seats that seemed to vote as the robot did.
	trust [engine.MaxSeats]int
}

func (r *partisanRobot) Choose(look func() rules.View, d rules.Decision, options []rules.Atom) rules.Atom {
	v := look().(*engine.View)
	o := v.Objectives[v.Seat()]
	switch d.Kind {
	case engine.KindName:
		return options[r.random.IntN(len(options))]
	case engine.KindSeat:
		return chooseBest(r.random, options, func(a rules.Atom) int { return scoreUnit(&v.State, o, a) })
	case engine.KindVote:
		r.votedSpace, r.ownBallot = v.VoteSpace, chooseBallot(&v.State, o)
		return engine.NewAtom(engine.VerbVote, int(r.ownBallot))
	case engine.KindPurge:
		r.updateTrust(v)
		return chooseBest(r.random, options, func(a rules.Atom) int { return -r.trust[engine.AtomValue(a)] })
	case engine.KindCall:
		return chooseCall(r.random, &v.State, o, options)
	}
	return r.chooseGift(options)
}

// chooseBest returns the option with the highest score. It starts at a random option, so that ties are broken at random.
func chooseBest(random *rand.Rand, options []rules.Atom, score func(rules.Atom) int) rules.Atom {
	start := random.IntN(len(options))
	choice, bestScore := options[start], score(options[start])
	for i := 1; i < len(options); i++ {
		a := options[(start+i)%len(options)]
		if n := score(a); n > bestScore {
			choice, bestScore = a, n
		}
	}
	return choice
}

// scoreResult scores the result of a crisis for an objective: 3 for a minister of the wanted colour, and -3 for the
// opposite colour. For a reform that the objective does not mention, the colour of its faction scores 1. The score is
// halved, rounded towards zero, if the reform already has a minister of the result's colour.
func scoreResult(v *engine.State, o engine.Objective, s engine.Space, result engine.Colour) int {
	r := v.Cards[s].Reform(result)
	n := 0
	switch o.WantedColour(r) {
	case result:
		n = 3
	case result.Other():
		n = -3
	default:
		if o.Faction().Colour() == result {
			n = 1
		}
	}
	if v.Ministers[r] == result {
		n /= 2
	}
	return n
}

// chooseBallot returns the colour that serves an objective better in the current vote.
func chooseBallot(v *engine.State, o engine.Objective) engine.Colour {
	if scoreResult(v, o, v.VoteSpace, engine.Republican) > scoreResult(v, o, v.VoteSpace, engine.Monarchist) {
		return engine.Republican
	}
	return engine.Monarchist
}

func scoreUnit(v *engine.State, o engine.Objective, a rules.Atom) int {
	if engine.AtomVerb(a) != engine.VerbSeat {
		return 0
	}
	x, y := engine.Unit(engine.AtomValue(a)).Spaces()
	n := 0
	for _, s := range [...]engine.Space{x, y} {
		if v.Verdicts[s] == engine.CrisisOpen {
			n += max(scoreResult(v, o, s, engine.Monarchist), scoreResult(v, o, s, engine.Republican))
		}
	}
	return n
}

// updateTrust updates trust from the counts of a split vote. For example, if the robot's ballot was the only one of its
// colour, each other voter loses a point; with two of three ballots, each gains a point.
func (r *partisanRobot) updateTrust(v *engine.View) {
	if r.votedSpace != v.VoteSpace {
		return
	}
	agreeing := int(v.BallotCounts[r.ownBallot])
	for _, s := range v.Voters {
		if s != v.Seat() && s != rules.NoSeat {
			r.trust[s] += agreeing*2 - 3
		}
	}
	r.votedSpace = 0
}

// chooseCall starts a revolution only after turn 14, and only if the present ministers do not meet the objective.
func chooseCall(random *rand.Rand, v *engine.State, o engine.Objective, options []rules.Atom) rules.Atom {
	revolution := engine.NewAtom(engine.VerbRevolution, 0)
	if !slices.Contains(options, revolution) {
		return options[0]
	}
	if !o.IsMet(v.Ministers) && v.Turn > 14 && random.IntN(4) == 0 {
		return revolution
	}
	return options[0]
}

// chooseGift gives tokens to the seats with the highest trust, as long as it is positive.
func (r *partisanRobot) chooseGift(options []rules.Atom) rules.Atom {
	if engine.AtomVerb(options[0]) == engine.VerbDecline {
		return options[0]
	}
	a := chooseBest(r.random, options, func(a rules.Atom) int {
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
