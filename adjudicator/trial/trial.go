// Package trial tries the orders of a letter before they are carried out, and has no effect. It finds the decisions that an order
// answers, whether the order is legal, its loss, and a legal order to suggest instead.
//
// Hidden cards must affect neither the reading of a letter nor its refusals. So later orders are tried on positions imagined from the
// writer's view. For example, the second order of "PLAY 36 OPS PLACE Lodz 2" and "PLAY 9 EVENT" is tried behind the first in each
// position that has the cards which the writer sees.
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

// Writer is the player whose orders are tried.
type Writer struct {
	Play *match.Play
	// Reader reads the orders of the game.
	Reader *letter.Reader
	// Number is the number of the letter that the player answers, Asks are the decisions of that letter.
	Number int64
	Asks   []rules.DecisionID
	// Overtaken: an order was refused because its question is closed.
	Overtaken bool
}

func (w *Writer) game() *rules.Game { return w.Play.Turn.Game }

func (w *Writer) position() rules.Position { return w.Play.Turn.After }

func (w *Writer) toMove() []rules.Decision { return w.Play.Turn.OpenDecisions(w.Play.Seat) }

// Asked are the decisions of the answered letter; none if a take-back has closed all.
func (w *Writer) Asked() []rules.DecisionID {
	if w.Number <= w.Play.Turn.Match.Seats[w.Play.Seat].ClosedThrough {
		return nil
	}
	return w.Asks
}

// IsStale reports whether all decisions of the answered letter are closed.
func (w *Writer) IsStale() bool {
	return !slices.ContainsFunc(w.Asked(), w.Play.Turn.IsOpen)
}

// open are the open decisions of the answered letter, or the sentence that says why all are closed.
func (w *Writer) open() (open []rules.Decision, closed string) {
	asked := w.Asked()
	open = slices.DeleteFunc(w.toMove(), func(d rules.Decision) bool { return !slices.Contains(asked, d.ID) })
	if len(asked) > 0 && len(open) == 0 {
		closed = w.Play.Turn.ExplainNotAsked(w.Play.Seat, true, true)
	}
	return open, closed
}

// Question is the question of the answered letter, in the form that letter readers need.
func (w *Writer) Question() letter.Asked {
	open, closed := w.open()
	q := letter.Asked{Closed: closed}
	if len(open) == 1 {
		q.Open = &open[0]
		p := w.game().Prompt(w.position().View(w.Play.Seat), open[0], w.position().Options(nil, open[0].ID))
		if q.Text = p.Question; p.Numbered {
			q.Forms = p.Forms
		}
	}
	return q
}

// Trials returns the function that tries an order as an answer to the answered letter; nil if no order can answer it.
func (w *Writer) Trials() func(rules.Order) *order.Trial {
	if _, closed := w.open(); closed != "" || w.position() == nil || w.Play.Turn.Match.State != match.Playing {
		return nil
	}
	return w.trialsIn(w.position(), w.worlds)
}

// FullQuestion is the question of the answered letter with all that helps to interpret free words: each legal answer, the text of the
// question and its numbered answers. It is nil if the writer is not to move.
func (w *Writer) FullQuestion() (*order.Question, error) {
	q := w.questionIn(w.position(), w.worlds)
	if q == nil {
		return nil, nil
	}
	asked := w.Question()
	q.Said, q.Heading = asked.Text, w.game().Status(w.position().View(w.Play.Seat))
	for _, f := range asked.Forms {
		o, err := w.Reader.Orders.Plain(f)
		if err != nil {
			return nil, err
		}
		q.Forms = append(q.Forms, o)
	}
	return q, nil
}

// questionIn is the question of a position to the writer; nil if the writer is not to move. It includes the next questions that the
// writer can foresee.
func (w *Writer) questionIn(pos rules.Position, worlds func() []rules.Position) *order.Question {
	try := w.trialsIn(pos, worlds)
	if try == nil {
		return nil
	}
	var answers []string
	for _, d := range match.OpenDecisionsOf(pos, w.Play.Seat) {
		for _, a := range pos.Options(nil, d.ID) {
			answers = append(answers, w.game().FormatOrder([]rules.Atom{a}))
		}
	}
	return w.Reader.Orders.Ask(answers, try)
}

// trialsIn returns the function that tries an order as an answer to a position; nil if the writer is not to move.
func (w *Writer) trialsIn(pos rules.Position, worlds func() []rules.Position) func(rules.Order) *order.Trial {
	if _, over := pos.Result(); over || pos.Stalled() {
		return nil
	}
	mine := match.OpenDecisionsOf(pos, w.Play.Seat)
	if len(mine) == 0 || slices.ContainsFunc(mine, func(d rules.Decision) bool { return d.Ballot }) {
		return nil
	}
	return func(o rules.Order) *order.Trial {
		given, err := w.game().Answers(o, mine)
		if err != nil {
			return nil
		}
		r, err := gate.Check(pos, w.Play.Seat, given[0])
		if err != nil {
			return nil
		}
		t := &order.Trial{Whole: len(given) == 1}
		for _, a := range given {
			t.Answer += w.game().FormatOrder(a.Atoms) + "; "
		}
		if !r.Stalled && t.Whole {
			t.Next = func() *order.Question {
				next := w.worldsBehind(worlds(), given[0])
				if len(next) == 0 {
					return nil
				}
				return w.questionIn(next[0], func() []rules.Position { return next })
			}
		}
		return t
	}
}

// worlds are possible positions of the match, imagined from the writer's view.
func (w *Writer) worlds() []rules.Position {
	if imagine := w.game().Imagine; imagine != nil {
		if worlds := imagine(w.position().View(w.Play.Seat)); len(worlds) > 0 {
			return worlds
		}
	}
	return []rules.Position{w.position()}
}

// worldsBehind are worlds behind an answer of the writer. It is empty if chance intervenes, or unless all worlds ask the writer the
// same next question.
func (w *Writer) worldsBehind(worlds []rules.Position, a rules.Answer) []rules.Position {
	var out []rules.Position
	for _, pos := range worlds {
		r, err := gate.Check(pos, w.Play.Seat, a)
		if err != nil || r.Stalled || len(out) > 0 && !w.asksSame(out[0], r.Position) {
			return nil
		}
		out = append(out, r.Position)
	}
	return out
}

func (w *Writer) asksSame(a, b rules.Position) bool {
	mine := match.OpenDecisionsOf(a, w.Play.Seat)
	return slices.Equal(mine, match.OpenDecisionsOf(b, w.Play.Seat)) && !slices.ContainsFunc(mine, func(d rules.Decision) bool {
		return !slices.Equal(a.Options(nil, d.ID), b.Options(nil, d.ID))
	})
}

// Rewritten writes a line in a form that does not depend on the open question. For example, "lodz 2" becomes "PLACE Lodz 2".
func Rewritten(l letter.Line) (row string) {
	switch row = l.Text; l.Kind {
	case letter.GameOrder:
		row = order.Write(l.Order)
		if l.Later {
			row = "THEN " + row
		}
		if l.Surely {
			row += " " + letter.Surely
		}
	case letter.ConditionalOrder:
		row = l.Conditional.Text
	}
	return row
}

// withSurely adds to the sentence about a loss how to give the order nevertheless.
func withSurely(reason string, l letter.Line) string {
	l.Surely = true
	return reason + " If you mean it, write " + Rewritten(l) + "."
}

// Sentences joins sentences, some of which may be empty.
func Sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
