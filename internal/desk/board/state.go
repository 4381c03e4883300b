package board

import (
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// State is where orders under way have led to.
type State struct {
	Lines []Line
	// Ends says why nothing can be clicked behind the lines; empty while something can.
	Ends string
	// Asked are the questions that an answer can be begun to, or the one whose answer is begun.
	Asked []Asked
	// Begun is the answer under way in canonical form; empty where none is. Meaning says what it means.
	Begun string
	// Whole means that the answer is complete: Begun is the next line.
	Whole bool
	// May means that the answer may end here, although more may be added.
	May bool
	// Mail begins the answer to the letter with the lines.
	Mail string
}

// Line is a line of an answer.
type Line struct {
	Text string
	// Read is the line as it was understood, in canonical form; empty where it was not. Note says
	// what it would do, or what is wrong with it.
	Read, Note string
	// Wrong lines would be refused, or are not read here; Rash ones only until they are confirmed with SURELY.
	Wrong, Rash bool
}

// Asked is a question with its options.
type Asked struct {
	Question string
	Notes    []string
	// More says how many more parts are wanted; empty for one.
	Left, Most int
	Options    []Option
}

// Option is something to click.
type Option struct {
	Atom rules.Atom
	// Text is the order that it begins, Group what other options have in common with it, Names spell out
	// what the order gives by number.
	Text, Group, Names string
	// Places are those of the map that it concerns.
	Places []string
}

// Bounds of what a page may ask for.
const (
	mostLines = 40
	mostLine  = 1000
)

// State is where lines, and the atoms of an answer behind them, lead to.
func (b *Board) State(lines []string, atoms []rules.Atom) (State, error) {
	if len(lines) > mostLines {
		return State{}, errors.New("an answer with so many lines is not read here")
	}
	s := State{Lines: []Line{}, Mail: b.Mail(lines)}
	b.read(lines)
	worlds, end := b.worlds, ""
	for _, st := range b.steps {
		s.Lines = append(s.Lines, st.line)
		worlds, end = st.after, st.end
	}
	if end != "" {
		s.Ends = end
		return s, nil
	}
	if err := b.ask(&s, worlds[0], atoms); err != nil {
		return State{}, err
	}
	return s, nil
}

// step is a line, with the positions behind it; end says why nothing can be foreseen there.
type step struct {
	line  Line
	after []rules.Position
	end   string
}

// read plays lines as far as can be foreseen. Most begin as those that were read last.
func (b *Board) read(lines []string) {
	same := 0
	for same < min(len(lines), len(b.steps)) && b.steps[same].line.Text == lines[same] {
		same++
	}
	b.steps = b.steps[:same]
	for _, text := range lines[same:] {
		last := step{after: b.worlds}
		if n := len(b.steps); n > 0 {
			last = b.steps[n-1]
		}
		if last.end != "" && !b.isConditional(text) {
			b.steps = append(b.steps, step{Line{Text: text, Note: last.end}, last.after, last.end})
			continue
		}
		var next step
		if next.line, next.after, next.end = b.line(text, last.after); len(next.after) == 0 {
			next.after = last.after
		}
		if last.end != "" {
			next.end = last.end
		}
		b.steps = append(b.steps, next)
	}
}

// line reads a line as a letter's lines are read.
func (b *Board) line(text string, worlds []rules.Position) (l Line, after []rules.Position, end string) {
	l = Line{Text: text}
	said, sure := strings.CutSuffix(strings.TrimSpace(text), " "+surely)
	switch {
	case said == "":
		return l, worlds, ""
	case len(said) > mostLine:
		l.Note, l.Wrong = "The line is too long.", true
		return l, worlds, ""
	}
	if b.isConditional(said) {
		c, err := b.conditional.Read(said)
		if err != nil {
			l.Note, l.Wrong = sentence(err), true
		} else {
			l.Read, l.Note = c.Text, "It would be kept."
		}
		return l, worlds, ""
	}
	o, err := b.orders.Plain(said)
	if err != nil {
		if loose, failed := b.orders.Letter().Order(said); failed == nil {
			o, err = loose, nil
		}
	}
	if err != nil {
		l.Note = "This page does not read this line: " + strings.TrimSuffix(err.Error(), ".") + ". The referee may."
		l.Wrong = true
		return l, worlds, ""
	}
	f := b.writer(said).Order(worlds, o, sure)
	l.Read, l.Note, l.Wrong, l.Rash = f.Line, strings.TrimPrefix(f.Text, f.Line+"\n"), f.Refused, f.Rash
	return l, f.After, f.End
}

// isConditional reports whether a line says that it is an order for later.
func (b *Board) isConditional(text string) bool {
	return b.conditional != nil && ahead.IsAhead(text)
}

// ask lists what can be clicked now.
func (b *Board) ask(s *State, pos rules.Position, atoms []rules.Atom) error {
	seat := b.link.Seat
	mine := slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat != seat })
	if len(atoms) == 0 {
		for _, d := range mine {
			s.Asked = append(s.Asked, b.asked(pos, d))
		}
		if len(mine) == 0 {
			s.Ends = "Nothing is asked of you now."
		}
		return nil
	}
	s.Begun = b.game.FormatOrder(atoms)
	i := slices.IndexFunc(mine, func(d rules.Decision) bool { return slices.Contains(pos.Options(nil, d.ID), atoms[0]) })
	if i < 0 {
		return errors.New("that is not what is asked now")
	}
	r, err := gate.Check(pos, seat, rules.Answer{Atoms: atoms, Kinds: []string{mine[i].Kind}, Ballot: mine[i].Ballot})
	var short *gate.TooShort
	switch {
	case errors.As(err, &short):
		s.Asked = []Asked{b.asked(short.Before, short.Decision)}
		return nil
	case err != nil:
		return err
	}
	s.Begun, s.Whole = b.game.FormatOrder(r.Atoms), true
	if n := len(atoms); len(r.Atoms) > n {
		// The gate has ended it.
		s.Begun, s.Whole, s.May = b.game.FormatOrder(atoms), false, true
		before, d, err := b.midway(pos, r.Decision, atoms)
		if err != nil {
			return err
		}
		s.Asked = []Asked{b.asked(before, d)}
	}
	return nil
}

