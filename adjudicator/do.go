package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
)

// Outcome is what an order to the host came to.
type Outcome struct {
	// came is done; or refused; or asked, where it is done when its writer says YES. Stops: what
	// stands below it in the letter is not done either.
	came  match.Outcome
	stops bool
	// Note is the answer to its writer.
	Note string
}

// did is the outcome of an order that was carried out.
func did(note string) (Outcome, error) { return Outcome{match.OutcomeDone, false, note}, nil }

// refuse is the outcome of one that was not, and stops the letter.
func refuse(note string) (Outcome, error) { return Outcome{match.OutcomeRefused, true, note}, nil }

// declined is the outcome of one that was not, while what stands below it goes on.
func declined(note string) (Outcome, error) { return Outcome{match.OutcomeRefused, false, note}, nil }

// doing carries out an order to the host for the writer of a letter.
type doing func(context.Context, *adjudication, letter.Command) (Outcome, error)

// always answers an order in the same words.
func always(o Outcome, err error) doing {
	return func(context.Context, *adjudication, letter.Command) (Outcome, error) { return o, err }
}

// doings are what the orders to the host do, by their words. It is filled below, since HELP reads lines.
var doings map[letter.Word]doing

func init() {
	doings = map[letter.Word]doing{
		letter.Status: sendLetter, letter.Resend: sendLetter, letter.Again: resendLetter, letter.History: showHistory, letter.Stats: showStats,
		letter.Hand: showPart, letter.Discards: showPart, letter.Map: showPart, letter.BigMap: showPart, letter.Record: showPart, letter.Position: showPart,
		letter.Card: showCard, letter.Rules: showTopic, letter.HelpWord: showHelp,
		letter.ShowOrders: showKept, letter.Drop: dropKept, letter.CancelOrders: dropKept,
		letter.Now: always(refuse("No orders of yours are held back.")),

		letter.FormatWord: setFormat, letter.Plain: setPlain, letter.Language: setLanguage, letter.TimeZone: setZone, letter.Grace: setGrace, letter.Delay: setDelay,
		letter.NewToken: renewToken, letter.CallMe: renameWriter, letter.Vacation: planVacation,
		letter.Address: func(ctx context.Context, j *adjudication, c letter.Command) (Outcome, error) {
			return j.address(ctx, c, " and NEW TOKEN")
		},

		letter.Message: sendMessage, letter.Ask: askOperator, letter.Witness: signHistory, letter.Observe: refuseObserver, letter.Unobserve: refuseObserver,

		letter.Pause: pauseMatch, letter.Claim: claimMatch, letter.Give: giveTime,
		letter.Draw: offerDraw, letter.Abort: abortMatch, letter.Resign: resignMatch, letter.TakeBack: takeBack,
		letter.Yes: always(refuse("No question is open that YES answers, so nothing was done.")),
		letter.No:  always(refuse("No question is open that NO answers, so nothing was done.")),
	}
}

// command carries out an order to the host, and says what became of it.
func (j *adjudication) command(ctx context.Context, l letter.Line) (lineEffect, error) {
	before := len(j.turn.Entries)
	if note := j.inquires(l.Command); note != "" {
		j.report(l.Text, match.OutcomeNotReached, note)
		return lineAside, nil
	}
	o, err := doings[l.Command.Word](ctx, j, l.Command)
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

// mostInquiries is how many different questions one letter is answered.
const mostInquiries = 20

// inquires counts a question, and says why it is not answered: each is answered once a letter, and a letter is
// answered so many.
func (j *adjudication) inquires(c letter.Command) (why string) {
	q := c.Question()
	switch {
	case q == "":
	case j.inquired[q]:
		return "You have asked that above."
	case len(j.inquired) >= mostInquiries:
		return fmt.Sprintf("One letter is answered %d questions; ask more in another.", mostInquiries)
	case j.inquired == nil:
		j.inquired = map[string]bool{q: true}
	default:
		j.inquired[q] = true
	}
	return ""
}

// reportOutcome adds what an order to the host came to.
func (j *adjudication) reportOutcome(line string, o Outcome) {
	if o.came == match.OutcomeAsked {
		j.reply.disposition = Refused
	}
	j.report(line, o.came, o.Note)
}

// writer is the seat whose player has written the letter.
func (j *adjudication) writer() *Seat { return &j.turn.Match.Seats[j.play.Seat] }
