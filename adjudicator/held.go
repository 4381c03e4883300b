package adjudicator

import (
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// replace puts an order in the place of what the sender keeps for the same kind
// of question, and says whether there was anything to replace.
func (j *adjudication) replace(text string, o rules.Order) bool {
	answers, err := j.turn.Game.Answers(o, nil)
	if err != nil {
		return false // Whatever is wrong with it, nothing is asked.
	}
	play, found := uint32(0), false
	j.turn.Match.Held = slices.DeleteFunc(j.turn.Match.Held, func(h Held) bool {
		same := h.InPlay() && !h.Answer.Ahead && h.Seat == j.play.Seat && slices.ContainsFunc(answers, func(a rules.Answer) bool {
			return slices.ContainsFunc(a.Kinds, func(k string) bool { return slices.Contains(h.Answer.Kinds, k) })
		})
		if same {
			play, found = h.Play, true
		}
		return same
	})
	if !found {
		return false
	}
	match.Keep(j.turn, j.play.Seat, answers, play, j.digest())
	j.report(text, match.OutcomeDone, "It takes the place of what was kept for you.")
	return true
}
