package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// seal keeps a sealed answer in place of an earlier one, and opens the group
// when it is complete. What is kept changes only when all goes well.
func (p *progress) seal(ctx context.Context, d rules.Decision, a rules.Answer, letter string) error {
	if d.Ballot || d.Repeats {
		letter = "" // Nobody is to find out which letter brought it, or that none did.
	}
	return p.sealHeld(ctx, d, Held{Seat: d.Seat, Play: d.Play, Decision: d.ID, Answer: a, Letter: letter})
}

func (p *progress) sealHeld(ctx context.Context, d rules.Decision, h Held) error {
	held := append(slices.DeleteFunc(slices.Clone(p.turn.m.Held), func(o Held) bool { return o.Decision == d.ID }), h)
	group, complete := p.turn.group(d, held)
	if !complete {
		p.turn.m.Held = held
		return nil
	}
	p.restAll(group, held)
	rest := slices.DeleteFunc(held, func(h Held) bool {
		return slices.ContainsFunc(group, func(g Held) bool { return g.Decision == h.Decision })
	})
	open := p.openGroup
	if d.Ballot {
		open = p.countGroup
	}
	// Each answer was checked by itself when it was kept. A refusal now is
	// not the sender's, and may be about what he must not know.
	if err := open(ctx, d.Group, group, rest); err != nil {
		return fmt.Errorf("open the sealed answers of group %d: %s", d.Group, err.Error())
	}
	return nil
}

// restAll notes that seats whose answers are opened owe nothing, whatever they are asked then,
// if all that they were asked is answered.
func (p *progress) restAll(group, held []Held) {
	for _, g := range group {
		unanswered := func(d rules.Decision) bool {
			return !slices.ContainsFunc(held, func(h Held) bool { return h.Decision == d.ID })
		}
		if !slices.ContainsFunc(owed(p.turn.pos, g.Seat), unanswered) {
			p.rested |= rules.Only(g.Seat)
		}
	}
}

// group are the answers to the open decisions of a decision's group, in the order
// of seats, and whether all are there.
func (c *account) group(d rules.Decision, held []Held) (out []Held, complete bool) {
	for _, o := range c.pos.Owed(nil) {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		i := slices.IndexFunc(held, func(h Held) bool { return h.Decision == o.ID })
		if i < 0 {
			return nil, false
		}
		out = append(out, held[i])
	}
	return out, true
}

func sealed(group []Held) (out []gate.Sealed) {
	for _, h := range group {
		out = append(out, gate.Sealed{Seat: h.Seat, Answer: h.Answer})
	}
	return out
}

// openGroup opens a whole group of sealed answers. The rest stays kept.
func (p *progress) openGroup(ctx context.Context, _ uint32, group, rest []Held) error {
	c := p.chance(p.turn.m.Ordered + 1)
	group, err := p.answerSilence(group, c)
	if err != nil {
		return err
	}
	opened, err := gate.CarryAll(p.turn.pos, sealed(group), c)
	if err != nil {
		return err
	}
	e := record.Entry{}
	for _, g := range opened.Answers {
		i := slices.IndexFunc(group, func(h Held) bool { return h.Decision == g.Result.Decision.ID })
		if i < 0 {
			return fmt.Errorf("nothing is kept for decision %d", g.Result.Decision.ID)
		}
		letter, err := p.turn.letterOf(group[i])
		if err != nil {
			return err
		}
		answer := record.Answer{Seat: record.SeatName(p.turn.m.Seats[g.Seat].Name), Orders: []string{p.turn.game.Line(g.Result.Atoms)},
			Private: g.Result.Private, Letter: letter}
		if group[i].Silent {
			answer.Silence = record.SilenceOf(g.Result.Decision)
		}
		e.Answers = append(e.Answers, answer)
	}
	p.turn.m.Held = rest
	p.turn.remarks = append(p.turn.remarks, p.turn.silences(&e)...)
	return p.moved(ctx, opened.Position, opened.Events, e, c)
}

// countGroup counts a whole group of ballots, and forgets them: the history has
// what was published, and replay goes the same way from there.
func (p *progress) countGroup(ctx context.Context, group uint32, ballots, rest []Held) error {
	outcome, err := gate.Tally(p.turn.game, p.turn.pos, sealed(ballots))
	if err != nil {
		return err
	}
	if outcome, err = record.CanonicalJSON(outcome); err != nil {
		return err
	}
	c := p.chance(p.turn.m.Ordered + 1)
	counted, err := gate.Declare(p.turn.game, p.turn.pos, group, outcome, c)
	if err != nil {
		return err
	}
	p.turn.m.Held = rest
	return p.moved(ctx, counted.Position, counted.Events, record.Entry{Tally: &record.Tally{Group: group, Outcome: outcome}}, c)
}
