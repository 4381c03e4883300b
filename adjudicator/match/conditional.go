package match

import (
	"context"
	"slices"

	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// Conditionals lists the conditional orders of all seats.
func Conditionals(c *Turn) []ahead.Line {
	var out []ahead.Line
	for _, h := range c.Match.Held {
		if h.Conditional != nil {
			out = append(out, *h.Conditional)
		}
	}
	return out
}

// conditionalsOf splits the conditional orders into those of some seats and the others.
func conditionalsOf(c *Turn, of func(rules.Seat) bool) (those, others []ahead.Line) {
	for _, l := range Conditionals(c) {
		if of(l.Seat) {
			those = append(those, l)
		} else {
			others = append(others, l)
		}
	}
	return those, others
}

// setConditional keeps these conditional orders and no others.
func setConditional(c *Turn, lines []ahead.Line) {
	c.Match.Held = slices.DeleteFunc(slices.Clone(c.Match.Held), func(h Held) bool { return h.Conditional != nil })
	for _, l := range lines {
		c.Match.Held = append(c.Match.Held, Held{Seat: l.Seat, Letter: l.Letter, Conditional: &l})
	}
}

// PutConditional adds a conditional order, and drops what it takes the place of. What a later
// letter brings stands first, so that it is tried first.
func PutConditional(c *Turn, l ahead.Line) {
	lines := slices.DeleteFunc(Conditionals(c), func(old ahead.Line) bool { return l.Replaces(&old) && old.Letter != l.Letter })
	at := 0
	for i, old := range lines {
		if old.Seat == l.Seat && old.Letter == l.Letter {
			at = i + 1
		}
	}
	setConditional(c, slices.Insert(lines, at, l))
}

// Review drops the conditional orders whose time is over, or that what happened since
// the last review disarms. Their owners are told.
func (p *Play) Review() {
	if p.Conditional == nil || p.Turn.After == nil {
		return
	}
	events := p.Turn.Events[p.reviewed:]
	p.reviewed = len(p.Turn.Events)
	lines := Conditionals(p.Turn)
	if len(lines) == 0 {
		return
	}
	kept, dropped := p.Conditional.Review(p.Turn.After, events, lines)
	setConditional(p.Turn, kept)
	tellDropped(p.Turn, dropped)
}

func tellDropped(c *Turn, dropped []ahead.Dropped) {
	for _, d := range dropped {
		if d.Why != "" {
			c.Tell(d.Line.Seat, d.Line.Text, OutcomeLapsed, d.Why)
		}
	}
}

// fire carries out one conditional order for a question that is open, and says whether
// anything has changed.
func (p *Play) fire(ctx context.Context) (settlement, error) {
	if p.Conditional == nil || p.Turn.After == nil || p.Turn.After.Stalled() {
		return unsettled, nil
	}
	if dropSpent(p) {
		return settled, nil
	}
	delayed, lines := conditionalsOf(p.Turn, p.delayed)
	if len(lines) == 0 {
		return unsettled, nil
	}
	f, kept, dropped := p.Conditional.Fire(p.Turn.After, lines)
	setConditional(p.Turn, append(kept, delayed...))
	tellDropped(p.Turn, dropped)
	if f == nil {
		if len(dropped) > 0 {
			return settled, nil
		}
		return unsettled, nil
	}
	// Its entry must not tell others which letter it came with.
	letter, err := p.Turn.Match.Secret.Letter(p.Turn.Match.ID, p.Turn.Match.Entries, f.Line.Letter)
	if err != nil {
		return unsettled, err
	}
	d, err := p.Carry(ctx, f.Line.Seat, f.Answer, letter, nil)
	if err != nil {
		why, ours := p.Turn.Refusal(f.Line.Seat, err)
		if ours {
			p.fault(f.Line.Seat, true, err, "a conditional order cannot be carried out")
			why = "Samizdat failed over it."
		}
		setConditional(p.Turn, slices.DeleteFunc(Conditionals(p.Turn), func(l ahead.Line) bool { return l.Seat == f.Line.Seat }))
		p.Turn.Tell(f.Line.Seat, f.Line.Text, OutcomeRefused, "It was kept for you and could not be carried out. Nothing is kept for you any more. "+why)
		return settled, nil
	}
	p.Turn.Tell(f.Line.Seat, f.Line.Text, OutcomeDone, "Carried out: "+p.Turn.Game.Line(f.Answer.Atoms))
	Keep(p.Turn, f.Line.Seat, f.Later, d.Play, letter)
	return p.settledFor(f.Line.Seat), nil
}

// dropSpent drops conditional orders of seats with a delay that have come to nothing: their owners
// are asked at once, as without a delay, and what has had its turn must not answer a
// later question. It says whether any were dropped.
func dropSpent(p *Play) bool {
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		if !p.delayed(seat) || keptFor(p.Turn, seat) {
			continue
		}
		mine, others := conditionalsOf(p.Turn, func(s rules.Seat) bool { return s == seat })
		if len(mine) == 0 {
			continue
		}
		if f, kept, dropped := p.Conditional.Fire(p.Turn.After, mine); f == nil && len(dropped) > 0 {
			setConditional(p.Turn, append(others, kept...))
			tellDropped(p.Turn, dropped)
			return true
		}
	}
	return false
}
