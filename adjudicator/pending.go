package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/trial"
	"samizdat/rules"
)

// maxConditionalOrders is the number of conditional orders that a seat may have.
const maxConditionalOrders = 60

// isStillKept reports whether a line becomes pending although another seat's order was carried out before it: a
// conditional order or a plan does not answer the open decision.
func isStillKept(j *letterRun, line *letter.Line) bool {
	if j.reply.disposition == exchange.Refused || j.play.Conditional == nil {
		return false
	}
	if line.Kind == letter.GameOrder {
		if l, err := j.play.Conditional.Read(line.Text); err == nil && l.Plan {
			line.Kind, line.Conditional = letter.ConditionalOrder, l
		}
	}
	return line.Kind == letter.ConditionalOrder
}

// keepConditional adds a conditional order, and replaces older ones of the same kind.
func keepConditional(ctx context.Context, j *letterRun, text string, l ahead.Line) (lineEffect, error) {
	if j.turn.Match.State == match.Over {
		j.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	j.play.Review()
	j.play.Conditional.Prepare(&l, j.turn.After, j.play.Seat)
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
	if mine >= maxConditionalOrders {
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

// planFor makes a plan of the rest of a list after its first entry has answered a decision; nil if the game has
// no such plans.
func planFor(j *letterRun, text string, d rules.Decision) *ahead.Line {
	if j.play.Conditional == nil {
		return nil
	}
	l, err := j.play.Conditional.Read(text)
	if err != nil || !l.Plan || l.Source != d.Source {
		return nil
	}
	j.play.Conditional.Prepare(l, j.turn.After, j.play.Seat)
	l.Letter, l.Play, l.Used = j.letter.Digest, d.Play, []int{0}
	return l
}

// The notes on answers that were given early. Only the writer sees them.
const (
	aheadKept = "It is kept for you until it is asked for. Until then another takes its place, and DROP takes it back. Nobody " +
		"else is told."
	aheadBallot = "Your ballot is kept until it is asked for. Until it is counted another takes its place, and DROP takes it back. " +
		"Nobody else is told, and letters do not repeat it."
)

// keepAhead keeps an answer until its question opens. It replaces an older answer to the same question.
func keepAhead(ctx context.Context, j *letterRun, text string, a rules.Answer) (lineEffect, error) {
	j.turn.Match.Pending = slices.DeleteFunc(slices.Clone(j.turn.Match.Pending), func(h match.PendingAnswer) bool {
		return h.IsForPlay() && h.Seat == j.play.Seat && h.Answer.Ahead && h.Answer.Source == a.Source &&
			slices.Equal(h.Answer.Kinds, a.Kinds)
	})
	h := match.PendingAnswer{Seat: j.play.Seat, Answer: a}
	if !a.Ballot {
		h.Letter = j.digest()
		j.report(text, match.OutcomeKept, aheadKept)
	} else {
		j.report("", match.OutcomeKept, aheadBallot)
	}
	j.turn.Match.Pending = append(j.turn.Match.Pending, h)
	return j.settleBehind(ctx, lineAside)
}

// standNow adds a standing answer although no such question is open. It reports whether the order is one.
func standNow(j *letterRun, text string, o rules.Order) bool {
	a, ok := j.trial.Standing(o)
	if !ok {
		return false
	}
	note := match.SetStandingAnswer(j.turn, j.turn.After, rules.Decision{Seat: j.play.Seat, Repeats: true}, a, j.letter.Digest)
	if note != "" {
		j.report(text, match.OutcomeKept, note)
	}
	return note != ""
}

// replaceKept replaces a pending answer to the same kind of question; false if there is none.
func replaceKept(j *letterRun, text string, o rules.Order) bool {
	answers, err := j.turn.Game.Answers(o, nil)
	if err != nil {
		return false // No question for it is open.
	}
	play, found := uint32(0), false
	j.turn.Match.Pending = slices.DeleteFunc(j.turn.Match.Pending, func(h match.PendingAnswer) bool {
		same := h.IsForPlay() && !h.Answer.Ahead && h.Seat == j.play.Seat && slices.ContainsFunc(answers, func(a rules.Answer) bool {
			return slices.ContainsFunc(a.Kinds, func(k string) bool { return slices.Contains(h.Answer.Kinds, k) })
		})
		if same {
			play, found = h.Play, true
		}
		return same
	})
	if !found {
		return false
	}
	match.AddPending(j.turn, j.play.Seat, answers, play, j.digest())
	j.report(text, match.OutcomeDone, "It takes the place of what was kept for you.")
	return true
}

// takeNow handles NOW: the other orders of the letter are not delayed. Alone, NOW stands for the orders of the
// delayed letter.
func takeNow(ctx context.Context, j *letterRun, lines []letter.Line) (rest []letter.Line, now bool, err error) {
	i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Now) && !l.Command.More })
	if i < 0 || j.turn.After == nil {
		return lines, false, nil
	}
	w := j.turn.Match.Seats[j.play.Seat].Timing.DelayedLetter
	if w == nil && !slices.ContainsFunc(lines, j.trial.CanWait) {
		return lines, false, nil
	}
	text := lines[i].Text
	lines = slices.Delete(slices.Clone(lines), i, i+1)
	if w == nil || slices.ContainsFunc(lines, j.trial.AnswersNow) {
		return lines, true, nil
	}
	j.turn.Match.Seats[j.play.Seat].Timing.DelayedLetter = nil
	j.report(text, match.OutcomeDone, "The orders that were held back are carried out.")
	j.letter.Orders, j.letter.Digest = w.Orders, w.Digest
	number := *j.letter.Token
	number.Number = w.Number
	j.letter.Token = &number
	if err := j.loadAnswered(ctx); err != nil {
		return nil, false, err
	}
	held, err := readLetter(j)
	return append(held, lines...), true, err
}

