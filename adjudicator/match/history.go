package match

import (
	"fmt"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Header is the first line of a match's record, without the secret.
func Header(g *rules.Game, m *Match) record.Header {
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
		h.Seats[s.Name] = PlayerName(i + 1)
	}
	if m.Recorded != nil {
		h.Chance = record.ChanceRecorded
	}
	return h
}

// record is the record of a match's entries, without the secret.
func RecordOf(g *rules.Game, m *Match, entries []record.Entry) *record.Record {
	rec := &record.Record{Header: Header(g, m)}
	for _, e := range entries {
		rec.Add(e)
	}
	return rec
}

// PlayerName is how records name a player, without saying who he is.
func PlayerName(n int) string { return fmt.Sprintf("player %d", n) }
