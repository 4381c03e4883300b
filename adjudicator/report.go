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
		run.effects.disposition = exchange.DispositionRefused
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
	run.turn.ReportLine(run.play.Seat, letter.Shorten(line), outcome, text)
}

// dropGreetings removes greetings, thanks and names from the answer if all orders were carried out.
func dropGreetings(run *letterRun) {
	isGreeting := func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeIgnored
	}
	remaining, hasOrder := []match.LineReport{}, false
	for _, l := range run.turn.LineReports[run.play.Seat] {
		switch {
		case isGreeting(l):
			continue
		case l.Outcome != match.OutcomeDone && l.Outcome != match.OutcomeSaved:
			return
		}
		remaining, hasOrder = append(remaining, l), true
	}
	if hasOrder {
		run.turn.LineReports[run.play.Seat] = remaining
	}
}

// hasOnlyQuestions reports whether the letter only asked questions. Then the answer may omit the standing sections of a letter.
func hasOnlyQuestions(lines []letter.Line) bool {
	hasQuestion := false
	for _, line := range lines {
		switch {
		case line.Class() == letter.ClassQuestion, line.Class() == letter.ClassOrderedQuestion:
			hasQuestion = true
		case line.Kind != letter.KindTalk && line.Kind != letter.KindDoubt:
			return false
		}
	}
	return hasQuestion
}

// changesNothing reports whether a letter cannot change anything: all lines are questions or talk.
func changesNothing(lines []letter.Line) bool {
	return !slices.ContainsFunc(lines, func(line letter.Line) bool {
		return line.Kind != letter.KindTalk && line.Kind != letter.KindDoubt && line.Command.QuestionKey() == ""
	})
}

type runEffects struct {
	// disposition is the result of the letter: refused if a line was refused.
	disposition exchange.Disposition
	// hasHint reports whether the answer has a hint, i.e. a possible order or the rule against one.
	hasHint bool
	// operatorLetters are letters to the operator. isFiled is set if the operator has no address, and the letter itself is
	// filed in the mailbox.
	operatorLetters []exchange.OutgoingLetter
	isFiled         bool
	// playerChange holds changes of the player, e.g. of the addresses.
	playerChange playerChange
}

// finalDisposition returns the disposition of a player's letter. A letter with a question is filed if the operator has no
// address.
func (run *letterRun) finalDisposition() exchange.Disposition {
	if run.effects.isFiled {
		return exchange.DispositionAsked
	}
	return run.effects.disposition
}

func reportBallot(run *letterRun, isSealed bool) {
	if isSealed {
		run.report("", match.OutcomeSaved, compose.BallotSealedNote)
		return
	}
	run.report("", match.OutcomeDone, compose.BallotCountedNote)
}

// mayHoldBallot reports whether the letter may contain a ballot: a line is one, or the writer was asked for one. Then the
// letter is not stored.
func (run *letterRun) mayHoldBallot() bool {
	asksForBallot := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.OpenDecisions(nil),
			func(d rules.Decision) bool { return d.Seat == run.play.Seat && d.Ballot })
	}
	hasTally := slices.ContainsFunc(run.turn.Entries, func(entry record.Entry) bool { return entry.Tally != nil })
	return run.hasBallot || hasTally || asksForBallot(run.turn.Before) || asksForBallot(run.turn.After)
}

// historyDigest returns the letter's digest for the history; empty if the letter may contain a ballot.
func (run *letterRun) historyDigest() string {
	if run.mayHoldBallot() {
		return ""
	}
	return run.letter.Digest
}

// ballotReceiptDigest disguises the digest of a letter that may contain a ballot: without our key, its content cannot be
// guessed.
func ballotReceiptDigest(a *Adjudicator, digest string) string {
	mac := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(mac, "ballot\x00%s", digest)
	return hex.EncodeToString(mac.Sum(nil))
}
