// Package transcript makes a record of a match that was played at a table and written down in the order language: one
// line for each order, followed by its dice and draws (!roll 4, !draw 36). docs/import.md is the manual.
//
// The package knows lines, seats and marks. The game decides by the contract in package rules whether a line is legal
// and what follows from it. Every text yields either a record or complaints with line numbers.
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

// Imported is a record with a description of its end.
type Imported struct {
	Record *record.Record
	// Over is the result; empty if the match continues. Then Next describes the next step.
	Over, Next string
}

// Standing describes the end of the match in a sentence or two.
func (i *Imported) Standing() string {
	if i.Over != "" {
		return "The match is over: " + i.Over + "."
	}
	return i.Next
}

// Complaint describes a mistake in a line for the writer of the text.
type Complaint struct {
	// Line counts from 1. Text is the text of the line.
	Line int
	Text string
	// Asked is the question at this point, Wrong the mistake, and Legal are legal orders. Asked and Legal may be
	// empty.
	Asked, Wrong string
	Legal        []string
}

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

// Complaints is the error of a text that is not a legal match.
type Complaints []Complaint

func (cs Complaints) Error() string {
	var out []string
	for _, c := range cs {
		out = append(out, c.String())
	}
	return strings.Join(out, "\n")
}

// MaxLength limits the bytes of a text; a whole match has about ten thousand.
const MaxLength = 1 << 20

// Read makes a record from a text. Its error is [Complaints]: either all lines that cannot be parsed, or the first
// illegal line.
func Read(games rules.Games, text string) (*Imported, error) {
	if len(text) > MaxLength {
		return nil, Complaints{{Line: 1, Text: "...", Wrong: fmt.Sprintf("the file is longer than any match: more than %d bytes", MaxLength)}}
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
	made := &Imported{Record: &p.rec}
	made.Over, made.Next = p.describeState()
	return made, nil
}

// line is an order with its marks. For example, "democrat: PLAY 26 EVENT !roll 4" has a seat, an order and one mark.
type line struct {
	number int
	text   string
	// seat gives the order; NoSeat if the text does not name the seat.
	seat  rules.Seat
	order rules.Order
	err   error
	marks []*mark
}

type reader struct {
	games rules.Games
	row   []string
	bad   Complaints

	game   *rules.Game
	words  record.OutcomeNames
	parser *order.Parser
	// pos and rec are the match before the first line.
	pos rules.Position
	rec record.Record
	// lines are the orders. The first element has no order and holds the outcomes of the deal.
	lines []*line
}

func (r *reader) complain(number int, format string, args ...any) {
	r.bad = append(r.bad, Complaint{Line: number, Text: r.quoteLine(number), Wrong: fmt.Sprintf(format, args...)})
}

// maxQuotedChars limits the characters of a line that a complaint repeats.
const maxQuotedChars = 200

func (r *reader) quoteLine(number int) string {
	if number < 1 || number > len(r.row) {
		return "(the end)"
	}
	text := []rune(strings.ToValidUTF8(strings.TrimSpace(r.row[number-1]), "?"))
	if len(text) > maxQuotedChars {
		text = append(text[:maxQuotedChars], []rune("...")...)
	}
	return string(text)
}

// read parses the header, the orders and the marks, and complains about each line that cannot be parsed.
func (r *reader) read(text string) {
	all := order.Split(removeComment(text))
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
		if l.err != nil || isResignation(l.text) {
			continue
		}
		if l.order, l.err = r.parser.Order(l.text); l.err != nil {
			r.complain(l.number, "%v", l.err)
		}
	}
}

// firstRow returns the number of the line to which complaints about the deal refer.
func (r *reader) firstRow(rest []order.Line) int {
	if len(rest) > 0 {
		return rest[0].Number
	}
	return len(r.row)
}

// orderLine adds an order, or joins a continuation line to the order above.
func (r *reader) orderLine(l order.Line, text string) {
	last := r.lines[len(r.lines)-1]
	if l.Continues && len(r.lines) > 1 && len(last.marks) == 0 {
		last.text += " " + text
		return
	}
	seat, rest, err := r.readSeat(text)
	if err == nil && rest == "" {
		err = errors.New("the order is missing")
	}
	if err != nil {
		r.complain(l.Number, "%v", err)
	}
	r.lines = append(r.lines, &line{number: l.Number, text: rest, seat: seat, err: err})
}

// removeComment empties the lines that begin with "#" and keeps the line numbers.
func removeComment(text string) string {
	var b strings.Builder
	for row := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(row), "#") {
			row = "\n"
		}
		b.WriteString(row)
	}
	return b.String()
}

// isResignation reports whether a line is a resignation, for example "RESIGN." or "resign!".
func isResignation(text string) bool { return strings.EqualFold(strings.Trim(text, " .!"), "RESIGN") }
