package adjudicator

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// late is when the time for the letters of the writer is over; false where none comes too
// late.
func (c *account) late(seat rules.Seat) (time.Time, bool) {
	k, stops := &c.m.Seats[seat].Clock, c.m.Stops(seat)
	switch {
	case c.m.Tempo.None(), c.m.State != Playing, c.m.Zero == clock.Claim:
		return time.Time{}, false
	case c.m.Zero == clock.Forfeit:
		return k.Zero(clock.Grace, stops)
	case !slices.ContainsFunc(c.asking(seat), c.answerable):
		return time.Time{}, false // The match waits for the answer, however late it comes.
	}
	return k.Zero(0, stops)
}

// answerable reports whether silence answers a decision that has no answer yet.
func (c *account) answerable(d rules.Decision) bool {
	return d.Silence != rules.SilenceWaits && !c.heldFor(d)
}

// arrival is the time for which what is carried out counts.
func (j *adjudication) arrival() time.Time {
	var none clock.Clock
	c := &none
	if j.play.seat != rules.Nobody {
		c = &j.turn.m.Seats[j.play.seat].Clock
	}
	return c.Arrival(j.letter.Arrived, j.a.Now())
}

// rest notes who owes nothing any more, for the time being.
func (p *progress) rest(pos rules.Position) {
	for i := range p.turn.m.Seats {
		if len(owed(pos, rules.Seat(i))) == 0 {
			p.rested |= rules.Only(rules.Seat(i))
		}
	}
}

// runClocks lets the clocks of all seats follow what was carried out.
func (p *progress) runClocks(at time.Time) {
	if p.turn.m.Tempo.None() {
		return
	}
	back := p.turn.m.Epoch != p.epoch
	for i := range p.turn.m.Seats {
		seat := rules.Seat(i)
		c, stops := &p.turn.m.Seats[i].Clock, p.turn.m.Stops(seat)
		is := p.turn.asking(seat)
		was := c.Owes
		rested := p.turn.changed() && (len(is) == 0 || !back && p.rested.Has(seat))
		if was && rested {
			c.Rest(at, stops)
			if !back {
				c.Gain(p.turn.m.Tempo)
			}
		}
		switch {
		case len(is) == 0:
			continue
		case !c.Owes:
			c.Ask(p.turn.m.Tempo)
		case back || p.turn.changed() && !slices.ContainsFunc(is, p.turn.askedBefore):
			c.AskAgain(p.turn.m.Tempo, at, stops)
		}
		if slices.ContainsFunc(is, func(d rules.Decision) bool { return !p.turn.heldFor(d) }) {
			c.Reopens(at)
		} else {
			c.Answers(at)
		}
	}
}

// asking are the decisions that a seat owes, the answered ones among them that are sealed.
func (c *account) asking(seat rules.Seat) []rules.Decision {
	if c.pos == nil || c.m.State != Playing {
		return nil
	}
	return c.owed(seat)
}

// askedBefore reports whether a decision was open when the letter in hand came.
func (c *account) askedBefore(d rules.Decision) bool {
	return c.before != nil && slices.Contains(idsOf(owed(c.before, d.Seat)), d.ID)
}

// heldFor reports whether a sealed answer to a decision is kept.
func (c *account) heldFor(d rules.Decision) bool {
	return slices.ContainsFunc(c.m.Held, func(h Held) bool { return h.Decision == d.ID })
}