// midway is the position in the middle of an answer, and its decision.
func (b *Board) midway(pos rules.Position, d rules.Decision, atoms []rules.Atom) (rules.Position, rules.Decision, error) {
	pos = pos.Clone()
	for _, a := range atoms {
		if _, err := pos.Apply(d.ID, a, gate.NoChance{}, nil); err != nil {
			return nil, d, err
		}
		owed := pos.OpenDecisions(nil)
		i := slices.IndexFunc(owed, func(o rules.Decision) bool { return o.Seat == d.Seat && o.Midway })
		if i < 0 {
			return nil, d, errors.New("the answer is complete")
		}
		d = owed[i]
	}
	return pos, d, nil
}

// asked is a question with its options.
func (b *Board) asked(pos rules.Position, d rules.Decision) Asked {
	options := pos.Options(nil, d.ID)
	p := b.game.Prompt(pos.View(d.Seat), d, options)
	out := Asked{Question: p.Question, Notes: p.Notes, Left: d.Min, Most: d.Max}
	for _, a := range options {
		if !d.Midway || a != d.Stop { // In the middle of an answer State.May says that it may end.
			out.Options = append(out.Options, b.option(a))
		}
	}
	return out
}

// option is what is clicked for an atom.
func (b *Board) option(a rules.Atom) Option {
	if o, ok := b.shown[a]; ok {
		return o
	}
	o := Option{Atom: a, Text: b.game.FormatOrder([]rules.Atom{a})}
	said, err := b.orders.Plain(o.Text)
	if err == nil {
		var names []string
		for _, c := range said.Clauses {
			for _, it := range c.Items {
				o.Places = append(o.Places, place{it.Name.Kind, it.Name.Code}.id())
				if it.Name.Number != 0 {
					names = append(names, it.Name.Text)
				}
			}
		}
		o.Names = strings.Join(names, ", ")
		if first := said.Clauses[0]; len(said.Clauses) > 1 && len(first.Items) == 1 {
			o.Group = first.Word + " " + first.Items[0].Name.Text
		}
	}
	b.shown[a] = o
	return o
}
