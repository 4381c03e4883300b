package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"samizdat/rules"
)

// View implements rules.Position. It removes the facts that the seat may not know: the other hand, the other power
// struggle hand, the decks, the card put aside (card 77), and the cards drawn for box 3. Frames contain no hidden
// facts.
func (p *Position) View(seat rules.Seat) rules.View {
	v := new(View)
	p.fillView(v, seat)
	return v
}

func (v *View) hideStruggleHand(p *Position, owner, side Side) {
	switch {
	case p.haveSeenHands() && owner == side:
	case p.haveSeenHands() && owner == Democrat && side == Communist && p.isHandShown():
		for k, n := range p.Struggle.Drawn {
			v.Visible.Struggle.Hands[owner][k] -= n
		}
	default:
		v.Visible.Struggle.Hands[owner] = StruggleCards{}
	}
}

func (p *Position) fillView(v *View, seat rules.Seat) {
	v.seat, v.Visible, v.KnownEnemyCards = seat, *p, CardSet{}
	for pile := range Piles {
		v.PileCounts[pile] = p.Piles[pile].Len()
	}
	side := p.SideOf(seat)
	// The capacity is enough for all piles, so append needs no second allocation.
	hidden := append(make([]Pile, 0, Piles), PileDeck)
	for s := Democrat; s <= Communist; s++ {
		v.StruggleCounts[s] = p.Struggle.Hands[s].Len()
		if s != side {
			hidden = append(hidden, HandPile(s))
		}
		v.hideStruggleHand(p, s, side)
	}
	if side != Democrat {
		hidden = append(hidden, PileAside)
	}
	if p.Question.Kind == AskTake && p.Question.Source == SourceBox3 && p.Question.Side != side || p.Question.Kind == AskNothing {
		hidden = append(hidden, PileShown)
	}
	if side != Neutral {
		v.KnownEnemyCards = p.KnownCards[side.Enemy()]
	} else {
		// Observers do not see cards that were shown to one side.
		v.Visible.KnownCards = [2]CardSet{}
	}
	for _, pile := range hidden {
		v.Visible.Piles[pile] = CardSet{}
	}
	v.StrugglePlayed = p.playedStruggleCards()
	v.Visible.Struggle.Deck = StruggleCards{}
	if side != Democrat {
		v.Visible.Struggle.Drawn = StruggleCards{}
	}
	if !p.Bids[0].Received || !p.Bids[1].Received {
		v.Visible.Bids = [2]Bid{}
	}
	if q := &v.Visible.Question; q.Side != side {
		q.Remaining, q.Given, q.PointsBySpace = q.Remaining+q.Given, 0, [Spaces]int8{}
	}
}

// playedStruggleCards returns the power struggle cards that have left the deck and the hands. They are all public.
func (p *Position) playedStruggleCards() StruggleCards {
	st := &p.Struggle
	if st.Country == NoCountry {
		return StruggleCards{}
	}
	out := WholeStruggleDeck
	for k := range out {
		out[k] -= st.Deck[k] + st.Hands[Democrat][k] + st.Hands[Communist][k]
	}
	return out
}

// UnseenStruggleCards returns the power struggle cards that the view does not show: the cards of the deck and of
// hidden hands.
func (v *View) UnseenStruggleCards() StruggleCards {
	out := WholeStruggleDeck
	for k := range out {
		out[k] -= v.StrugglePlayed[k] + v.Visible.Struggle.Hands[Democrat][k] + v.Visible.Struggle.Hands[Communist][k]
	}
	return out
}

// Seat implements rules.View.
func (v *View) Seat() rules.Seat { return v.seat }

// DecodeView implements rules.Game.DecodeView. It refuses a view if its cards do not add up to the whole deck, or if
// it shows facts that the seat may not know.
func (Rules) DecodeView(data []byte, seat rules.Seat) (rules.View, error) {
	var decoded View
	err := decodeObject(data, func(c *codec) { c.view(&decoded) })
	if err == nil {
		err = decoded.checkCounts(seat)
	}
	if err != nil {
		return nil, fmt.Errorf("decode view of 1989: %w", err)
	}
	v := decoded.Visible.View(seat).(*View)
	v.StrugglePlayed, v.StruggleCounts = decoded.StrugglePlayed, decoded.StruggleCounts
	for _, pile := range hideablePiles {
		v.PileCounts[pile] = decoded.PileCounts[pile]
	}
	return v, nil
}

// hideablePiles are the piles with cards that a view may hide. For these piles a view states how many cards they
// have.
var hideablePiles = [...]Pile{PileDemocrat, PileCommunist, PileDeck, PileAside, PileShown}

// checkCounts checks that each card is in the view exactly once, shown or counted, and that the view shows only facts
// that the seat may know.
func (v *View) checkCounts(seat rules.Seat) error {
	p := &v.Visible
	var seen CardSet
	shown, total := 0, 0
	for pile := range Piles {
		n := p.Piles[pile].Len()
		seen, shown = seen.Or(p.Piles[pile]), shown+n
		count := n
		if slices.Contains(hideablePiles[:], pile) {
			count = v.PileCounts[pile]
		}
		if count < n || n != 0 && n != count {
			return fmt.Errorf("a pile shows %d of %d cards", n, count)
		}
		total += count
	}
	if seen.Len() != shown || total != Cards-1 {
		return fmt.Errorf("a card is missing or in two piles: %d cards, %d of them shown", total, shown)
	}
	if err := v.checkStruggleCounts(); err != nil {
		return err
	}
	// Hiding the hidden facts once more must change nothing. A difference would be a fact that the seat may not know.
	original, _ := p.MarshalJSON() // never fails
	viewed, _ := p.View(seat).(*View).Visible.MarshalJSON()
	if !bytes.Equal(original, viewed) {
		return fmt.Errorf("the view shows hidden facts that seat %d may not see", seat)
	}
	return nil
}

