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

// Orders wait in four forms. A conditional order or a plan ("ANSWER 54 ...", the rest of a list) waits for a decision. An
// early answer waits for a question that has not been asked. A standing answer answers every question of its kind until it
// is cancelled. A delayed letter waits until the time set by GRACE is over. Letters to players call the first three
// "saved orders", and the orders of a delayed letter "waiting orders".

const maxConditionalOrders = 60

// markConditional reports whether a line can be saved although another seat's order was carried out before it: a
// conditional order or a plan does not answer the open decision. It sets the kind of a plan to ConditionalOrder.
func markConditional(run *letterRun, line *letter.Line) bool {
	if run.effects.disposition == exchange.Refused || run.play.Conditional == nil {
		return false
	}
	if line.Kind == letter.GameOrder {
		if l, err := run.play.Conditional.Read(line.Text); err == nil && l.Plan {
			line.Kind, line.Conditional = letter.ConditionalOrder, l
		}
	}
	return line.Kind == letter.ConditionalOrder
}

// saveConditional adds a conditional order, and replaces older ones of the same kind.
func saveConditional(ctx context.Context, run *letterRun, text string, l ahead.Line) (lineEffect, error) {
	if run.turn.Match.State == match.Over {
		run.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	run.play.Review()
	run.play.Conditional.Prepare(&l, run.turn.After, run.play.Seat)
	l.Letter = run.letter.Digest
	saved, replaced := 0, 0
	for _, old := range match.Conditionals(run.turn) {
		switch {
		case l.Replaces(&old) && old.Letter != l.Letter:
			replaced++
		case old.Seat == run.play.Seat:
			saved++
		}
	}
	if saved >= maxConditionalOrders {
		run.report(text, match.OutcomeRefused, fmt.Sprintf("You have %d saved orders, which is the limit.", saved))
		return lineRefused, nil
	}
	match.PutConditional(run.turn, l)
	note := "It is saved until you are asked for it"
	switch {
	case l.Always:
		note += " and after that, until you cancel it."
	case l.Source == "":
		note += ": your next action of this turn."
	default:
		note += ", and at most until the end of the turn."
	}
	if replaced > 0 {
		note += " It replaces your earlier saved order."
	}
	if l.Text != text {
		note = l.Text + "\n" + note
	}
	run.report(text, match.OutcomeKept, note+" The others are not told of it.")
	return run.settleAfterLine(ctx, lineNoEffect)
}

// planFromRest makes a plan of the rest of a list after its first entry has answered a decision; nil if the game has
// no such plans.
func planFromRest(run *letterRun, text string, d rules.Decision) *ahead.Line {
	if run.play.Conditional == nil {
		return nil
	}
	l, err := run.play.Conditional.Read(text)
	if err != nil || !l.Plan || l.Source != d.Source {
		return nil
	}
	run.play.Conditional.Prepare(l, run.turn.After, run.play.Seat)
	l.Letter, l.Play, l.Used = run.letter.Digest, d.Play, []int{0}
	return l
}

// The notes on answers that were given early. Only the writer sees them.
const (
	savedNote       = "It is saved until you are asked for it. Until then a new answer replaces it, and DROP cancels it. The others are not told of it."
	savedBallotNote = "Your ballot is saved until you are asked for it. Until it is counted a new ballot replaces it, and DROP " +
		"cancels it. The others are not told of it, and letters do not repeat it."
)

// saveEarlyAnswer saves an answer until its question opens. It replaces an older answer to the same question.
func saveEarlyAnswer(ctx context.Context, run *letterRun, text string, a rules.Answer) (lineEffect, error) {
	run.turn.Match.Pending = slices.DeleteFunc(slices.Clone(run.turn.Match.Pending), func(p match.PendingAnswer) bool {
		return p.IsForPlay() && p.Seat == run.play.Seat && p.Answer.Ahead && p.Answer.Source == a.Source &&
			slices.Equal(p.Answer.Kinds, a.Kinds)
	})
	p := match.PendingAnswer{Seat: run.play.Seat, Answer: a}
	if !a.Ballot {
		p.Letter = run.digest()
		run.report(text, match.OutcomeKept, savedNote)
	} else {
		run.report("", match.OutcomeKept, savedBallotNote)
	}
	run.turn.Match.Pending = append(run.turn.Match.Pending, p)
	return run.settleAfterLine(ctx, lineNoEffect)
}

// addStandingAnswer adds an order as a standing answer even if no such question is open, and reports whether it could.
func addStandingAnswer(run *letterRun, text string, o rules.Order) bool {
	a, ok := run.tester.FindStandingAnswer(o)
	if !ok {
		return false
	}
	note := match.SetStandingAnswer(run.turn, run.turn.After, rules.Decision{Seat: run.play.Seat, Repeats: true}, a, run.letter.Digest)
	if note != "" {
		run.report(text, match.OutcomeKept, note)
	}
	return note != ""
}

// replacePending replaces a pending answer to the same kind of question; false if there is none.
func replacePending(run *letterRun, text string, o rules.Order) bool {
	answers, err := run.turn.Game.Answers(o, nil)
	if err != nil {
		return false // no question that it answers is open
	}
	play, found := uint32(0), false
	run.turn.Match.Pending = slices.DeleteFunc(run.turn.Match.Pending, func(p match.PendingAnswer) bool {
		same := p.IsForPlay() && !p.Answer.Ahead && p.Seat == run.play.Seat && slices.ContainsFunc(answers, func(a rules.Answer) bool {
			return slices.ContainsFunc(a.Kinds, func(k string) bool { return slices.Contains(p.Answer.Kinds, k) })
		})
		if same {
			play, found = p.Play, true
		}
		return same
	})
	if !found {
		return false
	}
	match.AddPending(run.turn, run.play.Seat, answers, play, run.digest())
	run.report(text, match.OutcomeDone, "It replaces your saved order.")
	return true
}

// applyNow handles NOW: the other orders of the letter are not delayed. Without other orders, NOW carries
// out the delayed letter.
func applyNow(ctx context.Context, run *letterRun, lines []letter.Line) (rest []letter.Line, immediately bool, err error) {
	i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Now) && !l.Command.More })
	if i < 0 || run.turn.After == nil {
		return lines, false, nil
	}
	delayed := run.turn.Match.Seats[run.play.Seat].Timing.DelayedLetter
	if delayed == nil && !slices.ContainsFunc(lines, run.tester.CanWait) {
		return lines, false, nil
	}
	text := lines[i].Text
	lines = slices.Delete(slices.Clone(lines), i, i+1)
	if delayed == nil || slices.ContainsFunc(lines, run.tester.AnswersNow) {
		return lines, true, nil
	}
	run.turn.Match.Seats[run.play.Seat].Timing.DelayedLetter = nil
	run.report(text, match.OutcomeDone, "Your waiting orders have been carried out.")
	run.letter.Orders, run.letter.Digest = delayed.Orders, delayed.Digest
	token := *run.letter.Token
	token.Number = delayed.Number
	run.letter.Token = &token
	if err := run.loadAnswered(ctx); err != nil {
		return nil, false, err
	}
	delayedLines, err := readLetter(run)
	return append(delayedLines, lines...), true, err
}

