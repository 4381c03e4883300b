package engine

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// matchTable implements rules.Table with reusable buffers. Sealed answers are applied one by one; a
// position hides them until all are in, so later seats cannot see them.
type matchTable struct {
	fresh, p Position
	chance   rules.Chance
	view     View
	owed     rules.Decision
	options  []rules.Atom
	events   []rules.Event
	// monarchy counts the ballots for Monarchy in the running vote; voted are the seats that have
	// voted.
	monarchy int
	voted    rules.Seats
	// figures are counted from the events of the match.
	figures [len(figureNames)]int
}

var figureNames = [...]string{"votes", "unanimous", "purged", "unresolved", "two filled at once", "all ministers", "revolutions"}

// Figures implements rules.Table.
func (t *matchTable) Figures(dst []rules.Figure) []rules.Figure {
	for i, name := range figureNames {
		dst = append(dst, rules.Figure{Name: name, N: t.figures[i]})
	}
	return dst
}

func (t *matchTable) countFigures() {
	for _, e := range t.events {
		switch e.Kind {
		case EventCounted:
			t.figures[0]++
			if e.Args[1] == 0 || e.Args[2] == 0 {
				t.figures[1]++
			}
		case EventPurged:
			t.figures[2]++
		case EventUnresolved:
			t.figures[3]++
		case EventSeated:
			if t.p.Queue[1] != 0 {
				t.figures[4]++
			}
		case EventOver:
			if t.p.HasAllMinisters() {
				t.figures[5] = 1
			}
			if t.p.Revolt.First != rules.NoSeat {
				t.figures[6] = 1
			}
		}
	}
}

// Table implements rules.Game.Table.
func (r Rules) Table(s rules.Setup) (rules.Table, error) {
	pos, err := r.Begin(s)
	if err != nil {
		return nil, err
	}
	return &matchTable{fresh: *pos.(*Position), options: make([]rules.Atom, 0, maxOptions), events: make([]rules.Event, 0, 64)}, nil
}

func (t *matchTable) Begin(c rules.Chance) (err error) {
	t.p, t.chance, t.monarchy, t.voted = t.fresh, c, 0, 0
	clear(t.figures[:])
	t.events, err = t.p.Resume(c, t.events[:0])
	return err
}

func (t *matchTable) Ask() (rules.Decision, []rules.Atom, bool) {
	for s := range rules.Seat(t.p.Players) {
		if t.p.Asked[s] != 0 && !t.voted.Has(s) {
			t.owed = t.p.decision(s)
			t.options = t.p.Options(t.options[:0], t.owed.ID)
			return t.owed, t.options, true
		}
	}
	return rules.Decision{}, nil, false
}

func (t *matchTable) View() rules.View {
	t.p.show(&t.view, t.owed.Seat)
	return &t.view
}

func (t *matchTable) Answer(a rules.Atom) (err error) {
	t.events = t.events[:0]
	if !t.owed.Ballot {
		t.events, err = t.p.Apply(t.owed.ID, a, t.chance, t.events)
		t.countFigures()
		return err
	}
	if !slices.Contains(t.options, a) {
		return fmt.Errorf("ballot %#x: %w", uint32(a), errNoOption)
	}
	t.voted |= rules.Only(t.owed.Seat)
	if Colour(AtomValue(a)) == Monarchist {
		t.monarchy++
	}
	if count(t.voted) == len(t.p.Voters) {
		t.events = t.p.applyCounts(t.monarchy, t.events)
		t.countFigures()
		t.monarchy, t.voted = 0, 0
	}
	return nil
}

func (t *matchTable) Turn() int { return int(t.p.Turn) }

func (t *matchTable) Result() (rules.Result, bool) { return t.p.Result() }
