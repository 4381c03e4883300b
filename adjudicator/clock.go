package adjudicator

import (
	"slices"
	"time"

	"samizdat/rules"
)

// since notes for every seat since when it has been asked what it is asked now. An
// answer that goes on with another question begins anew.
func (c *account) since() {
	if c.pos == nil || c.m.State == Over {
		for i := range c.m.Seats {
			c.m.Seats[i].Since = time.Time{}
		}
		return
	}
	ids := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		if pos == nil {
			return nil
		}
		return idsOf(c.playing(owed(pos, seat)))
	}
	for i := range c.m.Seats {
		seat := &c.m.Seats[i]
		is := ids(c.pos, rules.Seat(i))
		switch {
		case len(is) == 0:
			seat.Since = time.Time{}
		case seat.Since.IsZero(), c.changed() && !slices.Equal(ids(c.before, rules.Seat(i)), is):
			seat.Since = c.now.Truncate(time.Second)
		}
	}
}

// clock says in a line since when the match waits, and for how long it may.
func (c *account) clock(reader rules.Seat) string {
	if reader == rules.Nobody || !c.m.Tempo.None() {
		return ""
	}
	at := c.m.Seats[reader].Since
	if at.IsZero() {
		for i := range c.m.Seats {
			if t := c.m.Seats[i].Since; !t.IsZero() && (at.IsZero() || t.Before(at)) {
				at = t
			}
		}
	}
	if at.IsZero() || c.m.State != Playing {
		return ""
	}
	return "Asked on " + clockTime(c.m.Seats[reader].Player, at) + ". This match has no time limit."
}

func idsOf(decisions []rules.Decision) (out []rules.DecisionID) {
	for _, d := range decisions {
		out = append(out, d.ID)
	}
	return out
}
