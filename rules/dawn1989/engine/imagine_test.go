package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

func init() { long.Checks(40) }

// anywhereIn plays a match with the sensible robots, or with options taken at
// random now and then, and returns a position in its middle.
func anywhereIn(t *rapid.T) *engine.Position {
	seed := rapid.Uint64Range(0, 1<<20).Draw(t, "seed")
	steps := rapid.IntRange(1, 600).Draw(t, "steps")
	wild := rapid.IntRange(0, 4).Draw(t, "wild")
	d := newDice(seed)
	p := engine.NewPositionBy(revisionOf(seed))
	r := &engine.Run{Chance: d}
	if err := p.Advance(r); err != nil {
		t.Fatal(err)
	}
	robot, err := dawn1989.Game().Robot("sensible", 0)
	if err != nil {
		t.Fatal(err)
	}
	last := *p
	for range steps {
		options := p.LegalAtoms(nil)
		if len(options) == 0 {
			break
		}
		if !p.Question.Midway && p.Question.Given == 0 {
			last = *p
		}
		a := options[d.r.IntN(len(options))]
		if d.r.IntN(5) >= wild {
			a = robot.Choose(func() rules.View { return p.View(p.SeatOfSide[p.Question.Side]) }, p.OpenDecisions(nil)[0], options)
		}
		r.Events = r.Events[:0]
		if err := p.Decide(r, a); err != nil {
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
			v := p.View(seat).(*engine.View)
			enemy := p.SideOf(seat).Enemy()
			positions := dawn1989.Game().Imagine(v)
			if len(positions) < 2 {
				t.Fatalf("%d worlds", len(positions))
			}
			in := map[engine.Card]int{}
			one := bytesOf(t, v)
			for i, w := range positions {
				q := w.(*engine.Position)
				if two := bytesOf(t, w.View(seat)); !bytes.Equal(one, two) {
					t.Fatalf("world %d shows seat %d another view:\n%s\n%s", i, seat, one, two)
				}
				if err := q.Conserved(); err != nil {
					t.Fatalf("world %d: %v", i, err)
				}
				if p.Question.Side == p.SideOf(seat) && !slices.Equal(p.LegalAtoms(nil), q.LegalAtoms(nil)) {
					t.Fatalf("world %d asks seat %d another %v:\n%x\n%x", i, seat, p.Question.Kind, p.LegalAtoms(nil), q.LegalAtoms(nil))
				}
				if a, b := p.Struggle.Hands[enemy].Len(), q.Struggle.Hands[enemy].Len(); a != b {
					t.Fatalf("world %d: the enemy holds %d power struggle cards, not %d", i, b, a)
				}
				if p.Struggle.Country != engine.NoCountry {
					for k := range engine.StruggleCard(engine.StruggleKinds) {
						if n := q.Struggle.Hands[0][k] + q.Struggle.Hands[1][k] + q.Struggle.Deck[k]; n > engine.WholeStruggleDeck[k] {
							t.Fatalf("world %d has %d of %v", i, n, k)
						}
					}
				}
				for _, c := range q.Piles[engine.HandPile(enemy)].List() {
					in[c]++
				}
			}
			isOpen := p.Question.Kind == engine.AskGrant
			hidden := v.HiddenCards()
			need := p.Piles[engine.HandPile(enemy)].Len() - v.KnownEnemyCards.Len()
			for _, c := range hidden {
				certain := need == 0 || need == len(hidden) || isOpen && engine.RedTitles.Has(c)
				if n := in[c]; !certain && (n == 0 || n == len(positions)) {
					t.Fatalf("card %d is in the enemy's hand in %d of %d worlds (%d of %d)", c, n, len(positions), need, len(hidden))
				}
			}
		}
	})
}

