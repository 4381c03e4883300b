package liarsdice

import "samizdat/rules"

// counter is a robot that counts its own dice and expects a third of all others to count for a
// face: a sixth shows it, and a sixth is wild.
type counter struct{}

// Choose implements rules.Robot: it doubts a bid of more dice than it expects and one, and makes the
// bid that is safest otherwise.
func (counter) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	v := look().(*view)
	own := v.Cups[v.seat]
	// spare is how many dice are expected beyond a bid, in thirds.
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
