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
	// mostLines is how many lines a player may write. No letter of orders comes near that, nor near
	// exchange.MostText; they bound the work of one letter.
	mostLines = 400
	// mostListed is how many lines of one outcome an answer lists: a long letter must not
	// get a longer answer.
	mostListed = 20
)

// report adds what became of a line of the sender's letter.
func (j *letterRun) report(line string, came match.Outcome, text string) {
	if came == match.OutcomeRefused {
		j.reply.disposition = exchange.Refused
	}
	listed := 0
	for _, l := range j.turn.Lines[j.play.Seat] {
		if l.Outcome == came {
			listed++
		}
	}
	if listed == mostListed {
		j.answer.Unlisted[came]++
		return
	}
	j.turn.ReportLine(j.play.Seat, letter.Echo(line), came, text)
}

// passOverGreetings takes greetings, thanks and names out of the answer where all orders beside them were carried out.
func passOverGreetings(j *letterRun) {
	greets := func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeIgnored
	}
	left, acted := []match.LineReport{}, false
	for _, l := range j.turn.Lines[j.play.Seat] {
		switch {
		case greets(l):
			continue
		case l.Outcome != match.OutcomeDone && l.Outcome != match.OutcomeKept:
			return
		}
		left, acted = append(left, l), true
	}
	if acted {
		j.turn.Lines[j.play.Seat] = left
	}
}

// onlyAsks reports whether the letter did nothing but ask, so that its answer may
// leave out the standing parts of a letter.
func onlyAsks(lines []letter.Line) bool {
	asks := false
	for _, l := range lines {
		switch {
		case l.Class() == letter.Question:
			asks = true
		case l.Kind != letter.Talk && l.Kind != letter.Doubt:
			return false
		}
	}
	return asks
}

// asksAtMost reports whether a letter can change nothing: all that is in it asks, or is talk.
func asksAtMost(lines []letter.Line) bool {
	return !slices.ContainsFunc(lines, func(l letter.Line) bool {
		return l.Kind != letter.Talk && l.Kind != letter.Doubt && l.Command.Question() == ""
	})
}

// reply is what a letter leads to beside its answer.
type reply struct {
	// disposition is what became of the letter: refused when a line of it was.
	disposition exchange.Disposition
	// hinted means that the answer says what could be written instead, or why an order is not legal.
	hinted bool
	// questions are the letters that pass questions on to the operator; filed means that a question is left to him where the letter
	// is filed.
	questions []exchange.Dispatch
	filed     bool
	// contact is what the letter changes of where letters go.
	contact addressChange
}

// disposed is what became of a player's letter: one with a question that goes to no address
// is filed for the operator, whatever became of its orders.
func (j *letterRun) disposed() exchange.Disposition {
	if j.reply.filed {
		return exchange.Asked
	}
	return j.reply.disposition
}

// reportBallot tells the sender that his ballot was taken.
func reportBallot(j *letterRun, kept bool) {
	if kept {
		j.report("", match.OutcomeKept, compose.BallotKept)
		return
	}
	j.report("", match.OutcomeDone, compose.BallotLast)
}

// votes reports whether a line of the letter is a ballot, or whether the sender was asked for a ballot before it or behind one
// of its lines: then the letter is not kept, as it may hold a ballot.
func (j *letterRun) votes() bool {
	asks := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.OpenDecisions(nil),
			func(d rules.Decision) bool { return d.Seat == j.play.Seat && d.Ballot })
	}
	counted := slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool { return e.Tally != nil })
	return j.hasBallot || counted || asks(j.turn.Before) || asks(j.turn.After)
}

// digest is what the history names the letter by: nothing where it may hold a ballot.
func (j *letterRun) digest() string {
	if j.votes() {
		return ""
	}
	return j.letter.Digest
}

// ballotReceipt takes the place of a digest of a letter that may hold a ballot: what the
// letter says can be tried out only with our key.
func ballotReceipt(a *Adjudicator, digest string) string {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "ballot\x00%s", digest)
	return hex.EncodeToString(h.Sum(nil))
}
