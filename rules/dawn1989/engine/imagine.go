package engine

import (
	"cmp"
	"slices"

	"samizdat/rules"
)

// Imagine implements rules.Imaginer. The hidden cards are laid in a row, in several
// orders, and the enemy's hand is each stretch of it in turn, so that each card is
// there in some positions and not in others. The orders put cards of one value and of
// one side together, since events ask for the highest card or for one's own. Power
// struggle cards are dealt out likewise.
func (Rules) Imagine(rv rules.View) []rules.Position {
	v := rv.(*View)
	side := v.Seen.SideOf(v.seat)
	if side == Neutral {
		return nil
	}
	enemy := side.Enemy()
	hidden, shown := v.HiddenCards(), []Card(nil)
	if v.redShown(enemy) {
		hidden, shown = split(hidden, func(c Card) bool { return !redTitles.Has(c) })
	}
	need := max(0, v.Count[HandOf(enemy)]-v.EnemyHolds.Len())
	var hands [][]Card
	for _, by := range []func(a, b Card) int{byNumber, byValue, bySide} {
		slices.SortFunc(hidden, by)
		hands = append(hands, stretches(hidden, need)...)
	}
	fights := stretches(v.StruggleUnseen().list(), v.StruggleCount[enemy])
	out := make([]rules.Position, 0, max(len(hands), len(fights)))
	for n := range max(len(hands), len(fights)) {
		p := new(Position)
		*p = v.Seen
		cards := append(slices.Clone(hands[n%len(hands)]), shown...)
		deal := func(pile Pile, n int) {
			for range min(n, len(cards)) {
				p.Piles[pile].Add(cards[0])
				cards = cards[1:]
			}
		}
		p.Piles[HandOf(enemy)] = v.EnemyHolds
		deal(HandOf(enemy), need)
		for _, pile := range []Pile{PileAside, PileShown} {
			deal(pile, v.Count[pile]-p.Piles[pile].Len())
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
	if v.Seen.Question.Ask != AskGrant || v.Seen.depth == 0 {
		return false
	}
	f := &v.Seen.stack[v.Seen.depth-1]
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

// HiddenCards are the cards that the view shows nowhere.
func (v *View) HiddenCards() []Card {
	var out []Card
	for c := Card(1); c < Cards; c++ {
		seen := v.EnemyHolds.Has(c)
		for pile := range Piles {
			seen = seen || v.Seen.Piles[pile].Has(c)
		}
		if !seen {
			out = append(out, c)
		}
	}
	return out
}

// imagineStruggle deals the enemy a hand, unless the view shows it.
func (v *View) imagineStruggle(p *Position, enemy Side, unseen []StruggleCard) {
	st := &p.Struggle
	if st.Country == NoCountry {
		return
	}
	part := enemy == Democrat && p.shown()
	for _, k := range unseen {
		switch {
		case st.Hands[enemy].Len() == v.StruggleCount[enemy]:
			st.Deck[k]++
		case part:
			st.Hands[enemy][k]++
			st.Drawn[k]++
		default:
			st.Hands[enemy][k]++
		}
	}
}

// Suppose is a copy of a view in which a procedure of the match is about to begin.
func (v *View) Suppose(f Frame) *View {
	w := new(View)
	*w = *v
	p := &w.Seen
	p.Question, p.stalled, p.depth = Question{}, false, 2
	p.stack = [frames]Frame{v.Seen.stack[0], f}
	if f.Proc != ProcStruggle {
		p.Struggle = Struggle{}
	}
	return w
}
