package dawn1989

// reachOf is where a side may place support points with Operations (rule
// 6.1.1): where it has support before the first point, and next to it.
func (p *Position) reachOf(side Side) SpaceSet {
	holds := p.holds[side].and(p.onMap())
	reach := holds
	for s := holds.next(); s != 0; s = holds.next() {
		reach = reach.or(p.neighbours(s))
	}
	return reach.and(p.onMap())
}

// cost is what one support point costs now (rule 6.1.2): 2 where the enemy
// controls, else 1. Genscher (card 63) makes it 1 in East Germany.
func (p *Position) cost(side Side, s Space) int {
	if !p.controls[side.Enemy()].has(s) {
		return 1
	}
	if side == Democrat && s.Info().Country == EastGermany && p.force.cards.has(Genscher) {
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
	dear := set.and(p.controls[f.Side.Enemy()])
	if f.Side == Democrat && p.force.cards.has(Genscher) {
		dear = dear.minus(inCountry[EastGermany])
	}
	return set.minus(dear)
}

// placeable lists where the next support point of Operations may go. The point
// that Austria-Hungary Border Reopened adds (card 58) can be spent only while
// everything goes to East Germany.
func (p *Position) placeable(f *Frame, spent int8) SpaceSet {
	printed := f.printed()
	set := p.affordable(f, spent, p.opsValue(f.Side, printed, false), p.reach)
	if f.Border && p.borderOpen(f.Side) {
		set = set.or(p.affordable(f, spent, p.opsValue(f.Side, printed, true), p.reach.and(inCountry[EastGermany])))
	}
	return set
}
