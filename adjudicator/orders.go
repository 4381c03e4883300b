package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/trial"
	"samizdat/rules"
)

// carryOutOrders carries out the lines of a letter after all lines were read. effect is the effect of the settings
// above these lines.
func carryOutOrders(ctx context.Context, run *letterRun, lines []letter.Line, effect lineEffect) error {
	if slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Is(letter.Preview) }) {
		return previewOrders(ctx, run, lines)
	}
	if effect == lineRefused || hasUnreadableLine(lines) {
		// The order that was not understood might change what the other orders do.
		return run.carryOutLines(ctx, lines, lineRefused)
	}
	lines, isImmediate, err := handleNow(ctx, run, lines)
	if err != nil {
		return err
	}
	if !isImmediate && isDelayedByGrace(run, lines) {
		return delayOrders(ctx, run, lines)
	}
	return run.carryOutLines(ctx, lines, effect)
}

// hasUnreadableLine reports whether a line that looks like an order could not be understood. Then no order is carried out.
func hasUnreadableLine(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Kind == letter.KindUnreadable })
}

// lineEffect is the effect of a line on the lines below it. The greatest effect of the lines so far decides whether the
// next line is carried out.
type lineEffect int

const (
	// lineNoEffect means that the open questions are unchanged.
	lineNoEffect lineEffect = iota
	// lineCarriedOut means that the line answered a question. The lines below answer the questions that follow.
	lineCarriedOut
	// lineOvertaken means that the match has moved on, e.g. by a pending answer of another seat. The lines below are not carried out,
	// because their writer has not seen the new questions.
	lineOvertaken
	// lineRefused means that the line was refused. The lines below are not carried out.
	lineRefused
)

// carryOutLines carries out lines one after another, and reports each. previous is the effect of the lines before them,
// e.g. of settings.
func (run *letterRun) carryOutLines(ctx context.Context, lines []letter.Line, previous lineEffect) error {
	run.answer.HasOnlyQueries = hasOnlyQueries(lines)
	stopReason, unsentReason := "", ""
	if previous == lineRefused || hasUnreadableLine(lines) {
		previous = lineRefused
		stopReason, unsentReason = "Not carried out, because another line was not understood.",
			"Not sent, because another line was not understood."
	}
	hasOrders := false
	for _, line := range lines {
		if isHandled, err := handleHarmlessLine(ctx, run, line, unsentReason); err != nil {
			return err
		} else if isHandled {
			hasOrders = hasOrders || line.Kind == letter.KindRefereeOrder
			continue
		}
		if isOrderedQuestion := line.Class() == letter.ClassQueryInSequence; stopReason != "" && !isOrderedQuestion &&
			!(previous == lineOvertaken && markConditional(run, &line)) {
			run.report(line.Text, match.OutcomeNotReached, stopReason)
			continue
		}
		hasOrders = true
		effect, err := carryOutLine(ctx, run, line, previous)
		if err != nil {
			return err
		}
		switch previous = max(previous, effect); {
		case previous == lineRefused:
			stopReason = "Not carried out, because an earlier line was refused."
		case previous == lineOvertaken && run.turn.Match.State == match.Over:
			stopReason = "Not carried out, because the match is over."
		case previous == lineOvertaken:
			stopReason = "Not carried out, because an order of " + match.NameUnknownOther(run.turn, run.execution.Seat) +
				" came first. The current " +
				"question is in this letter."
		}
	}
	if !hasOrders {
		run.effects.disposition = exchange.DispositionRefused
	}
	if err := addLikelyRefusal(run); err != nil {
		return err
	}
	dropGreetings(run)
	reportPending(run)
	return nil
}

// reportPending reports the answers in this letter that are saved for later questions of the current card play.
func reportPending(run *letterRun) {
	for _, pending := range run.turn.Match.Pending {
		if pending.Seat == run.execution.Seat && pending.Letter == run.letter.Digest && pending.IsEarlyAnswer() && !pending.Answer.Ahead {
			run.report(run.turn.Game.FormatOrder(pending.Answer.Atoms), match.OutcomeSaved, "It is saved until you are asked for it "+
				"in this play. "+match.SayOthersNotTold(run.turn, run.execution.Seat))
		}
	}
}

