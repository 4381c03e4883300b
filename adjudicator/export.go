package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Export makes a match's record. While the match goes on it holds public fields
// only, unless hidden is set: that is for the operator's own eyes. A match whose
// chance was given as a list hides nothing from whoever gave it, and is exported
// whole.
func (a *Adjudicator) Export(ctx context.Context, id string, hidden bool) (*record.Record, error) {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	entries, err := a.Store.History(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	return a.published(g, m, entries, hidden || m.Recorded != nil), nil
}

// published is the record of a match's entries as it is when the secret is published, which
// all may see when it is, and whoever may see what is hidden; otherwise in its public form.
func (a *Adjudicator) published(g *rules.Game, m *Match, entries []record.Entry, hidden bool) *record.Record {
	rec := match.RecordOf(g, m, entries)
	if !m.Published() && !hidden {
		return rec.Public()
	}
	rec.Header.Secret = m.Secret.Hex()
	return rec
}
