// Package recent keeps in memory what happened of late in matches, so that a letter does not need the whole history played again.
// Everything in it can be found out again from the store. All of it is safe for concurrent use.
package recent

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Cache keeps positions and happenings of matches. The zero value is ready.
type Cache struct {
	positions byMatch[position]
	happened  byMatch[Happened]
}

// mostMatches is how many matches have a place in memory.
const mostMatches = 256

// byMatch keeps a value of each of some matches.
type byMatch[T any] struct {
	mu sync.Mutex
	of map[string]T
}

func (b *byMatch[T]) get(match string) (T, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok := b.of[match]
	return v, ok
}

func (b *byMatch[T]) put(match string, v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[string]T{}
	}
	if _, known := b.of[match]; !known && len(b.of) >= mostMatches {
		for other := range b.of {
			delete(b.of, other) // Any match will do.
			break
		}
	}
	b.of[match] = v
}

// position is a position that is never changed, beside its stored form: to read that takes longer than to answer a decision.
type position struct {
	json []byte
	pos  rules.Position
}

// Position is the position of a match. The caller may change it.
func (c *Cache) Position(g *rules.Game, m *match.Match) (rules.Position, error) {
	if known, ok := c.positions.get(m.ID); ok && m.Acts.Ended == nil && bytes.Equal(known.json, m.Position) {
		return known.pos.Clone(), nil
	}
	return m.CurrentPosition(g)
}

// SetPosition keeps the position of a match, which the match has in its stored form already.
func (c *Cache) SetPosition(m *match.Match, pos rules.Position) {
	if m.Acts.Ended == nil {
		c.positions.put(m.ID, position{m.Position, pos.Clone()})
	}
}

// Happened is what the entries of a match led to, from some entry to the newest.
type Happened struct {
	// head is the hash of the newest entry. A match with the same head has the same history.
	head    string
	Entries []record.Entry
	// Events are those of each entry.
	Events [][]rules.Event
}

// mostEntries is how many entries of a match are kept. Fewer happen between two letters that ask a player.
const mostEntries = 32

// Known is what is known without the store to have happened in a match before the turn, from an entry on.
func (c *Cache) Known(t *match.Turn, seq int) (Happened, bool) {
	h, ok := c.happened.get(t.Match.ID)
	if !ok || h.head != t.HeadBefore() || h.Entries[0].Seq > seq {
		return Happened{}, false
	}
	return h, true
}

// Since is what had happened before the turn from an entry on. It may begin with an older entry.
func (c *Cache) Since(ctx context.Context, p *match.Play, seq int) (Happened, error) {
	h, ok := c.Known(p.Turn, seq)
	// What was taken back may be older than the entries that are kept.
	if ok && !slices.ContainsFunc(h.Entries, func(e record.Entry) bool { return e.Takeback > 0 }) {
		return h, nil
	}
	entries, err := p.LoadHistory(ctx)
	if err != nil {
		return Happened{}, err
	}
	h = Happened{head: p.Turn.HeadBefore(), Entries: entries}
	_, err = record.Replay(match.RecordOf(p.Turn.Game, p.Turn.Match, record.WithoutProofs(entries)), p.Turn.Game,
		func(v record.Visit) error {
			h.Events = append(h.Events, v.Events)
			return nil
		})
	return h, err
}

// Remember keeps the entries of a turn, behind what happened before.
func (c *Cache) Remember(p *match.Play, before Happened) {
	t := p.Turn
	if len(t.Entries) == 0 || len(p.Replayed) != len(t.Entries) {
		return
	}
	h := Happened{t.Match.Head, slices.Concat(before.Entries, t.Entries), slices.Concat(before.Events, p.Replayed)}
	if n := len(h.Entries) - mostEntries; n > 0 {
		h.Entries, h.Events = slices.Clone(h.Entries[n:]), slices.Clone(h.Events[n:])
	}
	c.happened.put(t.Match.ID, h)
}
