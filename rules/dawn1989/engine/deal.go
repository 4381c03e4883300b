package engine

import (
	"math/rand/v2"

	"samizdat/rules"
)

// DealHidden fills p with a random position that is possible for the view. All deals of the hidden cards have equal
// probability. The seat of the view must play a side.
func (v *View) DealHidden(p *Position, source rand.Source) {
	*p = v.Visible
	enemy := v.Visible.SideOf(v.seat).Enemy()
	hidden, candidates, buffer := v.hiddenCards(), v.hiddenCards(), [Cards]Card{}
	if v.hasShownRed(enemy) {
		candidates = hidden.Minus(redTitles) // Red titles in the hand are in KnownEnemyCards.
	}
	p.Piles[HandPile(enemy)] = v.KnownEnemyCards
	for _, pile := range [...]Pile{HandPile(enemy), PileAside, PileShown} {
		dealt := dealFrom(buffer[:0], candidates, v.PileCounts[pile]-p.Piles[pile].Len(), source)
		p.Piles[pile] = p.Piles[pile].Or(dealt)
		hidden = hidden.Minus(dealt)
		candidates = hidden
	}
	p.Piles[PileDeck] = hidden
	v.dealStruggle(p, enemy, source)
}

func (v *View) hiddenCards() CardSet {
	seen := v.KnownEnemyCards
	for pile := range Piles {
		seen = seen.Or(v.Visible.Piles[pile])
	}
	return everyCard.Minus(seen)
}

var everyCard = InPeriod[Early].Or(InPeriod[Middle]).Or(InPeriod[Late])

// dealFrom draws n random cards of a set. buffer has room for the set.
func dealFrom(buffer []Card, set CardSet, n int, source rand.Source) (dealt CardSet) {
	for c := set.Next(); c != 0; c = set.Next() {
		buffer = append(buffer, c)
	}
	for i := range min(n, len(buffer)) {
		j := i + rules.RandomBelow(source, len(buffer)-i)
		buffer[i], buffer[j] = buffer[j], buffer[i]
		dealt.Add(buffer[i])
	}
	return dealt
}

func (v *View) dealStruggle(p *Position, enemy Side, source rand.Source) {
	if p.Struggle.Country == NoCountry {
		return
	}
	var buffer [128]StruggleCard
	n := 0
	for k, copies := range v.UnseenStruggleCards() {
		for range copies {
			buffer[n] = StruggleCard(k)
			n++
		}
	}
	for i := n - 1; i > 0; i-- {
		j := rules.RandomBelow(source, i+1)
		buffer[i], buffer[j] = buffer[j], buffer[i]
	}
	v.dealUnseenStruggleCards(p, enemy, buffer[:n])
}
