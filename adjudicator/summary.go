package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Summary is what a list of matches says of one that was dealt. All may know it.
type Summary struct {
	// Began is the time of the first entry, Ended that of the newest when the match is over.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Over means that the match has a result: Winners, Lost and Reason are those of it.
	Over    bool        `json:"over,omitempty"`
	Winners rules.Seats `json:"winners,omitempty"`
	Lost    bool        `json:"lost,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	// Asked are the seats that owe an answer. Stalled means that chance does.
	Asked   rules.Seats `json:"asked,omitempty"`
	Stalled bool        `json:"stalled,omitempty"`
	// Turn and Phase are where the match stands, as far as the game says it: a number, and
	// a few words.
	Turn  int    `json:"turn,omitempty"`
	Phase string `json:"phase,omitempty"`
	// Score are the numbers whose course the game has drawn.
	Score []Points `json:"score,omitempty"`
}

// Points is a number of a game and what it counts, such as "Victory points".
type Points struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Result is the result that a summary tells; false while the match goes on.
func (s *Summary) Result() (rules.Result, bool) {
	return rules.Result{Winners: s.Winners, Lost: s.Lost, Reason: s.Reason}, s.Over
}

// Summarize says how a position stands. It does not know when the match began.
func Summarize(g rules.Game, pos rules.Position) Summary {
	var s Summary
	view := pos.View(rules.Nobody)
	if i, ok := g.(rules.Informer); ok {
		s.Turn = i.Turn(view)
	}
	if h, ok := g.(rules.Headliner); ok {
		s.Phase = h.Headline(view)
	}
	if c, ok := g.(rules.Chronicler); ok {
		for _, n := range c.Curves(view) {
			s.Score = append(s.Score, Points{n.Name, n.Value})
		}
	}
	if r, over := pos.Result(); over {
		s.Over, s.Winners, s.Lost, s.Reason = true, r.Winners, r.Lost, r.Reason
		return s
	}
	if s.Stalled = pos.Stalled(); s.Stalled {
		return s
	}
	for _, d := range pos.Owed(nil) {
		s.Asked |= rules.Only(d.Seat)
	}
	return s
}

// summarize keeps the summary of the match as it stands by now. The time of the first entry
// of a match that has none is read.
func (p *progress) summarize(ctx context.Context) error {
	if p.turn.pos == nil || p.turn.m.Summary != nil && len(p.turn.entries) == 0 {
		return nil
	}
	entries := p.turn.entries
	if p.turn.m.Summary == nil && p.turn.m.Entries > len(p.turn.entries) {
		before, err := p.played(ctx)
		if err != nil {
			return fmt.Errorf("find out when %s began: %w", p.turn.m.ID, err)
		}
		entries = append(before, p.turn.entries...)
	}
	p.turn.m.Summary = summaryOf(p.turn.game, p.turn.m, p.turn.pos, entries)
	return nil
}

// summaryOf is the summary of a match in a position, of which at least the newest entry is
// given, and the first where there is no summary yet.
func summaryOf(g rules.Game, m *Match, pos rules.Position, entries []record.Entry) *Summary {
	s := Summarize(g, pos)
	if m.Summary != nil {
		s.Began = m.Summary.Began
	} else if len(entries) > 0 {
		s.Began = entries[0].At
	}
	if m.State == Over && len(entries) > 0 {
		s.Ended = entries[len(entries)-1].At
	}
	return &s
}

// Summary finds out the summary of a match that was stored without one. It returns the match
// as it was read.
func (a *Adjudicator) Summary(ctx context.Context, id string) (m *Match, err error) {
	if m, err = a.Store.Match(ctx, id); err != nil || m.Summary != nil || m.Position == nil {
		return m, err
	}
	err = guarded(func() error {
		g, err := a.game(m.Game)
		if err != nil {
			return err
		}
		pos, err := m.At(g)
		if err != nil {
			return err
		}
		entries, err := a.Store.History(ctx, id)
		if err != nil {
			return err
		}
		if len(entries) != m.Entries {
			return ErrConflict // a letter was taken up meanwhile
		}
		m.Summary = summaryOf(g, m, pos, entries)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("summarize match %s: %w", id, err)
	}
	return m, nil
}
