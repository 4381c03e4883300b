package adjudicator

import (
	"slices"
	"time"

	"samizdat/rules"
)

// since notes for every seat since when it has been asked what it is asked now. An
// answer that goes on with another question begins anew.
func (p *progress) since() {
	if p.turn.pos == nil || p.turn.m.State == Over {
		for i := range p.turn.m.Seats {
			p.turn.m.Seats[i].Since = time.Time{}
		}
		return
	}
	ids := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		if pos == nil {
			return nil
		}
		return idsOf(p.turn.playing(owed(pos, seat)))
	}
	for i := range p.turn.m.Seats {
		seat := &p.turn.m.Seats[i]
		is := ids(p.turn.pos, rules.Seat(i))
		switch {
		case len(is) == 0:
			seat.Since = time.Time{}
		case seat.Since.IsZero(), p.turn.changed() && !slices.Equal(ids(p.turn.before, rules.Seat(i)), is):
			seat.Since = p.a.Now().UTC().Truncate(time.Second)
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
