package adjudicator

import (
	"context"
	"time"

	"samizdat/rules"
)

// remind writes to a seat that has not answered: a short letter that is answered like any
// other. Nobody else is told. While no time of the seat is counted it is left alone: then
// that reminder is over.
func (a *Adjudicator) remind(ctx context.Context, m *Match, seat rules.Seat, until time.Time) error {
	stops := m.Stops(seat)
	m.Seats[seat].Clock.Reminds(until, stops)
	if stops.At(until) {
		return a.Store.Apply(ctx, Change{Match: m})
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	j.reply.reminded = rules.Only(seat)
	j.reply.notices[seat] = append(j.reply.notices[seat], "This is a reminder: you were asked on "+clockTimeOf(j.turn, seat, m.Seats[seat].Since)+", and no answer has come.")
	return j.apply(ctx, rules.Nobody)
}