// isDelayedByGrace reports whether GRACE delays the orders of a letter. It does not if the writer is out of time, because
// another player could claim the match.
func isDelayedByGrace(run *letterRun, lines []letter.Line) bool {
	return run.turn.Match.State == match.Playing && run.turn.Match.Seats[run.play.Seat].Timing.Grace > 0 &&
		!run.turn.Match.Seats[run.play.Seat].Clock.Flagged &&
		slices.ContainsFunc(lines, run.tester.AnswersNow)
}

// delayOrders delays the orders of a letter, and answers the other lines. An order that is illegal now is refused
// now.
func delayOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	seat := &run.turn.Match.Seats[run.play.Seat]
	now := run.adjudicator.Now().UTC()
	first, stopped := true, ""
	var delayed []letter.Line
	for _, l := range lines {
		if done, err := handleHarmlessLine(ctx, run, l, ""); err != nil {
			return err
		} else if done {
			continue
		}
		switch {
		case stopped != "":
			run.report(l.Text, match.OutcomeNotReached, stopped)
		case !run.tester.CanWait(l):
			effect, err := carryOutLine(ctx, run, l, lineNoEffect)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopped = "Not saved, because an earlier line was refused."
			case effect == lineOvertaken:
				stopped = "Not saved, because the match has moved on. The current question is in this letter."
			}
		default:
			if first && run.tester.AnswersNow(l) {
				reason, err := run.tester.ExplainRefusal(l)
				if err != nil {
					return err
				}
				if reason != "" {
					run.report(l.Text, match.OutcomeRefused, reason)
					stopped = "Not saved, because an earlier line was refused."
					continue
				}
				first = false
			}
			delayed = append(delayed, l)
		}
	}
	if stopped != "" {
		for _, l := range delayed {
			run.report(l.Text, match.OutcomeNotReached, stopped)
		}
		return nil
	}
	dropDelayed(run)
	var rows []string
	for _, l := range delayed {
		rows = append(rows, trial.FormatLine(l)) // Saved in canonical form, so that its meaning cannot change later.
		run.report(l.Text, match.OutcomeKept, run.tester.DescribeMeaning(l))
	}
	seat.Timing.DelayedLetter = &match.DelayedLetter{Orders: compose.JoinOrders(rows), Number: run.letter.Token.Number,
		MessageID: run.letter.MessageID, Digest: run.digest(),
		Since: now, Due: now.Add(seat.Timing.Grace).Truncate(time.Second)}
	return nil
}

// dropDelayed drops the writer's earlier delayed letter.
func dropDelayed(run *letterRun) {
	t := &run.turn.Match.Seats[run.play.Seat].Timing
	if t.DelayedLetter != nil {
		run.report("", match.OutcomeLapsed, "Your earlier waiting orders are dropped: these replace them.")
		t.DelayedLetter = nil
	}
}
