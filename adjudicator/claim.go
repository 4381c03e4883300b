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
		if j.turn.m.Overdue(rules.Seat(i), at) {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return j.leave(ctx, seat, record.Act{Kind: record.Forfeit}, "", late)
}
