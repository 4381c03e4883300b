package dawn1989

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/rules"
)

// anywhereIn plays a match with the sensible robots, or with options taken at
// random now and then, and returns a position in its middle.
func anywhereIn(t *rapid.T) *Position {
	seed := rapid.Uint64Range(0, 1<<20).Draw(t, "seed")
	steps := rapid.IntRange(1, 600).Draw(t, "steps")
	wild := rapid.IntRange(0, 4).Draw(t, "wild")
	d := newDice(seed)
	p := newPosition()
	x := &Run{Chance: d}
	if err := p.Go(x); err != nil {
		t.Fatal(err)
	}
	robot := &sensible{}
	last := *p
	for range steps {
		options := p.Choices(nil)
		if len(options) == 0 {
			break
		}
		if !p.question.Midway && p.question.Given == 0 {
			last = *p
		}
		a := options[d.r.IntN(len(options))]
		if d.r.IntN(5) >= wild {
			a = robot.Choose(func() rules.View { return p.View(p.sits[p.question.Side]) }, p.Owed(nil)[0], options)
		}
		x.Events = x.Events[:0]
		if err := p.Decide(x, a); err != nil {
			t.Fatal(err)
		}
	}
	return &last
}

func bytesOf(t rapid.TB, m json.Marshaler) []byte {
	data, err := m.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestImagined: whatever the position, what is imagined of a seat's view shows that
// seat the same view and asks it the same, obeys the rules of the cards, and is made
// from the view alone.
func TestImagined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := anywhereIn(t)
		for seat := range rules.Seat(2) {
			v := p.View(seat).(*View)
			enemy := p.sideOf(seat).Enemy()
			worlds := Game{}.Imagine(v)
			if len(worlds) < 2 {
				t.Fatalf("%d worlds", len(worlds))
			}
			in := map[Card]int{}
			for i, w := range worlds {
				q := w.(*Position)
				if one, two := bytesOf(t, v), bytesOf(t, w.View(seat)); !bytes.Equal(one, two) {
					t.Fatalf("world %d shows seat %d another view:\n%s\n%s", i, seat, one, two)
				}
				if err := q.conserved(); err != nil {
					t.Fatalf("world %d: %v", i, err)
				}
				if p.question.Side == p.sideOf(seat) && !slices.Equal(p.Choices(nil), q.Choices(nil)) {
					t.Fatalf("world %d asks seat %d another %v:\n%x\n%x", i, seat, p.question.Ask, p.Choices(nil), q.Choices(nil))
				}
				if a, b := p.struggle.Hands[enemy].len(), q.struggle.Hands[enemy].len(); a != b {
					t.Fatalf("world %d: the enemy holds %d power struggle cards, not %d", i, b, a)
				}
				if p.struggle.Country != NoCountry {
					for k := range StruggleCard(struggleKinds) {
						if n := q.struggle.Hands[0][k] + q.struggle.Hands[1][k] + q.struggle.Deck[k]; n > wholeStruggleDeck[k] {
							t.Fatalf("world %d has %d of %v", i, n, k)
						}
					}
				}
				for _, c := range cardsOf(q.piles[hand(enemy)]) {
					in[c]++
				}
			}
			open := p.question.Ask == AskGrant
			hidden := v.hiddenCards()
			need := p.piles[hand(enemy)].len() - v.told.len()
			for _, c := range hidden {
				certain := need == 0 || need == len(hidden) || open && redTitles.has(c)
				if n := in[c]; !certain && (n == 0 || n == len(worlds)) {
					t.Fatalf("card %d is in the enemy's hand in %d of %d worlds (%d of %d)", c, n, len(worlds), need, len(hidden))
				}
			}
		}
	})
}

// TestImagineThin: where the draw deck is nearly empty, no card is in the enemy's
// hand for certain.
func TestImagineThin(t *testing.T) {
	t.Parallel()
	p := middle(t, 3, 2, AskRound)
	side := p.question.Side
	deck := p.piles[PileDeck]
	for p.piles[PileDeck].len() > 2 {
		p.move(deck.next(), PileDeck, PileDiscard)
	}
	v := p.View(p.sits[side])
	worlds := Game{}.Imagine(v)
	for _, c := range v.(*View).hiddenCards() {
		n := 0
		for _, w := range worlds {
			if w.(*Position).piles[hand(side.Enemy())].has(c) {
				n++
			}
		}
		if n == 0 || n == len(worlds) {
			t.Errorf("card %d is in the enemy's hand in %d of %d worlds", c, n, len(worlds))
		}
	}
}

// TestImagineShown: once the enemy has shown his red titles (card 46), no other is
// imagined in his hand, and the question is the same in all that is imagined.
func TestImagineShown(t *testing.T) {
	t.Parallel()
	red := redTitles
	one := red.next()
	p := scene(t, Democrat, holds(Democrat, GoodbyeLenin, 14), holds(Communist, one, 36, 38), sp("Lodz", 0, 3))
	p = carry(t, p, nil, "PLAY 46 EVENT")
	if p.question.Ask != AskGrant {
		t.Fatalf("%v is asked", p.question.Ask)
	}
	for i, w := range (Game{}).Imagine(p.View(p.sits[Democrat])) {
		if got := w.(*Position).Choices(nil); fmt.Sprint(got) != fmt.Sprint(p.Choices(nil)) {
			t.Errorf("world %d: %x, not %x", i, got, p.Choices(nil))
		}
	}
}

// TestImagineTies: what depends on several hidden cards together is not the same in
// all that is imagined: who has the highest card of his hand twice (card 20).
func TestImagineTies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		p := middle(t, seed, 2, AskRound)
		side := p.question.Side
		tied, not := 0, 0
		for _, w := range (Game{}).Imagine(p.View(p.sits[side])) {
			if w.(*Position).highest(side.Enemy()).len() > 1 {
				tied++
			} else {
				not++
			}
		}
		if n := p.piles[hand(side.Enemy())].len(); n > 1 && (tied == 0 || not == 0) {
			t.Errorf("seed %d: %d tied, %d not, with %d cards", seed, tied, not, n)
		}
	}
}
