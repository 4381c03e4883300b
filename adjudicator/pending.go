package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/trial"
	"samizdat/rules"
)

// Orders wait in four forms. A conditional order waits for its decision, e.g. "ANSWER 54 ..."; a plan is a conditional order with a
// list, e.g. of cards for a contest. An early answer waits for a question that has not been asked. A standing answer answers every
// question of its kind until it is cancelled. A delayed letter waits until the time set by GRACE is over. Letters to players call the
// first three "saved orders", and the orders of a delayed letter "waiting orders".

const maxConditionalOrders = 60

// markConditional reports whether a line can be saved although another seat's answer was carried out before it. This holds for a
// conditional order and a plan, because they do not answer the open decision. The kind of a plan becomes KindConditionalOrder.
func markConditional(run *letterRun, line *letter.Line) bool {
	if run.effects.disposition == exchange.DispositionRefused || run.execution.Conditional == nil {
		return false
	}
	if line.Kind == letter.KindGameOrder {
		if conditional, err := run.execution.Conditional.Parse(line.Text); err == nil && conditional.Plan {
			line.Kind, line.Conditional = letter.KindConditionalOrder, conditional
		}
	}
	return line.Kind == letter.KindConditionalOrder
}

// saveConditional saves a conditional order, and removes the older conditional orders that it replaces
// (ahead.Line.Replaces).
func saveConditional(ctx context.Context, run *letterRun, text string, conditional ahead.Line) (lineEffect, error) {
	if run.turn.Match.State == match.Over {
		run.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	run.execution.ReviewConditionals()
	run.execution.Conditional.Bind(&conditional, run.turn.After, run.execution.Seat)
	conditional.Letter = run.letter.Digest
	saved, replaced := 0, 0
	for _, old := range match.ListConditionals(run.turn) {
		switch {
		case conditional.Replaces(&old) && old.Letter != conditional.Letter:
			replaced++
		case old.Seat == run.execution.Seat:
			saved++
		}
	}
	if saved >= maxConditionalOrders {
		run.report(text, match.OutcomeRefused, fmt.Sprintf("You have %d saved orders, which is the limit.", saved))
		return lineRefused, nil
	}
	match.AddConditional(run.turn, conditional)
	note := "It is saved until its question comes"
	switch {
	case conditional.Always:
		note = "It is saved, and answers its question each time until you cancel it."
	case conditional.Source == "":
		note = "It is saved for your next action of this turn."
	default:
		note += ", at most until the end of the turn."
	}
	if replaced > 0 {
		note += " It replaces your earlier saved order."
	}
	if doubt := run.execution.Conditional.DescribeDoubt(&conditional, run.turn.After.View(run.execution.Seat)); doubt != "" {
		note += " " + doubt
	}
	if conditional.Text != text {
		note = "It was read as " + conditional.Text + ".\n" + note
	}
	run.report(text, match.OutcomeSaved, note+" "+match.SayOthersNotTold(run.turn, run.execution.Seat))
	return run.settleAfterLine(ctx, lineNoEffect)
}

// planFromRest returns a plan for the rest of a list after its first item, which has answered the decision d. It returns
// nil if the game has no plans, or if the line is no list.
func planFromRest(run *letterRun, text string, d rules.Decision) *ahead.Line {
	if run.execution.Conditional == nil {
		return nil
	}
	conditional, err := run.execution.Conditional.Parse(text)
	if err != nil || !conditional.Plan || conditional.Source != d.Source {
		return nil
	}
	run.execution.Conditional.Bind(conditional, run.turn.After, run.execution.Seat)
	conditional.Letter, conditional.Play, conditional.Used = run.letter.Digest, d.Play, []int{0}
	return conditional
}

const (
	savedNote       = "It is saved until you are asked for it. Until then a new answer replaces it, and DROP cancels it. "
	savedBallotNote = "Your ballot is saved until you are asked for it. Until it is counted a new ballot replaces it, and DROP " +
		"cancels it. Letters do not repeat it. "
)

// saveEarlyAnswer saves an answer until its question opens. It replaces an older answer to the same question.
func saveEarlyAnswer(ctx context.Context, run *letterRun, text string, a rules.Answer) (lineEffect, error) {
	run.turn.Match.Pending = slices.DeleteFunc(slices.Clone(run.turn.Match.Pending), func(pending match.PendingAnswer) bool {
		return pending.IsEarlyAnswer() && pending.Seat == run.execution.Seat && pending.Answer.Ahead && pending.Answer.Source == a.Source &&
			slices.Equal(pending.Answer.Kinds, a.Kinds)
	})
	pending := match.PendingAnswer{Seat: run.execution.Seat, Answer: a}
	if !a.Ballot {
		pending.Letter = run.historyDigest()
		run.report(text, match.OutcomeSaved, savedNote+match.SayOthersNotTold(run.turn, run.execution.Seat))
	} else {
		run.report("", match.OutcomeSaved, savedBallotNote+match.SayOthersNotTold(run.turn, run.execution.Seat))
	}
	run.turn.Match.Pending = append(run.turn.Match.Pending, pending)
	return run.settleAfterLine(ctx, lineNoEffect)
}

// addStandingAnswer adds an order as a standing answer, even if no question of its kind is open. It reports whether the
// order was added.
func addStandingAnswer(run *letterRun, text string, o rules.Order) bool {
	a, ok := run.tester.FindStandingAnswer(o)
	if !ok {
		return false
	}
	note := match.SetStandingAnswer(run.turn, run.turn.After, rules.Decision{Seat: run.execution.Seat, Repeats: true}, a, run.letter.Digest)
	if note != "" {
		run.report(text, match.OutcomeSaved, note)
	}
	return note != ""
}

// replacePending replaces the writer's pending answer by the order o, if o answers the same kind of question. It reports
// whether there was a pending answer to replace.
func replacePending(run *letterRun, text string, o rules.Order) bool {
	answers, err := run.turn.Game.Answers(o, nil)
	if err != nil {
		return false // The order can answer no question.
	}
	play, found := uint32(0), false
	run.turn.Match.Pending = slices.DeleteFunc(run.turn.Match.Pending, func(pending match.PendingAnswer) bool {
		isReplaced := pending.IsEarlyAnswer() && !pending.Answer.Ahead && pending.Seat == run.execution.Seat &&
			slices.ContainsFunc(answers, func(a rules.Answer) bool {
				return slices.ContainsFunc(a.Kinds, func(k string) bool { return slices.Contains(pending.Answer.Kinds, k) })
			})
		if isReplaced {
			play, found = pending.Play, true
		}
		return isReplaced
	})
	if !found {
		return false
	}
	match.AddPending(run.turn, run.execution.Seat, answers, play, run.historyDigest())
	run.report(text, match.OutcomeDone, "It replaces your saved order.")
	return true
}

// handleNow handles NOW. rest contains the lines to carry out; isImmediate says that GRACE does not delay them. If the
// letter itself does not answer an open decision, rest begins with the lines of the delayed letter.
func handleNow(ctx context.Context, run *letterRun, lines []letter.Line) (rest []letter.Line, isImmediate bool, err error) {
	i := slices.IndexFunc(lines, func(line letter.Line) bool { return line.Is(letter.Now) && !line.Command.HasMoreClauses })
	if i < 0 || run.turn.After == nil {
		return lines, false, nil
	}
	delayed := run.turn.Match.Seats[run.execution.Seat].Private.DelayedLetter
	if delayed == nil && !slices.ContainsFunc(lines, run.tester.CanWait) {
		return lines, false, nil
	}
	text := lines[i].Text
	lines = slices.Delete(slices.Clone(lines), i, i+1)
	if delayed == nil || slices.ContainsFunc(lines, run.tester.AnswersNow) {
		return lines, true, nil
	}
	run.turn.Match.Seats[run.execution.Seat].Private.DelayedLetter = nil
	run.report(text, match.OutcomeDone, "Your waiting orders have been carried out.")
	run.letter.Text, run.letter.Digest = delayed.Orders, delayed.Digest
	token := *run.letter.Token
	token.Number = delayed.Number
	run.letter.Token = &token
	if err := run.loadAnsweredLetter(ctx); err != nil {
		return nil, false, err
	}
	delayedLines, err := readLetter(run)
	return append(delayedLines, lines...), true, err
}

// isDelayedByGrace reports whether GRACE delays the orders of a letter. It returns false if the writer is out of time,
// because during the delay another player could claim the match.
func isDelayedByGrace(run *letterRun, lines []letter.Line) bool {
	return run.turn.Match.State == match.Playing && run.turn.Match.Seats[run.execution.Seat].Private.Grace > 0 &&
		!run.turn.Match.Seats[run.execution.Seat].Clock.Flagged &&
		slices.ContainsFunc(lines, run.tester.AnswersNow)
}

// delayOrders delays the orders of a letter, and answers the other lines. If the first order is illegal now, it is
// refused at once.
func delayOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	seat := &run.turn.Match.Seats[run.execution.Seat]
	now := run.adjudicator.Now().UTC()
	isFirst, stopReason := true, ""
	var delayed []letter.Line
	for _, line := range lines {
		if isHandled, err := handleHarmlessLine(ctx, run, line, ""); err != nil {
			return err
		} else if isHandled {
			continue
		}
		switch {
		case stopReason != "":
			run.report(line.Text, match.OutcomeNotReached, stopReason)
		case !run.tester.CanWait(line):
			effect, err := carryOutLine(ctx, run, line, lineNoEffect)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopReason = "Not saved, because an earlier line was refused."
			case effect == lineOvertaken:
				stopReason = "Not saved, because the match has moved on. The current question is in this letter."
			}
		default:
			if isFirst && run.tester.AnswersNow(line) {
				reason, err := run.tester.ExplainRefusal(line)
				if err != nil {
					return err
				}
				if reason != "" {
					run.report(line.Text, match.OutcomeRefused, reason)
					stopReason = "Not saved, because an earlier line was refused."
					continue
				}
				isFirst = false
			}
			delayed = append(delayed, line)
		}
	}
	if stopReason != "" {
		for _, line := range delayed {
			run.report(line.Text, match.OutcomeNotReached, stopReason)
		}
		return nil
	}
	dropDelayedLetter(run)
	var orderLines []string
	for _, line := range delayed {
		orderLines = append(orderLines, trial.FormatLine(line)) // The canonical form has the same meaning later.
		run.report(line.Text, match.OutcomeSaved, describeReading(line.Text, run.tester.DescribeMeaning(line)))
	}
	seat.Private.DelayedLetter = &match.DelayedLetter{Orders: compose.JoinOrders(orderLines), Number: run.letter.Token.Number,
		MessageID: run.letter.MessageID, Digest: run.historyDigest(),
		Since: now, Due: now.Add(seat.Private.Grace).Truncate(time.Second)}
	return nil
}

// describeReading says how a line was read. It returns "" if the meaning equals the text apart from upper and lower case.
func describeReading(text, meaning string) string {
	if meaning == "" || strings.EqualFold(text, meaning) {
		return ""
	}
	return "It was read as " + meaning + "."
}

func dropDelayedLetter(run *letterRun) {
	private := &run.turn.Match.Seats[run.execution.Seat].Private
	if private.DelayedLetter != nil {
		run.report("", match.OutcomeLapsed, "Your earlier waiting orders are dropped: these replace them.")
		private.DelayedLetter = nil
	}
}
