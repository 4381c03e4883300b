package dawn1989

import (
	"cmp"
	"slices"

	"samizdat/rules"
)

var _ rules.Imaginer = Game{}

// Imagine implements rules.Imaginer. The hidden cards are laid in a row, in several
// orders, and the enemy's hand is each stretch of it in turn, so that each card is
// there in some positions and not in others. The orders put cards of one value and of
// one side together, since events ask for the highest card or for one's own. Power
// struggle cards are dealt out likewise.
//
// Power struggle cards that were played stand in no position and may be imagined in a
// hand again: then less is certain than could be known, never more.
func (Game) Imagine(rv rules.View) []rules.Position {
	v := rv.(*View)
	side := v.p.sideOf(v.seat)
	if side == Neutral {
		return nil
	}
	enemy := side.Enemy()
	hidden, shown := v.hiddenCards(), []Card(nil)
	if v.redShown(enemy) {
		hidden, shown = split(hidden, func(c Card) bool { return !redTitles.has(c) })
	}
	need := max(0, v.count[hand(enemy)]-v.told.len())
	var hands [][]Card
	for _, by := range []func(a, b Card) int{byNumber, byValue, bySide} {
		slices.SortFunc(hidden, by)
		hands = append(hands, stretches(hidden, need)...)
	}
	fights := stretches(v.unseenStruggle(side), v.struggleCount[enemy])
	out := make([]rules.Position, 0, max(len(hands), len(fights)))
	for n := range max(len(hands), len(fights)) {
		p := new(Position)
		*p = v.p
		cards := append(slices.Clone(hands[n%len(hands)]), shown...)
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
		v.imagineStruggle(p, enemy, fights[n%len(fights)])
		out = append(out, p)
	}
	return out
}

// redShown reports whether a side has just shown the red titles in its hand (card
// 46), so that it has no others.
func (v *View) redShown(side Side) bool {
	if v.p.question.Ask != AskGrant || v.p.depth == 0 {
		return false
	}
	f := &v.p.stack[v.p.depth-1]
	return f.Take && f.Side == side.Enemy()
}

// The orders in which hidden cards are laid.
func byNumber(a, b Card) int { return int(a) - int(b) }

func byValue(a, b Card) int {
	return cmp.Or(a.Info().Ops-b.Info().Ops, byNumber(a, b))
}

func bySide(a, b Card) int {
	return cmp.Or(int(a.Info().Side)-int(b.Info().Side), b.Info().Ops-a.Info().Ops, byNumber(a, b))
}

// split parts a list in two.
func split[T any](list []T, first func(T) bool) (a, b []T) {
	for _, x := range list {
		if first(x) {
			a = append(a, x)
		} else {
			b = append(b, x)
		}
	}
	return a, b
}

// stretches turns a list so that other elements come first each time, n of them,
// until each has been among the first and each has not; at least twice.
func stretches[T any](list []T, n int) [][]T {
	step := min(n, len(list)-n)
	if step <= 0 {
		return [][]T{slices.Clone(list), slices.Clone(list)}
	}
	var out [][]T
	for at := 0; at < len(list); at += step {
		out = append(out, append(slices.Clone(list[at:]), list[:at]...))
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

// unseenStruggle are the power struggle cards that the view shows in no hand. The
// attack that waits for a defence lies open too.
func (v *View) unseenStruggle(side Side) []StruggleCard {
	st := &v.p.struggle
	var out []StruggleCard
	for k := range StruggleCard(struggleKinds) {
		seen := int(st.Hands[side][k]) + int(st.Hands[side.Enemy()][k])
		if v.p.question.Ask == AskDefend && k == st.Attack {
			seen++
		}
		for range int(wholeStruggleDeck[k]) - seen {
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