// holdsBack reports whether GRACE delays the orders of a letter. It does not if the writer is out of time, because
// another player could claim the match.
func holdsBack(j *letterRun, lines []letter.Line) bool {
	return j.turn.Match.State == match.Playing && j.turn.Match.Seats[j.play.Seat].Timing.Grace > 0 &&
		!j.turn.Match.Seats[j.play.Seat].Clock.Flagged &&
		slices.ContainsFunc(lines, j.trial.AnswersNow)
}

// holdBack delays the orders of a letter, and answers the other lines. An order that is illegal now is refused
// now.
func holdBack(ctx context.Context, j *letterRun, lines []letter.Line) error {
	seat := &j.turn.Match.Seats[j.play.Seat]
	now := j.a.Now().UTC()
	first, stopped := true, ""
	var kept []letter.Line
	for _, l := range lines {
		if done, err := handleAside(ctx, j, l, ""); err != nil {
			return err
		} else if done {
			continue
		}
		switch {
		case stopped != "":
			j.report(l.Text, match.OutcomeNotReached, stopped)
		case !j.trial.CanWait(l):
			effect, err := doLine(ctx, j, l, lineAside)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopped = "Not kept, since a line before it was refused."
			case effect == lineOvertaken:
				stopped = "Not kept, since the match has moved. What is asked now stands in this letter."
			}
		default:
			if first && j.trial.AnswersNow(l) {
				why, err := j.trial.WouldRefuse(l)
				if err != nil {
					return err
				}
				if why != "" {
					j.report(l.Text, match.OutcomeRefused, why)
					stopped = "Not kept, since a line before it was refused."
					continue
				}
				first = false
			}
			kept = append(kept, l)
		}
	}
	if stopped != "" {
		for _, l := range kept {
			j.report(l.Text, match.OutcomeNotReached, stopped)
		}
		return nil
	}
	dropHeldBefore(j)
	var rows []string
	for _, l := range kept {
		rows = append(rows, trial.Rewritten(l)) // The meaning of the line is settled now.
		j.report(l.Text, match.OutcomeKept, j.trial.Meaning(l))
	}
	seat.Timing.DelayedLetter = &match.DelayedLetter{Orders: compose.Enclosed(rows), Number: j.letter.Token.Number,
		MessageID: j.letter.MessageID, Digest: j.digest(),
		Since: now, Due: now.Add(seat.Timing.Grace).Truncate(time.Second)}
	return nil
}

// dropHeldBefore drops the writer's earlier delayed letter.
func dropHeldBefore(j *letterRun) {
	t := &j.turn.Match.Seats[j.play.Seat].Timing
	if t.DelayedLetter != nil {
		j.report("", match.OutcomeLapsed, "The orders that were held back before are dropped: these take their place.")
		t.DelayedLetter = nil
	}
}
