package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Notes of answers that come before their question. They are for their writer alone.
const (
	aheadKept   = "It is kept for you until it is asked for. Until then another takes its place, and DROP takes it back. Nobody else is told."
	aheadBallot = "Your ballot is kept until it is asked for. Until it is counted another takes its place, and DROP takes it back. Nobody else is told, and letters do not repeat it."
)

// foreseen is the answer of an order that comes before its question, if it is one. Stale tells
// that the letter answers a question that is closed: what is written there was meant for that.
func (j *adjudication) foreseen(l letter.Line, stale bool) (rules.Answer, bool) {
	awaits := j.turn.Game.Awaits
	if awaits == nil || stale && !l.Later || j.turn.After == nil || j.turn.After.Stalled() {
		return rules.Answer{}, false
	}
	mine := j.turn.Owed(j.play.Seat)
	answers, err := j.turn.Game.Answers(l.Order, mine)
	if err != nil || len(answers) != 1 || !answers[0].Ahead || slices.ContainsFunc(mine, answers[0].Fits) {
		return rules.Answer{}, false
	}
	return answers[0], awaits(j.turn.After.View(j.play.Seat), answers[0])
}

// keepAhead keeps an answer until it is asked for, in the place of one to the same question.
func (j *adjudication) keepAhead(ctx context.Context, text string, a rules.Answer) (lineEffect, error) {
	j.turn.Match.Held = slices.DeleteFunc(slices.Clone(j.turn.Match.Held), func(h Held) bool {
		return h.InPlay() && h.Seat == j.play.Seat && h.Answer.Ahead && h.Answer.Source == a.Source && slices.Equal(h.Answer.Kinds, a.Kinds)
	})
	h := Held{Seat: j.play.Seat, Answer: a}
	if !a.Ballot {
		h.Letter = j.digest()
		j.report(text, match.OutcomeKept, aheadKept)
	} else {
		j.report("", match.OutcomeKept, aheadBallot)
	}
	j.turn.Match.Held = append(j.turn.Match.Held, h)
	return j.settleBehind(ctx, lineAside)
}
