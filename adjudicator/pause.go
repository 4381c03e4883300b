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
func (a *Adjudicator) resumed(ctx context.Context, m *match.Match) error {
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	m.Resume(m.Acts.Halt.Until)
	j.turn.Remarks = append(j.turn.Remarks, "The pause is over: clocks run again.")
	return j.apply(ctx, rules.Nobody)
}
