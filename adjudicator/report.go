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
	// maxLines is the maximum number of lines of a letter; longer letters are refused. It bounds the work for a letter.
	maxLines = 400
	// maxReportedLines is the maximum number of lines with the same outcome that an answer reports. It bounds the length of an answer.
	maxReportedLines = 20
)

func (run *letterRun) report(line string, outcome match.LineOutcome, text string) {
	if outcome == match.OutcomeRefused {
		run.effects.disposition = exchange.DispositionRefused
	}
	listed := 0
	for _, l := range run.turn.LineReports[run.execution.Seat] {
		if l.Outcome == outcome {
			listed++
		}
	}
	if listed == maxReportedLines {
		run.answer.Unlisted[outcome]++
		return
	}
	run.turn.ReportLine(run.execution.Seat, letter.Shorten(line), outcome, text)
}

// dropGreetings removes greetings, thanks and names from the answer if all orders were carried out or saved.
func dropGreetings(run *letterRun) {
	remaining, hasOrder := []match.LineReport{}, false
	for _, l := range run.turn.LineReports[run.execution.Seat] {
		switch {
		case l.Outcome == match.OutcomeIgnored:
			continue
		case l.Outcome != match.OutcomeDone && l.Outcome != match.OutcomeSaved:
			return
		}
		remaining, hasOrder = append(remaining, l), true
	}
	if hasOrder {
		run.turn.LineReports[run.execution.Seat] = remaining
	}
}

// hasOnlyQueries reports whether the letter only asks for information, e.g. with HAND. Then the answer may omit the standing sections
// of a letter, e.g. the hand and the map.
func hasOnlyQueries(lines []letter.Line) bool {
	hasQuestion := false
	for _, line := range lines {
		switch {
		case line.Class() == letter.ClassQuery, line.Class() == letter.ClassQueryInSequence:
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
		return line.Kind != letter.KindTalk && line.Kind != letter.KindDoubt && line.Command.QueryKey() == ""
	})
}

// runEffects holds the effects of a letter other than changes of its match.
type runEffects struct {
	// disposition is the result of the letter: DispositionRefused if a line was refused.
	disposition exchange.Disposition
	// hasHint is set if the answer has a hint: a possible order, or the rule that forbids an order.
	hasHint bool
	// operatorLetters are letters to the operator. isFiled is set if the player's letter is filed in the mailbox for
	// the operator, because no contact address is configured.
	operatorLetters []exchange.OutgoingLetter
	isFiled         bool
	playerChange    playerChange
}

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

// mayContainBallot reports whether the letter may contain a ballot: a line is a ballot, the writer was asked for a
// ballot, or ballots were counted. Letters that may contain a ballot are not stored.
func (run *letterRun) mayContainBallot() bool {
	asksForBallot := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.OpenDecisions(nil),
			func(d rules.Decision) bool { return d.Seat == run.execution.Seat && d.Ballot })
	}
	hasTally := slices.ContainsFunc(run.turn.Entries, func(entry record.Entry) bool { return entry.Tally != nil })
	return run.hasBallot || hasTally || asksForBallot(run.turn.Before) || asksForBallot(run.turn.After)
}

// historyDigest returns the letter's digest for the history; empty if the letter may contain a ballot.
func (run *letterRun) historyDigest() string {
	if run.mayContainBallot() {
		return ""
	}
	return run.letter.Digest
}

// ballotReceiptDigest returns an HMAC of the digest of a letter that may contain a ballot. From a plain digest, a reader
// of the database could find the ballot by trying all possible letters.
func ballotReceiptDigest(a *Adjudicator, digest string) string {
	mac := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(mac, "ballot\x00%s", digest)
	return hex.EncodeToString(mac.Sum(nil))
}
