package trial

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/foresight"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// FormatLegal writes a legal order in canonical form. If the order would cost the player something at once, loss
// describes it, and the text ends with FOR SURE. The text is empty for an illegal order.
func (ts *Tester) FormatLegal(text string) (orderText, loss string) {
	if text == "" || ts.Execution.Turn.Match.State != match.Playing || ts.position().Stalled() {
		return "", ""
	}
	o, err := ts.Reader.Orders.ParseOrder(text)
	if err != nil {
		return "", ""
	}
	answers, err := ts.game().Answers(o, ts.ownDecisions())
	if err != nil {
		return "", ""
	}
	if _, err := gate.Check(ts.position(), ts.Execution.Seat, answers[0]); err != nil {
		return "", ""
	}
	orderText = order.Format(o)
	if loss = ts.DescribeLoss(answers[0]); loss != "" {
		orderText += " " + letter.ForSure
	}
	return orderText, loss
}

// FormatHarmless writes an order in canonical form if it is legal now and has no loss. It returns "" for other orders.
func (ts *Tester) FormatHarmless(text string) string {
	orderText, loss := ts.FormatLegal(text)
	if loss != "" {
		return ""
	}
	return orderText
}

// SuggestInstead adds a legal order to the sentence reason, which refuses an answer. This order is the answer without
// its illegal parts. If reason already names a legal order, SuggestInstead adds nothing.
func (ts *Tester) SuggestInstead(reason string, err error, answer rules.Answer) string {
	var other *record.MismatchError
	if reason == "" || errors.As(err, &other) || errors.Is(err, match.ErrAnswersClosed) || ts.namesOrder(reason) {
		return reason // A suggestion could reveal the next order of a recorded match.
	}
	if orderText := ts.FormatHarmless(ts.legalPart(answer)); orderText != "" {
		return reason + " If you mean " + orderText + ", write only that."
	}
	return reason
}

// orderPattern finds the orders in a sentence, e.g. "PLACE Lodz 2" in "You could PLACE Lodz 2."
var orderPattern = regexp.MustCompile(`[A-Z]{3}[^.?!:;]*`)

// namesOrder reports whether a sentence names an order that is legal now and has no loss.
func (ts *Tester) namesOrder(text string) bool {
	for _, phrase := range orderPattern.FindAllString(text, -1) {
		for orderText := range strings.SplitSeq(strings.TrimSuffix(phrase, " would be legal"), ", or ") {
			if ts.FormatHarmless(orderText) != "" {
				return true
			}
		}
	}
	return false
}

// legalPart writes an answer without its illegal parts, and without parts that the question does not ask for.
func (ts *Tester) legalPart(answer rules.Answer) string {
	answer.Atoms = slices.Clone(answer.Atoms)
	for len(answer.Atoms) > 0 {
		_, err := gate.Check(ts.position(), ts.Execution.Seat, answer)
		var illegal *gate.IllegalError
		var long *gate.TooLongError
		switch {
		case errors.As(err, &illegal):
			answer.Atoms = slices.Delete(answer.Atoms, illegal.Index, illegal.Index+1)
		case errors.As(err, &long):
			answer.Atoms = answer.Atoms[:long.Needed]
		case err != nil:
			return ""
		default:
			return ts.game().FormatOrder(answer.Atoms)
		}
	}
	return ""
}

// ExplainLikelyOrder finds the order that lines of talk seem to mean, and returns the reason why it is illegal. It
// returns "" if the lines mean no order or several orders, or deny the order.
func (ts *Tester) ExplainLikelyOrder(lines []string) (string, error) {
	result, err := ts.interpret(lines)
	if err != nil {
		return "", err
	}
	return ts.explainInterpretation(result)
}

func (ts *Tester) explainInterpretation(result order.Interpretation) (string, error) {
	if len(result.Orders) != 1 || len(result.NotUnderstood) > 0 || result.NamesMore {
		return "", nil
	}
	return ts.explainApparentOrder(order.Format(result.Orders[0]), result.Orders[0])
}

