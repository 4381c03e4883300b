package match

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// Stops are the times in which no time of a seat is counted, beside those that its clock
// keeps.
func (m *Match) Stops(seat rules.Seat) clock.Stops {
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
	at, _ := c.Zero(beyond, m.Stops(seat))
	return at
}

// Shown is how much time a seat has at a moment, and until when if that is known, as all
// may know it.
func (m *Match) Shown(seat rules.Seat, now time.Time) (left time.Duration, until time.Time) {
	c, stops := &m.Seats[seat].Clock, m.Stops(seat)
	until, _ = c.ShownZero(0, stops)
	return c.Shown(now, stops), until
}

// OutOfTime is the seat whose time was over first at a moment, and since when; Nobody
// where no one's was.
func (m *Match) OutOfTime(until time.Time) (seat rules.Seat, at time.Time) {
	seat = rules.Nobody
	for i := range m.Seats {
		d := m.Deadline(rules.Seat(i))
		if !d.IsZero() && !d.After(until) && (seat == rules.Nobody || d.Before(at)) {
			seat, at = rules.Seat(i), d
		}
	}
	return seat, at
}

// LooksEarly reports whether the store lets the match be looked at although nothing has become
// of anybody's time yet.
func (m *Match) LooksEarly(until time.Time) bool {
	for i := range m.Seats {
		if d := m.Seats[i].Deadline; !d.IsZero() && !d.After(until) {
			return true
		}
	}
	return false
}

// Overdue reports whether the time of a seat was over at a moment without an answer. What is held
// back for it came in time.
func (m *Match) Overdue(seat rules.Seat, at time.Time) bool {
	s := &m.Seats[seat]
	if s.Clock.OutOfTime() {
		return true
	}
	end, comes := s.Clock.Zero(0, m.Stops(seat))
	return comes && !end.After(at) && s.Timing.Waiting == nil && s.Timing.DelayedUntil.IsZero()
}

// UntoldRestart is a seat whose time has begun anew since a letter came back, which the others
// have not been told; Nobody where there is none.
func (m *Match) UntoldRestart() rules.Seat {
	i := slices.IndexFunc(m.Seats, func(s Seat) bool { return s.Clock.Untold })
	if i < 0 || m.State != Playing {
		return rules.Nobody
	}
	return rules.Seat(i)
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
	return !m.Tempo.None() && !mayArrive && who.Clock.Bounces(number, at, m.Stops(seat)) || pictured
}

// Look is when the store lets the match be looked at for the clock of a seat: at the end of
// its time, when it is to be reminded, or at once when the others are to be told of it.
func (m *Match) Look(seat rules.Seat) time.Time {
	if c := &m.Seats[seat].Clock; c.Untold && m.State == Playing {
		return m.Created
	}
	end, reminder := m.Deadline(seat), m.reminder(seat)
	if reminder.IsZero() || !end.IsZero() && end.Before(reminder) {
		return end
	}
	return reminder
}

// reminder is when a seat is to be reminded of what it is asked; zero where it is not. Whose
// orders are held back, or wait for their time, has answered.
func (m *Match) reminder(seat rules.Seat) time.Time {
	who := &m.Seats[seat]
	if m.Tempo.None() || m.State != Playing || who.Timing.Waiting != nil || !who.Timing.DelayedUntil.IsZero() {
		return time.Time{}
	}
	at, _ := who.Clock.Reminder(m.Stops(seat))
	return at
}

// Unreminded is a seat that is to be reminded by a moment; Nobody where none is.
func (m *Match) Unreminded(until time.Time) rules.Seat {
	for i := range m.Seats {
		if at := m.reminder(rules.Seat(i)); !at.IsZero() && !at.After(until) {
			return rules.Seat(i)
		}
	}
	return rules.Nobody
}
