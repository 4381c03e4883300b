package adjudicator

import (
	"context"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// noticeOfResuming is how long a pause goes on when a player has ended it.
const noticeOfResuming = 24 * time.Hour

// The lengths of a pause.
const (
	leastPause = 24 * time.Hour
	mostPause  = 90 * 24 * time.Hour
)

// resumed tells all that a pause is over.
func (a *Adjudicator) resumed(ctx context.Context, m *Match) error {
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	m.Resume(m.Acts.Halt.Until)
	j.turn.Remarks = append(j.turn.Remarks, "The pause is over: clocks run again.")
	return j.apply(ctx, rules.Nobody)
}

// pausedLine says that the match is paused; empty where it is not.
func pausedLine(c *match.Turn, reader rules.Seat) string {
	switch h := c.Match.Acts.Halt; {
	case h == nil, c.Match.State != Playing:
		return ""
	case h.Until.IsZero():
		return "The match is paused: clocks stand still until the director lets them run."
	default:
		return "The match is paused: clocks stand still until " + clockTimeOf(c, reader, h.Until) + ". Orders count all the same."
	}
}
