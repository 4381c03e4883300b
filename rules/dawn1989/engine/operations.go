package engine

import "samizdat/rules"

// OpsValue is the Ops value of a card for the side that uses it (rule 7.3): the
// printed value and everything that changes it in one sum, never below 1. all
// says that everything is spent in East Germany (card 58).
func (p *Position) OpsValue(side Side, printed int, all bool) int {
	v := printed
	if printed == 1 && p.Awarded(side, 2) {
		v++
	}
	if side == Communist && p.Effects.Cards.Has(Perestroika) {
		v++
	}
	if side == Democrat && p.Effects.Cards.Has(SinatraDoctrine) {
		v++
	}
	if all && p.BorderOpen(side) {
		v++
	}
	return max(1, v-int(p.Effects.Prudence[side]))
}

// BorderOpen reports whether Austria-Hungary Border Reopened (card 58) helps a
// side.
func (p *Position) BorderOpen(side Side) bool {
	return side == Democrat && p.Effects.Cards.Has(AustriaHungaryBorder)
}

// The steps of a card's Operations (rule 6). The question is answered by a
// first support point, or by a first target, or (granted Operations) by a
// Tiananmen attempt.
const (
	opsAsk uint8 = iota
	OpsPlacing
	opsCheck
	opsSecond
	opsSecondCheck
	opsAttempt
	opsDone
)

func runOps(x *Run, f *Frame) error {
	p := x.p
	switch f.Step {
	case opsAsk:
		p.Reach = p.ReachOf(f.Side).And(p.bounds(f.Country))
		f.Border = true
		if p.placeable(f, 0).Empty() && p.targetsOf(f).Empty() && !p.mayAttempt(f) && p.takable(f).Empty() {
			x.say(EvSpent, int(f.Side), int(f.Card))
			f.Step = opsDone
			return nil
		}
		q := Question{Ask: AskOps, Side: f.Side, Source: f.Source, Midway: f.Midway, May: f.May,
			Left: int8(p.OpsValue(f.Side, f.Printed(), false))}
		if f.Source != SourceNone {
			q.Ask = AskGrant
		}
		x.ask(q)
	case opsCheck, opsSecondCheck:
		if err := x.check(f.Side, f.Space, f.Printed(), 0, f.Border); err != nil {
			return err
		}
		f.Space = 0
		f.Step++
		if f.Step > opsSecond {
			f.Step = opsDone
		}
	case opsSecond:
		targets := p.targetsOf(f)
		if f.Border {
			targets = targets.And(InCountry[EastGermany])
		}
		may := f.MayStopChecks()
		switch {
		case targets.Empty():
			x.say(EvNoTarget, int(f.Side), int(f.Card))
			f.Step = opsDone
		case targets.Len() == 1 && !may:
			f.Space, f.Step = targets.Next(), opsSecondCheck
		default:
			x.ask(Question{Ask: AskSecondCheck, Side: f.Side, Source: f.Source, Left: 1, May: may})
		}
	case opsAttempt:
		return x.attempt(f, opsDone)
	case opsDone:
		p.Reach = SpaceSet{}
		x.pop()
	}
	return nil
}

func answerOps(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	s := Space(AtomValue(a))
	switch AtomVerb(a) {
	case VerbOpsPlace:
		f.Step = OpsPlacing
		f.N += int8(p.Cost(f.Side, s))
		f.Border = f.Border && s.Info().Country == EastGermany
		x.place(f.Side, s, 1)
		if p.Ending != NotOver {
			return
		}
		q := &p.Question
		q.Given++
		q.Left = max(0, int8(p.OpsValue(f.Side, f.Printed(), false))-f.N)
		if p.placeable(f, f.N).Empty() {
			x.close()
			f.Step = opsDone
		}
	case VerbOpsCheck:
		f.Space = s
		if p.Question.Ask == AskSecondCheck {
			f.Step = opsSecondCheck
		} else {
			f.Step, f.Border = opsCheck, AtomFlag(a) == 1
		}
		x.close()
	case VerbOpsTiananmen:
		f.Step = opsAttempt
		x.close()
	case VerbStop:
		f.Step = opsDone
		x.close()
	case VerbPass:
		f.Step = opsDone
		x.decline()
	case VerbTake:
		x.takeFromEnemy(f, Card(AtomValue(a)))
	}
}

// MayStopChecks reports whether the second check of Operations may be left out. Where a
// card may be taken instead they are like a card's: once begun, both are made (card 46).
func (f *Frame) MayStopChecks() bool { return f.May && !f.Take }

// Printed is the printed Ops value of what is used: the card's, or what was
// granted instead.
func (f *Frame) Printed() int {
	if f.Result > 0 {
		return int(f.Result)
	}
	return f.Card.Info().Ops
}

// takable lists the enemy's cards that may be taken in place of Operations: red
// titles whose event can take place (card 46).
func (p *Position) takable(f *Frame) CardSet {
	var out CardSet
	if !f.Take {
		return out
	}
	set := p.Piles[HandOf(f.Side.Enemy())].And(redTitles)
	for c := set.Next(); c != 0; c = set.Next() {
		if p.Playable(c, f.Side) {
			out.Add(c)
		}
	}
	return out
}

// takeFromEnemy ends granted Operations with the event of a card out of the
// enemy's hand.
func (x *Run) takeFromEnemy(f *Frame, c Card) {
	p, side := x.p, f.Side
	x.close()
	p.Reach = SpaceSet{}
	x.pop()
	p.Move(c, HandOf(side.Enemy()), PileTable)
	x.say(EvTaken, int(side), int(c), TakenFromEnemy)
	x.begin(c, side)
}

func opsOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Ask == AskSecondCheck {
		targets := p.targetsOf(f)
		if f.Border {
			targets = targets.And(InCountry[EastGermany])
		}
		return declinable(p, atoms(dst, VerbOpsCheck, 0, targets))
	}
	dst = atoms(dst, VerbOpsPlace, 0, p.placeable(f, f.N))
	if f.Step == OpsPlacing {
		if p.mayStop(f) {
			dst = append(dst, atomStop)
		}
		return dst
	}
	targets := p.targetsOf(f)
	dst = atoms(dst, VerbOpsCheck, 0, targets)
	if p.BorderOpen(f.Side) {
		dst = atoms(dst, VerbOpsCheck, 1, targets.And(InCountry[EastGermany]))
	}
	if p.mayAttempt(f) {
		dst = append(dst, NewAtom(VerbOpsTiananmen, 0, 0))
	}
	return declinable(p, cardAtoms(dst, VerbTake, 0, p.takable(f)))
}

// mayStop reports whether a placement may end here: all that is left is the
// point that card 58 adds, which need not be used.
func (p *Position) mayStop(f *Frame) bool {
	v := p.OpsValue(f.Side, f.Printed(), false)
	return f.Step == OpsPlacing && p.affordable(f, f.N, v, p.Reach).Empty()
}

// bounds is the map, or one country of it when Operations are granted for that
// country only.
func (p *Position) bounds(c Country) SpaceSet {
	if c == NoCountry {
		return p.OnMap()
	}
	return p.OnMap().And(InCountry[c])
}

// targetsOf lists the spaces that Operations may check.
func (p *Position) targetsOf(f *Frame) SpaceSet {
	return p.Targets(f.Side).And(p.bounds(f.Country))
}

// atoms appends an atom for each space of a set.
func atoms(dst []rules.Atom, v Verb, fl uint8, set SpaceSet) []rules.Atom {
	for s := set.Next(); s != 0; s = set.Next() {
		dst = append(dst, NewAtom(v, fl, int(s)))
	}
	return dst
}
