package engine

import "samizdat/rules"

// OpsValue returns the Ops value of a card for the side that uses it (rule 7.3): the printed value and everything
// that changes it in one sum, never below 1. all reports whether all points are spent in East Germany (card 58).
func (p *Position) OpsValue(side Side, printed int, inEastGermany bool) int {
	v := printed
	if printed == 1 && p.HasAward(side, 2) {
		v++
	}
	if side == Communist && p.Effects.Cards.Has(Perestroika) {
		v++
	}
	if side == Democrat && p.Effects.Cards.Has(SinatraDoctrine) {
		v++
	}
	if inEastGermany && p.BorderOpen(side) {
		v++
	}
	return max(1, v-int(p.Effects.Prudence[side]))
}

// BorderOpen reports whether Austria-Hungary Border Reopened (card 58) helps a side.
func (p *Position) BorderOpen(side Side) bool {
	return side == Democrat && p.Effects.Cards.Has(AustriaHungaryBorder)
}

// The steps of a card's Operations (rule 6). The question is answered by a first support point, or by a first target,
// or (granted Operations) by a Tiananmen attempt.
const (
	opsAsk uint8 = iota
	OpsPlacing
	opsCheck
	opsSecond
	opsSecondCheck
	opsAttempt
	opsDone
)

func runOps(r *Run, f *Frame) error {
	p := r.p
	switch f.Step {
	case opsAsk:
		p.Reach = p.PlaceableSpaces(f.Side).And(p.bounds(f.Country))
		f.Border = true
		if p.placeable(f, 0).IsEmpty() && p.targetsOf(f).IsEmpty() && !p.mayAttempt(f) && p.takeableCards(f).IsEmpty() {
			r.emit(EvSpent, int(f.Side), int(f.Card))
			f.Step = opsDone
			return nil
		}
		q := Question{Kind: AskOps, Side: f.Side, Source: f.Source, Midway: f.Midway, Optional: f.May,
			Remaining: int8(p.OpsValue(f.Side, f.PrintedOps(), false))}
		if f.Source != SourceNone {
			q.Kind = AskGrant
		}
		r.ask(q)
	case opsCheck, opsSecondCheck:
		if err := r.check(f.Side, f.Space, f.PrintedOps(), 0, f.Border); err != nil {
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
		case targets.IsEmpty():
			r.emit(EvNoTarget, int(f.Side), int(f.Card))
			f.Step = opsDone
		case targets.Len() == 1 && !may:
			f.Space, f.Step = targets.Next(), opsSecondCheck
		default:
			r.ask(Question{Kind: AskSecondCheck, Side: f.Side, Source: f.Source, Remaining: 1, Optional: may})
		}
	case opsAttempt:
		return r.attempt(f, opsDone)
	case opsDone:
		p.Reach = SpaceSet{}
		r.pop()
	}
	return nil
}

func answerOps(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	s := Space(AtomValue(a))
	switch AtomVerb(a) {
	case VerbOpsPlace:
		f.Step = OpsPlacing
		f.N += int8(p.PlacementCost(f.Side, s))
		f.Border = f.Border && s.Info().Country == EastGermany
		r.place(f.Side, s, 1)
		if p.Ending != NotOver {
			return
		}
		q := &p.Question
		q.Given++
		q.Remaining = max(0, int8(p.OpsValue(f.Side, f.PrintedOps(), false))-f.N)
		if p.placeable(f, f.N).IsEmpty() {
			r.closeQuestion()
			f.Step = opsDone
		}
	case VerbOpsCheck:
		f.Space = s
		if p.Question.Kind == AskSecondCheck {
			f.Step = opsSecondCheck
		} else {
			f.Step, f.Border = opsCheck, AtomFlag(a) == 1
		}
		r.closeQuestion()
	case VerbOpsTiananmen:
		f.Step = opsAttempt
		r.closeQuestion()
	case VerbStop:
		f.Step = opsDone
		r.closeQuestion()
	case VerbPass:
		f.Step = opsDone
		r.decline()
	case VerbTake:
		r.takeFromEnemy(f, Card(AtomValue(a)))
	}
}

