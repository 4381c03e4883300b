package playout

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// counts is what is counted in matches with conditional orders.
type counts struct {
	match
	// changes counts how often another seat answers, by hand or by a conditional order.
	changes, fired, dropped int
	saved                   saved
}

// saved is how many hand-overs conditional orders have saved, by their sort.
type saved struct{ answers, plans, lookAhead int }

// writing plays matches in which the seats write, and counts who has to.
type writing struct {
	reader *ahead.Reader
	parser *order.Parser
	game   *rules.Game
	pos    rules.Position
	chance rules.Chance
	robots []rules.Robot
	// lines are the conditional orders of all seats; later are the rest of orders that
	// were carried out, for their play.
	lines []ahead.Line
	later []later
	// letters is what each seat has written and nobody has needed yet.
	letters []letter
	// asked is the seat that wrote last, last the seat of the last answer of any
	// kind, and kind what gave it.
	asked, last rules.Seat
	kind        *int
	events      []rules.Event
}

// later is an answer for a later question of its play.
type later struct {
	seat   rules.Seat
	play   uint32
	answer rules.Answer
}

func newWriting(g *rules.Game) (*writing, error) {
	parser := order.New(g)
	r := ahead.New(g, parser)
	if r == nil {
		return nil, fmt.Errorf("%s takes no orders ahead", g.Title())
	}
	return &writing{reader: r, parser: parser, game: g}, nil
}

// play plays one match to its end.
func (w *writing) play(p *player, m *counts, seed uint64, setup rules.Setup) (err error) {
	defer func() {
		if v := recover(); v != nil {
			m.illegal, err = true, fmt.Errorf("panic: %v", v)
		}
	}()
	w.pos = nil
	if w.pos, err = w.game.Begin(setup); err != nil {
		return err
	}
	w.chance, w.robots = newDice(seed), p.robots
	w.lines, w.later, w.asked, w.last, w.kind = nil, nil, rules.Nobody, rules.Nobody, nil
	w.letters = make([]letter, len(p.robots))
	if w.events, err = w.pos.Resume(w.chance, nil); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for {
		owed := w.pos.Owed(nil)
		if len(owed) == 0 {
			break
		}
		if m.decisions > MostDecisions {
			return fmt.Errorf("%w: not over after %d decisions", errStuck, m.decisions)
		}
		if err := w.step(p, m, owed[0]); err != nil {
			return err
		}
	}
	if _, over := w.pos.Result(); !over {
		return fmt.Errorf("%w: nothing is asked and the match is not over", errStuck)
	}
	return nil
}

// step answers one question, by a conditional order or by hand.
func (w *writing) step(p *player, m *counts, d rules.Decision) error {
	w.lines, _ = w.reader.Review(w.pos, w.events, w.lines)
	w.events = w.events[:0]
	m.orders++
	if a, ok := w.rest(d); ok {
		w.count(m, d.Seat, w.kind)
		return w.give(m, d, a.Atoms)
	}
	if err := w.open(d); err != nil {
		return err
	}
	f, kept, dropped := w.reader.Fire(w.pos, w.lines)
	w.lines = kept
	for f == nil && len(dropped) > 0 {
		m.dropped++
		f, w.lines, dropped = w.reader.Fire(w.pos, w.lines)
	}
	if f != nil {
		m.fired++
		w.count(m, d.Seat, m.sort(f))
		if err := w.give(m, d, f.Answer.Atoms); err != nil {
			return fmt.Errorf("%s: %w", f.Line.Text, err)
		}
		for _, a := range f.Later {
			w.later = append(w.later, later{d.Seat, d.Play, a})
		}
		return nil
	}
	w.count(m, d.Seat, nil)
	atoms, err := Answer(w.pos, d, w.robots[d.Seat])
	if err != nil {
		return fmt.Errorf("%s: %w", p.names[d.Seat], err)
	}
	if err := w.give(m, d, atoms); err != nil {
		m.illegal = true
		return fmt.Errorf("%s: %w", w.game.Line(atoms), err)
	}
	return w.write(d.Seat)
}

// rest takes the rest of an order that was carried out, if it fits.
func (w *writing) rest(d rules.Decision) (rules.Answer, bool) {
	w.later = slices.DeleteFunc(w.later, func(l later) bool { return l.play != d.Play })
	i := slices.IndexFunc(w.later, func(l later) bool { return l.seat == d.Seat && l.answer.Fits(d) })
	if i < 0 {
		return rules.Answer{}, false
	}
	a := w.later[i].answer
	w.later = slices.Delete(w.later, i, i+1)
	return ahead.Fill(w.pos, d, a)
}

// give answers a question.
func (w *writing) give(m *counts, d rules.Decision, atoms []rules.Atom) (err error) {
	id := d.ID
	for _, a := range atoms {
		m.decisions++
		if w.events, err = w.pos.Apply(id, a, w.chance, w.events); err != nil {
			return err
		}
		for _, o := range w.pos.Owed(nil) {
			if o.Seat == d.Seat && o.Midway {
				id = o.ID
			}
		}
	}
	return nil
}

// count books an answer of a seat: given by hand, or by a conditional order of a kind.
// Every change of the seat would be a hand-over if all were written by hand. What
// does not become one is saved by the kind at which the seat changes.
func (w *writing) count(m *counts, seat rules.Seat, kind *int) {
	before := w.kind
	if seat != w.last && w.last != rules.Nobody {
		m.changes++
		switch {
		case kind != nil:
			*kind++
		case before != nil:
			*before++
		}
	}
	if kind == nil && seat != w.asked {
		if w.asked != rules.Nobody {
			m.handovers++
			if before != nil {
				*before--
			}
		}
		w.asked = seat
	}
	w.last, w.kind = seat, kind
}

// sort is where a firing is counted.
func (m *counts) sort(f *ahead.Firing) *int {
	switch {
	case f.Line.Source == "":
		return &m.saved.lookAhead
	case f.Line.Plan:
		return &m.saved.plans
	}
	return &m.saved.answers
}
