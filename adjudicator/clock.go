package adjudicator

import (
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// askedSince says in a line since when the match waits, and for how long it may.
func askedSince(c *match.Turn, reader rules.Seat) string {
	if reader == rules.Nobody || !c.Match.Tempo.None() {
		return ""
	}
	at := c.Match.Seats[reader].Since
	if at.IsZero() {
		for i := range c.Match.Seats {
			if t := c.Match.Seats[i].Since; !t.IsZero() && (at.IsZero() || t.Before(at)) {
				at = t
			}
		}
	}
	if at.IsZero() || c.Match.State != Playing {
		return ""
	}
	return "Asked on " + clockTime(c.Match.Seats[reader].Player, at) + ". This match has no time limit."
}
