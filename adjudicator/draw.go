package adjudicator

import (
	"context"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
)

// Draw implements letter.Host.
func (s host) Draw(ctx context.Context, answer string) (letter.Outcome, error) {
	if !record.MayDraw(s.j.turn.game, s.j.turn.setup()) {
		return letter.Refused("In this game nobody can agree on a draw.")
	}
	return s.consent(ctx, Request{Kind: record.Draw, Seat: s.j.play.seat}, answer)
}
