package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// settle carries out what was kept for the questions that are open now, whoever
// kept it, and lets lapse what will not be asked for any more. Whoever kept an
// order is told what became of it. Others means that an order of another seat than the
// one whose orders are carried out was among them.
func (p *progress) settle(ctx context.Context) (others bool, err error) {
	for {
		p.review()
		if err := p.lapse(); err != nil {
			return others, err
		}
		if p.turn.m.State != Playing {
			return others, nil
		}
		done, err := p.settleOne(ctx)
		if err == nil && done == unsettled {
			done, err = p.fire(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.sealAhead(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.answerStanding(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.answerResigned(ctx)
		}
		if err != nil || done == unsettled {
			return others, err
		}
		others = others || done == settledOther
	}
}

// settlement is what one look at the kept orders has led to.
type settlement int

const (
	unsettled    settlement = iota // nothing that is kept fits
	settled                        // an order was carried out, or dropped
	settledOther                   // an order of another seat was carried out
)

// settledFor is the settlement by an order of a seat that was carried out.
func (p *progress) settledFor(seat rules.Seat) settlement {
	if seat != p.seat {
		return settledOther
	}
	return settled
}

// settleOne takes one kept order that fits an open question off the list, and
// carries it out if it is still legal. A part of a list that is not is skipped
// for the next part; otherwise its owner is asked, and what else he kept for the
// play is dropped with it.
func (p *progress) settleOne(ctx context.Context) (settlement, error) {
	for _, d := range p.turn.pos.Owed(nil) {
		i := slices.IndexFunc(p.turn.m.Held, func(h Held) bool { return fits(h, d) })
		if i < 0 || d.Sealed || p.delayed(d.Seat) && p.turn.legal(p.turn.m.Held[i]) {
			continue
		}
		h := p.turn.m.Held[i]
		p.turn.m.Held = slices.Delete(p.turn.m.Held, i, i+1)
		letter, err := p.turn.letterOf(h)
		if err != nil {
			return unsettled, err
		}
		_, err = p.carry(ctx, h.Seat, h.Answer, letter, nil)
		why, ours := p.turn.refusal(h.Seat, err)
		switch {
		case err == nil:
			p.turn.tellHeld(h, outcomeDone, "")
			if h.Seat == p.seat {
				p.turn.carriedOut(h.Seat)
			}
			return p.settledFor(h.Seat), nil
		case ours:
			// One player's kept order must not stop another's letter.
			p.fault(h.Seat, true, err, "an order that was kept cannot be carried out")
			why = "Samizdat failed over it."
		case slices.ContainsFunc(p.turn.m.Held, func(o Held) bool { return o.List == h.List && fits(o, d) }):
			p.turn.tellHeld(h, outcomeLapsed, "Skipped: it was not legal by then.")
			return settled, nil
		}
		p.turn.tellHeld(h, outcomeRefused, "It was kept for you and is no longer legal, so you are asked. "+why)
		p.turn.m.Held = slices.DeleteFunc(p.turn.m.Held, func(o Held) bool {
			gone := o.InPlay() && !o.Answer.Ahead && o.Seat == h.Seat && o.Play == h.Play
			if gone {
				p.turn.tellHeld(o, outcomeLapsed, "It was dropped with the order before it.")
			}
			return gone
		})
		return settled, nil
	}
	return unsettled, nil
}

// keep puts a seat's answers by for later questions of a play.
func (c *account) keep(seat rules.Seat, answers []rules.Answer, play uint32, letter string) {
	list := 0
	for _, h := range c.m.Held {
		list = max(list, h.List)
	}
	for _, a := range answers {
		c.m.Held = append(c.m.Held, Held{Seat: seat, Play: play, Answer: a, Letter: letter, List: list + 1})
	}
}

// replace puts an order in the place of what the sender keeps for the same kind
// of question, and says whether there was anything to replace.
func (j *adjudication) replace(text string, o rules.Order) bool {
	answers, err := j.turn.game.Answers(o, nil)
	if err != nil {
		return false // Whatever is wrong with it, nothing is asked.
	}
	play, found := uint32(0), false
	j.turn.m.Held = slices.DeleteFunc(j.turn.m.Held, func(h Held) bool {
		same := h.InPlay() && !h.Answer.Ahead && h.Seat == j.play.seat && slices.ContainsFunc(answers, func(a rules.Answer) bool {
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
	j.turn.keep(j.play.seat, answers, play, j.digest())
	j.report(text, outcomeDone, "It takes the place of what was kept for you.")
	return true
}

// lapse drops what was kept for plays that are over, and sealed answers that
// have become illegal before they were opened.
func (p *progress) lapse() error {
	if p.turn.pos.Stalled() {
		return nil // What is asked next is not known yet.
	}
	plays := map[uint32]bool{}
	for _, d := range p.turn.pos.Owed(nil) {
		plays[d.Play] = true
	}
	var keep []Held
	for _, h := range p.turn.m.Held {
		switch {
		case h.Conditional != nil, h.Standing, h.InPlay() && !h.Answer.Ahead && plays[h.Play]:
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead && p.turn.awaited(h):
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead:
			p.turn.tellHeld(h, outcomeLapsed, aheadGone)
		case h.InPlay():
			p.turn.tellHeld(h, outcomeLapsed, "It was kept for you, and was not asked for in this play.")
		case h.Silent && p.turn.open(h.Decision):
			keep = append(keep, h)
		case p.turn.open(h.Decision):
			_, err := gate.Check(p.turn.pos, h.Seat, h.Answer)
			why, ours := p.turn.refusal(h.Seat, err)
			if ours && err != nil {
				return fmt.Errorf("check a sealed answer of seat %d: %w", h.Seat, err)
			}
			if ours {
				keep = append(keep, h)
				break
			}
			p.turn.tellHeld(h, outcomeRefused, "It was sealed, and is no longer legal, so you are asked again. "+why)
		}
	}
	p.turn.m.Held = keep
	return nil
}

// tellHeld tells the owner of a kept answer what became of it.
func (c *account) tellHeld(h Held, came outcome, text string) {
	if h.Silent {
		return // There is no answer yet.
	}
	c.tell(h.Seat, c.heldLine(h), came, text)
}

// fits reports whether a kept order is meant for a decision.
func fits(h Held, d rules.Decision) bool {
	return h.InPlay() && h.Seat == d.Seat && (h.Answer.Ahead || h.Play == d.Play) && h.Answer.Fits(d)
}

// legal reports whether a kept answer is legal as the match stands.
func (c *account) legal(h Held) bool {
	_, err := gate.Check(c.pos, h.Seat, h.Answer)
	return err == nil
}
