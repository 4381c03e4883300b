// Package words is whatever a player of 1789 reads and writes: the order language,
// sentences, questions, refusals, the standing parts of a letter, and the texts on cards
// and rules. It is given views, never a match's position.
package words

import (
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Words implements the parts of rules.Game that have to do with words.
type Words struct{}

// colours are the two colours as players write and read them.
var colours = [...]string{"", "Monarchy", "Republic"}

// ministers are ministers of a colour.
var ministers = [...]string{"nobody", "Monarchist", "Republican"}

var reforms = [...]string{"Economical", "Social", "Political"}

var factions = [...]string{"", "Monarchist", "Republican", "Bonaparte"}

// citizen is who sits in a seat.
func citizen(s rules.Seat) string { return engine.CitizenName(int(s)) }

// who is a seat to the reader of a view.
func who(v *engine.View, s rules.Seat) string {
	if s == v.Seat() {
		return "you"
	}
	return citizen(s)
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// and joins names as a sentence does.
func and(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nobody"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// listed are the citizens of a set, you first.
func listed(v *engine.View, set rules.Seats) []string {
	var out []string
	if v.Seat() != rules.Nobody && set.Has(v.Seat()) {
		out = append(out, "you")
	}
	for s := range rules.Seat(v.Players) {
		if set.Has(s) && s != v.Seat() {
			out = append(out, citizen(s))
		}
	}
	return out
}
