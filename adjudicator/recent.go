package adjudicator

import (
	"context"
	"slices"

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

// headBefore is the head that the match had before what is carried out.
func (c *account) headBefore() string {
	if len(c.entries) > 0 {
		return c.entries[0].Prev
	}
	return c.m.Head
}

// happenedSince is what had happened from an entry on before what is carried out.
func happenedSince(ctx context.Context, a *Adjudicator, p *progress, seq int) (happened, error) {
	h, ok := a.recently(p.turn.m.ID, p.turn.headBefore(), seq)
	// What was taken back may be older than what is kept.
	if ok && !slices.ContainsFunc(h.entries, func(e record.Entry) bool { return e.Takeback > 0 }) {
		return h, nil
	}
	entries, err := p.played(ctx)
	if err != nil {
		return happened{}, err
	}
	h = happened{head: p.turn.headBefore(), entries: entries}
	_, err = record.Replay(recordOf(p.turn.game, p.turn.m, unchained(entries)), p.turn.game, func(v record.Visit) error {
		h.events = append(h.events, v.Events)
		return nil
	})
	return h, err
}

// note finds out what the next entry tells when it is played again.
func (p *progress) note(e record.Entry) {
	if len(p.replayed) < len(p.turn.entries) {
		return
	}
	var events []rules.Event
	if e.Seq == 0 || e.HasOrders() {
		if p.turn.pos == nil {
			return // The deal: nobody catches up with it.
		}
		var err error
		if events, err = record.Events(p.turn.game, p.turn.setup(), p.turn.pos, &e); err != nil {
			return
		}
	}
	p.replayed = append(p.replayed, events)
}

// remember keeps what is carried out, behind what is known of before.
func remember(a *Adjudicator, p *progress, h happened) {
	if len(p.turn.entries) > 0 && len(p.replayed) == len(p.turn.entries) {
		a.recents.put(p.turn.m.ID, happened{p.turn.m.Head, slices.Concat(h.entries, p.turn.entries), slices.Concat(h.events, p.replayed)}.newest())
	}
}