// TestImagineThin: where the draw deck is nearly empty, no card is in the enemy's
// hand for certain.
func TestImagineThin(t *testing.T) {
	t.Parallel()
	p := middle(t, 3, 2, engine.AskRound)
	side := p.Question.Side
	deck := p.Piles[engine.PileDeck]
	for p.Piles[engine.PileDeck].Len() > 2 {
		p.Move(deck.Next(), engine.PileDeck, engine.PileDiscard)
	}
	v := p.View(p.SeatOfSide[side])
	positions := dawn1989.Game().Imagine(v)
	for _, c := range v.(*engine.View).HiddenCards() {
		n := 0
		for _, w := range positions {
			if w.(*engine.Position).Piles[engine.HandPile(side.Enemy())].Has(c) {
				n++
			}
		}
		if n == 0 || n == len(positions) {
			t.Errorf("card %d is in the enemy's hand in %d of %d worlds", c, n, len(positions))
		}
	}
}

// TestImagineShown: once the enemy has shown his red titles (card 46), no other is
// imagined in his hand, and the question is the same in all that is imagined.
func TestImagineShown(t *testing.T) {
	t.Parallel()
	red := engine.RedTitles
	one := red.Next()
	p := scene(t, engine.Democrat, holds(engine.Democrat, engine.GoodbyeLenin, 14), holds(engine.Communist, one, 36, 38), sp("Lodz", 0, 3))
	p = carry(t, p, nil, "PLAY 46 EVENT")
	if p.Question.Kind != engine.AskGrant {
		t.Fatalf("%v is asked", p.Question.Kind)
	}
	for i, w := range dawn1989.Game().Imagine(p.View(p.SeatOfSide[engine.Democrat])) {
		if got := w.(*engine.Position).LegalAtoms(nil); fmt.Sprint(got) != fmt.Sprint(p.LegalAtoms(nil)) {
			t.Errorf("world %d: %x, not %x", i, got, p.LegalAtoms(nil))
		}
	}
}

// TestImagineTies: what depends on several hidden cards together is not the same in
// all that is imagined: who has the highest card of his hand twice (card 20).
func TestImagineTies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		p := middle(t, seed, 2, engine.AskRound)
		side := p.Question.Side
		tied, not := 0, 0
		for _, w := range dawn1989.Game().Imagine(p.View(p.SeatOfSide[side])) {
			if w.(*engine.Position).Highest(side.Enemy()).Len() > 1 {
				tied++
			} else {
				not++
			}
		}
		if n := p.Piles[engine.HandPile(side.Enemy())].Len(); n > 1 && (tied == 0 || not == 0) {
			t.Errorf("seed %d: %d tied, %d not, with %d cards", seed, tied, not, n)
		}
	}
}

