package engine

import "samizdat/rules"

// LastBox is the last box of the track.
const LastBox = 8

// BoxNeeds is what a side needs to enter each box (the track on the map).
var BoxNeeds = [2][9]int{
	Democrat:  {0, 5, 5, 6, 6, 7, 8, 9, 10},
	Communist: {0, 6, 6, 7, 7, 8, 7, 6, 5},
}

// AttemptMods is what a Tiananmen attempt adds to the die besides the Ops value
// (rule 6.3.1): an own star, an earlier failure at the same box, the award of
// box 1, Li Peng (card 53).
func (p *Position) AttemptMods(side Side, c Card) int {
	m := 0
	if c.Info().Side == side {
		m++
	}
	if p.Tiananmen[side].Failed {
		m++
	}
	if p.Awarded(side, 1) {
		m++
	}
	if side == Communist && p.Effects.Cards.Has(LiPeng) {
		m++
	}
	return m
}

// CanAttempt reports whether a side may still make its attempt this turn.
func (p *Position) CanAttempt(side Side) bool {
	t := p.Tiananmen[side]
	return !t.Attempted && t.Box < LastBox
}

func (p *Position) mayAttempt(f *Frame) bool { return f.Open && p.CanAttempt(f.Side) }

// attempt makes a Tiananmen attempt (rule 6.3) and takes the procedure to its
// next step.
func (x *Run) attempt(f *Frame, next uint8) error {
	die, err := x.roll(ReasonAttempt, 0)
	if err != nil {
		return err
	}
	p, side := x.p, f.Side
	f.Step = next
	t := &p.Tiananmen[side]
	ops, mods := p.OpsValue(side, f.Card.Info().Ops, false), p.AttemptMods(side, f.Card)
	box := t.Box + 1
	total, need := die+ops+mods, BoxNeeds[side][box]
	t.Attempted = true
	x.say(EvAttempt, int(side), int(box), die, ops, mods, total, need, flag(total >= need), int(f.Card))
	if total < need {
		t.Failed = true
		return nil
	}
	x.advance(side)
	return nil
}

// advance moves a side's marker one box on, with the award for whoever comes
// first. Nothing is beyond box 8.
func (x *Run) advance(side Side) {
	p := x.p
	t := &p.Tiananmen[side]
	if t.Box >= LastBox {
		return
	}
	t.Box++
	t.Failed = false
	first := p.Tiananmen[side.Enemy()].Box < t.Box
	x.say(EvBox, int(side), int(t.Box), flag(first))
	if first && (t.Box == 3 || t.Box == 4) {
		x.push(Frame{Proc: ProcAward, Side: side, N: t.Box})
	}
}

// The steps of an award that is given at once. N is the box.
const (
	awardBegin uint8 = iota
	awardAsk
	awardDone
)

// box3Cards is how many cards box 3 draws; one is kept.
const box3Cards = 3

func runAward(x *Run, f *Frame) error {
	p := x.p
	switch f.Step {
	case awardBegin:
		if f.N == 4 {
			asked := x.takeAway(f.Side, f.Side.Enemy(), SourceBox4, 2, p.OnMap(), 0)
			f.Step = awardDone
			if asked {
				f.Step = awardAsk
			}
			return nil
		}
		if p.Piles[PileShown].Len() == box3Cards {
			f.Step = awardAsk
			x.ask(Question{Ask: AskTake, Side: f.Side, Source: SourceBox3, Left: 1, Secret: true})
			return nil
		}
		c, err := x.deal(f.Side, PileShown, ReasonBox3)
		if err != nil {
			return err
		}
		if c == 0 {
			f.Step = awardDone
			if !p.Piles[PileShown].Empty() {
				f.Step = awardAsk
				x.ask(Question{Ask: AskTake, Side: f.Side, Source: SourceBox3, Left: 1, Secret: true})
			}
		}
	case awardAsk, awardDone:
		x.pop()
	}
	return nil
}

func answerAward(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	switch AtomVerb(a) {
	case VerbRemove:
		x.takeOne(f.Side.Enemy(), Space(AtomValue(a)))
	case VerbTake:
		c := Card(AtomValue(a))
		x.close()
		p.Move(c, PileShown, HandOf(f.Side))
		x.secret(f.Side, 1, 0, EvKept, int(f.Side), int(c))
		rest := p.Piles[PileShown]
		for c := rest.Next(); c != 0; c = rest.Next() {
			p.Move(c, PileShown, PileDiscard)
			x.say(EvDiscarded, int(f.Side), int(c), int(SourceBox3))
		}
		f.Step = awardDone
	}
}

func awardOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Ask == AskRemove {
		return p.removable(f.Side.Enemy(), p.OnMap(), dst)
	}
	set := p.Piles[PileShown]
	for c := set.Next(); c != 0; c = set.Next() {
		dst = append(dst, NewAtom(VerbTake, 0, int(c)))
	}
	return dst
}
