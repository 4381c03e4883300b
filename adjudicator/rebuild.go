package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Differs is the error of a match that this build plays otherwise than the build which has
// stored it: the history is the truth, the position a cache, and this build would play
// another game than the one that was begun. It says where, and nothing that is hidden.
type Differs struct {
	// Match is the match, Was the build that stored it, Is this one.
	Match, Was, Is string
	// Entry is the first entry that comes out otherwise; that behind the last when only
	// the position does; -1 where it is not known.
	Entry int
	// Running means that the match goes on, and not that somebody asks about an old one.
	Running bool
	// Cause may tell what is hidden. It is not part of the text.
	Cause error
}

// Error implements error.
func (d *Differs) Error() string {
	where := "to another position"
	if d.Entry >= 0 {
		where = fmt.Sprintf("to something else at entry %d", d.Entry)
	}
	return fmt.Sprintf("match %s is stopped: build %q comes %s than build %q has stored", d.Match, d.Is, where, d.Was)
}

// Unwrap returns the cause.
func (d *Differs) Unwrap() error { return d.Cause }

// rebuildMatch plays the history of a match again when another build of the program has stored
// its position. A match that comes out otherwise is stopped, for the operator to look at.
func rebuildMatch(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match) error {
	if a.Build == "" || m.Build == a.Build {
		return nil
	}
	entries, err := a.Store.History(ctx, m.ID)
	if err != nil {
		return fmt.Errorf("rebuild match %s: %w", m.ID, err)
	}
	if len(entries) != m.Entries {
		return match.ErrConflict // another letter was taken up meanwhile
	}
	// A panic of this build is a difference as well.
	err = guarded(func() error {
		final, err := record.Replay(match.RecordOf(g, m, entries), g, func(record.Visit) error { return ctx.Err() })
		if err != nil {
			return err
		}
		data, err := final.Position.MarshalJSON()
		if err == nil && !bytes.Equal(data, m.Position) {
			err = errOtherPosition
		}
		return err
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		at := -1
		if f := (*record.ReplayError)(nil); errors.As(err, &f) {
			at = f.Seq
		}
		return differs(a, m, at, err)
	}
	a.Log.DebugContext(ctx, "position rebuilt", "match", m.ID, "build", a.Build, "was", m.Build, "entries", len(entries))
	return nil
}

var errOtherPosition = errors.New("the position is another")

func differs(a *Adjudicator, m *match.Match, entry int, cause error) *Differs {
	return &Differs{Match: m.ID, Was: m.Build, Is: a.Build, Entry: entry, Running: !m.Published(), Cause: cause}
}

// Rebuild plays a match again that another build has stored, so that this one may take it
// up. It returns the match as it was read; a match that comes out otherwise is an error of
// the type *[Differs].
func (a *Adjudicator) Rebuild(ctx context.Context, id string) (m *match.Match, err error) {
	err = a.retryOnConflict(ctx, "match "+id, func() error {
		if m, err = a.Store.Match(ctx, id); err != nil {
			return err
		}
		g, err := a.game(m.Game)
		if err != nil {
			return differs(a, m, -1, err)
		}
		return rebuildMatch(ctx, a, g, m)
	})
	return m, err
}

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

// positionOf is the position of a match. Changes of it do not change another's.
func positionOf(a *Adjudicator, g *rules.Game, m *match.Match) (rules.Position, error) {
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
func recently(a *Adjudicator, match, head string, seq int) (happened, bool) {
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
	h, ok := recently(a, p.Turn.Match.ID, p.Turn.HeadBefore(), seq)
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
