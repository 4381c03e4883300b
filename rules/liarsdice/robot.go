package liarsdice

import "samizdat/rules"

// expectationRobot expects that a third of the other players' dice count for a face: a sixth shows the face, and a
// sixth is wild.
type expectationRobot struct{}

// Choose doubts a bid that exceeds the expectation by more than one die, and otherwise makes the safest bid.
func (expectationRobot) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	v := look().(*view)
	ownCup := v.Cups[v.seat]
	// margin is the expected number of dice that count for the bid minus the number of dice bid, in thirds of a die.
	margin := func(b bid) int { return 3*countFace(ownCup, b.Face) + v.totalDice() - len(ownCup) - 3*b.Dice }
	best := options[0]
	for _, a := range options {
		if a != doubt && (best == doubt || margin(bidOfAtom(a)) > margin(bidOfAtom(best))) {
			best = a
		}
	}
	if options[0] == doubt && (best == doubt || margin(v.Bid) < -3) {
		return doubt
	}
	return best
}
