package engine

import "samizdat/rules"

// OpsValue returns the Ops value of a card for the side that uses it (rule 7.3): the printed value with all
// modifiers, at least 1. inEastGermany means that all points or support checks are in East Germany, which may give
// the bonus of card 58.
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
	if inEastGermany && p.IsBorderOpen(side) {
		v++
	}
	return max(1, v-int(p.Effects.Prudence[side]))
}

// IsBorderOpen reports whether the side has the bonus of Austria-Hungary Border Reopened (card 58).
func (p *Position) IsBorderOpen(side Side) bool {
	return side == Democrat && p.Effects.Cards.Has(AustriaHungaryBorder)
}

// The steps of a card's Operations (rule 6). The first atom decides how the Operations are used: for support points,
// for support checks, or (if an event grants them) for a Tiananmen attempt.
const (
	opsAsk uint8 = iota
	OpsPlacing
	opsFirstCheck
	opsAskSecondCheck
	opsSecondCheck
	opsAttempt
	opsDone
)

func runOps(r *Run, f *Frame) error {
	p := r.p
	switch f.Step {
	case opsAsk:
		p.Reach = p.PlaceableSpaces(f.Side).And(p.spacesIn(f.Country))
		f.OnlyEastGermany = true
		if p.nextPlacements(f, 0).IsEmpty() && p.checkTargetsFor(f).IsEmpty() && !p.canAttemptNow(f) && p.takeableCards(f).IsEmpty() {
			r.emit(EvSpent, int(f.Side), int(f.Card))
			f.Step = opsDone
			return nil
		}
		q := Question{Kind: AskOps, Side: f.Side, Source: f.Source, Midway: f.Midway, Optional: f.MayDecline,
			Remaining: int8(p.OpsValue(f.Side, f.PrintedOps(), false))}
		if f.Source != SourceNone {
			q.Kind = AskGrant
		}
		r.ask(q)
	case opsFirstCheck, opsSecondCheck:
		if err := r.checkSupport(f.Side, f.Space, f.PrintedOps(), 0, f.OnlyEastGermany); err != nil {
			return err
		}
		f.Space = 0
		f.Step++
		if f.Step > opsAskSecondCheck {
			f.Step = opsDone
		}
	case opsAskSecondCheck:
		targets := p.checkTargetsFor(f)
		if f.OnlyEastGermany {
			targets = targets.And(InCountry[EastGermany])
		}
		isOptional := f.MayStopChecks()
		switch {
		case targets.IsEmpty():
			r.emit(EvNoTarget, int(f.Side), int(f.Card))
			f.Step = opsDone
		case targets.Len() == 1 && !isOptional:
			f.Space, f.Step = targets.Next(), opsSecondCheck
		default:
			r.ask(Question{Kind: AskSecondCheck, Side: f.Side, Source: f.Source, Remaining: 1, Optional: isOptional})
		}
	case opsAttempt:
		return r.attemptTiananmen(f, opsDone)
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
		f.OnlyEastGermany = f.OnlyEastGermany && s.Info().Country == EastGermany
		r.place(f.Side, s, 1)
		if p.Ending != NotOver {
			return
		}
		q := &p.Question
		q.Given++
		q.Remaining = max(0, int8(p.OpsValue(f.Side, f.PrintedOps(), false))-f.N)
		if p.nextPlacements(f, f.N).IsEmpty() {
			r.closeQuestion()
			f.Step = opsDone
		}
	case VerbOpsCheck:
		f.Space = s
		if p.Question.Kind == AskSecondCheck {
			f.Step = opsSecondCheck
		} else {
			f.Step, f.OnlyEastGermany = opsFirstCheck, AtomFlag(a) == 1
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
		r.declineQuestion()
	case VerbTake:
		r.takeFromEnemy(f, Card(AtomValue(a)))
	}
}

// MayStopChecks reports whether the second support check of Operations may be left out. With the Operations of card
// 46, which MayTake marks, both checks must be made.
func (f *Frame) MayStopChecks() bool { return f.MayDecline && !f.MayTake }

// PrintedOps returns the Ops value before modifiers: the value printed on the card, or the number that an event
// grants.
func (f *Frame) PrintedOps() int {
	if f.EarlierResult > 0 {
		return int(f.EarlierResult)
	}
	return f.Card.Info().Ops
}

// takeableCards returns the enemy's cards that may be taken in place of Operations: cards with a red title and a
// playable event (card 46).
func (p *Position) takeableCards(f *Frame) CardSet {
	if !f.MayTake {
		return CardSet{}
	}
	red := p.Piles[HandPile(f.Side.Enemy())].And(redTitles)
	return red.filter(func(c Card) bool { return p.IsEventPlayable(c, f.Side) })
}

func (r *Run) takeFromEnemy(f *Frame, c Card) {
	p, side := r.p, f.Side
	r.closeQuestion()
	p.Reach = SpaceSet{}
	r.pop()
	p.Move(c, HandPile(side.Enemy()), PileTable)
	r.emit(EvTaken, int(side), int(c), TakenFromEnemy)
	r.beginEvent(c, side)
}

func appendOpsAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Kind == AskSecondCheck {
		targets := p.checkTargetsFor(f)
		if f.OnlyEastGermany {
			targets = targets.And(InCountry[EastGermany])
		}
		return appendDecline(p, appendAtoms(dst, VerbOpsCheck, 0, targets))
	}
	dst = appendAtoms(dst, VerbOpsPlace, 0, p.nextPlacements(f, f.N))
	if f.Step == OpsPlacing {
		if p.mayStopPlacing(f) {
			dst = append(dst, atomStop)
		}
		return dst
	}
	targets := p.checkTargetsFor(f)
	dst = appendAtoms(dst, VerbOpsCheck, 0, targets)
	if p.IsBorderOpen(f.Side) {
		dst = appendAtoms(dst, VerbOpsCheck, 1, targets.And(InCountry[EastGermany]))
	}
	if p.canAttemptNow(f) {
		dst = append(dst, NewAtom(VerbOpsTiananmen, 0, 0))
	}
	return appendDecline(p, appendAtoms(dst, VerbTake, 0, p.takeableCards(f)))
}

