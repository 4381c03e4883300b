package engine

import "samizdat/rules"

// LastBox is the last box of the Tiananmen track.
const LastBox = 8

// BoxThresholds has, for each side and box, the total that a side needs to enter the box (printed on the track).
var BoxThresholds = [2][9]int{
	Democrat:  {0, 5, 5, 6, 6, 7, 8, 9, 10},
	Communist: {0, 6, 6, 7, 7, 8, 7, 6, 5},
}

// AttemptModifier returns the sum of the modifiers of a Tiananmen attempt, without the die and the Ops value (rule
// 6.3.1). It is the number of these conditions that are true: c is a card of the side, an earlier attempt to enter
// this box has failed, the side has the award of box 1, and the side is the Communist and Li Peng (card 53) is in
// force.
func (p *Position) AttemptModifier(side Side, c Card) int {
	modifier := 0
	if c.Info().Side == side {
		modifier++
	}
	if p.Tiananmen[side].Failed {
		modifier++
	}
	if p.HasAward(side, 1) {
		modifier++
	}
	if side == Communist && p.Effects.Cards.Has(LiPeng) {
		modifier++
	}
	return modifier
}

// CanAttempt reports whether a side may still make its attempt this turn.
func (p *Position) CanAttempt(side Side) bool {
	t := p.Tiananmen[side]
	return !t.Attempted && t.Box < LastBox
}

func (p *Position) canAttemptNow(f *Frame) bool { return f.MayAttempt && p.CanAttempt(f.Side) }

// attemptTiananmen makes a Tiananmen attempt (rule 6.3), and then continues the procedure of f with the step next.
func (r *Run) attemptTiananmen(f *Frame, next uint8) error {
	die, err := r.roll(ReasonAttempt, 0)
	if err != nil {
		return err
	}
	p, side := r.p, f.Side
	f.Step = next
	t := &p.Tiananmen[side]
	ops, modifier := p.OpsValue(side, f.Card.Info().Ops, false), p.AttemptModifier(side, f.Card)
	box := t.Box + 1
	total, need := die+ops+modifier, BoxThresholds[side][box]
	t.Attempted = true
	r.emit(EvAttempt, int(side), int(box), die, ops, modifier, total, need, boolToInt(total >= need), int(f.Card))
	if total < need {
		t.Failed = true
		return nil
	}
	r.advanceTrack(side)
	return nil
}

// advanceTrack moves a side's marker to the next box, unless it is in the last box. If the enemy is not there yet,
// boxes 3 and 4 give the side an immediate award (ProcAward).
func (r *Run) advanceTrack(side Side) {
	p := r.p
	t := &p.Tiananmen[side]
	if t.Box >= LastBox {
		return
	}
	t.Box++
	t.Failed = false
	isFirst := p.Tiananmen[side.Enemy()].Box < t.Box
	r.emit(EvBox, int(side), int(t.Box), boolToInt(isFirst))
	if isFirst && (t.Box == 3 || t.Box == 4) {
		r.push(Frame{Proc: ProcAward, Side: side, N: t.Box})
	}
}

// The steps of an immediate award (boxes 3 and 4). Frame.N is the box.
const (
	awardBegin uint8 = iota
	awardAsk
	awardDone
)

// box3Cards is the number of cards that a side draws for box 3. It keeps one card.
const box3Cards = 3

func runAward(r *Run, f *Frame) error {
	p := r.p
	switch f.Step {
	case awardBegin:
		if f.N == 4 {
			isAsked := r.removePoints(f.Side, f.Side.Enemy(), SourceBox4, 2, p.ExistingSpaces(), 0)
			f.Step = awardDone
			if isAsked {
				f.Step = awardAsk
			}
			return nil
		}
		if p.Piles[PileShown].Len() < box3Cards {
			if c, err := r.deal(f.Side, PileShown, ReasonBox3); err != nil || c != 0 {
				return err
			}
		}
		// Fewer than three cards may be left.
		f.Step = awardDone
		if !p.Piles[PileShown].IsEmpty() {
			f.Step = awardAsk
			r.ask(Question{Kind: AskTake, Side: f.Side, Source: SourceBox3, Remaining: 1, Secret: true})
		}
	case awardAsk, awardDone:
		r.pop()
	}
	return nil
}

func answerAward(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	switch AtomVerb(a) {
	case VerbRemove:
		r.removePoint(f.Side.Enemy(), Space(AtomValue(a)))
	case VerbTake:
		c := Card(AtomValue(a))
		r.closeQuestion()
		p.Move(c, PileShown, HandPile(f.Side))
		r.emitSecret(f.Side, 1, 0, EvKept, int(f.Side), int(c))
		remaining := p.Piles[PileShown]
		for c := remaining.Next(); c != 0; c = remaining.Next() {
			p.Move(c, PileShown, PileDiscard)
			r.emit(EvDiscarded, int(f.Side), int(c), int(SourceBox3))
		}
		f.Step = awardDone
	}
}

func appendAwardAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Kind == AskRemove {
		return p.appendRemovalAtoms(f.Side.Enemy(), p.ExistingSpaces(), dst)
	}
	return appendAtoms(dst, VerbTake, 0, p.Piles[PileShown])
}
