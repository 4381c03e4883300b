// Package transcript makes a record of a match that was played elsewhere, at a table, and
// written down in the order language: a line for each order, and below it what was rolled
// and drawn (!roll 4, !draw 36). docs/import.md is its manual.
//
// It knows no game. What a line means, whether it is legal and what it causes says the game
// through the contract in package rules; this package knows lines, seats and marks. Whatever
// the text is, it ends with a record or with complaints that name a line.
package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Made is a record, and how the match stands at its end.
type Made struct {
	Record *record.Record
	// Over is how the match has ended; empty where it goes on, and then Next says with what.
	Over, Next string
}

// Standing says how the match stands, in a sentence or two.
func (m *Made) Standing() string {
	if m.Over != "" {
		return "The match is over: " + m.Over + "."
	}
	return m.Next
}

// Complaint is what is wrong with a line, for whoever typed it.
type Complaint struct {
	// Line counts from 1; Text is what stands there.
	Line int
	Text string
	// Asked is what was asked there, Wrong what is wrong, and Legal are orders that would
	// have been legal. Asked and Legal may be empty.
	Asked, Wrong string
	Legal        []string
}

// String says it in a few lines.
func (c Complaint) String() string {
	s := fmt.Sprintf("line %d: %s\n  wrong: %s", c.Line, c.Text, c.Wrong)
	if c.Asked != "" {
		s += "\n  asked: " + c.Asked
	}
	if len(c.Legal) > 0 {
		s += "\n  legal: " + strings.Join(c.Legal, "; ")
	}
	return s
}

// Complaints is the error of a text that is no match.
type Complaints []Complaint

func (cs Complaints) Error() string {
	var out []string
	for _, c := range cs {
		out = append(out, c.String())
	}
	return strings.Join(out, "\n")
}

// Longest is the most bytes of a text that is read; a whole match has some ten thousand.
const Longest = 1 << 20

// Read makes a record of a text. Its error is [Complaints]: all lines that cannot be
// read, or else the first that is not legal.
func Read(games rules.Games, text string) (*Made, error) {
	if len(text) > Longest {
		return nil, Complaints{{Line: 1, Text: "...", Wrong: fmt.Sprintf("the file is longer than any match: more than %d bytes", Longest)}}
	}
	r := reader{games: games, row: strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")}
	r.read(text)
	if len(r.bad) > 0 {
		slices.SortStableFunc(r.bad, func(a, b Complaint) int { return a.Line - b.Line })
		return nil, r.bad
	}
	p := &player{reader: &r}
	if c := p.play(); c != nil {
		return nil, Complaints{*c}
	}
	made := &Made{Record: &p.rec}
	made.Over, made.Next = p.standing()
	return made, nil
}

// line is an order with the marks behind it.
type line struct {
	number int
	text   string
	// seat is who gives it; Nobody where that is not said.
	seat  rules.Seat
	order rules.Order
	err   error
	marks []*mark
}

// reader takes a text apart.
type reader struct {
	games rules.Games
	row   []string
	bad   Complaints

	game   *rules.Game
	words  record.OutcomeNames
	parser *order.Parser
	// pos and rec are the match before anything has happened.
	pos rules.Position
	rec record.Record
	// lines are the orders; the first has none and holds what is dealt before.
	lines []*line
}

func (r *reader) complain(number int, format string, args ...any) {
	r.bad = append(r.bad, Complaint{Line: number, Text: r.shown(number), Wrong: fmt.Sprintf(format, args...)})
}

// mostShown is how much of a line a complaint repeats.
const mostShown = 200

// shown is a line as it stands in the text.
func (r *reader) shown(number int) string {
	if number < 1 || number > len(r.row) {
		return "(the end)"
	}
	text := []rune(strings.ToValidUTF8(strings.TrimSpace(r.row[number-1]), "?"))
	if len(text) > mostShown {
		text = append(text[:mostShown], []rune("...")...)
	}
	return string(text)
}

// read takes in every line.
func (r *reader) read(text string) {
	all := order.Split(uncommented(text))
	var head []headRow
	for len(all) > 0 {
		h, ok := asHeadRow(all[0])
		if !ok {
			break
		}
		head, all = append(head, h), all[1:]
	}
	if !r.begin(head) {
		return
	}
	r.lines = []*line{{number: r.firstRow(all)}}
	for _, l := range all {
		said, marks := cutMarks(l.Text)
		if said != "" {
			r.orderLine(l, said)
		}
		last := r.lines[len(r.lines)-1]
		for _, m := range marks {
			parsed, err := r.marks(l.Number, m)
			if err != nil {
				r.complain(l.Number, "%v", err)
			}
			last.marks = append(last.marks, parsed...)
		}
	}
	for _, l := range r.lines[1:] {
		if l.err != nil || resigns(l.text) {
			continue
		}
		if l.order, l.err = r.parser.Order(l.text); l.err != nil {
			r.complain(l.number, "%v", l.err)
		}
	}
}

// firstRow is the line that a complaint about what is dealt before the first order names.
func (r *reader) firstRow(rest []order.Line) int {
	if len(rest) > 0 {
		return rest[0].Number
	}
	return len(r.row)
}

// orderLine takes in an order: a new one, or what goes on with the one above.
func (r *reader) orderLine(l order.Line, said string) {
	last := r.lines[len(r.lines)-1]
	if l.Continues && len(r.lines) > 1 && len(last.marks) == 0 {
		last.text += " " + said
		return
	}
	seat, rest, err := r.who(said)
	if err == nil && rest == "" {
		err = errors.New("the order is missing")
	}
	if err != nil {
		r.complain(l.Number, "%v", err)
	}
	r.lines = append(r.lines, &line{number: l.Number, text: rest, seat: seat, err: err})
}

// uncommented leaves out the lines that begin with "#", which no order does.
func uncommented(text string) string {
	var b strings.Builder
	for row := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(row), "#") {
			row = "\n"
		}
		b.WriteString(row)
	}
	return b.String()
}

// resigns reports whether a line says that its seat gives up.
func resigns(text string) bool { return strings.EqualFold(strings.Trim(text, " .!"), "RESIGN") }
