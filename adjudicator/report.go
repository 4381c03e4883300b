package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

const (
	// maxLines is the largest number of lines of a letter; longer letters are refused. Orders need far fewer; the
	// limit bounds the work for a letter.
	maxLines = 400
	// maxListed is the number of lines of an outcome in an answer: a long letter must not get a longer answer.
	maxListed = 20
)

func (run *letterRun) report(line string, outcome match.Outcome, text string) {
	if outcome == match.OutcomeRefused {
		run.effects.disposition = exchange.Refused
	}
	listed := 0
	for _, l := range run.turn.LineReports[run.play.Seat] {
		if l.Outcome == outcome {
			listed++
		}
	}
	if listed == maxListed {
		run.answer.Unlisted[outcome]++
		return
	}
	run.turn.ReportLine(run.play.Seat, letter.Echo(line), outcome, text)
}

// dropGreetings removes greetings, thanks and names from the answer if all orders were carried out.
func dropGreetings(run *letterRun) {
	greets := func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeIgnored
	}
	remaining, acted := []match.LineReport{}, false
	for _, l := range run.turn.LineReports[run.play.Seat] {
		switch {
		case greets(l):
			continue
		case l.Outcome != match.OutcomeDone && l.Outcome != match.OutcomeKept:
			return
		}
		remaining, acted = append(remaining, l), true
	}
	if acted {
		run.turn.LineReports[run.play.Seat] = remaining
	}
}

// isQuestionsOnly reports whether the letter only asked questions. Then the answer may omit the standing sections of
// a letter.
func isQuestionsOnly(lines []letter.Line) bool {
	asks := false
	for _, l := range lines {
		switch {
		case l.Class() == letter.Question, l.Class() == letter.Asking:
			asks = true
		case l.Kind != letter.Talk && l.Kind != letter.Doubt:
			return false
		}
	}
	return asks
}

// changesNothing reports whether a letter cannot change anything: all lines are questions or talk.
func changesNothing(lines []letter.Line) bool {
	return !slices.ContainsFunc(lines, func(l letter.Line) bool {
		return l.Kind != letter.Talk && l.Kind != letter.Doubt && l.Command.QuestionKey() == ""
	})
}

type runEffects struct {
	// disposition is the result of the letter: refused if a line was refused.
	disposition exchange.Disposition
	// hasHint reports whether the answer has a hint, i.e. a possible order or the rule against one.
	hasHint bool
	// questions are letters to the operator. filed is set if the operator has no address, and the letter itself is
	// filed in the mailbox.
	questions []exchange.OutgoingLetter
	filed     bool
	// contact holds changes of the player, e.g. of the addresses.
	contact addressChange
}

// disposition returns the disposition of a player's letter. A letter with a question is filed if the operator has no
// address.
func (run *letterRun) disposition() exchange.Disposition {
	if run.effects.filed {
		return exchange.Asked
	}
	return run.effects.disposition
}

func reportBallot(run *letterRun, kept bool) {
	if kept {
		run.report("", match.OutcomeKept, compose.BallotKept)
		return
	}
	run.report("", match.OutcomeDone, compose.BallotLast)
}

// mayHoldBallot reports whether the letter may contain a ballot: a line is one, or the writer was asked for one. Then the
// letter is not stored.
func (run *letterRun) mayHoldBallot() bool {
	asks := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.OpenDecisions(nil),
			func(d rules.Decision) bool { return d.Seat == run.play.Seat && d.Ballot })
	}
	counted := slices.ContainsFunc(run.turn.Entries, func(e record.Entry) bool { return e.Tally != nil })
	return run.hasBallot || counted || asks(run.turn.Before) || asks(run.turn.After)
}

// digest returns the letter's digest for the history; empty if the letter may contain a ballot.
func (run *letterRun) digest() string {
	if run.mayHoldBallot() {
		return ""
	}
	return run.letter.Digest
}

// ballotReceipt disguises the digest of a letter that may contain a ballot: without our key, its content cannot be
// guessed.
func ballotReceipt(a *Adjudicator, digest string) string {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "ballot\x00%s", digest)
	return hex.EncodeToString(h.Sum(nil))
}