// interpret reads lines as an answer to the answered letter. It treats illegal and incomplete answers as legal, so that
// it finds them too.
func (ts *Tester) interpret(lines []string) (result order.Interpretation, err error) {
	tryOrder := ts.TrialFunc()
	if tryOrder == nil {
		return result, nil
	}
	question, err := ts.FullQuestion()
	if err != nil || question == nil {
		return result, err
	}
	decisions := ts.ownDecisions()
	question.Try = func(o rules.Order) *order.Trial {
		if t := tryOrder(o); t != nil {
			return t
		}
		return ts.refusedTrial(o, decisions)
	}
	ts.Reader.Orders.AllowNumberedNames(question, lines)
	return ts.Reader.Orders.Interpret(lines, question), nil
}

// ExplainCardPlay reads a line that names a card and continues like an order, e.g. "CARD 36 OPS". It returns the reason
// why that order is refused, or says how to write it. It returns "" if the line is not an order.
func (ts *Tester) ExplainCardPlay(line string) (string, error) {
	result, err := ts.interpret([]string{line})
	if err != nil {
		return "", err
	}
	if text, err := ts.explainInterpretation(result); err != nil || text != "" {
		return text, err
	}
	if len(result.Orders) != 1 {
		// The line may be an order although no question is open.
		_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		o, err := ts.Reader.Orders.ParseOrder(rest)
		if err != nil {
			return "", nil
		}
		return ts.explainApparentOrder(rest, o)
	}
	orderText := ts.FormatHarmless(order.Format(result.Orders[0]))
	if orderText == "" {
		return "", nil
	}
	return "It begins as a question about a card. If you mean " + orderText + ", write just that on a line of its own.", nil
}

// explainApparentOrder returns the reason why the order o, which a line seems to mean, is refused. It returns "" if the
// order is legal.
func (ts *Tester) explainApparentOrder(text string, o rules.Order) (string, error) {
	reason, err := ts.ExplainRefusal(letter.Line{Kind: letter.KindGameOrder, Text: text, Order: o})
	if err != nil || reason == "" {
		return "", err
	}
	return "Your letter seems to say " + order.Format(o) + ", which is refused: " + reason, nil
}

// Preview describes the effects of a letter's orders one after another, up to the first die, draw or decision of another
// seat. It reports only effects that are the same in all positions that the writer's view allows, so that a preview
// reveals no hidden cards.
type Preview struct {
	tester    *Tester
	positions []rules.Position
	// reason is the reason why the next order cannot be previewed. It is "" if the order can be previewed.
	reason string
}

// NewPreview returns a preview from the current position.
func (ts *Tester) NewPreview() *Preview {
	p := &Preview{tester: ts}
	switch {
	case ts.game().Imagine == nil:
		p.reason = "This game has no previews of orders."
	case ts.Execution.Turn.Match.State == match.Playing:
		p.positions = ts.game().Imagine(ts.position().View(ts.Execution.Seat))
	}
	return p
}

// Describe describes the effect of an order after the earlier orders. If isPredicted is false, the text is the reason why the effect is
// unknown.
func (p *Preview) Describe(line letter.Line) (text string, isPredicted bool) {
	if p.reason == "" && len(p.positions) == 0 {
		p.reason = "There is nothing to preview now."
	}
	if p.reason != "" {
		return p.reason, false
	}
	if line.Kind != letter.KindGameOrder {
		return "It does not change the match.", true
	}
	tester := p.tester
	forecaster := foresight.Forecaster{Game: tester.game(), Seat: tester.Execution.Seat, NamesOf: tester.Execution.Turn.NamesOf,
		FormatError:       match.ErrorSentence,
		FormatConfirmHint: func(loss string) string { return addConfirmHint(loss, line) }}
	forecast := forecaster.ForecastOrder(p.positions, line.Order, line.IsConfirmed)
	p.positions, p.reason = forecast.Positions, forecast.EndReason
	return forecast.Text, true
}
