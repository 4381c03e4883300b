package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Refusal implements rules.Scribe.
func (w Words) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	v := rv.(*engine.View)
	n := engine.ValueOf(a)
	why := "That does not answer the question."
	switch engine.VerbOf(a) {
	case engine.VerbSeat:
		if d.Kind == engine.KindSeat {
			why = unitRefusal(v, engine.Unit(n))
		}
	case engine.VerbFirst:
		return fmt.Sprintf("FIRST %d does not fit: your seat does not fill two crises of which that is one. Leave FIRST out.", n)
	case engine.VerbRevolution:
		if d.Kind == engine.KindCall {
			why = "Only Louis XVI and Robespierre can call a revolution, and you are neither. Nobody is told that you tried."
		}
	case engine.VerbPurge:
		if d.Kind == engine.KindPurge {
			why = fmt.Sprintf("Only the other two voters can be pointed at, and %s is not one of them.", engine.CitizenName(n))
			if rules.Seat(n) == v.Seat() {
				why = "You cannot point at yourself."
			}
		}
	case engine.VerbGive:
		if d.Kind == engine.KindGive || d.Kind == engine.KindCall {
			why = giftRefusal(v, rules.Seat(n))
		}
	case engine.VerbGiveListed:
		why = "You have not called with a list of gifts."
	case engine.VerbDecline:
		if d.Kind == engine.KindGive {
			why = "Only the second leader may decline, and only if all three ministers are of his faction."
		}
	case engine.VerbName:
		if n >= v.Players {
			why = fmt.Sprintf("%s does not play in this match.", engine.CitizenName(n))
		}
	}
	if len(options) == 0 {
		return why
	}
	return why + " " + w.Line(options[:1]) + " would be legal."
}

// unitRefusal says why a unit is not legal for the view's seat (rule 5.1).
func unitRefusal(v *engine.View, u engine.Unit) string {
	a, b := u.Spaces()
	if h := v.Holders[u]; h != rules.Nobody {
		return fmt.Sprintf("Seat %s is held by %s.", u, who(v, h))
	}
	for _, s := range [...]engine.Space{a, b} {
		if v.Sits(v.Seat(), s) {
			return fmt.Sprintf("You sit at %s (space %d) already, and may hold one seat at a crisis.", v.Cards[s].Name(), s)
		}
	}
	return fmt.Sprintf("Both crises of seat %s have been voted on.", u)
}

func giftRefusal(v *engine.View, to rules.Seat) string {
	switch {
	case int(to) >= v.Players:
		return citizen(to) + " does not play in this match."
	case to == v.Seat():
		return "You cannot give a token to yourself."
	case v.Shown.Has(to):
		return citizen(to) + " has shown the card of the other leader and takes no token."
	}
	return citizen(to) + " would get two tokens; each gets at most one, and there are three."
}
