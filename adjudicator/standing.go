package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Notes of standing answers. They are for their writer alone.
const (
	standsAlways = "It answers each such question to come, until you answer one otherwise or write DROP. Nobody else is told."
	standsUntil  = "It answers each such question to come, until something changes, you answer one otherwise, or you write DROP. Nobody else is told."
)

// stand keeps an answer that stands, given in a position, in the place of an older one.
// An answer that does not stand ends that.
func (c *account) stand(pos rules.Position, d rules.Decision, a rules.Answer, letter string) (note string) {
	if !d.Repeats || d.Ballot {
		return ""
	}
	c.m.Held = slices.DeleteFunc(slices.Clone(c.m.Held), func(h Held) bool { return h.Standing && h.Seat == d.Seat })
	changes := c.game.Changes
	if a.Standing == rules.StandsOnce || changes == nil {
		return ""
	}
	c.m.Held = append(c.m.Held, Held{Seat: d.Seat, Answer: a, Letter: letter, Standing: true, Changes: changes(pos.View(d.Seat))})
	if a.Standing == rules.StandsAlways {
		return standsAlways
	}
	return standsUntil
}

// unaskedStanding is an answer that stands, if an order is one for a question that its writer
// is not asked now.
func (j *adjudication) unaskedStanding(o rules.Order) (rules.Answer, bool) {
	answers, err := j.turn.game.Answers(o, nil)
	if err != nil || len(answers) != 1 || answers[0].Standing == rules.StandsOnce {
		return rules.Answer{}, false // What is wrong with the order is said elsewhere.
	}
	asked := slices.ContainsFunc(j.turn.owed(j.play.seat), func(d rules.Decision) bool { return d.Repeats && answers[0].Fits(d) })
	return answers[0], !asked
}

// standNow keeps an answer that stands although no such question is open, and says
// whether the order is one.
func (j *adjudication) standNow(text string, o rules.Order) bool {
	a, ok := j.unaskedStanding(o)
	if !ok {
		return false
	}
	note := j.turn.stand(j.turn.pos, rules.Decision{Seat: j.play.seat, Repeats: true}, a, j.letter.Digest)
	if note != "" {
		j.report(text, outcomeKept, note)
	}
	return note != ""
}

// answerStanding gives one standing answer to a question that is open. Others learn of
// it only when the question closes with the answers of all.
func (p *progress) answerStanding(ctx context.Context) (settlement, error) {
	for _, d := range p.turn.pos.Owed(nil) {
		i := slices.IndexFunc(p.turn.m.Held, func(h Held) bool { return h.Standing && h.Seat == d.Seat && h.Answer.Fits(d) })
		given := slices.ContainsFunc(p.turn.m.Held, func(h Held) bool { return h.Decision == d.ID })
		if i < 0 || !d.Repeats || given {
			continue
		}
		h := p.turn.m.Held[i]
		changed := h.Answer.Standing == rules.StandsUntilChange && h.Changes != p.turn.game.Changes(p.turn.pos.View(d.Seat))
		_, err := gate.Check(p.turn.pos, d.Seat, h.Answer)
		if why, ours := p.turn.refusal(d.Seat, err); changed || !ours {
			if changed {
				why = "Something has changed."
			}
			p.turn.m.Held = slices.Delete(slices.Clone(p.turn.m.Held), i, i+1)
			p.turn.tellHeld(h, outcomeLapsed, "It does not answer any more, so you are asked. "+why)
			return settled, nil
		}
		if err != nil {
			return unsettled, err
		}
		seq := p.turn.m.Entries
		if err := p.seal(ctx, d, h.Answer, ""); err != nil {
			return unsettled, err
		}
		if p.turn.m.Entries == seq {
			return settled, nil
		}
		return settledOther, nil
	}
	return unsettled, nil
}

// heldLine is an answer that is kept, as its writer is shown it.
func (c *account) heldLine(h Held) string {
	if h.Answer.Ballot {
		return "Your ballot"
	}
	line := c.game.Line(h.Answer.Atoms)
	if h.Standing {
		line += " " + h.Answer.Standing.String()
	}
	return line
}
