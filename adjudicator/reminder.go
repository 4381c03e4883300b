package adjudicator

import (
	"context"
	"time"

	"samizdat/rules"
)

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
	at, _ := who.Clock.Reminder(m.stops(seat))
	return at
}

// unreminded is a seat that is to be reminded by a moment; Nobody where none is.
func (m *Match) unreminded(until time.Time) rules.Seat {
	for i := range m.Seats {
		if at := m.reminder(rules.Seat(i)); !at.IsZero() && !at.After(until) {
			return rules.Seat(i)
		}
	}
	return rules.Nobody
}

// remind writes to a seat that has not answered: a short letter that is answered like any
// other. Nobody else is told. While no time of the seat is counted it is left alone: then
// that reminder is over.
func (a *Adjudicator) remind(ctx context.Context, m *Match, seat rules.Seat, until time.Time) error {
	stops := m.stops(seat)
	m.Seats[seat].Clock.Reminds(until, stops)
	if stops.At(until) {
		return a.Store.Apply(ctx, Change{Match: m})
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	j.play.reminded = rules.Only(seat)
	j.reply.notices[seat] = append(j.reply.notices[seat], "This is a reminder: you were asked on "+j.turn.clockTime(seat, m.Seats[seat].Since)+", and no answer has come.")
	return j.apply(ctx, rules.Nobody)
}