// mayStopPlacing reports whether a placement that has begun may end now: no other Ops can be spent than the optional
// extra point of card 58.
func (p *Position) mayStopPlacing(f *Frame) bool {
	v := p.OpsValue(f.Side, f.PrintedOps(), false)
	return f.Step == OpsPlacing && p.findAffordable(f, f.N, v, p.Reach).IsEmpty()
}

func (p *Position) spacesIn(c Country) SpaceSet {
	if c == NoCountry {
		return p.ExistingSpaces()
	}
	return p.ExistingSpaces().And(InCountry[c])
}

func (p *Position) checkTargetsFor(f *Frame) SpaceSet {
	return p.CheckTargets(f.Side).And(p.spacesIn(f.Country))
}

func appendAtoms[T element](dst []rules.Atom, v Verb, flag uint8, set Set[T]) []rules.Atom {
	for e := set.Next(); e != 0; e = set.Next() {
		dst = append(dst, NewAtom(v, flag, int(e)))
	}
	return dst
}

// PlaceableSpaces returns the spaces where a side may place support points with Operations (rule 6.1.1): the spaces
// where it has support now, and their neighbours.
func (p *Position) PlaceableSpaces(side Side) SpaceSet {
	occupied := p.Occupied[side].And(p.ExistingSpaces())
	reach := occupied
	for s := occupied.Next(); s != 0; s = occupied.Next() {
		reach = reach.Or(p.Neighbours(s))
	}
	return reach.And(p.ExistingSpaces())
}

// PlacementCost returns how many Ops a support point in a space costs now (rule 6.1.2): 2 if the enemy controls the
// space, otherwise 1. With Genscher (card 63) the Democrat pays only 1 in East Germany.
func (p *Position) PlacementCost(side Side, s Space) int {
	if !p.Controlled[side.Enemy()].Has(s) {
		return 1
	}
	if side == Democrat && s.Info().Country == EastGermany && p.Effects.Cards.Has(Genscher) {
		return 1
	}
	return 2
}

// findAffordable returns the spaces of a set where the side can pay for one more point. value is the Ops value, and
// spent how many of these Ops the side has already spent.
func (p *Position) findAffordable(f *Frame, spent int8, value int, set SpaceSet) SpaceSet {
	remaining := value - int(spent)
	switch {
	case remaining <= 0:
		return SpaceSet{}
	case remaining >= 2:
		return set
	}
	costly := set.And(p.Controlled[f.Side.Enemy()])
	if f.Side == Democrat && p.Effects.Cards.Has(Genscher) {
		costly = costly.Minus(InCountry[EastGermany])
	}
	return set.Minus(costly)
}

