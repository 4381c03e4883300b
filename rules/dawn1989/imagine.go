package dawn1989

import "samizdat/rules"

var _ rules.Imaginer = Game{}

// Imagine implements rules.Imaginer. The hidden cards are dealt out in their order,
// each time beginning with others for the enemy's hand, until each of them has been
// there; so are the power struggle cards.
func (Game) Imagine(rv rules.View) []rules.Position {
	v := rv.(*View)
	side := v.p.sideOf(v.seat)
	if side == Neutral {
		return nil
	}
	enemy := side.Enemy()
	hidden := v.hiddenCards()
	need := max(0, v.count[hand(enemy)]-v.told.len())
	fights := v.unseenStruggle(side)
	worlds := 2
	if need > 0 {
		worlds = max(worlds, (len(hidden)+need-1)/need)
	}
	var out []rules.Position
	for n := range worlds {
		p := new(Position)
		*p = v.p
		cards := turned(hidden, n*need)
		deal := func(pile Pile, n int) {
			for range min(n, len(cards)) {
				p.piles[pile].add(cards[0])
				cards = cards[1:]
			}
		}
		p.piles[hand(enemy)] = v.told
		deal(hand(enemy), need)
		for _, pile := range []Pile{PileAside, PileShown} {
			deal(pile, v.count[pile]-p.piles[pile].len())
		}
		deal(PileDeck, len(cards))
		v.imagineStruggle(p, enemy, turned(fights, n*v.struggleCount[enemy]))
		out = append(out, p)
	}
	return out
}

// hiddenCards are the cards that the view shows nowhere.
func (v *View) hiddenCards() []Card {
	var out []Card
	for c := Card(1); c < cards; c++ {
		seen := v.told.has(c)
		for pile := range piles {
			seen = seen || v.p.piles[pile].has(c)
		}
		if !seen {
			out = append(out, c)
		}
	}
	return out
}

// unseenStruggle are the power struggle cards that are not in the writer's hand.
func (v *View) unseenStruggle(side Side) []StruggleCard {
	var out []StruggleCard
	for k := range StruggleCard(struggleKinds) {
		for range int(wholeStruggleDeck[k]) - int(v.p.struggle.Hands[side][k]) {
			out = append(out, k)
		}
	}
	return out
}

// imagineStruggle deals the enemy a hand, unless the view shows it.
func (v *View) imagineStruggle(p *Position, enemy Side, unseen []StruggleCard) {
	st := &p.struggle
	if st.Country == NoCountry {
		return
	}
	for _, k := range unseen {
		if st.Hands[enemy].len() < v.struggleCount[enemy] {
			st.Hands[enemy][k]++
		} else {
			st.Deck[k]++
		}
	}
}

// turned is a list that begins n elements later.
func turned[T any](list []T, n int) []T {
	if len(list) == 0 {
		return nil
	}
	n %= len(list)
	return append(append([]T(nil), list[n:]...), list[:n]...)
}
