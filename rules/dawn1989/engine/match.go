package engine

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"samizdat/rules"
)

var _ rules.Position = (*Position)(nil)

// Clone implements rules.Position.
func (p *Position) Clone() rules.Position {
	q := *p
	return &q
}

// Owed implements rules.Position. 1989 never owes more than one decision, the
// bids for sides apart.
func (p *Position) Owed(dst []rules.Decision) []rules.Decision {
	q := &p.Question
	if q.Ask == AskNothing || p.Ending != NotOver {
		return dst
	}
	if q.Ask == AskBid {
		return p.owedBids(dst)
	}
	d := rules.Decision{
		ID: rules.DecisionID(q.ID), Seat: p.Sits[q.Side], Kind: q.Ask.String(), Source: q.Source.String(),
		Min: int(q.Left), Max: int(q.Left), Midway: q.Midway || q.Given > 0, Private: q.Secret, Play: p.play,
	}
	if q.Ask == AskWay || q.UpTo {
		d.Min = 1
		if q.UpTo && q.Given > 0 {
			d.Stop, d.Min = atomStop, 0
		}
	}
	if q.Ask == AskOps || q.Ask == AskGrant {
		// The number of points is not the number of atoms: a point where the
		// enemy controls costs two.
		d.Min = min(1, d.Max)
		if f := &p.stack[p.depth-1]; p.mayStop(f) {
			d.Stop, d.Min, d.Max = atomStop, 0, 1
		}
	}
	return append(dst, d)
}

// Options implements rules.Position.
func (p *Position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	if p.Question.Ask == AskBid {
		q := *p
		q.turnTo(id)
		p = &q
	}
	if uint32(id) != p.Question.ID {
		return dst
	}
	return p.Choices(dst)
}

// errNotLegal is for callers that go past the gate.
var errNotLegal = errors.New("that is not one of the legal options")

// runs are kept for their memory.
var runs = sync.Pool{New: func() any { return &Run{atoms: make([]rules.Atom, 0, MostOptions)} }}

// run lends a run to what a caller of the position asks for, and returns the events of that.
func run(c rules.Chance, dst []rules.Event, play func(x *Run) error) ([]rules.Event, error) {
	x := runs.Get().(*Run)
	defer runs.Put(x)
	x.Chance, x.Events = c, dst
	err := play(x)
	dst = x.Events
	x.p, x.Chance, x.Events = nil, nil, nil
	return dst, err
}

// Apply implements rules.Position.
func (p *Position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	return run(c, dst, func(x *Run) error {
		x.atoms = p.Options(x.atoms[:0], id)
		if _, legal := slices.BinarySearch(x.atoms, a); !legal {
			return fmt.Errorf("decision %d: %w", id, errNotLegal)
		}
		p.turnTo(id)
		return p.Decide(x, a)
	})
}

// Resume implements rules.Position.
func (p *Position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !p.stalled {
		return dst, nil
	}
	return run(c, dst, p.Go)
}

// Stalled implements rules.Position.
func (p *Position) Stalled() bool { return p.stalled }

// Result implements rules.Position.
func (p *Position) Result() (rules.Result, bool) {
	return rules.Result{Winners: p.Winners, Reason: p.Ending.String()}, p.Ending != NotOver
}

// String is the source as the order language writes it.
func (s Source) String() string {
	if s == SourceNone {
		return ""
	}
	if l, ok := sourceLabels[s]; ok {
		return l
	}
	return fmt.Sprint(uint8(s))
}

// Element implements rules.Game: a strategy card by its number, a power struggle
// card by the name of its kind.
func (Rules) Element(kind string, code int16) any {
	if kind == drawStruggle {
		return StruggleCard(code).String()
	}
	return int(code)
}