// handleHarmlessLine handles a line without an effect on the match: talk, an unreadable line, a question or a message.
// isHandled is false for other lines. If unsentReason is not empty, it is the reason why messages are not sent.
func handleHarmlessLine(ctx context.Context, run *letterRun, line letter.Line, unsentReason string) (isHandled bool, err error) {
	class := line.Class()
	isCourtesy := line.Kind == letter.KindTalk && run.reader.Orders.IsCourtesyLine(line.Text)
	run.answer.Misread = run.answer.Misread || class == letter.ClassNone && line.Kind <= letter.KindUnreadable && !isCourtesy &&
		!letter.StartsWith(line.Text, letter.Card) && !letter.IsInvitationOrder(line.Text)
	switch {
	case isCourtesy:
		run.report(line.Text, match.OutcomeIgnored, "")
	case line.Kind == letter.KindTalk, line.Kind == letter.KindDoubt:
		outcome := match.OutcomeUnread
		if letter.IsInvitationOrder(line.Text) {
			outcome = match.OutcomeRefused
		}
		run.report(line.Text, outcome, explainUnreadLine(run, line))
	case line.Kind == letter.KindUnreadable:
		return true, refuseUnreadableLine(run, line)
	case class == letter.ClassMessage && unsentReason != "":
		run.report(line.Text, match.OutcomeNotReached, unsentReason)
	case class == letter.ClassQuery, class == letter.ClassMessage:
		_, err = run.carryOutCommand(ctx, line)
	default:
		return false, nil
	}
	return true, err
}

func refuseUnreadableLine(run *letterRun, line letter.Line) error {
	run.effects.hasHint = run.effects.hasHint || line.NamesOrders
	reason := explainUnreadLine(run, line)
	if len(line.PossibleOrders) > 0 && run.answer.Ask == nil {
		reason = trial.JoinSentences(reason, askWhichOrder(run, line.PossibleOrders))
	}
	if line.IsCardPlay && !run.effects.hasHint { // One hint is enough for a letter of many lines.
		text, err := run.tester.ExplainCardPlay(line.Text)
		if err != nil {
			return err
		}
		if text != "" {
			reason, run.effects.hasHint = text, true
		}
	}
	run.report(line.Text, match.OutcomeRefused, reason)
	return nil
}

// carryOutLine carries out a line that may change the match. effect is the greatest effect of the lines above.
func carryOutLine(ctx context.Context, run *letterRun, line letter.Line, effect lineEffect) (lineEffect, error) {
	switch {
	case line.Kind == letter.KindRefereeOrder:
		return run.carryOutCommand(ctx, line)
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		run.report(line.Text, match.OutcomeRefused, resignedNote)
		return lineRefused, nil
	case line.Kind == letter.KindConditionalOrder:
		return saveConditional(ctx, run, line.Text, *line.Conditional)
	}
	return carryOutOrder(ctx, run, line, effect)
}

