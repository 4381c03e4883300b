// Package recent caches positions and recent events of matches for package adjudicator, so that a letter does not need a replay of the
// whole history. A match that is not in the cache is loaded from the store. The cache is safe for concurrent use.
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

// Cache holds positions and events of matches. The zero value is ready to use.
type Cache struct {
	positions matchCache[position]
	entries   matchCache[RecentEntries]
}

const maxMatches = 256

type matchCache[T any] struct {
	mu     sync.Mutex
	values map[string]T
}

func (b *matchCache[T]) get(match string) (T, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok := b.values[match]
	return v, ok
}

func (b *matchCache[T]) put(match string, v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.values == nil {
		b.values = map[string]T{}
	}
	if _, isCached := b.values[match]; !isCached && len(b.values) >= maxMatches {
		for other := range b.values {
			delete(b.values, other) // The cache may evict any match.
			break
		}
	}
	b.values[match] = v
}

// position is a decoded position with its stored form. It is immutable. It is cached, because decoding a position takes
// longer than answering a decision.
type position struct {
	json []byte
	pos  rules.Position
}

// Position returns the position of a match. The caller may change it.
func (c *Cache) Position(g *rules.Game, m *match.Match) (rules.Position, error) {
	if cached, ok := c.positions.get(m.ID); ok && m.Ended == nil && bytes.Equal(cached.json, m.Position) {
		return cached.pos.Clone(), nil
	}
	return m.CurrentPosition(g)
}

// SetPosition caches the position of a match. m.Position must be the stored form of pos.
func (c *Cache) SetPosition(m *match.Match, pos rules.Position) {
	if m.Ended == nil {
		c.positions.put(m.ID, position{m.Position, pos.Clone()})
	}
}

// RecentEntries holds the newest entries of a match and their events.
type RecentEntries struct {
	// head is the hash of the newest entry. A match with the same head has the same history.
	head    string
	Entries []record.Entry
	Events  [][]rules.Event
}

// maxEntries is the maximum number of cached entries of a match. Between two questions to a player usually fewer
// entries are added.
const maxEntries = 32

// EntriesSince returns the cached entries of a match before those of the turn, if these include all entries from number
// seq on. The result may begin before seq.
func (c *Cache) EntriesSince(turn *match.Turn, seq int) (RecentEntries, bool) {
	cached, ok := c.entries.get(turn.Match.ID)
	if !ok || cached.head != turn.HeadBefore() || cached.Entries[0].Seq > seq {
		return RecentEntries{}, false
	}
	return cached, true
}

// LoadSince returns the result of EntriesSince. If the cache lacks entries, it replays the history, and returns all
// entries before those of the turn.
func (c *Cache) LoadSince(ctx context.Context, p *match.Execution, seq int) (RecentEntries, error) {
	cached, ok := c.EntriesSince(p.Turn, seq)
	// A take-back may refer to an entry older than the cached entries. Then the whole history is replayed.
	if ok && !slices.ContainsFunc(cached.Entries, func(entry record.Entry) bool { return entry.FirstTakenBack > 0 }) {
		return cached, nil
	}
	entries, err := p.LoadHistory(ctx)
	if err != nil {
		return RecentEntries{}, err
	}
	cached = RecentEntries{head: p.Turn.HeadBefore(), Entries: entries}
	_, err = record.Replay(match.RecordOf(p.Turn.Game, p.Turn.Match, record.WithoutProofs(entries)), p.Turn.Game,
		func(v record.Visit) error {
			cached.Events = append(cached.Events, v.Events)
			return nil
		})
	return cached, err
}

// Remember caches the entries in earlier, followed by the entries of p.Turn.
func (c *Cache) Remember(p *match.Execution, earlier RecentEntries) {
	turn := p.Turn
	if len(turn.Entries) == 0 || len(p.ReplayedEvents) != len(turn.Entries) {
		return
	}
	cached := RecentEntries{turn.Match.Head, slices.Concat(earlier.Entries, turn.Entries), slices.Concat(earlier.Events, p.ReplayedEvents)}
	if n := len(cached.Entries) - maxEntries; n > 0 {
		cached.Entries, cached.Events = slices.Clone(cached.Entries[n:]), slices.Clone(cached.Events[n:])
	}
	c.entries.put(turn.Match.ID, cached)
}
