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

// State is the reader's answer so far and the questions that follow. The page (desk.js) reads it by the JSON keys.
type State struct {
	Lines []Line
	// EndReason is the reason why no option can be clicked after the lines; empty if there are options.
	EndReason string `json:"Ends"`
	// OpenQuestions are the open questions, or only the question that the reader has begun to answer.
	OpenQuestions []OpenQuestion `json:"Asked"`
	// BegunAnswer is the unfinished answer in canonical form; empty if no answer has been begun.
	BegunAnswer string `json:"Begun"`
	// IsComplete is set if the answer is complete, so that BegunAnswer can be added as a line.
	IsComplete bool `json:"Whole"`
	// MayEnd is set if the answer may end here, although the reader may add more.
	MayEnd bool `json:"May"`
	// Mail is a mailto link. It opens a letter to the referee with the lines in the reader's mail program.
	Mail string
}

// Line is a line of the answer, e.g. "PLAY 36 EVENT", as the page has read it.
type Line struct {
	Text string
	// Canonical is the line in canonical form; empty if it was not understood.
	Canonical string `json:"Read"`
	// Note describes the effect of the line or the mistake in it.
	Note string
	// IsWrong is set if the line would be refused or cannot be parsed here. NeedsConfirm is set if the line would be refused
	// without FOR SURE.
	IsWrong      bool `json:"Wrong"`
	NeedsConfirm bool `json:"Rash"`
}

// OpenQuestion is an open question with its legal answers.
type OpenQuestion struct {
	Question string
	Notes    []string
	Options  []Option
}

// Option is a clickable beginning or continuation of an order.
type Option struct {
	Atom rules.Atom
	// Text is the order that begins with this option. Group is the first clause, which several options may share. Names
	// explains the numbers in Text, for example by the title of a card.
	Text, Group, Names string
	// Places are the IDs of the places on the map that the option names.
	Places []string
}

// Limits on the input of a page: lines, and bytes in a line.
const (
	maxLines = 40
	maxLine  = 1000
)

var errNotAsked = errors.New("that is not what is asked now")

// State plays the lines from the position of the letter, then the atoms of an unfinished answer. It returns an
// error if there are too many lines or the atoms are illegal; mistakes in lines are reported in their notes.
func (b *Board) State(lines []string, atoms []rules.Atom) (State, error) {
	if len(lines) > maxLines {
		return State{}, fmt.Errorf("this page reads %d lines at most", maxLines)
	}
	s := State{Lines: []Line{}, Mail: mailto.Link(b.link.To, b.link.Subject, lines...)}
	b.playLines(lines)
	positions := b.positions
	for _, played := range b.playedLines {
		s.Lines = append(s.Lines, played.line)
		positions, s.EndReason = played.after, played.endReason
	}
	if s.EndReason != "" {
		return s, nil
	}
	err := b.addQuestions(&s, positions[0], atoms)
	return s, err
}

// playedLine is a line with the positions after it. endReason explains why the positions after later lines cannot be
// foreseen; it is empty if they can be foreseen.
type playedLine struct {
	line      Line
	after     []rules.Position
	endReason string
}

// playLines plays the lines as far as their result can be foreseen. It keeps the played lines that are unchanged since the
// last call.
func (b *Board) playLines(lines []string) {
	unchanged := 0
	for unchanged < min(len(lines), len(b.playedLines)) && b.playedLines[unchanged].line.Text == lines[unchanged] {
		unchanged++
	}
	b.playedLines = b.playedLines[:unchanged]
	last := playedLine{after: b.positions}
	if unchanged > 0 {
		last = b.playedLines[unchanged-1]
	}
	for _, text := range lines[unchanged:] {
		next := playedLine{line: Line{Text: text, Note: last.endReason}}
		if last.endReason == "" || b.isConditional(text) {
			next.line, next.after, next.endReason = b.playLine(text, last.after)
		}
		if len(next.after) == 0 {
			next.after = last.after
		}
		if last.endReason != "" {
			next.endReason = last.endReason
		}
		b.playedLines, last = append(b.playedLines, next), next
	}
}

