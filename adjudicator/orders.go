package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/trial"
	"samizdat/rules"
)

// doOrders carries out the lines of a letter after all were read. Led is the effect of the settings.
func doOrders(ctx context.Context, j *letterRun, lines []letter.Line, led lineEffect) error {
	if i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }); i >= 0 {
		return previewOrders(ctx, j, lines)
	}
	if led == lineRefused || misread(lines) {
		return j.carryOut(ctx, lines, lineRefused) // An unreadable line must lose nothing.
	}
	lines, now, err := takeNow(ctx, j, lines)
	if err != nil {
		return err
	}
	if !now && holdsBack(j, lines) {
		return holdBack(ctx, j, lines)
	}
	return j.carryOut(ctx, lines, led)
}

// misread reports whether a line that looks like an order could not be understood: then no order is carried out.
func misread(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.Unreadable })
}

// lineEffect is the effect of a line, which decides about the lines below. The greatest effect of a letter counts.
type lineEffect int

const (
	// lineAside: the questions for the lines below have not changed.
	lineAside lineEffect = iota
	lineActed
	// lineOvertaken: a pending answer of another seat was carried out, so the lines below answer questions that
	// their writer has not seen.
	lineOvertaken
	lineRefused
)

// carryOut carries out the lines of a letter in order. Led is the effect of the lines before them.
func (j *letterRun) carryOut(ctx context.Context, lines []letter.Line, led lineEffect) error {
	j.answer.OnlyAsks = onlyAsks(lines)
	stopped, unsent := "", ""
	if led == lineRefused || misread(lines) {
		led = lineRefused
		stopped, unsent = "Not carried out, since another line could not be understood.",
			"Not sent, since another line could not be understood."
	}
	orders := false
	for _, l := range lines {
		if done, err := handleAside(ctx, j, l, unsent); err != nil {
			return err
		} else if done {
			orders = orders || l.Kind == letter.HostOrder
			continue
		}
		if asks := l.Class() == letter.Asking; stopped != "" && !asks && !(led == lineOvertaken && isStillKept(j, &l)) {
			j.report(l.Text, match.OutcomeNotReached, stopped)
			continue
		}
		orders = true
		effect, err := doLine(ctx, j, l, led)
		if err != nil {
			return err
		}
		switch led = max(led, effect); {
		case led == lineRefused:
			stopped = "Not carried out, since a line before it was refused."
		case led == lineOvertaken && j.turn.Match.State == match.Over:
			stopped = "Not carried out, since the match is over."
		case led == lineOvertaken:
			stopped = "Not carried out, since another player's order was carried out meanwhile. What is asked now stands in this letter."
		}
	}
	if !orders {
		j.reply.disposition = exchange.Refused
	}
	if err := explainRefusal(j); err != nil {
		return err
	}
	dropGreetings(j)
	reportKept(j)
	return nil
}

// reportKept reports the writer's pending answers for later questions of the play.
func reportKept(j *letterRun) {
	for _, h := range j.turn.Match.Pending {
		if h.Seat == j.play.Seat && h.Letter == j.letter.Digest && h.IsForPlay() && !h.Answer.Ahead {
			j.report(j.turn.Game.FormatOrder(h.Answer.Atoms), match.OutcomeKept, "It is kept for you until it is asked for in this play. "+
				"Nobody else is told.")
		}
	}
}

// handleAside handles a line without an effect on the match (talk, an unreadable line, a question, a message), and
// reports whether the line is one. Unsent is the reason why no message is sent, or empty.
func handleAside(ctx context.Context, j *letterRun, l letter.Line, unsent string) (done bool, err error) {
	class := l.Class()
	harmless := l.Kind == letter.Talk && j.reader.Orders.Harmless(l.Text)
	j.answer.Misread = j.answer.Misread || class == letter.None && l.Kind <= letter.Unreadable && !harmless &&
		!letter.Begins(l.Text, letter.Card)
	switch {
	case harmless:
		j.report(l.Text, match.OutcomeIgnored, "")
	case l.Kind == letter.Talk, l.Kind == letter.Doubt:
		j.report(l.Text, match.OutcomeUnread, whyRefused(j, l))
	case l.Kind == letter.Unreadable:
		j.reply.hinted = j.reply.hinted || l.Names
		why := whyRefused(j, l)
		if len(l.Can) > 0 && j.answer.Ask == nil {
			why = trial.Sentences(why, askWhich(j, l.Can))
		}
		if l.Plays && !j.reply.hinted { // One hint is enough for a letter of many lines.
			text, err := j.trial.CardPlayed(l.Text)
			if err != nil {
				return true, err
			}
			if text != "" {
				why, j.reply.hinted = text, true
			}
		}
		j.report(l.Text, match.OutcomeRefused, why)
	case class == letter.Telling && unsent != "":
		j.report(l.Text, match.OutcomeNotReached, unsent)
	case class == letter.Question, class == letter.Telling:
		_, err = j.command(ctx, l)
	default:
		return false, nil
	}
	return true, err
}