// MayStopChecks reports whether the second check of Operations may be left out. Where a
// card may be taken instead they are like a card's: once begun, both are made (card 46).
func (f *Frame) MayStopChecks() bool { return f.May && !f.Take }

// PrintedOps returns the printed Ops value of the card in use, or the value of granted Operations.
func (f *Frame) PrintedOps() int {
	if f.Result > 0 {
		return int(f.Result)
	}
	return f.Card.Info().Ops
}

// takeableCards lists the enemy's cards that may be taken instead of Operations: red titles with a
// playable event (card 46).
func (p *Position) takeableCards(f *Frame) CardSet {
	if !f.Take {
		return CardSet{}
	}
	red := p.Piles[HandPile(f.Side.Enemy())].And(redTitles)
	return red.filter(func(c Card) bool { return p.IsEventPlayable(c, f.Side) })
}

// takeFromEnemy ends granted Operations with the event of a card out of the enemy's hand.
func (r *Run) takeFromEnemy(f *Frame, c Card) {
	p, side := r.p, f.Side
	r.closeQuestion()
	p.Reach = SpaceSet{}
	r.pop()
	p.Move(c, HandPile(side.Enemy()), PileTable)
	r.emit(EvTaken, int(side), int(c), TakenFromEnemy)
	r.beginEvent(c, side)
}

func opsOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Kind == AskSecondCheck {
		targets := p.targetsOf(f)
		if f.Border {
			targets = targets.And(InCountry[EastGermany])
		}
		return declineAtoms(p, atoms(dst, VerbOpsCheck, 0, targets))
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
	return declineAtoms(p, atoms(dst, VerbTake, 0, p.takeableCards(f)))
}

// mayStop reports whether a placement may end here: all that is left is the
// point that card 58 adds, which need not be used.
func (p *Position) mayStop(f *Frame) bool {
	v := p.OpsValue(f.Side, f.PrintedOps(), false)
	return f.Step == OpsPlacing && p.affordable(f, f.N, v, p.Reach).IsEmpty()
}

// bounds returns the map, or one country of it when Operations are granted for that country only.
func (p *Position) bounds(c Country) SpaceSet {
	if c == NoCountry {
		return p.ExistingSpaces()
	}
	return p.ExistingSpaces().And(InCountry[c])
}

func (p *Position) targetsOf(f *Frame) SpaceSet {
	return p.CheckTargets(f.Side).And(p.bounds(f.Country))
}

// atoms appends an atom for each space or card of a set.
func atoms[T element](dst []rules.Atom, v Verb, flag uint8, set Set[T]) []rules.Atom {
	for e := set.Next(); e != 0; e = set.Next() {
		dst = append(dst, NewAtom(v, flag, int(e)))
	}
	return dst
}

// PlaceableSpaces returns where a side may place support points with Operations (rule 6.1.1): where it has support
// before the first point, and next to it.
func (p *Position) PlaceableSpaces(side Side) SpaceSet {
	holds := p.Occupied[side].And(p.ExistingSpaces())
	reach := holds
	for s := holds.Next(); s != 0; s = holds.Next() {
		reach = reach.Or(p.Neighbours(s))
	}
	return reach.And(p.ExistingSpaces())
}

// PlacementCost returns the cost of one support point now (rule 6.1.2): 2 where the enemy controls, else 1.
// Genscher (card 63) makes it 1 in East Germany.
func (p *Position) PlacementCost(side Side, s Space) int {
	if !p.Controlled[side.Enemy()].Has(s) {
		return 1
	}
	if side == Democrat && s.Info().Country == EastGermany && p.Effects.Cards.Has(Genscher) {
		return 1
	}
	return 2
}

