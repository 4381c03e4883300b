package adjudicator

import (
	"bytes"
	"fmt"
	"sync"

	"samizdat/rules"
)

// mostMatches is of how many matches something is kept in memory.
const mostMatches = 256

// newest keeps something of matches that have moved of late. The zero value is ready.
type newest[T any] struct {
	mu sync.Mutex
	of map[string]T
}

// get is what is kept of a match, and false where nothing is.
func (n *newest[T]) get(match string) (T, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.of[match]
	return v, ok
}

// put keeps something of a match.
func (n *newest[T]) put(match string, v T) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of == nil {
		n.of = map[string]T{}
	}
	if _, known := n.of[match]; !known && len(n.of) >= mostMatches {
		for other := range n.of {
			delete(n.of, other) // Any will do: it is found out again when it is wanted.
			break
		}
	}
	n.of[match] = v
}

// knownPosition is a position that nobody changes, beside what is stored of it: to read it back takes
// longer than to answer a decision.
type knownPosition struct {
	json []byte
	pos  rules.Position
}

// at is the position of a match. Changes of it do not change another's.
func (a *Adjudicator) at(g *rules.Game, m *Match) (rules.Position, error) {
	if known, ok := a.positions.get(m.ID); ok && m.Acts.Ended == nil && bytes.Equal(known.json, m.Position) {
		return known.pos.Clone(), nil
	}
	return m.At(g)
}

// setPosition makes the position under way that of the match.
func (j *adjudication) setPosition() error {
	data, err := j.turn.After.MarshalJSON()
	if err != nil {
		return fmt.Errorf("write the position: %w", err)
	}
	j.turn.Match.Position, j.turn.Match.Build = data, j.a.Build
	if j.turn.Match.Acts.Ended == nil {
		j.a.positions.put(j.turn.Match.ID, knownPosition{data, j.turn.After.Clone()})
	}
	return nil
}
