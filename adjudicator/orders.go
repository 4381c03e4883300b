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

// doOrders carries out the lines of a letter after all were read. The last argument is the effect of the
// settings.
func doOrders(ctx context.Context, run *letterRun, lines []letter.Line, effect lineEffect) error {
	if i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }); i >= 0 {
		return previewOrders(ctx, run, lines)
	}
	if effect == lineRefused || hasUnreadOrder(lines) {
		return run.carryOut(ctx, lines, lineRefused) // an unreadable line must not cost the player anything
	}
	lines, immediately, err := applyNow(ctx, run, lines)
	if err != nil {
		return err
	}
	if !immediately && isDelayedByGrace(run, lines) {
		return delayOrders(ctx, run, lines)
	}
	return run.carryOut(ctx, lines, effect)
}

// hasUnreadOrder reports whether a line that looks like an order could not be understood. Then no order is carried out.
func hasUnreadOrder(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Unreadable })
}

// lineEffect is the effect of a line, which decides about the lines below. The greatest effect of a letter counts.
type lineEffect int

const (
	// lineNoEffect means that the questions are unchanged that the lines below answer.
	lineNoEffect lineEffect = iota
	lineActed
	// lineOvertaken means that a pending answer of another seat was carried out, so the lines below answer questions
	// that their writer has not seen.
	lineOvertaken
	lineRefused
)

// carryOut carries out the lines of a letter in order. The last argument is the effect of the lines before
// them.
func (run *letterRun) carryOut(ctx context.Context, lines []letter.Line, previous lineEffect) error {
	run.answer.OnlyAsks = isQuestionsOnly(lines)
	stopped, unsent := "", ""
	if previous == lineRefused || hasUnreadOrder(lines) {
		previous = lineRefused
		stopped, unsent = "Not carried out, because another line was not understood.",
			"Not sent, because another line was not understood."
	}
	orders := false
	for _, l := range lines {
		if done, err := handleHarmlessLine(ctx, run, l, unsent); err != nil {
			return err
		} else if done {
			orders = orders || l.Kind == letter.RefereeOrder
			continue
		}
		if asks := l.Class() == letter.Asking; stopped != "" && !asks && !(previous == lineOvertaken && markConditional(run, &l)) {
			run.report(l.Text, match.OutcomeNotReached, stopped)
			continue
		}
		orders = true
		effect, err := carryOutLine(ctx, run, l, previous)
		if err != nil {
			return err
		}
		switch previous = max(previous, effect); {
		case previous == lineRefused:
			stopped = "Not carried out, because an earlier line was refused."
		case previous == lineOvertaken && run.turn.Match.State == match.Over:
			stopped = "Not carried out, because the match is over."
		case previous == lineOvertaken:
			stopped = "Not carried out, because another player's order came first. The current question is in this letter."
		}
	}
	if !orders {
		run.effects.disposition = exchange.Refused
	}
	if err := explainRefusal(run); err != nil {
		return err
	}
	dropGreetings(run)
	reportPending(run)
	return nil
}

// reportPending reports the writer's pending answers for later questions of the play.
func reportPending(run *letterRun) {
	for _, pending := range run.turn.Match.Pending {
		if pending.Seat == run.play.Seat && pending.Letter == run.letter.Digest && pending.IsForPlay() && !pending.Answer.Ahead {
			run.report(run.turn.Game.FormatOrder(pending.Answer.Atoms), match.OutcomeKept, "It is saved until you are asked for it "+
				"in this play. The others are not told of it.")
		}
	}
}

