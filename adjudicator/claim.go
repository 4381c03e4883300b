package adjudicator

import (
	"context"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// forfeits ends the match for a seat that has not answered within the grace, which was over at a
// time. Whoever was out of time himself then does not win by it.
func (j *adjudication) forfeits(ctx context.Context, seat rules.Seat, at time.Time) error {
	var late rules.Seats
	for i := range j.turn.m.Seats {
		if j.turn.m.overdue(rules.Seat(i), at) {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return j.leave(ctx, seat, record.Act{Kind: record.Forfeit}, "", late)
}

// overdue reports whether the time of a seat was over at a moment without an answer. What is held
// back for it came in time.
func (m *Match) overdue(seat rules.Seat, at time.Time) bool {
	s := &m.Seats[seat]
	if s.Clock.OutOfTime() {
		return true
	}
	end, comes := s.Clock.Zero(0, m.stops(seat))
	return comes && !end.After(at) && s.Timing.Waiting == nil && s.Timing.DelayedUntil.IsZero()
}
