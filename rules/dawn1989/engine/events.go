package engine

// What the tables of events ask of a position.

// WallFallen: "The Wall Must Go!" (card 86) was won by the Democrat.
func wallFallen(p *Position) bool { return p.Effects.WallFallen }

// TyrantGone: The Tyrant is Gone (card 97) has been resolved; waiting is not
// enough (rule 7.6.4).
func tyrantGone(p *Position) bool { return p.Effects.TyrantGone }

// armyBacked: Army Backs Revolution (card 108) has taken place.
func armyBacked(p *Position) bool { return p.Effects.Happened.Has(ArmyBacksRevolution) }

// czechWriters: the Democrat controls Czech Writers (card 90).
func czechWriters(p *Position) bool { return p.Controls[Democrat].Has(SpaceNamed("Czech Writers")) }

// anotherTurn: a turn follows the present one (card 65).
func anotherTurn(p *Position) bool { return p.Turn < Turns }

// notScoring are the cards of the discard pile that are not scoring cards.
func notScoring(p *Position, _ Side) CardSet { return p.Piles[PileDiscard].Minus(ScoringCards) }

// discardedScoring are the scoring cards of the discard pile.
func discardedScoring(p *Position, _ Side) CardSet { return p.Piles[PileDiscard].And(ScoringCards) }

// playableDiscards are the cards of the discard pile whose event can take place
// now, scoring cards apart.
func playableDiscards(p *Position, side Side) CardSet {
	var out CardSet
	set := notScoring(p, side)
	for c := set.Next(); c != 0; c = set.Next() {
		if p.Playable(c, Resolver(c, side)) {
			out.Add(c)
		}
	}
	return out
}

// ownAsterisks are the side's own cards with an asterisk in the discard pile
// whose event can take place now.
func ownAsterisks(p *Position, side Side) CardSet {
	var out CardSet
	set := playableDiscards(p, side).And(starOf[side])
	for c := set.Next(); c != 0; c = set.Next() {
		if c.Info().Asterisk {
			out.Add(c)
		}
	}
	return out
}

// fourWhenAhead is 4 for a side that is ahead in victory points, else 2 (card
// 51).
func fourWhenAhead(p *Position, f *Frame) int {
	if int(p.VP)*f.Side.Sign() > 0 {
		return 4
	}
	return 2
}

// less is a count taken from a die.
func less(count func(p *Position) int) func(*Position, *Frame) int {
	return func(p *Position, _ *Frame) int { return -count(p) }
}

// lessEnemyNeighbours takes 1 from a die for each space next to the chosen one
// that the enemy controls (card 78).
func lessEnemyNeighbours(p *Position, f *Frame) int {
	return -p.Neighbours(f.Space).And(p.Controls[f.Side.Enemy()]).Len()
}

// lessEnemyLabour takes 1 from a die for each Worker or Farmer space of the
// chosen country that the enemy controls (card 93).
func lessEnemyLabour(p *Position, f *Frame) int {
	return -controlled(f.Side.Enemy(), in(f.Country).of(Worker, Farmer))(p)
}

// balticEvents counts the events of the U.S.S.R. track that help card 110.
func balticEvents(p *Position, _ *Frame) int {
	n := 0
	for _, c := range [...]Card{Sajudis, BalticWay, BreakawayRepublics} {
		n += flag(p.Effects.Happened.Has(c))
	}
	return n
}
