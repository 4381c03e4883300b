package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// happened is what the entries of a match led to, from one on to its newest.
type happened struct {
	// head is the hash of the newest entry, in which all before it are bound: a match with
	// the same head has the same history.
	head    string
	entries []record.Entry
	// events are those of each entry.
	events [][]rules.Event
}

// mostRecent is how many entries of a match are kept in memory. That is enough for what has happened
// between two letters that ask.
const mostRecent = 32

// recently is what has happened in a match with this head, beginning with an entry. It returns false
// if that is not known.
func (a *Adjudicator) recently(match, head string, seq int) (happened, bool) {
	h, ok := a.recents.get(match)
	if !ok || h.head != head || h.entries[0].Seq > seq {
		return happened{}, false
	}
	return h, true
}

// newest is the end of it, as much as is kept.
func (h happened) newest() happened {
	if n := len(h.entries) - mostRecent; n > 0 {
		h.entries, h.events = slices.Clone(h.entries[n:]), slices.Clone(h.events[n:])
	}
	return h
}

// happenedSince is what had happened from an entry on before what is carried out.
func happenedSince(ctx context.Context, a *Adjudicator, p *match.Play, seq int) (happened, error) {
	h, ok := a.recently(p.Turn.Match.ID, p.Turn.HeadBefore(), seq)
	// What was taken back may be older than what is kept.
	if ok && !slices.ContainsFunc(h.entries, func(e record.Entry) bool { return e.Takeback > 0 }) {
		return h, nil
	}
	entries, err := p.Played(ctx)
	if err != nil {
		return happened{}, err
	}
	h = happened{head: p.Turn.HeadBefore(), entries: entries}
	_, err = record.Replay(match.RecordOf(p.Turn.Game, p.Turn.Match, unchained(entries)), p.Turn.Game, func(v record.Visit) error {
		h.events = append(h.events, v.Events)
		return nil
	})
	return h, err
}

// remember keeps what is carried out, behind what is known of before.
func remember(a *Adjudicator, p *match.Play, h happened) {
	if len(p.Turn.Entries) > 0 && len(p.Replayed) == len(p.Turn.Entries) {
		a.recents.put(p.Turn.Match.ID, happened{p.Turn.Match.Head, slices.Concat(h.entries, p.Turn.Entries), slices.Concat(h.events, p.Replayed)}.newest())
	}
}
