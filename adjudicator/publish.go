package adjudicator

import (
	"context"
	"time"

	"samizdat/rules"
)

// publish publishes what is hidden of a match whose end is final by now, and tells all.
func (a *Adjudicator) publish(ctx context.Context, m *Match) error {
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	e := *m.Acts.Ended
	e.Final = time.Time{}
	m.Acts.Ended, j.turn.Published = &e, true
	j.turn.Remarks = append(j.turn.Remarks, "The end of the match is final, and nothing of it is hidden any more.")
	return j.apply(ctx, rules.Nobody)
}
