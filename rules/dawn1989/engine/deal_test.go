package engine_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// TestDealHiddenShowsTheView: in any position, a deal shows the seat the same view, asks the
// same question and obeys the rules of the cards.
func TestDealHiddenShowsTheView(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := anywhereIn(t)
		source := rand.NewPCG(rapid.Uint64().Draw(t, "deal"), 1)
		for seat := range rules.Seat(2) {
			v := p.View(seat).(*engine.View)
			var q engine.Position
			for range 5 {
				v.DealHidden(&q, source)
				if one, two := bytesOf(t, v), bytesOf(t, q.View(seat)); !bytes.Equal(one, two) {
					t.Fatalf("a deal shows seat %d another view:\n%s\n%s", seat, one, two)
				}
				if err := q.Conserved(); err != nil {
					t.Fatal(err)
				}
				if p.Question.Side == p.SideOf(seat) && !slices.Equal(p.LegalAtoms(nil), q.LegalAtoms(nil)) {
					t.Fatalf("a deal asks seat %d another %v:\n%x\n%x", seat, p.Question.Kind, p.LegalAtoms(nil), q.LegalAtoms(nil))
				}
			}
		}
	})
}

// TestDealHiddenIsUniform: of a few hidden cards every arrangement that shows the same view
// and asks the same comes up, each as often as the others.
func TestDealHiddenIsUniform(t *testing.T) {
	t.Parallel()
	// thin leaves 4 cards of the deck.
	thin := func(p *engine.Position) {
		deck := p.Piles[engine.PileDeck]
		for p.Piles[engine.PileDeck].Len() > 4 {
			p.Move(deck.Next(), engine.PileDeck, engine.PileDiscard)
		}
	}
	red := engine.RedTitles
	one, two := red.Next(), red.Next()
	shown := scene(t, engine.Democrat, holds(engine.Democrat, engine.GoodbyeLenin, 14), holds(engine.Communist, one, 36, 38, 40), thin,
		lay(engine.PileDeck, two), sp("Lodz", 0, 3))
	for name, test := range map[string]struct {
		p *engine.Position
		// want is how many arrangements of the hidden cards there are.
		want int
	}{
		"5 of 9 cards in a hand":         {scene(t, engine.Democrat, holds(engine.Democrat, 14, 22), holds(engine.Communist, 36, 38, 40, 41), thin), 126},
		"3 of 8 in a hand, 1 put aside":  {scene(t, engine.Communist, holds(engine.Communist, 14, 22), holds(engine.Democrat, 36, 38), lay(engine.PileAside, 40), thin), 280},
		"the red titles in a hand shown": {carry(t, shown, nil, "PLAY 46 EVENT"), 0},
		"a hand with two known cards":    {scene(t, engine.Democrat, holds(engine.Democrat, 14, 22), holds(engine.Communist, 36, 38, 40, 41), thin, known(36, 38)), 35},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			uniformly(t, test.p, test.want)
		})
	}
}

// known tells the Democrat cards of the Communist's hand.
func known(cards ...engine.Card) func(*engine.Position) {
	return func(p *engine.Position) {
		for _, c := range cards {
			p.KnownCards[engine.Communist].Add(c)
		}
	}
}

// uniformly compares deals with all arrangements that there are; want is their number, if
// it is not 0.
func uniformly(t *testing.T, p *engine.Position, want int) {
	t.Helper()
	seat := p.SeatOfSide[p.Question.Side]
	v := p.View(seat).(*engine.View)
	all := arrangements(t, p, v)
	if want != 0 && len(all) != want {
		t.Errorf("there are %d arrangements, want %d", len(all), want)
	}
	const each = 200
	got := map[[engine.Piles]engine.CardSet]int{}
	source := rand.NewPCG(1, 2)
	var q engine.Position
	for range each * len(all) {
		v.DealHidden(&q, source)
		got[q.Piles]++
	}
	if len(got) != len(all) {
		t.Errorf("%d arrangements come up, want %d", len(got), len(all))
	}
	chi := 0.0
	for _, a := range all {
		d := float64(got[a] - each)
		chi += d * d / each
	}
	// The mean is about the number of arrangements, the deviation the root of twice that.
	if n := float64(len(all)); chi > n+6*math.Sqrt(2*n) {
		t.Errorf("chi squared is %.0f with %d arrangements", chi, len(all))
	}
}

// arrangements tries every way to lay the hidden cards into the piles that hide cards, and
// returns those that show the same view and ask the same.
func arrangements(t *testing.T, p *engine.Position, v *engine.View) (out [][engine.Piles]engine.CardSet) {
	t.Helper()
	seat := v.Seat()
	hidden, want := v.HiddenCards(), bytesOf(t, v)
	piles := []engine.Pile{engine.HandPile(p.SideOf(seat).Enemy()), engine.PileAside, engine.PileShown, engine.PileDeck}
	q := v.Visible
	q.Piles[piles[0]] = v.KnownEnemyCards
	var lay func(n int)
	lay = func(n int) {
		if n < len(hidden) {
			for _, pile := range piles {
				if q.Piles[pile].Len() < v.PileCounts[pile] {
					q.Piles[pile].Add(hidden[n])
					lay(n + 1)
					q.Piles[pile].Drop(hidden[n])
				}
			}
			return
		}
		if bytes.Equal(bytesOf(t, q.View(seat)), want) && slices.Equal(q.LegalAtoms(nil), p.LegalAtoms(nil)) {
			out = append(out, q.Piles)
		}
	}
	lay(0)
	return out
}

// TestDealHiddenStruggle: each power struggle card that the view does not show is in the
// enemy's hand as often as its copies among the unseen cards say.
func TestDealHiddenStruggle(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); ; seed++ {
		p := middle(t, seed, 2, engine.AskAttack)
		v := p.View(p.SeatOfSide[p.Question.Side]).(*engine.View)
		enemy, unseen := p.Question.Side.Enemy(), v.UnseenStruggleCards()
		if v.Visible.Struggle.Hands[enemy].Len() > 0 {
			continue
		}
		const deals = 4000
		var got [engine.StruggleKinds]int
		source := rand.NewPCG(3, 4)
		var q engine.Position
		for range deals {
			v.DealHidden(&q, source)
			if n := q.Struggle.Hands[enemy].Len(); n != v.StruggleCounts[enemy] {
				t.Fatalf("the enemy holds %d cards, want %d", n, v.StruggleCounts[enemy])
			}
			for k, n := range q.Struggle.Hands[enemy] {
				got[k] += int(n)
			}
		}
		for k, n := range got {
			want := float64(deals*int(unseen[k])*v.StruggleCounts[enemy]) / float64(unseen.Len())
			if math.Abs(float64(n)-want) > 5*math.Sqrt(want)+1 {
				t.Errorf("%v is in %d of %d hands, want %.0f", engine.StruggleCard(k), n, deals, want)
			}
		}
		return
	}
}
