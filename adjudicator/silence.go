package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// ErrClosed says that a decision is not open.
var ErrClosed = errors.New("the decision is not open")

// Silence lets a decision be answered as its silence means, because the time for it
// is over: by the first legal answer, or by lot. Who has given a sealed answer
// already has answered. Of a decision that is not open, or that the match waits for
// however long it takes, the error is ErrClosed or gate.ErrWaits.
func (a *Adjudicator) Silence(ctx context.Context, match string, id rules.DecisionID) error {
	err := a.retryOnConflict(ctx, "silence in match "+match, func() error { return a.silence(ctx, match, id) })
	if err != nil {
		return fmt.Errorf("silence to decision %d of match %s: %w", id, match, err)
	}
	return nil
}

func (a *Adjudicator) silence(ctx context.Context, match string, id rules.DecisionID) error {
	m, err := a.Store.Match(ctx, match)
	if err != nil {
		return err
	}
	if m.State != Playing {
		return ErrClosed
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	owed := j.turn.After.Owed(nil)
	i := slices.IndexFunc(owed, func(d rules.Decision) bool { return d.ID == id })
	if i < 0 {
		return ErrClosed
	}
	if slices.ContainsFunc(m.Held, func(h Held) bool { return h.Decision == id }) {
		return nil
	}
	j.play.Seat = owed[i].Seat
	if err := j.play.Silent(ctx, owed[i]); err != nil {
		return err
	}
	if _, err := j.play.Settle(ctx); err != nil {
		return err
	}
	return j.apply(ctx, rules.Nobody)
}
