package adjudicator

import (
	"context"
	"slices"
	"strings"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/order"
)

// Proposal is what a letter seems to mean, where something in it speaks against doing it
// at once. YES carries it out.
type Proposal struct {
	// Orders are the lines as they are carried out.
	Orders string `json:"orders"`
	// Number is the letter of ours that asks, Entries how many entries the history had:
	// a YES to another letter, which may ask something else, or to another position is none
	// to this.
	Number  int64 `json:"number"`
	Entries int   `json:"entries"`
}

// proposed is what the writer of a letter may say YES to; nil when there is nothing.
func (j *adjudication) proposed() *Proposal {
	p := j.m.Seats[j.seat].Timing.Proposed
	if p == nil || j.m.State != Playing || p.Entries != j.m.Entries-len(j.entries) {
		return nil
	}
	return p
}

// confirmed puts the orders that the writer was asked about in the place of his YES.
// Whatever else he orders ends the question.
func (j *adjudication) confirmed(ctx context.Context, lines []command.Line) ([]command.Line, error) {
	yes := slices.IndexFunc(lines, func(l command.Line) bool { return l.Is(command.Yes) && l.Command.Choice == "" })
	acts := 0
	for _, l := range lines {
		if l.Acts() && !l.Is("CANCEL ORDERS") && !l.Is("DROP") || l.Kind == command.Unreadable {
			acts++
		}
	}
	p := j.proposed()
	if acts > 0 && j.m.State == Playing {
		j.m.Seats[j.seat].Timing.Proposed = nil
	}
	if yes < 0 || p == nil || acts > 1 || j.letter.Token.Number != p.Number {
		return lines, nil
	}
	own := j.letter.Orders
	j.letter.Orders = p.Orders
	read, err := j.readLetter(ctx)
	j.letter.Orders = own
	return slices.Concat(lines[:yes], read, lines[yes+1:]), err
}

// onlyPreviews reports whether a letter asks what its orders would do, and nothing in it is done.
func onlyPreviews(lines []command.Line) bool {
	return slices.ContainsFunc(lines, func(l command.Line) bool { return l.Is(command.Preview) }) &&
		!slices.ContainsFunc(lines, func(l command.Line) bool { return l.Class() == command.Setting })
}

// asksBack asks whether the writer means the orders of a letter in which something
// speaks against them; nothing but questions is carried out.
func (j *adjudication) asksBack(ctx context.Context, lines []command.Line, doubts []string) error {
	var rows []string
	// Only the first is tried: what the others answer is not known yet.
	first, refused := slices.IndexFunc(lines, func(l command.Line) bool { return l.Kind == command.GameOrder && j.answersNow(l) }), ""
	if first >= 0 {
		var err error
		if refused, err = j.wouldRefuse(ctx, lines[first]); err != nil {
			return err
		}
	}
	said := strings.Join(doubts, " ")
	for i, l := range lines {
		row, how := proposal(l)
		means, err := j.ending(ctx, l)
		if err != nil {
			return err
		}
		if means != "" {
			row, how = string(l.Command.Word)+" "+j.m.ID, means+" "
		}
		switch {
		case l.Class() == command.Question, l.Class() == command.Asking:
			if _, err := j.command(ctx, l); err != nil {
				return err
			}
		case l.Kind == command.Talk, l.Kind == command.Doubt:
			j.report(l.Text, outcomeIgnored, j.why(l))
		case refused != "" && i == first:
			j.report(l.Text, outcomeRefused, refused)
		case refused != "":
			j.report(l.Text, outcomeNotReached, "Not carried out, since another line was refused.")
		case l.Class() == command.Telling, l.Kind == command.GameOrder && j.castsBallot(l.Order), l.Is(command.Yes), l.Is(command.Preview):
			j.report(l.Text, outcomeNotReached, said+" If you mean it, send it again without that.")
		default:
			rows = append(rows, row)
			j.report(l.Text, outcomeAsked, how+said+" If you mean this order, answer YES.")
		}
	}
	if len(rows) > 0 && refused == "" {
		j.propose(rows)
		j.offers = append(j.offers, string(command.Yes))
	}
	j.disposition = Refused
	return nil
}

// propose keeps the orders that a YES to our answer carries out.
func (j *adjudication) propose(rows []string) {
	seat := &j.m.Seats[j.seat]
	seat.Timing.Proposed = &Proposal{Orders: enclosed(rows), Number: seat.Letters + 1, Entries: j.m.Entries}
}

// enclosed is a letter that says these orders and nothing else, each a paragraph of its own.
func enclosed(rows []string) string {
	return strings.Join(slices.Concat([]string{"BEGIN"}, rows, []string{"END"}), "\n\n") + "\n"
}

// enclosedRows are the orders of such a letter.
func enclosedRows(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(row string) bool { return row == "" || row == "BEGIN" || row == "END" })
}

// proposal is a line as YES carries it out, and how the answer spells that out.
func proposal(l command.Line) (row, how string) {
	switch row = l.Text; l.Kind {
	case command.GameOrder:
		row = order.Write(l.Order)
		if l.Later {
			row = "THEN " + row
		}
		if l.Surely {
			row += " " + command.Surely
		}
	case command.ConditionalOrder:
		row = l.Conditional.Text
	}
	if row != l.Text {
		how = row + "\n"
	}
	return row, how
}
