package adjudicator

import (
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// fewWords say in a subject how a match has ended for a reader.
func (c *account) fewWords(r rules.Result, seat rules.Seat) string {
	switch {
	case c.brokenOff():
		return r.Reason
	case r.Lost:
		return "nobody wins"
	case r.Winners == 0:
		return "a draw"
	case seat == rules.Nobody:
		return c.winners(r)
	case r.Winners.Has(seat):
		return "you have won"
	}
	return "you have not won"
}

// ended says in a letter how a match has ended for a reader, and names who else has won.
func (c *account) ended(r rules.Result, seat rules.Seat) string {
	said, others := "The match is over, and ", r.Winners&^rules.Only(seat)
	switch {
	case c.brokenOff():
		said = "The match is over: it was " + r.Reason + ", and counts for nobody."
	case seat == rules.Nobody:
		said = "The match is over: " + c.fewWords(r, seat) + " (" + r.Reason + ")."
	case r.Winners == 0 && !r.Lost:
		said += "it is a draw."
	case r.Winners.Has(seat) && others != 0:
		said += "you have won, together with " + list(c.roles(others)) + "."
	default:
		said += c.fewWords(r, seat) + "."
		if others != 0 {
			said += " " + capital(c.winners(r)) + "."
		}
	}
	if r.Words != "" {
		said += " " + r.Words
	}
	said += c.hasLeft(r.Left&c.m.Acts.Resigned, seat, "had left the match")
	said += c.hasLeft(r.Left&^c.m.Acts.Resigned, seat, "never sent an order")
	if e := c.m.Acts.Ended; e != nil && !c.changed() {
		said += " " + c.acted(&record.Entry{Seat: e.Seat, At: e.At, Act: &e.Act}, seat)
	}
	return said
}

// hasLeft says why some seats do not win that would have won by the rules.
func (c *account) hasLeft(seats rules.Seats, reader rules.Seat, why string) (said string) {
	if reader != rules.Nobody && seats.Has(reader) {
		said = " By the rules you would win, but you " + why + "."
		seats &^= rules.Only(reader)
	}
	if names := c.roles(seats); len(names) > 0 {
		said += " By the rules " + list(names) + " would win, but " + why + "."
	}
	return said
}

// brokenOff reports whether the match has ended without a result.
func (c *account) brokenOff() bool {
	return c.m.Acts.Ended != nil && c.m.Acts.Ended.Act.Kind.BreaksOff()
}

// winners says who has won.
func (c *account) winners(r rules.Result) string {
	names := c.roles(r.Winners)
	if len(names) == 1 {
		return names[0] + " has won"
	}
	return list(names) + " have won"
}

// roles are those of some seats.
func (c *account) roles(of rules.Seats) (names []string) {
	for i := range c.m.Seats {
		if of.Has(rules.Seat(i)) {
			names = append(names, c.called(rules.Seat(i)))
		}
	}
	return names
}
