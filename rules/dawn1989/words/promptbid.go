package words

import (
	"fmt"
	"strings"

	"samizdat/rules/dawn1989/engine"
)

// The words of bidding for sides (rule 13).

// chairs are the players before they have sides.
var chairs = [...]string{"The first player", "The second player"}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func (q *asking) bid() {
	q.say("Bid for a side: which side do you want to play, and how many support points (0 to %d) does the other side get for it?", engine.MostGiven)
	for side := engine.Communist; side >= engine.Democrat; side-- {
		for _, a := range q.with(engine.VerbBid) {
			if engine.Side(engine.AtomFlag(a)) == side && engine.AtomValue(a) == 2 {
				q.form(a)
			}
		}
	}
	q.note("How bids are settled", "If you want different sides, both get theirs and nobody gets points. "+
		"If you want the same side, the higher bid has it, and the other player places the points at the end of set-up. "+
		"Equal bids are settled by dice.")
}

func (q *asking) sideChoice() {
	wants := q.p.Bids[0].Side
	q.say("The bids were equal and your die was higher: which side do you play? The %s gets %s.",
		sideTitles[wants.Enemy()], count(int(q.p.Bids[0].Give), "support point"))
	for _, a := range q.with(engine.VerbChoose) {
		q.form(a)
	}
}

func bidOpened(a args) string {
	return fmt.Sprintf("%s bids for %s and gives %s.", chairs[a.n(0)], the(a.side(1)), count(a.n(2), "support point"))
}

func bidRolled(a args) string {
	text := fmt.Sprintf("The bids are equal. The first player rolls %d, the second %d", a.n(0), a.n(1))
	if a.n(0) == a.n(1) {
		return text + "; they roll again."
	}
	return text + "."
}

func sidesSettled(a args) string {
	democrat := a.n(0)
	text := fmt.Sprintf("%s plays the Democrat, %s the Communist.", chairs[democrat], lower(chairs[1-democrat]))
	if n := a.n(1); n > 0 {
		text += fmt.Sprintf(" %s places %s more at the end of set-up.", capital(a.side(2)), count(n, "support point"))
	}
	return text
}