// TestRashExactly: what has to be confirmed is an answer after which a Scoring Card
// cannot be got rid of any more, where another answer would have left a way.
func TestRashExactly(t *testing.T) {
	t.Parallel()
	poland, hungary := engine.ScoringCardOf[engine.Poland], engine.ScoringCardOf[engine.Hungary]
	round := func(n int8) func(p *engine.Position) { return func(p *engine.Position) { p.Round = n } }
	extra := func(p *engine.Position) { p.Effects.ExtraRound = true }
	announced := func(c engine.Card) func(p *engine.Position) {
		return func(p *engine.Position) { p.Effects.AnnouncedCard = c }
	}
	for name, test := range map[string]struct {
		p     *engine.Position
		order string
		want  bool
	}{
		"the last round":          {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", true},
		"the last round, scoring": {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, 14)), "PLAY 22 EVENT", false},
		"a round is left":         {scene(t, engine.Communist, round(6), holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", false},
		"nothing held":            {scene(t, engine.Communist, round(7), holds(engine.Communist, 14)), "PLAY 14 EVENT", false},
		"two, and lost anyway":    {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, hungary, 14)), "PLAY 14 EVENT", false},
		"two, in time":            {scene(t, engine.Communist, round(6), holds(engine.Communist, poland, hungary, 14)), "PLAY 14 EVENT", true},
		"an eighth round":         {scene(t, engine.Communist, round(7), extra, holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", false},
		"not the Democrat's":      {scene(t, engine.Democrat, round(7), extra, holds(engine.Democrat, poland, 14)), "PLAY 14 EVENT", true},
		"card 15 gives it":        {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.Honecker)), "PLAY 15 EVENT", false},
		"card 15 for Ops":         {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.Honecker)), "PLAY 15 OPS TIANANMEN", true},
		"card 15, the Democrat's": {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.Honecker)), "PLAY 15 OPS EVENT FIRST", true},
		"card 75 may exchange":    {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.ExitVisas)), "PLAY 75 EVENT", false},
		"card 75 for Ops":         {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.ExitVisas)), "PLAY 75 OPS TIANANMEN", true},
		"card 75, the enemy's":    {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.ExitVisas)), "PLAY 75 OPS EVENT FIRST", true},
		"card 77 puts one aside":  {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.Samizdat)), "PLAY 77 EVENT", false},
		"card 77 and two":         {scene(t, engine.Democrat, round(6), holds(engine.Democrat, poland, hungary, engine.Samizdat)), "PLAY 77 EVENT", false},
		"General Strike":          {scene(t, engine.Communist, round(7), lasting(engine.GeneralStrike), holds(engine.Communist, poland, 14)), "PLAY 14 STRIKE", true},
		"General Strike, scoring": {scene(t, engine.Communist, round(7), lasting(engine.GeneralStrike), holds(engine.Communist, poland, 14)), "PLAY 22 EVENT", false},
		"Stasi leaves no choice":  {scene(t, engine.Democrat, round(7), lasting(engine.Stasi), announced(14), holds(engine.Democrat, poland, 14)), "PLAY 14 EVENT", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.p.Question.Kind == engine.AskNothing {
				t.Fatal("nothing is asked")
			}
			d := test.p.OpenDecisions(nil)[0]
			o := written(t, test.p, test.order)
			reason := dawn1989.Game().Warning(test.p.View(d.Seat), d, o)
			if (reason != "") != test.want {
				t.Errorf("%s: %q", test.order, reason)
			}
		})
	}
}

// TestRashInEvents: whoever plays card 75 or 77 with a Scoring Card in hand, or takes
// one for box 3, is asked to confirm what leaves him with it.
func TestRashInEvents(t *testing.T) {
	t.Parallel()
	poland := engine.ScoringCardOf[engine.Poland]
	last := func(p *engine.Position) { p.Round = 7 }
	for _, test := range []struct {
		p     *engine.Position
		begin string
		order string
		want  bool
	}{
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14", true},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14, 22", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "PASS", true},
		{scene(t, engine.Democrat, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "PASS", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 14", true},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 22", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "PASS", true},
	} {
		p := carry(t, test.p, nil, test.begin)
		d := p.OpenDecisions(nil)[0]
		if reason := dawn1989.Game().Warning(p.View(d.Seat), d, written(t, p, test.order)); (reason != "") != test.want {
			t.Errorf("%s, %s: %q", test.begin, test.order, reason)
		}
	}
	for _, test := range []struct {
		round int8
		order string
		want  bool
	}{{7, "TAKE 22", true}, {7, "TAKE 40", false}, {6, "TAKE 22", false}} {
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), func(p *engine.Position) { p.Round = test.round })
		x := engine.Run{Chance: &script{t, []any{6, poland, engine.Card(40), engine.Card(12)}}}
		if err := p.Decide(&x, engine.PlayAtom(14, engine.PlayTiananmen)); err != nil {
			t.Fatal(err)
		}
		d := p.OpenDecisions(nil)[0]
		if reason := dawn1989.Game().Warning(p.View(d.Seat), d, written(t, p, test.order)); (reason != "") != test.want {
			t.Errorf("box 3 in round %d, %s: %q", test.round, test.order, reason)
		}
	}
}

// written reads an order as atoms.
func written(t *testing.T, p *engine.Position, text string) []rules.Atom {
	t.Helper()
	o, err := parser().ParseOrder(text)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := dawn1989.Game().Answers(o, p.OpenDecisions(nil))
	if err != nil {
		t.Fatal(err)
	}
	return answers[0].Atoms
}