// handleHarmlessLine handles a line without an effect on the match (talk, an unreadable line, a question, a message), and reports
// whether the line is one. unsentReason is why messages are not sent; empty if they are.
func handleHarmlessLine(ctx context.Context, run *letterRun, l letter.Line, unsent string) (done bool, err error) {
	class := l.Class()
	harmless := l.Kind == letter.Talk && run.reader.Orders.IsCourtesyLine(l.Text)
	run.answer.Misread = run.answer.Misread || class == letter.None && l.Kind <= letter.Unreadable && !harmless &&
		!letter.StartsWith(l.Text, letter.Card)
	switch {
	case harmless:
		run.report(l.Text, match.OutcomeIgnored, "")
	case l.Kind == letter.Talk, l.Kind == letter.Doubt:
		run.report(l.Text, match.OutcomeUnread, explainUnread(run, l))
	case l.Kind == letter.Unreadable:
		run.effects.hasHint = run.effects.hasHint || l.NamesOrders
		reason := explainUnread(run, l)
		if len(l.PossibleOrders) > 0 && run.answer.Ask == nil {
			reason = trial.JoinSentences(reason, askWhich(run, l.PossibleOrders))
		}
		if l.IsCardPlay && !run.effects.hasHint { // One hint is enough for a letter of many lines.
			text, err := run.tester.ExplainCardPlay(l.Text)
			if err != nil {
				return true, err
			}
			if text != "" {
				reason, run.effects.hasHint = text, true
			}
		}
		run.report(l.Text, match.OutcomeRefused, reason)
	case class == letter.Telling && unsent != "":
		run.report(l.Text, match.OutcomeNotReached, unsent)
	case class == letter.Question, class == letter.Telling:
		_, err = run.command(ctx, l)
	default:
		return false, nil
	}
	return true, err
}

// carryOutLine carries out one line. The last argument is the effect of the lines above.
func carryOutLine(ctx context.Context, run *letterRun, l letter.Line, effect lineEffect) (lineEffect, error) {
	switch {
	case l.Kind == letter.RefereeOrder:
		return run.command(ctx, l)
	case run.turn.Match.Acts.Resigned.Has(run.play.Seat):
		run.report(l.Text, match.OutcomeRefused, resignedNote)
		return lineRefused, nil
	case l.Kind == letter.ConditionalOrder:
		return saveConditional(ctx, run, l.Text, *l.Conditional)
	}
	return doOrder(ctx, run, l, effect)
}