func (v *View) checkStruggleCounts() error {
	st := &v.Visible.Struggle
	for k, n := range v.StrugglePlayed {
		if n+st.Hands[Democrat][k]+st.Hands[Communist][k] > WholeStruggleDeck[k] {
			return fmt.Errorf("too many power struggle cards %v", StruggleCard(k))
		}
	}
	for s, count := range v.StruggleCounts {
		shown := st.Hands[s].Len()
		isPartlyShown := Side(s) == Democrat && v.Visible.isHandShown() && !v.Visible.isSecuritateShowingDraws() && shown < count
		if shown != 0 && shown != count && !isPartlyShown {
			return fmt.Errorf("a power struggle hand shows %d of %d cards", shown, count)
		}
	}
	return nil
}

// Imagine implements rules.Game.Imagine: it returns positions that are possible for the view. Each hidden card is in
// the enemy's hand in some positions, and in others not. To reach this, Imagine sorts the hidden cards, and in each
// position the enemy's hand is another run of consecutive cards of the sorted list. It sorts by number, by Ops and by
// side, because some events ask for the card with the highest Ops or for the cards of a side. Power struggle cards
// are dealt in runs too.
func (Rules) Imagine(rv rules.View) []rules.Position {
	v := rv.(*View)
	side := v.Visible.SideOf(v.seat)
	if side == Neutral {
		return nil
	}
	enemy := side.Enemy()
	hidden, shown := v.HiddenCards(), []Card(nil)
	if v.hasShownRed(enemy) {
		hidden, shown = partition(hidden, func(c Card) bool { return !redTitles.Has(c) })
	}
	need := max(0, v.PileCounts[HandPile(enemy)]-v.KnownEnemyCards.Len())
	var hands [][]Card
	for _, compare := range []func(a, b Card) int{compareNumbers, compareValues, compareSides} {
		slices.SortFunc(hidden, compare)
		hands = append(hands, rotations(hidden, need)...)
	}
	enemyHands := rotations(v.UnseenStruggleCards().cards(), v.StruggleCounts[enemy])
	out := make([]rules.Position, 0, max(len(hands), len(enemyHands)))
	for n := range max(len(hands), len(enemyHands)) {
		p := new(Position)
		*p = v.Visible
		cards := append(slices.Clone(hands[n%len(hands)]), shown...)
		deal := func(pile Pile, n int) {
			for range min(n, len(cards)) {
				p.Piles[pile].Add(cards[0])
				cards = cards[1:]
			}
		}
		p.Piles[HandPile(enemy)] = v.KnownEnemyCards
		deal(HandPile(enemy), need)
		for _, pile := range []Pile{PileAside, PileShown} {
			deal(pile, v.PileCounts[pile]-p.Piles[pile].Len())
		}
		deal(PileDeck, len(cards))
		v.dealUnseenStruggleCards(p, enemy, enemyHands[n%len(enemyHands)])
		out = append(out, p)
	}
	return out
}

// hasShownRed reports whether a side has just shown all cards with red titles in its hand (card 46).
func (v *View) hasShownRed(side Side) bool {
	if v.Visible.Question.Kind != AskGrant || v.Visible.depth == 0 {
		return false
	}
	f := &v.Visible.stack[v.Visible.depth-1]
	return f.MayTake && f.Side == side.Enemy()
}

func compareNumbers(a, b Card) int { return int(a) - int(b) }

func compareValues(a, b Card) int {
	return cmp.Or(a.Info().Ops-b.Info().Ops, compareNumbers(a, b))
}

func compareSides(a, b Card) int {
	return cmp.Or(int(a.Info().Side)-int(b.Info().Side), b.Info().Ops-a.Info().Ops, compareNumbers(a, b))
}

func partition[T any](list []T, first func(T) bool) (a, b []T) {
	for _, x := range list {
		if first(x) {
			a = append(a, x)
		} else {
			b = append(b, x)
		}
	}
	return a, b
}

// rotations returns at least two rotations of a list. Each element is among the first n elements in some rotation,
// and in another rotation not, unless n is 0 or the length of the list.
func rotations[T any](list []T, n int) [][]T {
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

// HiddenCards returns the strategy cards that the view does not show.
func (v *View) HiddenCards() []Card { return v.hiddenCards().List() }

// dealUnseenStruggleCards deals the unseen power struggle cards: first it fills the enemy's hand, and the other cards
// become the deck.
func (v *View) dealUnseenStruggleCards(p *Position, enemy Side, unseen []StruggleCard) {
	st := &p.Struggle
	if st.Country == NoCountry {
		return
	}
	isPartlyShown := enemy == Democrat && p.isHandShown()
	for _, k := range unseen {
		switch {
		case st.Hands[enemy].Len() == v.StruggleCounts[enemy]:
			st.Deck[k]++
		case isPartlyShown:
			st.Hands[enemy][k]++
			st.Drawn[k]++
		default:
			st.Hands[enemy][k]++
		}
	}
}

// WithFrame returns a copy of the view without an open question, and with a stack of two procedures: the match and, on top, f.
func (v *View) WithFrame(f Frame) *View {
	w := new(View)
	*w = *v
	p := &w.Visible
	p.Question, p.stalled, p.depth = Question{}, false, 2
	p.stack = [maxDepth]Frame{v.Visible.stack[0], f}
	if f.Proc != ProcStruggle {
		p.Struggle = Struggle{}
	}
	return w
}
