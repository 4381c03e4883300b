package adjudicator

import (
	"slices"

	"samizdat/rules"
)

// What is said of a ballot is the same whichever it is, and never quotes it: a
// letter of ours must not be a proof of what somebody has voted.
const (
	ballotKept = "Your ballot is in. It is never opened: only the count is published when all are in. Until then another takes its place. " +
		"Nobody is told how you voted, and letters do not repeat it."
	ballotIn   = "Your ballot is in. Another takes its place until all are in."
	ballotLast = "Your ballot was the last that was missing, and all are counted."
)

// reportBallot tells the sender that his ballot was taken.
func (j *adjudication) reportBallot(kept bool) {
	if kept {
		j.report("", outcomeKept, ballotKept)
		return
	}
	j.report("", outcomeDone, ballotLast)
}

// castsBallot reports whether an order answers a ballot that its writer is asked
// for.
func (j *adjudication) castsBallot(o rules.Order) bool {
	mine := slices.DeleteFunc(j.owed(j.seat), func(d rules.Decision) bool { return !d.Ballot })
	if len(mine) == 0 {
		return false
	}
	answers, err := j.game.Answers(o, mine)
	return err == nil && len(answers) > 0 && slices.ContainsFunc(mine, answers[0].Fits)
}

// votes reports whether the sender was asked for a ballot when the letter came:
// then the letter is not kept, as it may hold one.
func (j *adjudication) votes() bool {
	return j.was != nil && slices.ContainsFunc(j.was.Owed(nil), func(d rules.Decision) bool { return d.Seat == j.seat && d.Ballot })
}

// ballot reports whether an open decision asks for a ballot.
func (c *account) ballot(id rules.DecisionID) bool {
	return slices.ContainsFunc(c.pos.Owed(nil), func(d rules.Decision) bool { return d.ID == id && d.Ballot })
}
