package engine

import (
	"math/rand/v2"

	"samizdat/rules"
)

// DealHidden fills p with a random position that is consistent with the view: visible facts are as
// in the view, and hidden cards are dealt with equal probability. The viewer must play a side.
func (v *View) DealHidden(p *Position, source rand.Source) {
	*p = v.Visible
	enemy := v.Visible.SideOf(v.seat).Enemy()
	hidden, mayHold, row := v.hiddenCards(), v.hiddenCards(), [Cards]Card{}
	if v.hasShownRed(enemy) {
		mayHold = hidden.Minus(redTitles)
	}
	p.Piles[HandPile(enemy)] = v.EnemyHolds
	for _, pile := range [...]Pile{HandPile(enemy), PileAside, PileShown} {
		dealt := dealFrom(row[:0], mayHold, v.PileCounts[pile]-p.Piles[pile].Len(), source)
		p.Piles[pile] = p.Piles[pile].Or(dealt)
		hidden = hidden.Minus(dealt)
		mayHold = hidden
	}
	p.Piles[PileDeck] = hidden
	v.dealStruggle(p, enemy, source)
}

func (v *View) hiddenCards() CardSet {
	seen := v.EnemyHolds
	for pile := range Piles {
		seen = seen.Or(v.Visible.Piles[pile])
	}
	return everyCard.Minus(seen)
}

var everyCard = InPeriod[Early].Or(InPeriod[Middle]).Or(InPeriod[Late])

// dealFrom draws n cards of a set. row is room for the set.
func dealFrom(row []Card, set CardSet, n int, source rand.Source) (dealt CardSet) {
	for c := set.Next(); c != 0; c = set.Next() {
		row = append(row, c)
	}
	for i := range min(n, len(row)) {
		j := i + rules.RandomBelow(source, len(row)-i)
		row[i], row[j] = row[j], row[i]
		dealt.Add(row[i])
	}
	return dealt
}

func (v *View) dealStruggle(p *Position, enemy Side, source rand.Source) {
	if p.Struggle.Country == NoCountry {
		return
	}
	var row [128]StruggleCard
	n := 0
	for k, copies := range v.UnseenStruggleCards() {
		for range copies {
			row[n] = StruggleCard(k)
			n++
		}
	}
	for i := n - 1; i > 0; i-- {
		j := rules.RandomBelow(source, i+1)
		row[i], row[j] = row[j], row[i]
	}
	v.imagineStruggle(p, enemy, row[:n])
}
