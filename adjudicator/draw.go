package adjudicator

import (
	"context"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/match/record"
)

// Draw implements command.Host.
func (s host) Draw(ctx context.Context, answer string) (command.Outcome, error) {
	if !record.MayDraw(s.j.turn.game, s.j.turn.setup()) {
		return command.Refused("In this game nobody can agree on a draw.")
	}
	return s.consent(ctx, Request{Kind: record.Draw, Seat: s.j.play.seat}, answer)
}
