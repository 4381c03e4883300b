package adjudicator

import (
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// fewWords say in a subject how a match has ended for a reader.
func fewWords(c *match.Turn, r rules.Result, seat rules.Seat) string {
	switch {
	case c.BrokenOff():
		return r.Reason
	case r.Lost:
		return "nobody wins"
	case r.Winners == 0:
		return "a draw"
	case seat == rules.Nobody:
		return winnersTold(c, r)
	case r.Winners.Has(seat):
		return "you have won"
	}
	return "you have not won"
}

// endTold says in a letter how a match has ended for a reader, and names who else has won.
func endTold(c *match.Turn, r rules.Result, seat rules.Seat) string {
	said, others := "The match is over, and ", r.Winners&^rules.Only(seat)
	switch {
	case c.BrokenOff():
		said = "The match is over: it was " + r.Reason + ", and counts for nobody."
	case seat == rules.Nobody:
		said = "The match is over: " + fewWords(c, r, seat) + " (" + r.Reason + ")."
	case r.Winners == 0 && !r.Lost:
		said += "it is a draw."
	case r.Winners.Has(seat) && others != 0:
		said += "you have won, together with " + match.List(c.Roles(others)) + "."
	default:
		said += fewWords(c, r, seat) + "."
		if others != 0 {
			said += " " + match.Capital(winnersTold(c, r)) + "."
		}
	}
	if r.Words != "" {
		said += " " + r.Words
	}
	said += leftTold(c, r.Left&c.Match.Acts.Resigned, seat, "had left the match")
	said += leftTold(c, r.Left&^c.Match.Acts.Resigned, seat, "never sent an order")
	if e := c.Match.Acts.Ended; e != nil && !c.Changed() {
		said += " " + actTold(c, &record.Entry{Seat: e.Seat, At: e.At, Act: &e.Act}, seat)
	}
	return said
}

// leftTold says why some seats do not win that would have won by the rules.
func leftTold(c *match.Turn, seats rules.Seats, reader rules.Seat, why string) (said string) {
	if reader != rules.Nobody && seats.Has(reader) {
		said = " By the rules you would win, but you " + why + "."
		seats &^= rules.Only(reader)
	}
	if names := c.Roles(seats); len(names) > 0 {
		said += " By the rules " + match.List(names) + " would win, but " + why + "."
	}
	return said
}

// winnersTold says who has won.
func winnersTold(c *match.Turn, r rules.Result) string {
	names := c.Roles(r.Winners)
	if len(names) == 1 {
		return names[0] + " has won"
	}
	return match.List(names) + " have won"
}
