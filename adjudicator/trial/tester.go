// Package trial tries the orders of a letter without carrying them out, for package adjudicator. It finds which decisions
// an order answers, whether the order is legal, which harm it would do to its writer at once (such an order needs FOR
// SURE), and which legal order to suggest instead.
//
// Hidden cards must not affect how a letter is read or refused. So later orders are tried in several positions that the
// writer's view allows. For example, a letter has the orders "PLAY 36 OPS PLACE Lodz 2" and "PLAY 9 EVENT". The second
// order is tried after the first in several positions that agree with the cards that the writer sees.
package trial

import (
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Tester tries the orders of a player before they are carried out.
type Tester struct {
	Execution *match.Execution
	Reader    *letter.Reader
	// LetterNumber is the number of the letter that the player answers (the answered letter). AskedDecisions are the
	// decisions that this letter asks.
	LetterNumber   int64
	AskedDecisions []rules.DecisionID
	// FoundClosedQuestion is set if an order was refused because its question is closed.
	FoundClosedQuestion bool
}

func (ts *Tester) game() *rules.Game { return ts.Execution.Turn.Game }

func (ts *Tester) position() rules.Position { return ts.Execution.Turn.After }

func (ts *Tester) ownDecisions() []rules.Decision {
	return ts.Execution.Turn.OpenDecisions(ts.Execution.Seat)
}

// LetterDecisions returns the decisions of the answered letter. It returns nil if a take-back has closed them.
func (ts *Tester) LetterDecisions() []rules.DecisionID {
	if ts.LetterNumber <= ts.Execution.Turn.Match.Seats[ts.Execution.Seat].ClosedThrough {
		return nil
	}
	return ts.AskedDecisions
}

// IsStale reports whether the answered letter has no open decision.
func (ts *Tester) IsStale() bool {
	return !slices.ContainsFunc(ts.LetterDecisions(), ts.Execution.Turn.IsDecisionOpen)
}

// openLetterDecisions returns the open decisions of the answered letter, or the sentence that says why all are closed.
func (ts *Tester) openLetterDecisions() (open []rules.Decision, closedReason string) {
	asked := ts.LetterDecisions()
	open = slices.DeleteFunc(ts.ownDecisions(), func(d rules.Decision) bool { return !slices.Contains(asked, d.ID) })
	if len(asked) > 0 && len(open) == 0 {
		closedReason = ts.Execution.Turn.ExplainNotAsked(ts.Execution.Seat, true, true)
	}
	return open, closedReason
}

// Question returns the question of the answered letter, in the form that letter.Reader needs.
func (ts *Tester) Question() letter.AnsweredQuestion {
	open, closedReason := ts.openLetterDecisions()
	question := letter.AnsweredQuestion{ClosedReason: closedReason}
	if len(open) == 1 {
		question.Decision = &open[0]
		p := ts.game().Prompt(ts.position().View(ts.Execution.Seat), open[0], ts.position().Options(nil, open[0].ID))
		if question.Text = p.Question; p.IsNumbered {
			question.NumberedAnswers = p.Forms
		}
	}
	return question
}

// TrialFunc returns the function that tries an order as an answer to an open decision. It is nil if the
// questions of the letter are closed, or if the match is not being played.
func (ts *Tester) TrialFunc() func(rules.Order) *order.Trial {
	if _, closedReason := ts.openLetterDecisions(); closedReason != "" || ts.position() == nil ||
		ts.Execution.Turn.Match.State != match.Playing {
		return nil
	}
	return ts.trialFuncIn(ts.position(), ts.possiblePositions)
}

// FullQuestion returns what the interpretation of free text needs: the text of the question, all legal answers and the numbered
// answers. It is nil if the writer is not to move.
func (ts *Tester) FullQuestion() (*order.Question, error) {
	question := ts.questionIn(ts.position(), ts.possiblePositions)
	if question == nil {
		return nil, nil
	}
	asked := ts.Question()
	question.Text, question.Heading = asked.Text, ts.game().Status(ts.position().View(ts.Execution.Seat))
	for _, f := range asked.NumberedAnswers {
		o, err := ts.Reader.Orders.ParsePlain(f)
		if err != nil {
			return nil, err
		}
		question.NumberedAnswers = append(question.NumberedAnswers, o)
	}
	return question, nil
}

// questionIn returns the question of pos to the writer; nil if the writer is not to move. positions returns the positions that the
// writer's view allows. Trial.Next is offered only if all these positions ask the same next question.
func (ts *Tester) questionIn(pos rules.Position, positions func() []rules.Position) *order.Question {
	tryOrder := ts.trialFuncIn(pos, positions)
	if tryOrder == nil {
		return nil
	}
	var answers []string
	for _, d := range rules.OpenDecisionsOf(pos, ts.Execution.Seat) {
		for _, a := range pos.Options(nil, d.ID) {
			answers = append(answers, ts.game().FormatOrder([]rules.Atom{a}))
		}
	}
	return ts.Reader.Orders.NewQuestion(answers, tryOrder)
}

// trialFuncIn returns the function that tries an order in pos; nil if the writer is not to move, or is to cast a ballot.
func (ts *Tester) trialFuncIn(pos rules.Position, positions func() []rules.Position) func(rules.Order) *order.Trial {
	if _, over := pos.Result(); over || pos.Stalled() {
		return nil
	}
	decisions := rules.OpenDecisionsOf(pos, ts.Execution.Seat)
	if len(decisions) == 0 || slices.ContainsFunc(decisions, func(d rules.Decision) bool { return d.Ballot }) {
		return nil
	}
	return func(o rules.Order) *order.Trial {
		answers, err := ts.game().Answers(o, decisions)
		if err != nil {
			return nil
		}
		r, err := gate.Check(pos, ts.Execution.Seat, answers[0])
		if err != nil {
			return nil
		}
		t := &order.Trial{IsSingleAnswer: len(answers) == 1}
		for _, a := range answers {
			t.Answer += ts.game().FormatOrder(a.Atoms) + "; "
		}
		if !r.Stalled && t.IsSingleAnswer {
			t.Next = func() *order.Question {
				next := ts.possiblePositionsAfter(positions(), answers[0])
				if len(next) == 0 {
					return nil
				}
				return ts.questionIn(next[0], func() []rules.Position { return next })
			}
		}
		return t
	}
}

// possiblePositions returns positions of the match that the writer's view allows.
func (ts *Tester) possiblePositions() []rules.Position {
	if imagine := ts.game().Imagine; imagine != nil {
		if positions := imagine(ts.position().View(ts.Execution.Seat)); len(positions) > 0 {
			return positions
		}
	}
	return []rules.Position{ts.position()}
}

// possiblePositionsAfter returns the positions after an answer of the writer. It returns nil if chance intervenes, or
// if the positions ask the writer different next questions.
func (ts *Tester) possiblePositionsAfter(positions []rules.Position, a rules.Answer) []rules.Position {
	var out []rules.Position
	for _, pos := range positions {
		r, err := gate.Check(pos, ts.Execution.Seat, a)
		if err != nil || r.Stalled || len(out) > 0 && !ts.asksSame(out[0], r.Position) {
			return nil
		}
		out = append(out, r.Position)
	}
	return out
}

func (ts *Tester) asksSame(a, b rules.Position) bool {
	decisions := rules.OpenDecisionsOf(a, ts.Execution.Seat)
	return slices.Equal(decisions, rules.OpenDecisionsOf(b, ts.Execution.Seat)) && !slices.ContainsFunc(decisions, func(d rules.Decision) bool {
		return !slices.Equal(a.Options(nil, d.ID), b.Options(nil, d.ID))
	})
}

// FormatLine writes a line in a form that does not depend on the open question. For example, "lodz 2" becomes "PLACE Lodz 2".
func FormatLine(line letter.Line) (text string) {
	switch text = line.Text; line.Kind {
	case letter.KindGameOrder:
		text = order.Format(line.Order)
		if line.IsForLater {
			text = "THEN " + text
		}
		if line.IsConfirmed {
			text += " " + letter.ForSure
		}
	case letter.KindConditionalOrder:
		text = line.Conditional.Text
	}
	return text
}

// addConfirmHint adds to reason how to confirm the order, e.g. "If you are sure, write PLAY 14 EVENT FOR SURE."
func addConfirmHint(reason string, line letter.Line) string {
	line.IsConfirmed = true
	return reason + " If you are sure, write " + FormatLine(line) + "."
}

// JoinSentences joins sentences. It skips empty sentences.
func JoinSentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
