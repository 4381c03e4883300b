package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// reportBallot tells the sender that his ballot was taken.
func (j *adjudication) reportBallot(kept bool) {
	if kept {
		j.report("", match.OutcomeKept, compose.BallotKept)
		return
	}
	j.report("", match.OutcomeDone, compose.BallotLast)
}

// castsBallot reports whether an order is a ballot, now or later.
func (j *adjudication) castsBallot(o rules.Order) bool {
	answers, err := j.turn.Game.Answers(o, nil)
	return err == nil && slices.ContainsFunc(answers, func(a rules.Answer) bool { return a.Ballot })
}

// votes reports whether a line of the letter is a ballot, or the sender was asked for one
// before it or behind one of its lines: then the letter is not kept, as it may hold one.
func (j *adjudication) votes() bool {
	asks := func(pos rules.Position) bool {
		return pos != nil && slices.ContainsFunc(pos.Owed(nil), func(d rules.Decision) bool { return d.Seat == j.play.Seat && d.Ballot })
	}
	counted := slices.ContainsFunc(j.turn.Entries, func(e record.Entry) bool { return e.Tally != nil })
	return j.casts || counted || asks(j.turn.Before) || asks(j.turn.After)
}

// digest is what the history names the letter by: nothing where it may hold a ballot.
func (j *adjudication) digest() string {
	if j.votes() {
		return ""
	}
	return j.letter.Digest
}

// ballotReceipt takes the place of a digest of a letter that may hold a ballot: what the
// letter says can be tried out only with our key.
func (a *Adjudicator) ballotReceipt(digest string) string {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "ballot\x00%s", digest)
	return hex.EncodeToString(h.Sum(nil))
}
