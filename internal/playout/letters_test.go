package playout

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// conditionalRobot is a robot that writes conditional orders.
type conditionalRobot interface {
	rules.Robot
	// Ahead returns the lines that it would write as things stand, made from the view alone.
	Ahead(v rules.View) []string
}

// foresighted is a robot that can tell later what it would have written: most
// answers ahead are never asked for, and need not be thought out.
type foresighted interface {
	conditionalRobot
	// Plans are the lines that are wanted at once.
	Plans(v rules.View) []string
	// AheadFor are the lines for a source, empty for the next action, that it would
	// write with a view. Together with the plans they are the same as Ahead has.
	// Answers among them have to end with ANYWAY.
	AheadFor(v rules.View, source string) []string
}

// letter is what a seat has written last. What it is made from is the view of
// that moment, also when it is opened later.
type letter struct {
	robot foresighted
	view  rules.View
	// opened are the sources whose lines were read already.
	opened []string
}

// The sources of the two lines that stand for a letter that is not opened. No
// question has such a source. They are dropped as its lines would be: the first
// not by a surprise.
const (
	sealedAnswers = "sealed answers"
	sealedNext    = "sealed next"
)

// write lets a seat that has just written add its conditional orders, in the place of
// those that it had.
func (w *writing) write(seat rules.Seat) error {
	r, ok := w.robots[seat].(conditionalRobot)
	owed := w.pos.Owed(nil)
	if !ok || len(owed) == 0 || owed[0].Seat == seat {
		return nil
	}
	w.lines, _ = w.reader.Review(w.pos, w.events, w.lines)
	w.events = w.events[:0]
	w.lines = slices.DeleteFunc(w.lines, func(l ahead.Line) bool { return l.Seat == seat })
	w.letters[seat] = letter{}
	view := w.pos.View(seat)
	f, ok := r.(foresighted)
	if !ok {
		return w.read(r.Ahead(view), func(l *ahead.Line) { w.reader.Arm(l, w.pos, seat) })
	}
	w.letters[seat] = letter{robot: f, view: view}
	for _, l := range []ahead.Line{{Source: sealedAnswers, Anyway: true}, {Source: sealedNext}} {
		w.reader.Arm(&l, w.pos, seat)
		w.lines = append(w.lines, l)
	}
	return w.read(f.Plans(view), func(l *ahead.Line) { w.reader.Arm(l, w.pos, seat) })
}

// read reads lines as those of any writer are, and keeps them.
func (w *writing) read(texts []string, arm func(*ahead.Line)) error {
	for _, text := range texts {
		l, err := w.reader.Read(text)
		if err != nil {
			return fmt.Errorf("the robot writes %q: %w", text, err)
		}
		arm(l)
		w.lines = append(w.lines, *l)
	}
	return nil
}

// open reads what the letter of a seat has for a question, unless it has been
// dropped meanwhile.
func (w *writing) open(d rules.Decision) error {
	if d.Midway || d.Sealed {
		return nil
	}
	var sources []string
	if d.Source != "" {
		sources = append(sources, d.Source)
	}
	if w.game.Ahead.Action(d) {
		sources = append(sources, "")
	}
	t := &w.letters[d.Seat]
	for _, source := range sources {
		stands := sealedAnswers
		if source == "" {
			stands = sealedNext
		}
		i := slices.IndexFunc(w.lines, func(l ahead.Line) bool { return l.Seat == d.Seat && l.Source == stands })
		if i < 0 || slices.Contains(t.opened, source) {
			continue
		}
		sealed := w.lines[i]
		t.opened = append(t.opened, source)
		err := w.read(t.robot.AheadFor(t.view, source), func(l *ahead.Line) {
			l.Seat, l.Period, l.Baseline, l.After = sealed.Seat, sealed.Period, sealed.Baseline, sealed.After
		})
		if err != nil {
			return err
		}
	}
	return nil
}
