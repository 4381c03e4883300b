package engine

import (
	"samizdat/rules"
)

// matchTable implements rules.Table. Everything that playing needs lies in it and is
// used again.
type matchTable struct {
	// fresh is the position before the deal.
	fresh, p Position
	x        Run
	view     View
	// shown tells that the view is of the present position.
	shown   bool
	options []rules.Atom
	owed    rules.Decision
}

// MostOptions is room for the options of any question: two checks and a point in
// every space.
const MostOptions = 3 * Spaces

// Table implements rules.TableMaker.
func (g Rules) Table(s rules.Setup) (rules.Table, error) {
	pos, err := g.Begin(s)
	if err != nil {
		return nil, err
	}
	return &matchTable{fresh: *pos.(*Position), options: make([]rules.Atom, 0, MostOptions)}, nil
}

func (t *matchTable) Begin(c rules.Chance) error {
	t.p, t.shown = t.fresh, false
	t.x.Chance, t.x.Events = c, t.x.Events[:0]
	return t.p.Go(&t.x)
}

func (t *matchTable) Ask() (rules.Decision, []rules.Atom, bool) {
	q := &t.p.Question
	if q.Ask == AskNothing || t.p.Ending != NotOver {
		return rules.Decision{}, nil, false
	}
	t.options = t.p.Choices(t.options[:0])
	// A robot needs no more of a decision than this; Owed works out the rest for
	// the adjudicator.
	t.owed = rules.Decision{
		ID: rules.DecisionID(q.ID), Seat: t.p.Sits[q.Side], Kind: q.Ask.String(), Source: sourceNames[q.Source],
		Min: int(q.Left), Max: int(q.Left), Midway: q.Midway || q.Given > 0, Private: q.Secret, Play: t.p.play,
	}
	return t.owed, t.options, true
}

func (t *matchTable) Look() rules.View {
	if !t.shown {
		t.p.show(&t.view, t.p.Sits[t.p.Question.Side])
		t.shown = true
	}
	return &t.view
}

func (t *matchTable) Answer(a rules.Atom) error {
	t.shown = false
	t.x.Events = t.x.Events[:0]
	return t.p.Decide(&t.x, a)
}

func (t *matchTable) Turn() int { return int(t.p.Turn) }

func (t *matchTable) Result() (rules.Result, bool) { return t.p.Result() }