func carryOutOrder(ctx context.Context, run *letterRun, line letter.Line, effect lineEffect) (lineEffect, error) {
	text, o := line.Text, line.Order
	if run.turn.Match.State == match.Over {
		run.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	// Only the first order answers a question that the player has seen in a letter. Later orders answer the questions that
	// follow it.
	var askedDecisions []rules.DecisionID
	isFirst, isStale := effect == lineNoEffect, false
	if isFirst {
		askedDecisions, isStale = run.tester.LetterDecisions(), run.tester.IsStale()
	}
	if (len(run.turn.OpenDecisions(run.execution.Seat)) == 0 || isStale) && replacePending(run, text, o) {
		return lineNoEffect, nil
	}
	if addStandingAnswer(run, text, o) {
		return lineNoEffect, nil
	}
	if later := run.tester.FindConditional(line, isStale && len(askedDecisions) > 0, isFirst); later != nil {
		return saveConditional(ctx, run, text, *later)
	}
	if a, ok := run.tester.FindEarlyAnswer(line, isStale && len(askedDecisions) > 0); ok {
		return saveEarlyAnswer(ctx, run, text, a)
	}
	answers, reason := run.tester.FindAnswers(line, isStale)
	if reason != "" {
		run.effects.hasHint = true
		run.report(text, match.OutcomeRefused, reason)
		return lineRefused, nil
	}
	return giveAnswers(ctx, run, text, answers, askedDecisions)
}

// giveAnswers carries out the first answer of a line, and adds its other answers as pending answers.
func giveAnswers(ctx context.Context, run *letterRun, text string, answers []rules.Answer,
	askedDecisions []rules.DecisionID) (lineEffect, error) {
	before, entries := run.turn.After, len(run.turn.Entries)
	d, err := run.execution.CarryOut(ctx, run.execution.Seat, answers[0], run.historyDigest(), askedDecisions)
	if reason, isInternal := run.turn.ExplainRefusal(run.execution.Seat, err); !isInternal {
		run.effects.hasHint = true
		run.report(text, match.OutcomeRefused, run.tester.SuggestInstead(reason, err, answers[0])+letter.ResignHint(text))
		return lineRefused, nil
	}
	if err != nil {
		return lineCarriedOut, err
	}
	dropDelayedLetter(run)
	if !d.Sealed && len(run.turn.Entries) > entries {
		run.turn.DeclineDraw(run.execution.Seat)
	}
	line, standingNote := run.turn.Game.FormatOrder(answers[0].Atoms), match.SetStandingAnswer(run.turn, before, d, answers[0],
		run.letter.Digest)
	if text == line+" "+letter.ForSure || text == line+" "+letter.Surely || strings.EqualFold(text, line) {
		line = text // The report does not repeat an order that was written in full.
	}
	if _, isSealed := run.turn.SealedAnswer(d); d.Ballot {
		reportBallot(run, isSealed)
	} else if isSealed {
		note := "It stays sealed until all answers are in. " + match.SayOthersNotTold(run.turn, run.execution.Seat) +
			" You may still send another answer in its place."
		if standingNote != "" {
			note += "\n" + standingNote
		}
		if line != text {
			note = line + "\n" + note
		}
		run.report(text, match.OutcomeSaved, note)
	} else if standingNote != "" {
		run.report(text, match.OutcomeDone, line+"\n"+standingNote)
	} else {
		if len(answers) > 1 {
			line = "The first part: " + line
		}
		run.report(text, match.OutcomeDone, line)
		run.turn.MarkCoveredByEvents(run.execution.Seat)
	}
	if conditional := planFromRest(run, text, d); conditional != nil && len(answers) > 1 {
		match.AddConditional(run.turn, *conditional)
	} else {
		match.AddPending(run.turn, run.execution.Seat, answers[1:], d.Play, run.historyDigest())
	}
	return run.settleAfterLine(ctx, lineCarriedOut)
}

// settleAfterLine carries out the pending answers that have become possible after a line. effect is the effect of the
// line itself; after answers of other seats, the result is lineOvertaken.
func (run *letterRun) settleAfterLine(ctx context.Context, effect lineEffect) (lineEffect, error) {
	othersPlayed, err := run.execution.Settle(ctx)
	if othersPlayed {
		return lineOvertaken, err
	}
	return effect, err
}

// CommandResult is the result of an order to the referee, e.g. PAUSE.
type CommandResult struct {
	// outcome is OutcomeDone, OutcomeRefused, or OutcomeAsked if the player must confirm the order with YES.
	outcome     match.LineOutcome
	stopsLetter bool   // the lines below are not carried out
	Note        string // the text for the writer
}

func succeed(note string) (CommandResult, error) {
	return CommandResult{match.OutcomeDone, false, note}, nil
}

func refuseAndStop(note string) (CommandResult, error) {
	return CommandResult{match.OutcomeRefused, true, note}, nil
}

func refuseAndContinue(note string) (CommandResult, error) {
	return CommandResult{match.OutcomeRefused, false, note}, nil
}

type commandFunc func(context.Context, *letterRun, letter.Command) (CommandResult, error)

func constantCommand(result CommandResult, err error) commandFunc {
	return func(context.Context, *letterRun, letter.Command) (CommandResult, error) { return result, err }
}

// commandFuncs maps the first word of an order to the referee, e.g. PAUSE, to the function that carries it out. It is
// filled in init, because some of the functions refer to it.
var commandFuncs map[letter.Word]commandFunc

func init() {
	commandFuncs = map[letter.Word]commandFunc{
		letter.Status: sendWholeLetter, letter.Resend: sendWholeLetter, letter.ResendLetter: resendLetter, letter.History: showHistory,
		letter.Stats: showStats,
		letter.Hand:  addQuery, letter.Discards: addQuery, letter.Map: addQuery, letter.BigMap: addQuery,
		letter.Record: addQuery, letter.Position: addQuery,
		letter.Card: showCard, letter.Rules: showTopic, letter.HelpWord: showHelp,
		letter.ShowOrders: showPending, letter.Drop: dropPending, letter.CancelOrders: dropPending,
		letter.Now: constantCommand(refuseAndStop("You have no orders waiting.")),

		letter.FormatWord: setFormat, letter.Plain: setPlain, letter.Language: setLanguage, letter.TimeZone: setZone,
		letter.Grace: setGrace, letter.Delay: setDelay, letter.Note: saveNote,
		letter.NewToken: renewToken, letter.CallMe: renameWriter, letter.Vacation: handleVacation, letter.Quiet: setQuiet,
		letter.Address: func(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
			return handleAddressOrder(ctx, run, command, " and NEW TOKEN")
		},

		letter.Message: sendMessage, letter.Ask: askOperator, letter.Witness: confirmHistory,
		letter.Observe: refuseObserver, letter.Unobserve: refuseObserver,

		letter.Pause: pauseMatch, letter.Claim: claimMatch, letter.Nudge: nudgePlayers, letter.Give: giveTime,
		letter.Draw: offerDraw, letter.Abort: abortMatch, letter.Replace: requestRobotForAbsent, letter.Resign: resignMatch,
		letter.TakeBack: handleTakeback,
		letter.Yes:      constantCommand(refuseAndStop("There is no question for you to answer with YES, so nothing was done.")),
		letter.No:       constantCommand(refuseAndStop("There is no question for you to answer with NO, so nothing was done.")),
	}
}

func (run *letterRun) carryOutCommand(ctx context.Context, line letter.Line) (lineEffect, error) {
	before := len(run.turn.Entries)
	if note := countQuery(run, line.Command); note != "" {
		run.report(line.Text, match.OutcomeNotReached, note)
		return lineNoEffect, nil
	}
	result, err := commandFuncs[line.Command.Word](ctx, run, line.Command)
	if err != nil {
		return lineNoEffect, err
	}
	run.reportOutcome(line.Text, result)
	switch {
	case result.stopsLetter:
		return lineRefused, nil
	case len(run.turn.Entries) > before && line.Command.Word != letter.Witness:
		return lineOvertaken, nil
	}
	return lineNoEffect, nil
}

func enterAct(ctx context.Context, run *letterRun, act record.Act, note string) (CommandResult, error) {
	if err := run.execution.EnterAct(ctx, record.Entry{Seat: record.SeatName(run.writerSeat().Name), Letter: run.historyDigest(),
		Act: &act}); err != nil {
		return CommandResult{}, err
	}
	return succeed(note)
}

const maxQueries = 20

// countQuery counts an order that asks for information. If the order is repeated, or is after maxQueries others,
// countQuery returns the reason why it is not answered.
func countQuery(run *letterRun, command letter.Command) (reason string) {
	key := command.QueryKey()
	switch {
	case key == "":
	case run.answeredQueries[key]:
		return "You asked that above."
	case len(run.answeredQueries) >= maxQueries:
		return fmt.Sprintf("We answer %d questions in one letter. Ask the other questions in another letter.", maxQueries)
	case run.answeredQueries == nil:
		run.answeredQueries = map[string]bool{key: true}
	default:
		run.answeredQueries[key] = true
	}
	return ""
}

func (run *letterRun) reportOutcome(line string, result CommandResult) {
	if result.outcome == match.OutcomeAsked {
		run.effects.disposition = exchange.DispositionRefused
	}
	run.report(line, result.outcome, result.Note)
}

func (run *letterRun) writerSeat() *match.Seat { return &run.turn.Match.Seats[run.execution.Seat] }

// previewOrders describes what the orders of a letter would do, up to the first die, draw or decision of another
// seat. It does not change the match.
func previewOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	run.report(string(letter.Preview), match.OutcomeDone, "This is only a preview: the orders below were not carried out. To carry them "+
		"out, send them again without PREVIEW.")
	preview := run.tester.NewPreview()
	run.answer.HasOnlyQueries = true
	for _, line := range lines {
		if isHandled, err := handleHarmlessLine(ctx, run, line, "Not sent, because your letter is only a preview."); err != nil {
			return err
		} else if isHandled || line.Is(letter.Preview) {
			continue
		}
		switch {
		case line.Kind == letter.KindConditionalOrder:
			run.report(line.Text, match.OutcomePreview, line.Conditional.Text+"\nIt would be saved.")
		case line.Class() == letter.ClassQueryInSequence:
			// These questions have no effect, so they are answered in a preview too.
			if _, err := run.carryOutCommand(ctx, line); err != nil {
				return err
			}
		case line.Is(letter.TakeBack):
			run.report(line.Text, match.OutcomeNotReached, "It cannot be previewed.")
		default:
			if text, isPredicted := preview.Describe(line); isPredicted {
				run.report(line.Text, match.OutcomePreview, text)
			} else {
				run.report(line.Text, match.OutcomeNotReached, text)
			}
		}
	}
	return nil
}