// affordable returns the part of a set where a point can be paid with value points when spent are gone.
func (p *Position) affordable(f *Frame, spent int8, value int, set SpaceSet) SpaceSet {
	remaining := value - int(spent)
	switch {
	case remaining <= 0:
		return SpaceSet{}
	case remaining >= 2:
		return set
	}
	dear := set.And(p.Controlled[f.Side.Enemy()])
	if f.Side == Democrat && p.Effects.Cards.Has(Genscher) {
		dear = dear.Minus(InCountry[EastGermany])
	}
	return set.Minus(dear)
}

// placeable lists where the next support point of Operations may go. The point that Austria-Hungary Border Reopened
// adds (card 58) can be spent only while everything goes to East Germany.
func (p *Position) placeable(f *Frame, spent int8) SpaceSet {
	printed := f.PrintedOps()
	set := p.affordable(f, spent, p.OpsValue(f.Side, printed, false), p.Reach)
	if f.Border && p.BorderOpen(f.Side) {
		set = set.Or(p.affordable(f, spent, p.OpsValue(f.Side, printed, true), p.Reach.And(InCountry[EastGermany])))
	}
	return set
}

// Events and awards that place or remove support points ask the same question: a number of points, a set of spaces,
// and a maximum for each space. If public facts leave no choice, the points are placed or removed without a question.

// giveOut places up to n points of a side. It reports whether it asked a question; otherwise it has placed the
// points.
func (r *Run) giveOut(side Side, source Source, n int, set SpaceSet, per int) (asked bool) {
	if per > 0 {
		n = min(n, per*set.Len())
	}
	switch {
	case n == 0 || set.IsEmpty():
		return false
	case set.Len() == 1:
		r.place(side, set.Next(), n)
		return false
	case per > 0 && n == per*set.Len():
		for s := set.Next(); s != 0; s = set.Next() {
			r.place(side, s, per)
		}
		return false
	}
	r.ask(Question{Kind: AskPlace, Side: side, Source: source, Remaining: int8(n), MaxPerSpace: int8(per)})
	return true
}

// giveOne takes one atom of the answer to giveOut, and reports whether it was the last.
func (r *Run) giveOne(side Side, s Space) (isLast bool) {
	r.p.Question.PointsBySpace[s]++
	r.place(side, s, 1)
	return r.p.Ending == NotOver && r.recordGiven()
}

// openSpaces lists the spaces of a set that the question still allows points in.
func (p *Position) openSpaces(set SpaceSet) SpaceSet {
	q := &p.Question
	if q.MaxPerSpace == 0 || q.Given == 0 {
		return set
	}
	return set.filter(func(s Space) bool { return q.PointsBySpace[s] < q.MaxPerSpace })
}

// takeAway lets a side remove n points of a side (its own after a lost power struggle) from a set of spaces, as many
// as there are. It reports whether it asked.
func (r *Run) takeAway(by, of Side, source Source, n int, set SpaceSet, per int) (asked bool) {
	p := r.p
	set = set.And(p.Occupied[of])
	maximum, there := n, 0
	if per > 0 {
		maximum = per
	}
	for rest := set; !rest.IsEmpty(); {
		there += min(maximum, int(p.Support[of][rest.Next()]))
	}
	n = min(n, there)
	switch {
	case n == 0:
		return false
	case there == n:
		for s := set.Next(); s != 0; s = set.Next() {
			r.remove(of, s, min(maximum, int(p.Support[of][s])))
		}
		return false
	case set.Len() == 1:
		r.remove(of, set.Next(), n)
		return false
	}
	r.ask(Question{Kind: AskRemove, Side: by, Source: source, Remaining: int8(n), MaxPerSpace: int8(per)})
	return true
}

// takeOne takes one atom of the answer to takeAway, and reports whether it was the last.
func (r *Run) takeOne(of Side, s Space) (isLast bool) {
	r.p.Question.PointsBySpace[s]++
	r.remove(of, s, 1)
	return r.p.Ending == NotOver && r.recordGiven()
}

// removable lists the legal atoms of the question of takeAway.
func (p *Position) removable(of Side, set SpaceSet, dst []rules.Atom) []rules.Atom {
	return atoms(dst, VerbRemove, 0, p.openSpaces(set.And(p.Occupied[of])))
}