// playLine parses a line as the referee parses a line of a letter, and plays it in the possible positions.
func (b *Board) playLine(text string, positions []rules.Position) (l Line, after []rules.Position, endReason string) {
	l = Line{Text: text}
	text, isConfirmed := strings.CutSuffix(strings.TrimSpace(text), " "+confirmWord)
	if len(text) > maxLine {
		l.Note, l.IsWrong = "The line is too long.", true
		return l, nil, ""
	}
	if b.isConditional(text) {
		if c, err := b.conditional.Parse(text); err != nil {
			l.Note, l.IsWrong = formatSentence(err), true
		} else {
			l.Canonical, l.Note = c.Text, "It would be kept."
		}
		return l, nil, ""
	}
	o, err := b.orders.ParsePlain(text)
	if err != nil {
		if approximate, failed := b.orders.ForLetter().ParseOrder(text); failed == nil {
			o, err = approximate, nil
		}
	}
	if err != nil {
		l.Note = "This page does not read this line: " + strings.TrimSuffix(err.Error(), ".") + ". The referee may."
		l.IsWrong = true
		return l, nil, ""
	}
	forecast := b.newForecaster(text).ForecastOrder(positions, o, isConfirmed)
	l.Canonical, l.Note, l.IsWrong, l.NeedsConfirm = forecast.Line, strings.TrimPrefix(forecast.Text, forecast.Line+"\n"), forecast.IsRefused,
		forecast.NeedsConfirm
	return l, forecast.Positions, forecast.EndReason
}

func (b *Board) isConditional(text string) bool {
	return b.conditional != nil && ahead.IsConditional(text)
}

func (b *Board) addQuestions(s *State, pos rules.Position, atoms []rules.Atom) error {
	open := rules.OpenDecisionsOf(pos, b.link.Seat)
	if len(atoms) == 0 {
		for _, d := range open {
			s.OpenQuestions = append(s.OpenQuestions, b.newOpenQuestion(pos, d))
		}
		if len(open) == 0 {
			s.EndReason = "Nothing is asked of you now."
		}
		return nil
	}
	pos, s.BegunAnswer = pos.Clone(), b.game.FormatOrder(atoms)
	for _, a := range atoms {
		i := slices.IndexFunc(open, func(d rules.Decision) bool { return slices.Contains(pos.Options(nil, d.ID), a) })
		if i < 0 {
			return errNotAsked
		}
		if open[i].Ballot { // Ballots are counted together and not applied one by one.
			s.IsComplete = true
			return nil
		}
		if _, err := pos.Apply(open[i].ID, a, gate.NoChance{}, nil); err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return err
		}
		open = slices.DeleteFunc(rules.OpenDecisionsOf(pos, b.link.Seat), func(d rules.Decision) bool { return !d.Midway })
	}
	if s.IsComplete = len(open) == 0; !s.IsComplete {
		s.OpenQuestions, s.MayEnd = []OpenQuestion{b.newOpenQuestion(pos, open[0])}, open[0].Stop != 0
	}
	return nil
}

// newOpenQuestion returns the question of an open decision with its options. In the middle of an answer, it omits the
// option that ends the answer, because State.MayEnd represents this option.
func (b *Board) newOpenQuestion(pos rules.Position, d rules.Decision) OpenQuestion {
	options := pos.Options(nil, d.ID)
	p := b.game.Prompt(pos.View(d.Seat), d, options)
	out := OpenQuestion{Question: p.Question, Notes: p.Notes}
	if p.TimeoutNote != "" {
		out.Notes = append(out.Notes, p.TimeoutNote)
	}
	for _, a := range options {
		if !d.Midway || a != d.Stop {
			out.Options = append(out.Options, b.optionFor(a))
		}
	}
	return out
}

func (b *Board) optionFor(a rules.Atom) Option {
	if o, ok := b.options[a]; ok {
		return o
	}
	o := Option{Atom: a, Text: b.game.FormatOrder([]rules.Atom{a})}
	order, err := b.orders.ParsePlain(o.Text)
	if err == nil {
		var names []string
		for _, c := range order.Clauses {
			for _, item := range c.Items {
				o.Places = append(o.Places, placeKey{item.Name.Kind, item.Name.Code}.id())
				if item.Name.Number != 0 {
					names = append(names, item.Name.Text)
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
