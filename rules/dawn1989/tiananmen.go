package dawn1989

import "samizdat/rules"

// lastBox is the last box of the track.
const lastBox = 8

// required is what a side needs to enter each box (the track on the map).
var required = [2][9]int{
	Democrat:  {0, 5, 5, 6, 6, 7, 8, 9, 10},
	Communist: {0, 6, 6, 7, 7, 8, 7, 6, 5},
}

// attemptMods is what a Tiananmen attempt adds to the die besides the Ops value
// (rule 6.3.1): an own star, an earlier failure at the same box, the award of
// box 1, Li Peng (card 53).
func (p *Position) attemptMods(side Side, c Card) int {
	m := 0
	if c.Info().Side == side {
		m++
	}
	if p.tiananmen[side].Failed {
		m++
	}
	if p.awarded(side, 1) {
		m++
	}
	if side == Communist && p.force.cards.has(LiPeng) {
		m++
	}
	return m
}

// canAttempt reports whether a side may still make its attempt this turn.
func (p *Position) canAttempt(side Side) bool {
	t := p.tiananmen[side]
	return !t.Attempted && t.Box < lastBox
}

func (p *Position) mayAttempt(f *Frame) bool { return f.Open && p.canAttempt(f.Side) }

// attempt makes a Tiananmen attempt (rule 6.3) and takes the procedure to its
// next step.
func (x *Run) attempt(f *Frame, next uint8) error {
	die, err := x.roll(reasonAttempt, 0)
	if err != nil {
		return err
	}
	p, side := x.p, f.Side
	f.Step = next
	t := &p.tiananmen[side]
	ops, mods := p.opsValue(side, f.Card.Info().Ops, false), p.attemptMods(side, f.Card)
	box := t.Box + 1
	total, need := die+ops+mods, required[side][box]
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
	t := &p.tiananmen[side]
	if t.Box >= lastBox {
		return
	}
	t.Box++
	t.Failed = false
	first := p.tiananmen[side.Enemy()].Box < t.Box
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
			asked := x.takeAway(f.Side, f.Side.Enemy(), SourceBox4, 2, p.onMap(), 0)
			f.Step = awardDone
			if asked {
				f.Step = awardAsk
			}
			return nil
		}
		if p.piles[PileShown].len() == box3Cards {
			f.Step = awardAsk
			x.ask(Question{Ask: AskTake, Side: f.Side, Source: SourceBox3, Left: 1, Secret: true})
			return nil
		}
		c, err := x.deal(f.Side, PileShown, reasonBox3)
		if err != nil {
			return err
		}
		if c == 0 {
			f.Step = awardDone
			if !p.piles[PileShown].empty() {
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
		p.move(c, PileShown, hand(f.Side))
		x.secret(f.Side, 1, 0, EvKept, int(f.Side), int(c))
		rest := p.piles[PileShown]
		for c := rest.next(); c != 0; c = rest.next() {
			p.move(c, PileShown, PileDiscard)
			x.say(EvDiscarded, int(f.Side), int(c), int(SourceBox3))
		}
		f.Step = awardDone
	}
}

func awardOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.question.Ask == AskRemove {
		return p.removable(f.Side.Enemy(), p.onMap(), dst)
	}
	set := p.piles[PileShown]
	for c := set.next(); c != 0; c = set.next() {
		dst = append(dst, atom(VerbTake, 0, int(c)))
	}
	return dst
}
