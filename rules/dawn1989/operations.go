package dawn1989

import "samizdat/rules"

// opsValue is the Ops value of a card for the side that uses it (rule 7.3): the
// printed value and everything that changes it in one sum, never below 1. all
// says that everything is spent in East Germany (card 58).
func (p *Position) opsValue(side Side, printed int, all bool) int {
	v := printed
	if printed == 1 && p.awarded(side, 2) {
		v++
	}
	if side == Communist && p.force.cards.has(Perestroika) {
		v++
	}
	if side == Democrat && p.force.cards.has(SinatraDoctrine) {
		v++
	}
	if all && p.borderOpen(side) {
		v++
	}
	return max(1, v-int(p.force.prudence[side]))
}

// borderOpen reports whether Austria-Hungary Border Reopened (card 58) helps a
// side.
func (p *Position) borderOpen(side Side) bool {
	return side == Democrat && p.force.cards.has(AustriaHungaryBorder)
}

// The steps of a card's Operations (rule 6). The question is answered by a
// first support point, or by a first target, or (granted Operations) by a
// Tiananmen attempt.
const (
	opsAsk uint8 = iota
	opsPlacing
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
		p.reach = p.reachOf(f.Side).and(p.bounds(f.Country))
		f.Border = true
		if p.placeable(f, 0).empty() && p.targetsOf(f).empty() && !p.mayAttempt(f) && p.takable(f).empty() {
			x.say(EvSpent, int(f.Side), int(f.Card))
			f.Step = opsDone
			return nil
		}
		q := Question{Ask: AskOps, Side: f.Side, Source: f.Source, Midway: f.Midway, May: f.May,
			Left: int8(p.opsValue(f.Side, f.printed(), false))}
		if f.Source != SourceNone {
			q.Ask = AskGrant
		}
		x.ask(q)
	case opsCheck, opsSecondCheck:
		if err := x.check(f.Side, f.Space, f.printed(), 0, f.Border); err != nil {
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
			targets = targets.and(inCountry[EastGermany])
		}
		// What may be taken instead is Operations like a card's: once begun, both
		// checks are made (card 46).
		may := f.May && !f.Take
		switch {
		case targets.empty():
			x.say(EvNoTarget, int(f.Side), int(f.Card))
			f.Step = opsDone
		case targets.len() == 1 && !may:
			f.Space, f.Step = targets.next(), opsSecondCheck
		default:
			x.ask(Question{Ask: AskSecondCheck, Side: f.Side, Source: f.Source, Left: 1, May: may})
		}
	case opsAttempt:
		return x.attempt(f, opsDone)
	case opsDone:
		p.reach = SpaceSet{}
		x.pop()
	}
	return nil
}

func answerOps(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	s := Space(AtomValue(a))
	switch AtomVerb(a) {
	case VerbOpsPlace:
		f.Step = opsPlacing
		f.N += int8(p.cost(f.Side, s))
		f.Border = f.Border && s.Info().Country == EastGermany
		x.place(f.Side, s, 1)
		if p.ending != NotOver {
			return
		}
		q := &p.question
		q.Given++
		q.Left = max(0, int8(p.opsValue(f.Side, f.printed(), false))-f.N)
		if p.placeable(f, f.N).empty() {
			x.close()
			f.Step = opsDone
		}
	case VerbOpsCheck:
		f.Space = s
		if p.question.Ask == AskSecondCheck {
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
		x.decline(f)
	case VerbTake:
		x.takeFromEnemy(f, Card(AtomValue(a)))
	}
}

// printed is the printed Ops value of what is used: the card's, or what was
// granted instead.
func (f *Frame) printed() int {
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
	set := p.piles[hand(f.Side.Enemy())].and(redTitles)
	for c := set.next(); c != 0; c = set.next() {
		if p.playable(c, f.Side) {
			out.add(c)
		}
	}
	return out
}

// takeFromEnemy ends granted Operations with the event of a card out of the
// enemy's hand.
func (x *Run) takeFromEnemy(f *Frame, c Card) {
	p, side := x.p, f.Side
	x.close()
	p.reach = SpaceSet{}
	x.pop()
	p.move(c, hand(side.Enemy()), PileTable)
	x.say(EvTaken, int(side), int(c), takenFromEnemy)
	x.begin(c, side)
}

func opsOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.question.Ask == AskSecondCheck {
		targets := p.targetsOf(f)
		if f.Border {
			targets = targets.and(inCountry[EastGermany])
		}
		return declinable(p, atoms(dst, VerbOpsCheck, 0, targets))
	}
	dst = atoms(dst, VerbOpsPlace, 0, p.placeable(f, f.N))
	if f.Step == opsPlacing {
		if p.mayStop(f) {
			dst = append(dst, stop)
		}
		return dst
	}
	targets := p.targetsOf(f)
	dst = atoms(dst, VerbOpsCheck, 0, targets)
	if p.borderOpen(f.Side) {
		dst = atoms(dst, VerbOpsCheck, 1, targets.and(inCountry[EastGermany]))
	}
	if p.mayAttempt(f) {
		dst = append(dst, atom(VerbOpsTiananmen, 0, 0))
	}
	return declinable(p, cardAtoms(dst, VerbTake, 0, p.takable(f)))
}

// mayStop reports whether a placement may end here: all that is left is the
// point that card 58 adds, which need not be used.
func (p *Position) mayStop(f *Frame) bool {
	v := p.opsValue(f.Side, f.printed(), false)
	return f.Step == opsPlacing && p.affordable(f, f.N, v, p.reach).empty()
}

// bounds is the map, or one country of it when Operations are granted for that
// country only.
func (p *Position) bounds(c Country) SpaceSet {
	if c == NoCountry {
		return p.onMap()
	}
	return p.onMap().and(inCountry[c])
}

// targetsOf lists the spaces that Operations may check.
func (p *Position) targetsOf(f *Frame) SpaceSet {
	return p.targets(f.Side).and(p.bounds(f.Country))
}

// atoms appends an atom for each space of a set.
func atoms(dst []rules.Atom, v Verb, fl uint8, set SpaceSet) []rules.Atom {
	for s := set.next(); s != 0; s = set.next() {
		dst = append(dst, atom(v, fl, int(s)))
	}
	return dst
}
