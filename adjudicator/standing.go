package adjudicator

import (
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// unaskedStanding is an answer that stands, if an order is one for a question that its writer
// is not asked now.
func (j *adjudication) unaskedStanding(o rules.Order) (rules.Answer, bool) {
	answers, err := j.turn.Game.Answers(o, nil)
	if err != nil || len(answers) != 1 || answers[0].Standing == rules.StandsOnce {
		return rules.Answer{}, false // What is wrong with the order is said elsewhere.
	}
	asked := slices.ContainsFunc(j.turn.Owed(j.play.Seat), func(d rules.Decision) bool { return d.Repeats && answers[0].Fits(d) })
	return answers[0], !asked
}

// standNow keeps an answer that stands although no such question is open, and says
// whether the order is one.
func (j *adjudication) standNow(text string, o rules.Order) bool {
	a, ok := j.unaskedStanding(o)
	if !ok {
		return false
	}
	note := match.Stand(j.turn, j.turn.After, rules.Decision{Seat: j.play.Seat, Repeats: true}, a, j.letter.Digest)
	if note != "" {
		j.report(text, match.OutcomeKept, note)
	}
	return note != ""
}
