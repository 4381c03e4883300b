// Package transcript makes a record of a match that was played at a table and written down in the order language: one
// line for each order, followed by its dice and draws (!roll 4, !draw 36). docs/import.md is the manual.
//
// The package parses lines, seats and marks (outcomes, for example !roll 4). The game decides whether an order is legal
// and computes its effect. The result is either a record or complaints with line numbers.
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
	// Result is, for example, "won by democrat". It is empty if the match continues; then Next describes the next step.
	Result, Next string
}

// Summary describes the end of the match in a sentence or two.
func (i *Imported) Summary() string {
	if i.Result != "" {
		return "The match is over: " + i.Result + "."
	}
	return i.Next
}

// Complaint tells the writer of the text about a mistake in a line.
type Complaint struct {
	// Line counts from 1.
	Line int
	Text string
	// Question is the text of the open decision before the line, and LegalOrders are orders that answer it; both may be
	// empty.
	Question, Problem string
	LegalOrders       []string
}

func (c Complaint) String() string {
	s := fmt.Sprintf("line %d: %s\n  wrong: %s", c.Line, c.Text, c.Problem)
	if c.Question != "" {
		s += "\n  asked: " + c.Question
	}
	if len(c.LegalOrders) > 0 {
		s += "\n  legal: " + strings.Join(c.LegalOrders, "; ")
	}
	return s
}

// Complaints is the error for a text that cannot be read or played completely.
type Complaints []Complaint

func (cs Complaints) Error() string {
	var out []string
	for _, c := range cs {
		out = append(out, c.String())
	}
	return strings.Join(out, "\n")
}

// MaxLength limits the bytes of a text; a complete match has about 10,000 bytes.
const MaxLength = 1 << 20

// Read makes a record from a text. Its error is [Complaints]: either all lines that cannot be parsed, or the first
// illegal line.
func Read(games rules.Games, text string) (*Imported, error) {
	if len(text) > MaxLength {
		return nil, Complaints{{Line: 1, Text: "...", Problem: fmt.Sprintf("the file is too long: the maximum is %d bytes", MaxLength)}}
	}
	r := reader{games: games, rows: strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")}
	r.read(text)
	if len(r.complaints) > 0 {
		slices.SortStableFunc(r.complaints, func(a, b Complaint) int { return a.Line - b.Line })
		return nil, r.complaints
	}
	p := &replayer{reader: &r}
	if c := p.play(); c != nil {
		return nil, Complaints{*c}
	}
	imported := &Imported{Record: &p.rec}
	imported.Result, imported.Next = p.describeState()
	return imported, nil
}

// line is an order with its marks. For example, "democrat: PLAY 26 EVENT !roll 4" has a seat, an order and one mark.
type line struct {
	number int
	text   string
	// seat is NoSeat if not given.
	seat  rules.Seat
	order rules.Order
	err   error
	marks []*mark
}

type reader struct {
	games rules.Games
	// rows are the lines of the text.
	rows       []string
	complaints Complaints

	game   *rules.Game
	names  record.OutcomeNames
	parser *order.Parser
	// pos and rec are the position and the record so far, at first those before the first order. The replayer adds the orders.
	pos rules.Position
	rec record.Record
	// lines are the orders. The first element has no order and contains the outcomes of the deal.
	lines []*line
}

func (r *reader) complain(lineNumber int, format string, args ...any) {
	r.complaints = append(r.complaints, Complaint{Line: lineNumber, Text: r.quoteLine(lineNumber), Problem: fmt.Sprintf(format, args...)})
}

// maxQuotedChars limits the characters of a line that a complaint repeats.
const maxQuotedChars = 200

func (r *reader) quoteLine(number int) string {
	if number < 1 || number > len(r.rows) {
		return "(the end)"
	}
	text := []rune(strings.ToValidUTF8(strings.TrimSpace(r.rows[number-1]), "?"))
	if len(text) > maxQuotedChars {
		text = append(text[:maxQuotedChars], []rune("...")...)
	}
	return string(text)
}

func (r *reader) read(text string) {
	lines := order.Split(removeComments(text))
	var head []headerLine
	for len(lines) > 0 {
		h, ok := parseHeaderLine(lines[0])
		if !ok {
			break
		}
		head, lines = append(head, h), lines[1:]
	}
	if !r.readHeader(head) {
		return
	}
	r.lines = []*line{{number: r.firstLine(lines)}}
	for _, l := range lines {
		orderText, marks := cutMarks(l.Text)
		if orderText != "" {
			r.addOrderLine(l, orderText)
		}
		last := r.lines[len(r.lines)-1]
		for _, m := range marks {
			parsed, err := r.parseMarks(l.Number, m)
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
		if l.order, l.err = r.parser.ParseOrder(l.text); l.err != nil {
			r.complain(l.number, "%v", l.err)
		}
	}
}

// firstLine returns the number of the first line below the header. Complaints about the deal refer to it.
func (r *reader) firstLine(remaining []order.Line) int {
	if len(remaining) > 0 {
		return remaining[0].Number
	}
	return len(r.rows)
}

// addOrderLine adds an order, or appends a continuation line to the order above.
func (r *reader) addOrderLine(l order.Line, text string) {
	last := r.lines[len(r.lines)-1]
	if l.Continues && len(r.lines) > 1 && len(last.marks) == 0 {
		last.text += " " + text
		return
	}
	seat, remaining, err := r.readSeat(text)
	if err == nil && remaining == "" {
		err = errors.New("missing order")
	}
	if err != nil {
		r.complain(l.Number, "%v", err)
	}
	r.lines = append(r.lines, &line{number: l.Number, text: remaining, seat: seat, err: err})
}

// removeComments empties the lines that begin with "#" and keeps the line numbers.
func removeComments(text string) string {
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
