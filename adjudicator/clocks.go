package adjudicator

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// stops are the times in which no time of a seat is counted, beside those that its clock
// keeps.
func (m *Match) stops(seat rules.Seat) clock.Stops {
	return clock.Union(m.Deaf, m.Seats[seat].Player.Away.Vacations.Spans(), m.halts())
}

// Deadline is when something becomes of the time of a seat, as far as that is known; zero
// where nothing does. It may come later, as nobody knows beforehand when letters cannot
// be looked for, and never earlier.
func (m *Match) Deadline(seat rules.Seat) time.Time {
	if m.Tempo.None() || m.State != Playing {
		return time.Time{}
	}
	c, beyond := &m.Seats[seat].Clock, time.Duration(0)
	if again, bounced := c.Again(); bounced {
		return again
	}
	if c.Flagged {
		if m.Zero != clock.Forfeit {
			return time.Time{}
		}
		beyond = clock.Grace
	}
	at, _ := c.Zero(beyond, m.stops(seat))
	return at
}

// Shown is how much time a seat has at a moment, and until when if that is known, as all
// may know it.
func (m *Match) Shown(seat rules.Seat, now time.Time) (left time.Duration, until time.Time) {
	c, stops := &m.Seats[seat].Clock, m.stops(seat)
	until, _ = c.ShownZero(0, stops)
	return c.Shown(now, stops), until
}

// late is when the time for the letters of the writer is over; false where none comes too
// late.
func (j *adjudication) late() (time.Time, bool) {
	c, stops := &j.turn.m.Seats[j.play.seat].Clock, j.turn.m.stops(j.play.seat)
	switch {
	case j.turn.m.Tempo.None(), j.turn.m.State != Playing, j.turn.m.Zero == clock.Claim:
		return time.Time{}, false
	case j.turn.m.Zero == clock.Forfeit:
		return c.Zero(clock.Grace, stops)
	case !slices.ContainsFunc(j.turn.asking(j.play.seat), j.turn.answerable):
		return time.Time{}, false // The match waits for the answer, however late it comes.
	}
	return c.Zero(0, stops)
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
	return c.Arrival(j.letter.Arrived, j.play.a.Now())
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
func (j *adjudication) runClocks() {
	if j.turn.m.Tempo.None() {
		return
	}
	at, back := j.arrival(), j.turn.m.Epoch != j.play.epoch
	for i := range j.turn.m.Seats {
		seat := rules.Seat(i)
		c, stops := &j.turn.m.Seats[i].Clock, j.turn.m.stops(seat)
		is := j.turn.asking(seat)
		was := c.Owes
		rested := j.turn.changed() && (len(is) == 0 || !back && j.play.rested.Has(seat))
		if was && rested {
			c.Rest(at, stops)
			if !back {
				c.Gain(j.turn.m.Tempo)
			}
		}
		switch {
		case len(is) == 0:
			continue
		case !c.Owes:
			c.Ask(j.turn.m.Tempo)
		case back || j.turn.changed() && !slices.ContainsFunc(is, j.turn.askedBefore):
			c.AskAgain(j.turn.m.Tempo, at, stops)
		}
		if slices.ContainsFunc(is, func(d rules.Decision) bool { return !j.turn.heldFor(d) }) {
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

// Accepted notes that the mail server has taken a letter to a seat, and reports whether
// a clock begins to run by that.
func (m *Match) Accepted(seat rules.Seat, number int64, at time.Time) bool {
	return !m.Tempo.None() && int(seat) < len(m.Seats) && m.Seats[seat].Clock.Accepts(number, at)
}

// Returned notes that a letter to a seat did not arrive, and reports whether it matters: to a
// clock, or since it had the picture that later letters would name. A letter that may still
// arrive (4.x.x) stops no clock.
func (m *Match) Returned(seat rules.Seat, number int64, at time.Time, mayArrive bool) bool {
	if seat < 0 || int(seat) >= len(m.Seats) {
		return false
	}
	who := &m.Seats[seat]
	pictured := who.Pictured.Number == number && number > 0
	if pictured {
		who.Pictured = Pictured{}
	}
	return !m.Tempo.None() && !mayArrive && who.Clock.Bounces(number, at, m.stops(seat)) || pictured
}
