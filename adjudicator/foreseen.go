package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/rules"
)

// Notes of answers that come before their question. They are for their writer alone.
const (
	aheadKept   = "It is kept for you until it is asked for. Until then another takes its place, and DROP takes it back. Nobody else is told."
	aheadBallot = "Your ballot is kept until it is asked for. Until it is counted another takes its place, and DROP takes it back. Nobody else is told, and letters do not repeat it."
)

const aheadGone = "It was kept for you, and is not asked for any more."

// foreseen is the answer of an order that comes before its question, if it is one. Stale tells
// that the letter answers a question that is closed: what is written there was meant for that.
func (j *adjudication) foreseen(l letter.Line, stale bool) (rules.Answer, bool) {
	awaits := j.turn.game.Awaits
	if awaits == nil || stale && !l.Later || j.turn.pos == nil || j.turn.pos.Stalled() {
		return rules.Answer{}, false
	}
	mine := j.turn.owed(j.play.seat)
	answers, err := j.turn.game.Answers(l.Order, mine)
	if err != nil || len(answers) != 1 || !answers[0].Ahead || slices.ContainsFunc(mine, answers[0].Fits) {
		return rules.Answer{}, false
	}
	return answers[0], awaits(j.turn.pos.View(j.play.seat), answers[0])
}

// keepAhead keeps an answer until it is asked for, in the place of one to the same question.
func (j *adjudication) keepAhead(ctx context.Context, text string, a rules.Answer) (lineEffect, error) {
	j.turn.m.Held = slices.DeleteFunc(slices.Clone(j.turn.m.Held), func(h Held) bool {
		return h.InPlay() && h.Seat == j.play.seat && h.Answer.Ahead && h.Answer.Source == a.Source && slices.Equal(h.Answer.Kinds, a.Kinds)
	})
	h := Held{Seat: j.play.seat, Answer: a}
	if !a.Ballot {
		h.Letter = j.digest()
		j.report(text, outcomeKept, aheadKept)
	} else {
		j.report("", outcomeKept, aheadBallot)
	}
	j.turn.m.Held = append(j.turn.m.Held, h)
	return j.settleBehind(ctx, lineAside)
}

// letterOf is what the entry of a kept answer has as its letter. Of one that came before its
// question nobody is to see that it came with an older letter, or with one that held a ballot.
func (c *account) letterOf(h Held) (string, error) {
	if !h.Answer.Ahead || h.Silent {
		return h.Letter, nil
	}
	return c.m.Secret.Letter(c.m.ID, c.m.Entries, h.Letter)
}

// awaited reports whether what a kept answer is for may still be asked.
func (c *account) awaited(h Held) bool {
	return c.game.Awaits != nil && c.game.Awaits(c.pos.View(h.Seat), h.Answer)
}

// sealAhead seals an answer that was kept for a sealed question, and takes it off the list.
func (p *progress) sealAhead(ctx context.Context) (settlement, error) {
	for _, d := range p.turn.pos.Owed(nil) {
		i := slices.IndexFunc(p.turn.m.Held, func(h Held) bool { return h.Answer.Ahead && fits(h, d) })
		if _, given := p.turn.sealedAnswer(d); i < 0 || given || !d.Sealed {
			continue
		}
		h := p.turn.m.Held[i]
		p.turn.m.Held = slices.Delete(slices.Clone(p.turn.m.Held), i, i+1)
		_, err := gate.Check(p.turn.pos, d.Seat, h.Answer)
		if why, ours := p.turn.refusal(d.Seat, err); !ours {
			p.turn.tellHeld(h, outcomeRefused, "It was kept for you and is not legal, so you are asked. "+why)
			return settled, nil
		}
		if err != nil {
			return unsettled, err
		}
		seq := p.turn.m.Entries
		if err := p.seal(ctx, d, h.Answer, h.Letter); err != nil {
			return unsettled, err
		}
		p.turn.tellHeld(h, outcomeDone, "It answers what is asked now.")
		if p.turn.m.Entries == seq {
			return settled, nil
		}
		return settledOther, nil
	}
	return unsettled, nil
}
