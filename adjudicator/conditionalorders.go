package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// mostConditional is how many conditional orders a seat may keep.
const mostConditional = 60

// stillKept reports whether a line is kept although another seat's order was
// carried out before it: a conditional order, or a list for a plan, was not written for
// what is asked now.
func (j *adjudication) stillKept(line *letter.Line) bool {
	if j.reply.disposition == Refused || j.play.Conditional == nil {
		return false
	}
	if line.Kind == letter.GameOrder {
		if l, err := j.play.Conditional.Read(line.Text); err == nil && l.Plan {
			line.Kind, line.Conditional = letter.ConditionalOrder, l
		}
	}
	return line.Kind == letter.ConditionalOrder
}

// rash says what the answer would lose on the spot, as far as its writer can tell,
// if it is legal.
func (j *adjudication) rash(a rules.Answer) string {
	if j.turn.Game.Rash == nil {
		return ""
	}
	r, err := gate.Check(j.turn.After, j.play.Seat, a)
	if err != nil {
		return "" // What is wrong with it is said elsewhere.
	}
	return j.turn.Game.Rash(j.turn.After.View(j.play.Seat), r.Decision, r.Atoms)
}

// further makes a conditional order of a line that is not asked now: one that is marked
// as meant for later, or a list that can only be for a plan, where nothing is asked or
// below an order that was carried out. Stale tells that the letter answers a question that
// is closed, led what the lines above have led to.
func (j *adjudication) further(line letter.Line, stale bool, led lineEffect) *ahead.Line {
	if j.play.Conditional == nil || j.turn.After == nil || stale {
		return nil
	}
	l, err := j.play.Conditional.Read(line.Text)
	if err != nil {
		return nil
	}
	answers, err := j.turn.Game.Answers(line.Order, nil)
	if err != nil {
		return nil
	}
	mine := j.turn.Owed(j.play.Seat)
	if slices.ContainsFunc(mine, answers[0].Fits) {
		return nil
	}
	if !line.Later && (!l.Plan || led == lineAside && len(mine) > 0) || l.Source == "" && led == lineAside {
		return nil
	}
	return l
}

// keepConditional keeps a conditional order, in the place of older ones of the same sort.
func (j *adjudication) keepConditional(ctx context.Context, text string, l ahead.Line) (lineEffect, error) {
	if j.turn.Match.State == Over {
		j.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	j.play.Review()
	j.play.Conditional.Arm(&l, j.turn.After, j.play.Seat)
	l.Letter = j.letter.Digest
	mine, gone := 0, 0
	for _, old := range match.Conditionals(j.turn) {
		switch {
		case l.Replaces(&old) && old.Letter != l.Letter:
			gone++
		case old.Seat == j.play.Seat:
			mine++
		}
	}
	if mine >= mostConditional {
		j.report(text, match.OutcomeRefused, fmt.Sprintf("%d orders ahead are kept for you, and more are not.", mine))
		return lineRefused, nil
	}
	match.PutConditional(j.turn, l)
	note := "It is kept, against the match as it stands now, until it is asked for"
	switch {
	case l.Always:
		note += " and after, until you cancel it."
	case l.Source == "":
		note += ": your next action of this turn."
	default:
		note += ", and at most until the end of the turn."
	}
	if gone > 0 {
		note += " It takes the place of what was kept before."
	}
	if l.Text != text {
		note = l.Text + "\n" + note
	}
	j.report(text, match.OutcomeKept, note+" Nobody else is told.")
	return j.settleBehind(ctx, lineAside)
}

// plan makes a plan of the rest of a list whose first entry has just answered a
// decision; nil where such lists are no plans.
func (j *adjudication) plan(text string, d rules.Decision) *ahead.Line {
	if j.play.Conditional == nil {
		return nil
	}
	l, err := j.play.Conditional.Read(text)
	if err != nil || !l.Plan || l.Source != d.Source {
		return nil
	}
	j.play.Conditional.Arm(l, j.turn.After, j.play.Seat)
	l.Letter, l.Play, l.Used = j.letter.Digest, d.Play, []int{0}
	return l
}