// nextPlacements returns the spaces where the next support point of Operations may be placed. The extra point of card
// 58 may be spent only if all points are placed in East Germany.
func (p *Position) nextPlacements(f *Frame, spent int8) SpaceSet {
	printed := f.PrintedOps()
	set := p.findAffordable(f, spent, p.OpsValue(f.Side, printed, false), p.Reach)
	if f.OnlyEastGermany && p.IsBorderOpen(f.Side) {
		set = set.Or(p.findAffordable(f, spent, p.OpsValue(f.Side, printed, true), p.Reach.And(InCountry[EastGermany])))
	}
	return set
}

// The functions below place or remove support points for events and awards. Their questions (AskPlace, AskRemove)
// have a number of points, a set of spaces, and a maximum for each space. If there is no choice, the points are
// placed or removed without a question.

// placePoints lets a side place n points in a set of spaces, or fewer if there is no room for n. maxPerSpace is the
// maximum for each space; 0 means no limit. isAsked reports whether it asked a question. Without a question it has
// placed the points, or none can be placed.
func (r *Run) placePoints(side Side, source Source, n int, set SpaceSet, maxPerSpace int) (isAsked bool) {
	if maxPerSpace > 0 {
		n = min(n, maxPerSpace*set.Len())
	}
	switch {
	case n == 0 || set.IsEmpty():
		return false
	case set.Len() == 1:
		r.place(side, set.Next(), n)
		return false
	case maxPerSpace > 0 && n == maxPerSpace*set.Len():
		for s := set.Next(); s != 0; s = set.Next() {
			r.place(side, s, maxPerSpace)
		}
		return false
	}
	r.ask(Question{Kind: AskPlace, Side: side, Source: source, Remaining: int8(n), MaxPerSpace: int8(maxPerSpace)})
	return true
}

// placePoint executes an atom of the answer to the question of placePoints. isLast reports whether the answer is now
// complete.
func (r *Run) placePoint(side Side, s Space) (isLast bool) {
	r.p.Question.PointsBySpace[s]++
	r.place(side, s, 1)
	return r.p.Ending == NotOver && r.countAnsweredAtom()
}

// openSpaces returns the spaces of a set where the current answer has fewer points than the maximum for each space.
func (p *Position) openSpaces(set SpaceSet) SpaceSet {
	q := &p.Question
	if q.MaxPerSpace == 0 || q.Given == 0 {
		return set
	}
	return set.filter(func(s Space) bool { return q.PointsBySpace[s] < q.MaxPerSpace })
}

// removePoints lets the side remover remove n points of the side owner from a set of spaces, or all points if there
// are fewer. Both are the same side if a side must remove own points, for example after a lost power struggle.
// maxPerSpace is as in placePoints. isAsked reports whether it asked a question. Without a question it has removed
// the points, or there are none.
func (r *Run) removePoints(remover, owner Side, source Source, n int, set SpaceSet, maxPerSpace int) (isAsked bool) {
	p := r.p
	set = set.And(p.Occupied[owner])
	maximum, available := n, 0
	if maxPerSpace > 0 {
		maximum = maxPerSpace
	}
	for remaining := set; !remaining.IsEmpty(); {
		available += min(maximum, int(p.Support[owner][remaining.Next()]))
	}
	n = min(n, available)
	switch {
	case n == 0:
		return false
	case available == n:
		for s := set.Next(); s != 0; s = set.Next() {
			r.remove(owner, s, min(maximum, int(p.Support[owner][s])))
		}
		return false
	case set.Len() == 1:
		r.remove(owner, set.Next(), n)
		return false
	}
	r.ask(Question{Kind: AskRemove, Side: remover, Source: source, Remaining: int8(n), MaxPerSpace: int8(maxPerSpace)})
	return true
}

func (r *Run) removePoint(owner Side, s Space) (isLast bool) {
	r.p.Question.PointsBySpace[s]++
	r.remove(owner, s, 1)
	return r.p.Ending == NotOver && r.countAnsweredAtom()
}

func (p *Position) appendRemovalAtoms(owner Side, set SpaceSet, dst []rules.Atom) []rules.Atom {
	return appendAtoms(dst, VerbRemove, 0, p.openSpaces(set.And(p.Occupied[owner])))
}
