package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// mostNear is how many slips in a name are looked at.
const mostNear = 4

// why says why a line is no order. What it seems to mean is named only where it would be
// carried out as it stands.
func (j *adjudication) why(l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(j.turn.Lines[j.play.Seat]) > mostListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := letter.Addressed(l.Text); w != "" && j.a.Club != nil {
		return fmt.Sprintf("%s is an order to the club, not to a match. Write it in answer to a letter of the club, or in a letter to %s.", w, j.a.Post.Referee())
	}
	if game := j.otherGame(l.Text); game != "" {
		return fmt.Sprintf("That is an order of %s. Your letter went to match %s, of %s: reply to a letter of the match that you mean.", game, j.turn.Match.ID, j.turn.Match.Game)
	}
	if l.Why == "" && strings.HasSuffix(strings.TrimSpace(l.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. ASK and a question goes to the operator."
	}
	if len(l.Near) == 0 || letter.Begins(l.Text, letter.Card) || j.turn.Match.State != Playing || len(j.turn.Owed(j.play.Seat)) == 0 {
		return l.Why
	}
	var rows []string
	for _, near := range l.Near[:min(len(l.Near), mostNear)] {
		if row := j.wouldDo(near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.Plainly
	}
	j.reply.hinted = true
	return sentences(l.Plainly, j.asksWhich(rows))
}

// otherGame is another game of the referee, an order of which a line plainly is; empty for none. Only the first
// line that is answered is looked at.
func (j *adjudication) otherGame(text string) string {
	if len(j.turn.Lines[j.play.Seat]) > 0 {
		return ""
	}
	for _, g := range j.a.Games {
		if g.Name() == j.turn.Match.Game {
			continue
		}
		if o, err := j.a.readers[g.Name()]().Orders.Plain(text); err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
			return g.Name()
		}
	}
	return ""
}

// wouldDo writes an order as it would be carried out now; it is empty where it would not.
func (j *adjudication) wouldDo(text string) string {
	row, loses := j.legal(text)
	if loses != "" {
		return ""
	}
	return row
}

// legal writes an order as it is to be written now, with SURELY behind one that loses what its
// writer may not have seen, and says what that is; it is empty where the order is not legal.
func (j *adjudication) legal(text string) (row, loses string) {
	if text == "" || j.turn.Match.State != Playing || j.turn.After.Stalled() {
		return "", ""
	}
	o, err := j.reader.Orders.Order(text)
	if err != nil {
		return "", ""
	}
	given, err := j.turn.Game.Answers(o, j.turn.Owed(j.play.Seat))
	if err != nil {
		return "", ""
	}
	if _, err := gate.Check(j.turn.After, j.play.Seat, given[0]); err != nil {
		return "", ""
	}
	row = order.Write(o)
	if loses = j.rash(given[0]); loses != "" {
		row += " " + letter.Surely
	}
	return row, loses
}

// mostChoices is how many orders a letter that may mean any of them is answered with.
const mostChoices = 3

// asksWhich asks which of several orders the writer of a letter means, and says what they would lose.
func (j *adjudication) asksWhich(rows []string) (losses string) {
	j.reply.ask = &templates.Ask{Question: "Not done yet. Which of these orders do you mean?"}
	if len(rows) == 1 {
		j.reply.ask.Question = MeansOrder(1)
	}
	for _, r := range rows[:min(len(rows), mostChoices)] {
		row, loses := j.legal(r)
		if row == "" {
			row = r
		}
		if j.reply.ask.Taps = append(j.reply.ask.Taps, row); loses != "" {
			losses = sentences(losses, "Of "+row+": "+loses)
		}
	}
	return losses
}

// instead adds to what says why an answer was refused what can be written instead, unless it
// says so: the answer without what is not legal in it, if that is whole, or else others.
func (j *adjudication) instead(why string, err error, given rules.Answer) string {
	var other *record.Mismatch
	if why == "" || errors.As(err, &other) || errors.Is(err, match.ErrAnswersClosed) || j.ordersIn(why) {
		return why // What a recorded game has next is nobody's business.
	}
	if row := j.wouldDo(j.legalPart(given)); row != "" {
		return why + " If you mean " + row + ", write just that."
	}
	return why
}

// capitals begins an order in a sentence.
var capitals = regexp.MustCompile(`[A-Z]{3}[^.?!:;]*`)

// ordersIn reports whether a sentence names an order that can be written now.
func (j *adjudication) ordersIn(text string) bool {
	for _, said := range capitals.FindAllString(text, -1) {
		for row := range strings.SplitSeq(strings.TrimSuffix(said, " would be legal"), ", or ") {
			if j.wouldDo(row) != "" {
				return true
			}
		}
	}
	return false
}

// legalPart writes an answer without what is not legal in it, and without what is more than was
// asked.
func (j *adjudication) legalPart(given rules.Answer) string {
	given.Atoms = slices.Clone(given.Atoms)
	for len(given.Atoms) > 0 {
		_, err := gate.Check(j.turn.After, j.play.Seat, given)
		var illegal *gate.Illegal
		var long *gate.Long
		switch {
		case errors.As(err, &illegal):
			given.Atoms = slices.Delete(given.Atoms, illegal.Index, illegal.Index+1)
		case errors.As(err, &long):
			given.Atoms = given.Atoms[:long.Used]
		case err != nil:
			return ""
		default:
			return j.turn.Game.Line(given.Atoms)
		}
	}
	return ""
}

// guide ends the answer to a letter of which nothing was understood with what is in the way of the
// order that it seems to say.
func (j *adjudication) guide(ctx context.Context) error {
	own := j.turn.Lines[j.play.Seat]
	nothing := !slices.ContainsFunc(own, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused && l.Outcome != match.OutcomeNotReached
	})
	if !nothing || !j.reply.puzzled || j.reply.hinted {
		return nil
	}
	text, err := j.whyNot(ctx, own)
	if err != nil {
		return err
	}
	if text != "" {
		j.turn.Tell(j.play.Seat, "", match.OutcomeIgnored, text)
	}
	return nil
}

// whyNot says why the rules do not allow what the first line of talk with an order in it seems to
// mean: its writer is helped more by that than by other orders.
func (j *adjudication) whyNot(ctx context.Context, own []match.LineReport) (string, error) {
	var lines []string
	for _, l := range own {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	return j.almost(ctx, lines)
}

// sure says how to give an order that loses what its writer may not have seen.
func sure(why string, l letter.Line) string {
	l.Surely = true
	row, _ := proposal(l)
	return why + " If you mean it, write " + row + "."
}

// sentences joins sentences, some of which may be empty.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
