package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// meaning is the question of a position to the writer of a letter, as far as it helps to
// understand what he writes; nil where he is asked nothing. Questions that follow are those
// that he can foresee: how his letter is understood must not tell what is hidden.
func (j *adjudication) meaning(pos rules.Position, worlds func() []rules.Position) *order.Question {
	try := j.trial(pos, worlds)
	if try == nil {
		return nil
	}
	var answers []string
	for _, d := range match.Owed(pos, j.play.Seat) {
		for _, a := range pos.Options(nil, d.ID) {
			answers = append(answers, j.turn.Game.Line([]rules.Atom{a}))
		}
	}
	return j.reader.Orders.Ask(answers, try)
}

// trial says what an order of the writer comes to as an answer to a position; nil where he is
// asked nothing.
func (j *adjudication) trial(pos rules.Position, worlds func() []rules.Position) func(rules.Order) *order.Trial {
	if _, over := pos.Result(); over || pos.Stalled() {
		return nil
	}
	mine := match.Owed(pos, j.play.Seat)
	if len(mine) == 0 || slices.ContainsFunc(mine, func(d rules.Decision) bool { return d.Ballot }) {
		return nil
	}
	return func(o rules.Order) *order.Trial {
		given, err := j.turn.Game.Answers(o, mine)
		if err != nil {
			return nil
		}
		r, err := gate.Check(pos, j.play.Seat, given[0])
		if err != nil {
			return nil
		}
		t := &order.Trial{Whole: len(given) == 1}
		for _, a := range given {
			t.Answer += j.turn.Game.Line(a.Atoms) + "; "
		}
		if !r.Stalled && t.Whole {
			t.Next = func() *order.Question {
				next := j.behind(worlds(), given[0])
				if len(next) == 0 {
					return nil
				}
				return j.meaning(next[0], func() []rules.Position { return next })
			}
		}
		return t
	}
}

// imagined are positions that a position may be, as far as the writer of a letter can see.
func (j *adjudication) imagined(pos rules.Position) []rules.Position {
	if j.turn.Game.Imagine != nil {
		if worlds := j.turn.Game.Imagine(pos.View(j.play.Seat)); len(worlds) > 0 {
			return worlds
		}
	}
	return []rules.Position{pos}
}

// behind are these positions behind an answer of the writer, if he is then asked the same in
// all of them, and without chance; none otherwise.
func (j *adjudication) behind(worlds []rules.Position, a rules.Answer) []rules.Position {
	var out []rules.Position
	for _, w := range worlds {
		r, err := gate.Check(w, j.play.Seat, a)
		if err != nil || r.Stalled || len(out) > 0 && !j.asksSame(out[0], r.Position) {
			return nil
		}
		out = append(out, r.Position)
	}
	return out
}

// asksSame reports whether two positions ask the writer the same, with the same answers.
func (j *adjudication) asksSame(a, b rules.Position) bool {
	mine := match.Owed(a, j.play.Seat)
	return slices.Equal(mine, match.Owed(b, j.play.Seat)) && !slices.ContainsFunc(mine, func(d rules.Decision) bool {
		return !slices.Equal(a.Options(nil, d.ID), b.Options(nil, d.ID))
	})
}

// try says what an order comes to as an answer to the question that the letter answers; nil
// where nothing can answer it.
func (j *adjudication) try(ctx context.Context) (func(rules.Order) *order.Trial, error) {
	_, closed, err := j.stillAsks(ctx)
	if err != nil || closed != "" || j.turn.After == nil || j.turn.Match.State != Playing {
		return nil, err
	}
	return j.trial(j.turn.After, j.foreseeable), nil
}

// foreseeable are the positions that the match may be in, as far as the writer can see.
func (j *adjudication) foreseeable() []rules.Position { return j.imagined(j.turn.After) }

// toAnswer is that question.
func (j *adjudication) toAnswer(ctx context.Context) (*order.Question, error) {
	q := j.meaning(j.turn.After, j.foreseeable)
	asked, err := j.question(ctx)
	if err != nil || q == nil {
		return nil, err
	}
	q.Said, q.Heading = asked.Text, j.turn.Game.Status(j.turn.After.View(j.play.Seat))
	for _, f := range asked.Forms {
		o, err := j.reader.Orders.Plain(f)
		if err != nil {
			return nil, err
		}
		q.Forms = append(q.Forms, o)
	}
	return q, nil
}
