package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Settle carries out what was kept for the questions that are open now, whoever
// kept it, and lets lapse what will not be asked for any more. Whoever kept an
// order is told what became of it. Others means that an order of another seat than the
// one whose orders are carried out was among them.
func (p *Play) Settle(ctx context.Context) (others bool, err error) {
	for {
		p.Review()
		if err := p.lapse(); err != nil {
			return others, err
		}
		if p.Turn.Match.State != Playing {
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
func (p *Play) settledFor(seat rules.Seat) settlement {
	if seat != p.Seat {
		return settledOther
	}
	return settled
}

// settleOne takes one kept order that fits an open question off the list, and
// carries it out if it is still legal. A part of a list that is not is skipped
// for the next part; otherwise its owner is asked, and what else he kept for the
// play is dropped with it.
func (p *Play) settleOne(ctx context.Context) (settlement, error) {
	for _, d := range p.Turn.After.Owed(nil) {
		i := slices.IndexFunc(p.Turn.Match.Held, func(h Held) bool { return fits(h, d) })
		if i < 0 || d.Sealed || p.delayed(d.Seat) && legal(p.Turn, p.Turn.Match.Held[i]) {
			continue
		}
		h := p.Turn.Match.Held[i]
		p.Turn.Match.Held = slices.Delete(p.Turn.Match.Held, i, i+1)
		letter, err := letterOf(p.Turn, h)
		if err != nil {
			return unsettled, err
		}
		_, err = p.Carry(ctx, h.Seat, h.Answer, letter, nil)
		why, ours := p.Turn.Refusal(h.Seat, err)
		switch {
		case err == nil:
			tellHeld(p.Turn, h, OutcomeDone, "")
			if h.Seat == p.Seat {
				p.Turn.MarkPlayed(h.Seat)
			}
			return p.settledFor(h.Seat), nil
		case ours:
			// One player's kept order must not stop another's letter.
			p.fault(h.Seat, true, err, "an order that was kept cannot be carried out")
			why = "Samizdat failed over it."
		case slices.ContainsFunc(p.Turn.Match.Held, func(o Held) bool { return o.List == h.List && fits(o, d) }):
			tellHeld(p.Turn, h, OutcomeLapsed, "Skipped: it was not legal by then.")
			return settled, nil
		}
		tellHeld(p.Turn, h, OutcomeRefused, "It was kept for you and is no longer legal, so you are asked. "+why)
		p.Turn.Match.Held = slices.DeleteFunc(p.Turn.Match.Held, func(o Held) bool {
			gone := o.InPlay() && !o.Answer.Ahead && o.Seat == h.Seat && o.Play == h.Play
			if gone {
				tellHeld(p.Turn, o, OutcomeLapsed, "It was dropped with the order before it.")
			}
			return gone
		})
		return settled, nil
	}
	return unsettled, nil
}

// Keep puts a seat's answers by for later questions of a play.
func Keep(c *Turn, seat rules.Seat, answers []rules.Answer, play uint32, letter string) {
	list := 0
	for _, h := range c.Match.Held {
		list = max(list, h.List)
	}
	for _, a := range answers {
		c.Match.Held = append(c.Match.Held, Held{Seat: seat, Play: play, Answer: a, Letter: letter, List: list + 1})
	}
}

// tellHeld tells the owner of a kept answer what became of it.
func tellHeld(c *Turn, h Held, came Outcome, text string) {
	if h.Silent {
		return // There is no answer yet.
	}
	c.Tell(h.Seat, c.HeldLine(h), came, text)
}

// fits reports whether a kept order is meant for a decision.
func fits(h Held, d rules.Decision) bool {
	return h.InPlay() && h.Seat == d.Seat && (h.Answer.Ahead || h.Play == d.Play) && h.Answer.Fits(d)
}

// legal reports whether a kept answer is legal as the match stands.
func legal(c *Turn, h Held) bool {
	_, err := gate.Check(c.After, h.Seat, h.Answer)
	return err == nil
}

// HeldFor reports whether a sealed answer to a decision is kept.
func (c *Turn) HeldFor(d rules.Decision) bool {
	return slices.ContainsFunc(c.Match.Held, func(h Held) bool { return h.Decision == d.ID })
}

// HeldLine is an answer that is kept, as its writer is shown it.
func (c *Turn) HeldLine(h Held) string {
	if h.Answer.Ballot {
		return "Your ballot"
	}
	line := c.Game.Line(h.Answer.Atoms)
	if h.Standing {
		line += " " + h.Answer.Standing.String()
	}
	return line
}

// dropKept drops what is kept for a seat that does not play any more.
func dropKept(c *Turn, seat rules.Seat) {
	c.Match.Held = slices.DeleteFunc(slices.Clone(c.Match.Held), func(h Held) bool { return h.Seat == seat })
	t := &c.Match.Seats[seat].Timing
	t.Waiting = nil
	t.EndDelay()
}

// lapse drops what was kept for plays that are over, and sealed answers that
// have become illegal before they were opened.
func (p *Play) lapse() error {
	if p.Turn.After.Stalled() {
		return nil // What is asked next is not known yet.
	}
	plays := map[uint32]bool{}
	for _, d := range p.Turn.After.Owed(nil) {
		plays[d.Play] = true
	}
	var keep []Held
	for _, h := range p.Turn.Match.Held {
		switch {
		case h.Conditional != nil, h.Standing, h.InPlay() && !h.Answer.Ahead && plays[h.Play]:
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead && awaited(p.Turn, h):
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead:
			tellHeld(p.Turn, h, OutcomeLapsed, aheadGone)
		case h.InPlay():
			tellHeld(p.Turn, h, OutcomeLapsed, "It was kept for you, and was not asked for in this play.")
		case h.Silent && p.Turn.IsOpen(h.Decision):
			keep = append(keep, h)
		case p.Turn.IsOpen(h.Decision):
			_, err := gate.Check(p.Turn.After, h.Seat, h.Answer)
			why, ours := p.Turn.Refusal(h.Seat, err)
			if ours && err != nil {
				return fmt.Errorf("check a sealed answer of seat %d: %w", h.Seat, err)
			}
			if ours {
				keep = append(keep, h)
				break
			}
			tellHeld(p.Turn, h, OutcomeRefused, "It was sealed, and is no longer legal, so you are asked again. "+why)
		}
	}
	p.Turn.Match.Held = keep
	return nil
}

const aheadGone = "It was kept for you, and is not asked for any more."

// answerResigned lets silence answer a question to a seat whose player has resigned.
func (p *Play) answerResigned(ctx context.Context) (settlement, error) {
	if p.Turn.Match.Acts.Resigned == 0 || p.Turn.After.Stalled() {
		return unsettled, nil
	}
	for _, d := range p.Turn.Match.Unanswered(p.Turn.After) {
		if !p.Turn.Match.Acts.Resigned.Has(d.Seat) {
			continue
		}
		before := p.Turn.Match.Entries
		err := p.Silent(ctx, d)
		if errors.Is(err, gate.ErrWaits) {
			p.fault(d.Seat, true, err, "a seat has resigned, and the match waits for it")
			continue
		}
		if p.Turn.Match.Entries == before {
			return settled, err // It is sealed until all answers are in.
		}
		return p.settledFor(d.Seat), err
	}
	return unsettled, nil
}
