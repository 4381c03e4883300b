package adjudicator

import (
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Remarks tell everybody, in the words of letters, what an entry of a record is beside play:
// what it takes back, what was done to the match, who stayed silent. It is told of a visit
// of a replay of the record.
func Remarks(g *rules.Game, rec *record.Record, v record.Visit) []string {
	h := rec.Header
	m := &Match{ID: h.Match, Game: h.Game, Revision: h.Rules, Options: h.Options, Acts: Acts{Resigned: v.Resigned}}
	for _, name := range g.SeatNames(h.Setup(g)) {
		m.Seats = append(m.Seats, Seat{Name: name})
	}
	var entries []record.Entry
	if v.Entry.Takeback > 0 {
		// What is private stays so.
		for _, e := range rec.Entries() {
			entries = append(entries, e.Public())
		}
	}
	c := &match.Turn{Match: m, Game: g, After: v.Position}
	return remarksOf(c, entries, v.Entry, rules.Nobody)
}
