package trial

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Legal writes a legal order in its current form, and its loss; the row then ends with SURELY. The row is empty for an illegal order.
func (w *Writer) Legal(text string) (row, loses string) {
	if text == "" || w.Play.Turn.Match.State != match.Playing || w.position().Stalled() {
		return "", ""
	}
	o, err := w.Reader.Orders.Order(text)
	if err != nil {
		return "", ""
	}
	given, err := w.game().Answers(o, w.toMove())
	if err != nil {
		return "", ""
	}
	if _, err := gate.Check(w.position(), w.Play.Seat, given[0]); err != nil {
		return "", ""
	}
	row = order.Write(o)
	if loses = w.Loss(given[0]); loses != "" {
		row += " " + letter.Surely
	}
	return row, loses
}

// Harmless returns the text of an order that is legal now and has no loss; empty for other orders.
func (w *Writer) Harmless(text string) string {
	row, loses := w.Legal(text)
	if loses != "" {
		return ""
	}
	return row
}

// SuggestInstead adds a legal order to the sentence that refuses an answer, unless the sentence names it: the answer without its
// illegal parts.
func (w *Writer) SuggestInstead(reason string, err error, given rules.Answer) string {
	var other *record.MismatchError
	if reason == "" || errors.As(err, &other) || errors.Is(err, match.ErrAnswersClosed) || w.namesOrder(reason) {
		return reason // A recorded game keeps its next order to itself.
	}
	if row := w.Harmless(w.legalPart(given)); row != "" {
		return reason + " If you mean " + row + ", write just that."
	}
	return reason
}

// capitals finds the orders of a sentence, e.g. "PLACE Lodz 2" in "You could PLACE Lodz 2."
var capitals = regexp.MustCompile(`[A-Z]{3}[^.?!:;]*`)

// namesOrder reports whether a sentence names an order that can be written now.
func (w *Writer) namesOrder(text string) bool {
	for _, said := range capitals.FindAllString(text, -1) {
		for row := range strings.SplitSeq(strings.TrimSuffix(said, " would be legal"), ", or ") {
			if w.Harmless(row) != "" {
				return true
			}
		}
	}
	return false
}

// legalPart writes an answer without its illegal parts, and without parts beyond the question.
func (w *Writer) legalPart(given rules.Answer) string {
	given.Atoms = slices.Clone(given.Atoms)
	for len(given.Atoms) > 0 {
		_, err := gate.Check(w.position(), w.Play.Seat, given)
		var illegal *gate.Illegal
		var long *gate.TooLong
		switch {
		case errors.As(err, &illegal):
			given.Atoms = slices.Delete(given.Atoms, illegal.Index, illegal.Index+1)
		case errors.As(err, &long):
			given.Atoms = given.Atoms[:long.Used]
		case err != nil:
			return ""
		default:
			return w.game().FormatOrder(given.Atoms)
		}
	}
	return ""
}

// Almost is the reason why the rules forbid the order that some lines of talk seem to mean. It is empty if the lines mean no order or
// several, or if a word in them speaks against it.
func (w *Writer) Almost(lines []string) (string, error) {
	read, err := w.interpret(lines)
	if err != nil {
		return "", err
	}
	return w.almost(read)
}

func (w *Writer) almost(read order.Interpretation) (string, error) {
	if len(read.Orders) != 1 || len(read.Unread) > 0 || read.Surplus {
		return "", nil
	}
	return w.seemsRefused(order.Write(read.Orders[0]), read.Orders[0])
}

// interpret reads lines as if illegal and incomplete answers were legal.
func (w *Writer) interpret(lines []string) (read order.Interpretation, err error) {
	try := w.Trials()
	if try == nil {
		return read, nil
	}
	q, err := w.FullQuestion()
	if err != nil || q == nil {
		return read, err
	}
	mine := w.toMove()
	q.Try = func(o rules.Order) *order.Trial {
		if t := try(o); t != nil {
			return t
		}
		return w.refusedTrial(o, mine)
	}
	w.Reader.Orders.Widen(q, lines)
	return w.Reader.Orders.Interpret(lines, q), nil
}

// CardPlayed reads a line that names a card and goes on like an order, e.g. "CARD 36 OPS". It returns why that order is refused, or how
// it is written; empty if the line is no order.
func (w *Writer) CardPlayed(line string) (string, error) {
	read, err := w.interpret([]string{line})
	if err != nil {
		return "", err
	}
	if text, err := w.almost(read); err != nil || text != "" {
		return text, err
	}
	if len(read.Orders) != 1 {
		// The line may be an order without a question.
		_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		o, err := w.Reader.Orders.Order(rest)
		if err != nil {
			return "", nil
		}
		return w.seemsRefused(rest, o)
	}
	row := w.Harmless(order.Write(read.Orders[0]))
	if row == "" {
		return "", nil
	}
	return "It begins as a question about a card. If you mean " + row + ", write just that on a line of its own.", nil
}

// seemsRefused is the reason why the order that a line seems to mean is refused; empty if it is legal.
func (w *Writer) seemsRefused(text string, o rules.Order) (string, error) {
	reason, err := w.WouldRefuse(letter.Line{Kind: letter.GameOrder, Text: text, Order: o})
	if err != nil || reason == "" {
		return "", err
	}
	return "Your letter seems to say " + order.Write(o) + ", which is refused: " + reason, nil
}