func doOrder(ctx context.Context, run *letterRun, l letter.Line, effect lineEffect) (lineEffect, error) {
	text, o := l.Text, l.Order
	if run.turn.Match.State == match.Over {
		run.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	// Only the first order answers the question of the letter; the others answer what follows.
	var asked []rules.DecisionID
	first, stale := effect == lineNoEffect, false
	if first {
		asked, stale = run.tester.LetterDecisions(), run.tester.IsStale()
	}
	if (len(run.turn.OpenDecisions(run.play.Seat)) == 0 || stale) && replacePending(run, text, o) {
		return lineNoEffect, nil
	}
	if addStandingAnswer(run, text, o) {
		return lineNoEffect, nil
	}
	if later := run.tester.FindConditional(l, stale && len(asked) > 0, first); later != nil {
		return saveConditional(ctx, run, text, *later)
	}
	if a, ok := run.tester.FindEarlyAnswer(l, stale && len(asked) > 0); ok {
		return saveEarlyAnswer(ctx, run, text, a)
	}
	answers, reason := run.tester.FindAnswers(l, stale)
	if reason != "" {
		run.effects.hasHint = true
		run.report(text, match.OutcomeRefused, reason)
		return lineRefused, nil
	}
	return giveAnswers(ctx, run, text, answers, asked)
}

// giveAnswers carries out the first answer of a line, and adds the others as pending answers.
func giveAnswers(ctx context.Context, run *letterRun, text string, answers []rules.Answer, asked []rules.DecisionID) (lineEffect, error) {
	before, entries := run.turn.After, len(run.turn.Entries)
	d, err := run.play.CarryOut(ctx, run.play.Seat, answers[0], run.digest(), asked)
	if reason, isInternal := run.turn.ExplainRefusal(run.play.Seat, err); !isInternal {
		run.effects.hasHint = true
		run.report(text, match.OutcomeRefused, run.tester.SuggestInstead(reason, err, answers[0]))
		return lineRefused, nil
	}
	if err != nil {
		return lineActed, err
	}
	dropDelayed(run)
	if !d.Sealed && len(run.turn.Entries) > entries {
		run.turn.DeclineDraw(run.play.Seat)
	}
	line, standing := run.turn.Game.FormatOrder(answers[0].Atoms), match.SetStandingAnswer(run.turn, before, d, answers[0], run.letter.Digest)
	if text == line+" "+letter.Surely || strings.EqualFold(text, line) {
		line = text // the answer does not repeat the order
	}
	if _, isSealed := run.turn.SealedAnswer(d); d.Ballot {
		reportBallot(run, isSealed)
	} else if isSealed {
		note := "It stays sealed until all answers are in. Until then you may replace it. The others are not told of it."
		if standing != "" {
			note += "\n" + standing
		}
		if line != text {
			note = line + "\n" + note
		}
		run.report(text, match.OutcomeKept, note)
	} else if standing != "" {
		run.report(text, match.OutcomeDone, line+"\n"+standing)
	} else {
		run.report(text, match.OutcomeDone, line)
		run.turn.MarkPlayed(run.play.Seat)
	}
	if l := planFromRest(run, text, d); l != nil && len(answers) > 1 {
		match.PutConditional(run.turn, *l)
	} else {
		match.AddPending(run.turn, run.play.Seat, answers[1:], d.Play, run.digest())
	}
	return run.settleAfterLine(ctx, lineActed)
}

// settleAfterLine carries out pending answers after a line. The last argument is the effect of the line.
func (run *letterRun) settleAfterLine(ctx context.Context, effect lineEffect) (lineEffect, error) {
	othersPlayed, err := run.play.Settle(ctx)
	if othersPlayed {
		return lineOvertaken, err
	}
	return effect, err
}

// Outcome is the result of an order to the referee, e.g. PAUSE.
type Outcome struct {
	// result is done, refused, or asked if it needs YES. stopsLetter reports whether the lines below are left
	// out.
	result      match.Outcome
	stopsLetter bool
	Note        string
}

func done(note string) (Outcome, error) { return Outcome{match.OutcomeDone, false, note}, nil }

// refuseAndStop returns the outcome of a refused order; the lines below are not carried out.
func refuseAndStop(note string) (Outcome, error) {
	return Outcome{match.OutcomeRefused, true, note}, nil
}

// refuseAndContinue returns the outcome of a refused order; the lines below are carried out.
func refuseAndContinue(note string) (Outcome, error) {
	return Outcome{match.OutcomeRefused, false, note}, nil
}

type commandFunc func(context.Context, *letterRun, letter.Command) (Outcome, error)

func constantCommand(o Outcome, err error) commandFunc {
	return func(context.Context, *letterRun, letter.Command) (Outcome, error) { return o, err }
}

// commandFuncs maps the first word of an order to the referee to its function. It is filled in init, because some of the
// functions refer to it.
var commandFuncs map[letter.Word]commandFunc

func init() {
	commandFuncs = map[letter.Word]commandFunc{
		letter.Status: sendLetter, letter.Resend: sendLetter, letter.Again: resendLetter, letter.History: showHistory,
		letter.Stats: showStats,
		letter.Hand:  showPart, letter.Discards: showPart, letter.Map: showPart, letter.BigMap: showPart,
		letter.Record: showPart, letter.Position: showPart,
		letter.Card: showCard, letter.Rules: showTopic, letter.HelpWord: showHelp,
		letter.ShowOrders: showPending, letter.Drop: dropPending, letter.CancelOrders: dropPending,
		letter.Now: constantCommand(refuseAndStop("You have no orders waiting.")),

		letter.FormatWord: setFormat, letter.Plain: setPlain, letter.Language: setLanguage, letter.TimeZone: setZone,
		letter.Grace: setGrace, letter.Delay: setDelay, letter.Note: keepNote,
		letter.NewToken: renewToken, letter.CallMe: renameWriter, letter.Vacation: planVacation, letter.Quiet: setQuiet,
		letter.Address: func(ctx context.Context, run *letterRun, c letter.Command) (Outcome, error) {
			return doAddress(ctx, run, c, " and NEW TOKEN")
		},

		letter.Message: sendMessage, letter.Ask: askOperator, letter.Witness: witnessHistory,
		letter.Observe: refuseObserver, letter.Unobserve: refuseObserver,

		letter.Pause: pauseMatch, letter.Claim: claimMatch, letter.Nudge: nudge, letter.Give: giveTime,
		letter.Draw: offerDraw, letter.Abort: abortMatch, letter.Replace: replaceAbsent, letter.Resign: resignMatch, letter.TakeBack: takeBack,
		letter.Yes: constantCommand(refuseAndStop("No open question can be answered with YES, so nothing was done.")),
		letter.No:  constantCommand(refuseAndStop("No open question can be answered with NO, so nothing was done.")),
	}
}

// command carries out and reports an order to the referee.
func (run *letterRun) command(ctx context.Context, l letter.Line) (lineEffect, error) {
	before := len(run.turn.Entries)
	if note := countInquiry(run, l.Command); note != "" {
		run.report(l.Text, match.OutcomeNotReached, note)
		return lineNoEffect, nil
	}
	o, err := commandFuncs[l.Command.Word](ctx, run, l.Command)
	if err != nil {
		return lineNoEffect, err
	}
	run.reportOutcome(l.Text, o)
	switch {
	case o.stopsLetter:
		return lineRefused, nil
	case len(run.turn.Entries) > before && l.Command.Word != letter.Witness:
		return lineOvertaken, nil
	}
	return lineNoEffect, nil
}

func enterAct(ctx context.Context, run *letterRun, act record.Act, note string) (Outcome, error) {
	if err := run.play.EnterAct(ctx, record.Entry{Seat: record.SeatName(run.writerSeat().Name), Letter: run.digest(), Act: &act}); err != nil {
		return Outcome{}, err
	}
	return done(note)
}

// maxInquiries is the number of different questions answered in one letter.
const maxInquiries = 20

// countInquiry counts a question, and returns the reason if it is not answered: a letter gets each answer once, and
// at most maxInquiries answers.
func countInquiry(run *letterRun, c letter.Command) (reason string) {
	q := c.QuestionKey()
	switch {
	case q == "":
	case run.answeredQuestions[q]:
		return "You asked that above."
	case len(run.answeredQuestions) >= maxInquiries:
		return fmt.Sprintf("We answer %d questions in one letter. Ask the others in another letter.", maxInquiries)
	case run.answeredQuestions == nil:
		run.answeredQuestions = map[string]bool{q: true}
	default:
		run.answeredQuestions[q] = true
	}
	return ""
}

// reportOutcome adds the outcome of an order to the referee to the answer.
func (run *letterRun) reportOutcome(line string, o Outcome) {
	if o.result == match.OutcomeAsked {
		run.effects.disposition = exchange.Refused
	}
	run.report(line, o.result, o.Note)
}

func (run *letterRun) writerSeat() *match.Seat { return &run.turn.Match.Seats[run.play.Seat] }

// previewOrders describes what the orders of a letter would do, up to the first die, draw or decision of another
// seat. It does not change the match.
func previewOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	run.report(string(letter.Preview), match.OutcomeDone, "This is only a preview: the orders below were not carried out.")
	preview := run.tester.NewPreview()
	run.answer.OnlyAsks = true
	for _, l := range lines {
		if done, err := handleHarmlessLine(ctx, run, l, "Not sent, because your letter is only a preview."); err != nil {
			return err
		} else if done || l.Is(letter.Preview) {
			continue
		}
		switch {
		case l.Kind == letter.ConditionalOrder:
			run.report(l.Text, match.OutcomePreview, l.Conditional.Text+"\nIt would be saved.")
		case l.Class() == letter.Asking:
			// These have no effect, and are answered wherever they are in the letter.
			if _, err := run.command(ctx, l); err != nil {
				return err
			}
		case l.Is(letter.TakeBack):
			run.report(l.Text, match.OutcomeNotReached, "It cannot be previewed.")
		default:
			if text, foretold := preview.Foretell(l); foretold {
				run.report(l.Text, match.OutcomePreview, text)
			} else {
				run.report(l.Text, match.OutcomeNotReached, text)
			}
		}
	}
	return nil
}
