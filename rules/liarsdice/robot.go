package liarsdice

import "samizdat/rules"

// expectationRobot expects a third of the other players' dice to count for a face: a sixth shows
// the face, and a sixth is wild.
type expectationRobot struct{}

// Choose implements rules.Robot: it doubts a bid that exceeds the expectation by more than one die,
// and otherwise makes the safest bid.
func (expectationRobot) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	v := look().(*view)
	own := v.Cups[v.seat]
	// spare is the expected number of dice beyond a bid, in thirds.
	spare := func(b bid) int { return 3*count(own, b.Face) + v.total() - len(own) - 3*b.Dice }
	best := options[0]
	for _, a := range options {
		if a != doubt && (best == doubt || spare(bidOf(a)) > spare(bidOf(best))) {
			best = a
		}
	}
	if options[0] == doubt && (best == doubt || spare(v.Bid) < -3) {
		return doubt
	}
	return best
}
