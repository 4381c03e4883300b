package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// header is the first line of a match's record, without the secret.
func header(g *rules.Game, m *Match) record.Header {
	h := record.Header{
		Format: record.Format, Version: record.Version, Game: g.Name(), Rules: m.Revision, Match: m.ID, Options: m.Options,
		Seats: map[string]string{}, Commitment: m.Secret.Commitment(),
	}
	if m.State == Playing || m.State == Over {
		h.Words, h.Seals = m.Words(), m.Seals() // Before, they are nobody's business.
		if b := m.Beacon; b != nil && b.Signature != "" {
			h.Beacon = &record.Beacon{Chain: b.Chain, Round: b.Round, Signature: b.Signature}
		}
	}
	if h.Options == nil {
		h.Options = map[string]string{}
	}
	for i, s := range m.Seats {
		// Addresses are nobody's business but the players'.
		h.Seats[s.Name] = playerName(i + 1)
	}
	if m.Recorded != nil {
		h.Chance = record.ChanceRecorded
	}
	return h
}

// record is the record of a match's entries, without the secret.
func recordOf(g *rules.Game, m *Match, entries []record.Entry) *record.Record {
	rec := &record.Record{Header: header(g, m)}
	for _, e := range entries {
		rec.Add(e)
	}
	return rec
}

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
	rec := recordOf(g, m, entries)
	if !m.Published() && !hidden {
		return rec.Public()
	}
	rec.Header.Secret = m.Secret.Hex()
	return rec
}
