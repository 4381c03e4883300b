package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// meaning is the question of a position to the writer of a letter, as far as it helps to
// understand what he writes; nil where he is asked nothing.
func (j *adjudication) meaning(pos rules.Position) *order.Question {
	if _, over := pos.Result(); over || pos.Stalled() {
		return nil
	}
	mine := owed(pos, j.seat)
	if len(mine) == 0 || slices.ContainsFunc(mine, func(d rules.Decision) bool { return d.Ballot }) {
		return nil
	}
	var answers []string
	for _, d := range mine {
		for _, a := range pos.Options(nil, d.ID) {
			answers = append(answers, j.game.Line([]rules.Atom{a}))
		}
	}
	return j.reader.Orders.Ask(answers, func(o rules.Order) *order.Trial {
		given, err := j.game.Answers(o, mine)
		if err != nil {
			return nil
		}
		r, err := gate.Check(pos, j.seat, given[0])
		if err != nil {
			return nil
		}
		t := &order.Trial{Whole: len(given) == 1}
		for _, a := range given {
			t.Answer += j.game.Line(a.Atoms) + "; "
		}
		if !r.Stalled && t.Whole {
			t.Next = func() *order.Question { return j.meaning(r.Position) }
		}
		return t
	})
}

// toAnswer is the question that the letter answers.
func (j *adjudication) toAnswer(ctx context.Context) (*order.Question, error) {
	asked, err := j.question(ctx)
	if err != nil || asked.Closed != "" || j.pos == nil || j.m.State != Playing {
		return nil, err
	}
	q := j.meaning(j.pos)
	if q == nil {
		return nil, nil
	}
	for _, f := range asked.Forms {
		o, err := j.reader.Orders.Plain(f)
		if err != nil {
			return nil, err
		}
		q.Forms = append(q.Forms, o)
	}
	return q, nil
}
