package adjudicator

import (
	"context"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// forfeits ends the match for a seat that has not answered within the grace, which was over at a
// time. Whoever was out of time himself then does not win by it.
func (p *progress) forfeits(ctx context.Context, seat rules.Seat, at time.Time) error {
	var late rules.Seats
	for i := range p.turn.m.Seats {
		if p.turn.m.Overdue(rules.Seat(i), at) {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return p.leave(ctx, seat, record.Act{Kind: record.Forfeit}, "", late)
}