// doLine carries out one line. Led is the effect of the lines above.
func doLine(ctx context.Context, j *letterRun, l letter.Line, led lineEffect) (lineEffect, error) {
	switch {
	case l.Kind == letter.HostOrder:
		return j.command(ctx, l)
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		j.report(l.Text, match.OutcomeRefused, playsNoMore)
		return lineRefused, nil
	case l.Kind == letter.ConditionalOrder:
		return keepConditional(ctx, j, l.Text, *l.Conditional)
	}
	return doOrder(ctx, j, l, led)
}

func doOrder(ctx context.Context, j *letterRun, l letter.Line, led lineEffect) (lineEffect, error) {
	text, o := l.Text, l.Order
	if j.turn.Match.State == match.Over {
		j.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	// Only the first order answers the question of the letter; the others answer what follows.
	var asked []rules.DecisionID
	first, stale := led == lineAside, false
	if first {
		asked, stale = j.trial.Asked(), j.trial.IsStale()
	}
	if (len(j.turn.OpenDecisions(j.play.Seat)) == 0 || stale) && replaceKept(j, text, o) {
		return lineAside, nil
	}
	if standNow(j, text, o) {
		return lineAside, nil
	}
	if later := j.trial.Conditional(l, stale && len(asked) > 0, first); later != nil {
		return keepConditional(ctx, j, text, *later)
	}
	if a, ok := j.trial.Early(l, stale && len(asked) > 0); ok {
		return keepAhead(ctx, j, text, a)
	}
	answers, why := j.trial.Answers(l, stale)
	if why != "" {
		j.reply.hinted = true
		j.report(text, match.OutcomeRefused, why)
		return lineRefused, nil
	}
	return giveAnswers(ctx, j, text, answers, asked)
}

// giveAnswers carries out the first answer of a line, and adds the others as pending answers.
func giveAnswers(ctx context.Context, j *letterRun, text string, answers []rules.Answer, asked []rules.DecisionID) (lineEffect, error) {
	before, entries := j.turn.After, len(j.turn.Entries)
	d, err := j.play.CarryOut(ctx, j.play.Seat, answers[0], j.digest(), asked)
	if why, ours := j.turn.ExplainRefusal(j.play.Seat, err); !ours {
		j.reply.hinted = true
		j.report(text, match.OutcomeRefused, j.trial.SuggestInstead(why, err, answers[0]))
		return lineRefused, nil
	}
	if err != nil {
		return lineActed, err
	}
	dropHeldBefore(j)
	if !d.Sealed && len(j.turn.Entries) > entries {
		j.turn.DeclineDraw(j.play.Seat)
	}
	line, standing := j.turn.Game.FormatOrder(answers[0].Atoms), match.SetStandingAnswer(j.turn, before, d, answers[0], j.letter.Digest)
	if text == line+" "+letter.Surely {
		line = text // Say it once.
	}
	if _, kept := j.turn.SealedAnswer(d); d.Ballot {
		reportBallot(j, kept)
	} else if kept {
		note := "It stays sealed until all answers are in. Until then you may replace it. Nobody else is told."
		if standing != "" {
			note += "\n" + standing
		}
		if line != text {
			note = line + "\n" + note
		}
		j.report(text, match.OutcomeKept, note)
	} else if standing != "" {
		j.report(text, match.OutcomeDone, line+"\n"+standing)
	} else {
		j.report(text, match.OutcomeDone, line)
		j.turn.MarkPlayed(j.play.Seat)
	}
	if l := planFor(j, text, d); l != nil && len(answers) > 1 {
		match.PutConditional(j.turn, *l)
	} else {
		match.AddPending(j.turn, j.play.Seat, answers[1:], d.Play, j.digest())
	}
	return j.settleBehind(ctx, lineActed)
}

// settleBehind carries out pending answers after a line. Led is the effect of the line.
func (j *letterRun) settleBehind(ctx context.Context, led lineEffect) (lineEffect, error) {
	others, err := j.play.Settle(ctx)
	if others {
		return lineOvertaken, err
	}
	return led, err
}

// Outcome is the result of an order to the host, e.g. PAUSE.
type Outcome struct {
	// came is done, refused, or asked if it needs YES. Stops: the lines below are not carried out.
	came  match.Outcome
	stops bool
	Note  string
}

func did(note string) (Outcome, error) { return Outcome{match.OutcomeDone, false, note}, nil }

// refuse returns the outcome of a refused order; the lines below are not carried out.
func refuse(note string) (Outcome, error) { return Outcome{match.OutcomeRefused, true, note}, nil }

// declined returns the outcome of a refused order; the lines below are carried out.
func declined(note string) (Outcome, error) { return Outcome{match.OutcomeRefused, false, note}, nil }

// commandFunc carries out an order to the host.
type commandFunc func(context.Context, *letterRun, letter.Command) (Outcome, error)

func always(o Outcome, err error) commandFunc {
	return func(context.Context, *letterRun, letter.Command) (Outcome, error) { return o, err }
}

// commandFuncs maps the first word of an order to the host to its function. It is filled in init, since HELP reads
// lines.
var commandFuncs map[letter.Word]commandFunc

func init() {
	commandFuncs = map[letter.Word]commandFunc{
		letter.Status: sendLetter, letter.Resend: sendLetter, letter.Again: resendLetter, letter.History: showHistory,
		letter.Stats: showStats,
		letter.Hand:  showPart, letter.Discards: showPart, letter.Map: showPart, letter.BigMap: showPart,
		letter.Record: showPart, letter.Position: showPart,
		letter.Card: showCard, letter.Rules: showTopic, letter.HelpWord: showHelp,
		letter.ShowOrders: showKept, letter.Drop: dropKept, letter.CancelOrders: dropKept,
		letter.Now: always(refuse("No orders of yours are held back.")),

		letter.FormatWord: setFormat, letter.Plain: setPlain, letter.Language: setLanguage, letter.TimeZone: setZone,
		letter.Grace: setGrace, letter.Delay: setDelay,
		letter.NewToken: renewToken, letter.CallMe: renameWriter, letter.Vacation: planVacation,
		letter.Address: func(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
			return doAddress(ctx, j, c, " and NEW TOKEN")
		},

		letter.Message: sendMessage, letter.Ask: askOperator, letter.Witness: signHistory,
		letter.Observe: refuseObserver, letter.Unobserve: refuseObserver,

		letter.Pause: pauseMatch, letter.Claim: claimMatch, letter.Give: giveTime,
		letter.Draw: offerDraw, letter.Abort: abortMatch, letter.Resign: resignMatch, letter.TakeBack: takeBack,
		letter.Yes: always(refuse("No question is open that YES answers, so nothing was done.")),
		letter.No:  always(refuse("No question is open that NO answers, so nothing was done.")),
	}
}

// command carries out and reports an order to the host.
func (j *letterRun) command(ctx context.Context, l letter.Line) (lineEffect, error) {
	before := len(j.turn.Entries)
	if note := mayInquire(j, l.Command); note != "" {
		j.report(l.Text, match.OutcomeNotReached, note)
		return lineAside, nil
	}
	o, err := commandFuncs[l.Command.Word](ctx, j, l.Command)
	if err != nil {
		return lineAside, err
	}
	j.reportOutcome(l.Text, o)
	switch {
	case o.stops:
		return lineRefused, nil
	case len(j.turn.Entries) > before && l.Command.Word != letter.Witness:
		return lineOvertaken, nil
	}
	return lineAside, nil
}

func enterAct(ctx context.Context, j *letterRun, act record.Act, note string) (Outcome, error) {
	if err := j.play.EnterAct(ctx, record.Entry{Seat: record.SeatName(j.writer().Name), Letter: j.digest(), Act: &act}); err != nil {
		return Outcome{}, err
	}
	return did(note)
}

// maxInquiries is the number of different questions answered in one letter.
const maxInquiries = 20

// mayInquire counts a question, and returns the reason if it is not answered: a letter gets each answer once, and
// at most maxInquiries answers.
func mayInquire(j *letterRun, c letter.Command) (why string) {
	q := c.Question()
	switch {
	case q == "":
	case j.answeredQuestions[q]:
		return "You have asked that above."
	case len(j.answeredQuestions) >= maxInquiries:
		return fmt.Sprintf("One letter is answered %d questions; ask more in another.", maxInquiries)
	case j.answeredQuestions == nil:
		j.answeredQuestions = map[string]bool{q: true}
	default:
		j.answeredQuestions[q] = true
	}
	return ""
}

// reportOutcome adds the outcome of an order to the host to the answer.
func (j *letterRun) reportOutcome(line string, o Outcome) {
	if o.came == match.OutcomeAsked {
		j.reply.disposition = exchange.Refused
	}
	j.report(line, o.came, o.Note)
}

func (j *letterRun) writer() *match.Seat { return &j.turn.Match.Seats[j.play.Seat] }

// previewOrders describes what the orders of a letter would do, up to the first die, draw or decision of another
// seat. It does not change the match.
func previewOrders(ctx context.Context, j *letterRun, lines []letter.Line) error {
	j.report(string(letter.Preview), match.OutcomeDone, "Nothing below is carried out; this is what it would do.")
	preview := j.trial.NewPreview()
	j.answer.OnlyAsks = true
	for _, l := range lines {
		if done, err := handleAside(ctx, j, l, "Not sent, since your letter only asks what it would do."); err != nil {
			return err
		} else if done || l.Is(letter.Preview) {
			continue
		}
		switch {
		case l.Kind == letter.ConditionalOrder:
			j.report(l.Text, match.OutcomePreview, l.Conditional.Text+"\nIt would be kept.")
		case l.Class() == letter.Asking:
			// These have no effect, and are answered wherever they stand.
			if _, err := j.command(ctx, l); err != nil {
				return err
			}
		case l.Is(letter.TakeBack):
			j.report(l.Text, match.OutcomeNotReached, "It cannot be previewed.")
		default:
			if text, foretold := preview.Foretell(l); foretold {
				j.report(l.Text, match.OutcomePreview, text)
			} else {
				j.report(l.Text, match.OutcomeNotReached, text)
			}
		}
	}
	return nil
}
