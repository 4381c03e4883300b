package engine

// ReachOf is where a side may place support points with Operations (rule
// 6.1.1): where it has support before the first point, and next to it.
func (p *Position) ReachOf(side Side) SpaceSet {
	holds := p.Holds[side].And(p.OnMap())
	reach := holds
	for s := holds.Next(); s != 0; s = holds.Next() {
		reach = reach.Or(p.Neighbours(s))
	}
	return reach.And(p.OnMap())
}

// Cost is what one support point costs now (rule 6.1.2): 2 where the enemy
// controls, else 1. Genscher (card 63) makes it 1 in East Germany.
func (p *Position) Cost(side Side, s Space) int {
	if !p.Controls[side.Enemy()].Has(s) {
		return 1
	}
	if side == Democrat && s.Info().Country == EastGermany && p.Effects.Cards.Has(Genscher) {
		return 1
	}
	return 2
}

// affordable is the part of a set where a point can be paid with value points
// when spent are gone.
func (p *Position) affordable(f *Frame, spent int8, value int, set SpaceSet) SpaceSet {
	left := value - int(spent)
	switch {
	case left <= 0:
		return SpaceSet{}
	case left >= 2:
		return set
	}
	dear := set.And(p.Controls[f.Side.Enemy()])
	if f.Side == Democrat && p.Effects.Cards.Has(Genscher) {
		dear = dear.Minus(InCountry[EastGermany])
	}
	return set.Minus(dear)
}

// placeable lists where the next support point of Operations may go. The point
// that Austria-Hungary Border Reopened adds (card 58) can be spent only while
// everything goes to East Germany.
func (p *Position) placeable(f *Frame, spent int8) SpaceSet {
	printed := f.Printed()
	set := p.affordable(f, spent, p.OpsValue(f.Side, printed, false), p.Reach)
	if f.Border && p.BorderOpen(f.Side) {
		set = set.Or(p.affordable(f, spent, p.OpsValue(f.Side, printed, true), p.Reach.And(InCountry[EastGermany])))
	}
	return set
}
