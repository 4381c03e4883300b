package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
	"samizdat/templates/mailto"
)

// State is the reader's answer so far and the questions that follow.
type State struct {
	Lines []Line
	// Ends is the reason why no option can be clicked after the lines; empty if there are options.
	Ends string
	// Asked are the open questions, or only the question that the reader has begun to answer.
	Asked []Asked
	// Begun is the unfinished answer in canonical form; empty if no answer has been begun.
	Begun string
	// Whole reports whether the answer is complete, so that Begun can be added as a line.
	Whole bool
	// May reports whether the answer may end here, although the reader may add more.
	May bool
	// Mail is a mailto link that starts the answer with the lines.
	Mail string
}

// Line is an order of the answer.
type Line struct {
	Text string
	// Read is the line in canonical form; empty if it was not understood. Note describes the effect of the line or
	// the mistake in it.
	Read, Note string
	// Wrong lines would be refused or cannot be read here. Rash lines would be refused until SURELY confirms them.
	Wrong, Rash bool
}

// Asked is an open question with its legal answers.
type Asked struct {
	Question string
	Notes    []string
	Options  []Option
}

// Option is a clickable beginning or continuation of an order.
type Option struct {
	Atom rules.Atom
	// Text is the order that the option begins. Group is the first clause that it shares with other options. Names
	// spell out the numbers in Text, for example the title of a card.
	Text, Group, Names string
	// Places are the IDs of the places on the map that the option names.
	Places []string
}

// Limits on the input of a page.
const (
	maxLines = 40
	maxLine  = 1000
)

// errNotAsked refuses atoms that answer no open question.
var errNotAsked = errors.New("that is not what is asked now")

// State plays the lines from the position of the letter, then the atoms of an unfinished answer. It returns an
// error if there are too many lines or the atoms are illegal; mistakes in lines are reported in their notes.
func (b *Board) State(lines []string, atoms []rules.Atom) (State, error) {
	if len(lines) > maxLines {
		return State{}, fmt.Errorf("this page reads %d lines at most", maxLines)
	}
	s := State{Lines: []Line{}, Mail: mailto.Link(b.link.To, b.link.Subject, lines...)}
	b.read(lines)
	positions := b.positions
	for _, st := range b.steps {
		s.Lines = append(s.Lines, st.line)
		positions, s.Ends = st.after, st.end
	}
	if s.Ends != "" {
		return s, nil
	}
	err := b.ask(&s, positions[0], atoms)
	return s, err
}

// step is a line with the positions after it. A non-empty end is the reason why no later position can be foreseen.
type step struct {
	line  Line
	after []rules.Position
	end   string
}

// read plays the lines as far as their result can be foreseen. It keeps the steps of the lines that are unchanged
// since the last call.
func (b *Board) read(lines []string) {
	same := 0
	for same < min(len(lines), len(b.steps)) && b.steps[same].line.Text == lines[same] {
		same++
	}
	b.steps = b.steps[:same]
	last := step{after: b.positions}
	if same > 0 {
		last = b.steps[same-1]
	}
	for _, text := range lines[same:] {
		next := step{line: Line{Text: text, Note: last.end}}
		if last.end == "" || b.isConditional(text) {
			next.line, next.after, next.end = b.line(text, last.after)
		}
		if len(next.after) == 0 {
			next.after = last.after
		}
		if last.end != "" {
			next.end = last.end
		}
		b.steps, last = append(b.steps, next), next
	}
}

// line reads a line as the referee reads a line of a letter, and plays it in the imagined positions.
func (b *Board) line(text string, positions []rules.Position) (l Line, after []rules.Position, end string) {
	l = Line{Text: text}
	text, confirmed := strings.CutSuffix(strings.TrimSpace(text), " "+surely)
	if len(text) > maxLine {
		l.Note, l.Wrong = "The line is too long.", true
		return l, nil, ""
	}
	if b.isConditional(text) {
		if c, err := b.conditional.Read(text); err != nil {
			l.Note, l.Wrong = sentence(err), true
		} else {
			l.Read, l.Note = c.Text, "It would be kept."
		}
		return l, nil, ""
	}
	o, err := b.orders.Plain(text)
	if err != nil {
		if approximate, failed := b.orders.ForLetter().Order(text); failed == nil {
			o, err = approximate, nil
		}
	}
	if err != nil {
		l.Note = "This page does not read this line: " + strings.TrimSuffix(err.Error(), ".") + ". The referee may."
		l.Wrong = true
		return l, nil, ""
	}
	f := b.forecaster(text).Foretell(positions, o, confirmed)
	l.Read, l.Note, l.Wrong, l.Rash = f.Line, strings.TrimPrefix(f.Text, f.Line+"\n"), f.Refused, f.Rash
	return l, f.After, f.End
}

// isConditional reports whether a line is a conditional order, which is kept for a later turn.
func (b *Board) isConditional(text string) bool {
	return b.conditional != nil && ahead.IsConditional(text)
}

// ask adds to s the questions and options after the atoms.
func (b *Board) ask(s *State, pos rules.Position, atoms []rules.Atom) error {
	open := rules.OpenDecisionsOf(pos, b.link.Seat)
	if len(atoms) == 0 {
		for _, d := range open {
			s.Asked = append(s.Asked, b.asked(pos, d))
		}
		if len(open) == 0 {
			s.Ends = "Nothing is asked of you now."
		}
		return nil
	}
	pos, s.Begun = pos.Clone(), b.game.FormatOrder(atoms)
	for _, a := range atoms {
		i := slices.IndexFunc(open, func(d rules.Decision) bool { return slices.Contains(pos.Options(nil, d.ID), a) })
		if i < 0 {
			return errNotAsked
		}
		if open[i].Ballot { // Ballots are counted together and not applied one by one.
			s.Whole = true
			return nil
		}
		if _, err := pos.Apply(open[i].ID, a, gate.NoChance{}, nil); err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return err
		}
		open = slices.DeleteFunc(rules.OpenDecisionsOf(pos, b.link.Seat), func(d rules.Decision) bool { return !d.Midway })
	}
	if s.Whole = len(open) == 0; !s.Whole {
		s.Asked, s.May = []Asked{b.asked(pos, open[0])}, open[0].Stop != 0
	}
	return nil
}

// asked returns an open question. In the middle of an answer State.May says that it may end, and no option does.
func (b *Board) asked(pos rules.Position, d rules.Decision) Asked {
	options := pos.Options(nil, d.ID)
	p := b.game.Prompt(pos.View(d.Seat), d, options)
	out := Asked{Question: p.Question, Notes: p.Notes}
	for _, a := range options {
		if !d.Midway || a != d.Stop {
			out.Options = append(out.Options, b.option(a))
		}
	}
	return out
}

// option returns the option that begins with an atom, from the cache if possible.
func (b *Board) option(a rules.Atom) Option {
	if o, ok := b.options[a]; ok {
		return o
	}
	o := Option{Atom: a, Text: b.game.FormatOrder([]rules.Atom{a})}
	order, err := b.orders.Plain(o.Text)
	if err == nil {
		var names []string
		for _, c := range order.Clauses {
			for _, it := range c.Items {
				o.Places = append(o.Places, place{it.Name.Kind, it.Name.Code}.id())
				if it.Name.Number != 0 {
					names = append(names, it.Name.Text)
				}
			}
		}
		o.Names = strings.Join(names, ", ")
		if first := order.Clauses[0]; len(order.Clauses) > 1 && len(first.Items) == 1 {
			o.Group = first.Word + " " + first.Items[0].Name.Text
		}
	}
	b.options[a] = o
	return o
}
