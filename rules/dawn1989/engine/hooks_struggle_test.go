package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// What the frame does in power struggles for cards whose events are missing.

// dealtOut plays a scoring card with seeded chance until somebody is asked, and
// returns what happened.
func dealtOut(t *testing.T, p *engine.Position, c engine.Card) []rules.Event {
	t.Helper()
	x := engine.Run{Chance: newDice(31)}
	if err := p.Decide(&x, engine.AtomPlay(c, engine.PlayEvent)); err != nil {
		t.Fatal(err)
	}
	return x.Events
}

// TestDealHooks holds cards 17, 72 and 102 against their edge cases.
func TestDealHooks(t *testing.T) {
	t.Parallel()
	// In each: spaces of the two sides, what is in force, and the hands after
	// the deal.
	for _, tt := range []struct {
		name     string
		c        engine.Card
		cards    []engine.Card
		put      []func(*engine.Position)
		dem, com int
		stays    []engine.Card
	}{
		{"card 17: two of the Communist's", engine.PolandScoring, []engine.Card{engine.RoundtableTalks}, []func(*engine.Position){sp("Lodz", 3, 0), sp("Warszawa", 0, 3)}, 8, 4, nil},
		{"card 17, edge case 2: of none nothing is taken, and the card is used up", engine.PolandScoring, []engine.Card{engine.RoundtableTalks},
			[]func(*engine.Position){sp("Lodz", 3, 0)}, 6, 0, nil},
		{"card 72: with a farmer space", engine.PolandScoring, []engine.Card{engine.PeasantPartiesRevolt}, []func(*engine.Position){sp("Lublin", 4, 0), sp("Warszawa", 0, 3)}, 7, 5,
			[]engine.Card{engine.PeasantPartiesRevolt}},
		{"card 72, edge case 3: without one", engine.PolandScoring, []engine.Card{engine.PeasantPartiesRevolt}, []func(*engine.Position){sp("Lodz", 3, 0), sp("Warszawa", 0, 3)}, 6, 6,
			[]engine.Card{engine.PeasantPartiesRevolt}},
		{"card 72, edge case 2: a farmer space of another country is none", engine.PolandScoring, []engine.Card{engine.PeasantPartiesRevolt},
			[]func(*engine.Position){sp("Lodz", 3, 0), sp("Szeged", 4, 0), sp("Warszawa", 0, 3)}, 6, 6, []engine.Card{engine.PeasantPartiesRevolt}},
		{"card 72, edge case 5: of none nothing is taken", engine.PolandScoring, []engine.Card{engine.RoundtableTalks, engine.PeasantPartiesRevolt}, []func(*engine.Position){sp("Lublin", 4, 0)}, 6, 0,
			[]engine.Card{engine.PeasantPartiesRevolt}},
		{"card 102: in Bulgaria", engine.BulgariaScoring, []engine.Card{engine.NationalSalvationFront}, []func(*engine.Position){sp("Varna", 3, 0), sp("Sofia", 0, 3)}, 4, 8, nil},
		{"card 102: in Romania", engine.RomaniaScoring, []engine.Card{engine.NationalSalvationFront}, []func(*engine.Position){sp("Iasi", 3, 0), sp("Galati", 0, 3)}, 4, 8, nil},
		{"card 102, edge case 2: not outside the Balkans", engine.HungaryScoring, []engine.Card{engine.NationalSalvationFront}, []func(*engine.Position){sp("Gyor", 3, 0), sp("Miskolc", 0, 3)}, 6, 6,
			[]engine.Card{engine.NationalSalvationFront}},
		{"card 102, edge case 5, ruling 25: of none nothing is taken, and the card is used up", engine.BulgariaScoring, []engine.Card{engine.NationalSalvationFront},
			[]func(*engine.Position){sp("Sofia", 0, 3)}, 0, 6, nil},
		{"card 102, edge case 6: a Communist who controls nothing can fight", engine.BulgariaScoring, []engine.Card{engine.NationalSalvationFront},
			[]func(*engine.Position){sp("Varna", 3, 0)}, 4, 2, nil},
		{"all three", engine.RomaniaScoring, []engine.Card{engine.RoundtableTalks, engine.PeasantPartiesRevolt, engine.NationalSalvationFront},
			[]func(*engine.Position){sp("Craiova", 4, 0), sp("Galati", 0, 3)}, 7, 5, []engine.Card{engine.PeasantPartiesRevolt}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, engine.Democrat, append(tt.put, holds(engine.Democrat, tt.c), lasting(tt.cards...))...)
			dealtOut(t, p, tt.c)
			h := &p.Struggle.Hands
			if d, c := h[engine.Democrat].Len(), h[engine.Communist].Len(); d != tt.dem || c != tt.com {
				t.Errorf("the hands have %d and %d cards, want %d and %d", d, c, tt.dem, tt.com)
			}
			for _, c := range tt.cards {
				want := engine.PileDiscard
				if c.Info().Asterisk {
					want = engine.PileRemoved
				}
				for _, s := range tt.stays {
					if s == c {
						want = engine.PileInPlay
					}
				}
				lies(t, p, c, want)
			}
			if got := h[engine.Democrat].Len() + h[engine.Communist].Len() + p.Struggle.Deck.Len(); got != 52 {
				t.Errorf("there are %d cards", got)
			}
		})
	}
	t.Run("rule 8.1.2: nobody has looked at what changes hands", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.RomaniaScoring), lasting(engine.RoundtableTalks, engine.PeasantPartiesRevolt, engine.NationalSalvationFront),
			sp("Craiova", 4, 0), sp("Galati", 0, 3))
		events := dealtOut(t, p, engine.RomaniaScoring)
		for s := engine.Democrat; s <= engine.Communist; s++ {
			// What a side is told of is its hand, and nothing besides.
			var told engine.Hand
			for _, e := range events {
				if e.Kind == engine.EvStruggleCard && e.Audience.Has(p.Sits[s]) && e.Args[1] != engine.HiddenStruggleCard {
					if engine.Side(e.Args[0]) != s {
						t.Errorf("the %v is told of the enemy's %v", s, engine.StruggleCard(e.Args[1]))
					}
					told[e.Args[1]]++
				}
			}
			if told != p.Struggle.Hands[s] {
				t.Errorf("the %v is told of %v, and holds %v", s, told.Names(), p.Struggle.Hands[s].Names())
			}
		}
		for _, e := range events {
			if e.Kind == engine.EvStruggleCard && e.Audience.Has(rules.Nobody) && e.Args[1] != engine.HiddenStruggleCard {
				t.Errorf("everybody is told of a %v", engine.StruggleCard(e.Args[1]))
			}
		}
	})
	t.Run("rule 8.1.2: a struggle that stalls in the deal shows nobody his cards", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring), lasting(engine.RoundtableTalks), sp("Lodz", 3, 0), sp("Warszawa", 0, 3))
		x := engine.Run{Chance: &some{dice: newDice(3), left: 9}}
		if err := p.Decide(&x, engine.AtomPlay(engine.PolandScoring, engine.PlayEvent)); err == nil || p.Struggle.Hands[engine.Communist].Len() != 5 {
			t.Fatalf("%v, %d cards", err, p.Struggle.Hands[engine.Communist].Len())
		}
		for _, seat := range []rules.Seat{0, 1, rules.Nobody} {
			data, err := json.Marshal(p.View(seat))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(data), `"hands":{"democrat":[],"communist":[]}`) {
				t.Errorf("seat %d sees cards: %s", seat, data)
			}
		}
		sameAfterStorage(t, p)
		x.Chance = newDice(4)
		if err := p.Go(&x); err != nil || p.Struggle.Hands[engine.Communist].Len() != 4 {
			t.Errorf("%v, %d cards", err, p.Struggle.Hands[engine.Communist].Len())
		}
	})
}

// some is chance that runs out.
type some struct {
	dice
	left int
}

func (s *some) Draw(d rules.Draw) (int, error) {
	if s.left--; s.left < 0 {
		return 0, rules.ErrNoOutcome
	}
	return s.dice.Draw(d)
}

// TestSecuritateHook holds Securitate against its edge cases.
func TestSecuritateHook(t *testing.T) {
	t.Parallel()
	shown := func(p *engine.Position, seat rules.Seat) (dem, com bool) {
		h := p.View(seat).(*engine.View).Seen.Struggle.Hands
		return h[engine.Democrat].Len() > 0, h[engine.Communist].Len() > 0
	}
	t.Run("card 70, edge cases 1 to 3: in Romania the Communist sees the Democrat's cards, and nobody else does", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.RomaniaScoring), lasting(engine.Securitate), sp("Iasi", 3, 0), sp("Galati", 0, 3))
		dealtOut(t, p, engine.RomaniaScoring)
		if d, c := shown(p, p.Sits[engine.Communist]); !d || !c {
			t.Error("the Communist does not see both hands")
		}
		if d, c := shown(p, p.Sits[engine.Democrat]); !d || c {
			t.Error("the Democrat does not see his own hand alone")
		}
		if d, c := shown(p, rules.Nobody); d || c {
			t.Error("spectators see hands")
		}
	})
	t.Run("card 70, edge case 3: not elsewhere", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.BulgariaScoring), lasting(engine.Securitate), sp("Varna", 3, 0), sp("Sofia", 0, 3))
		dealtOut(t, p, engine.BulgariaScoring)
		if d, _ := shown(p, p.Sits[engine.Communist]); d {
			t.Error("the Communist sees the Democrat's cards in Bulgaria")
		}
	})
}

// TestYakovlevHook holds Yakovlev Counsels Gorbachev against its edge cases.
func TestYakovlevHook(t *testing.T) {
	t.Parallel()
	t.Run("card 62, edge case 2: it counts for the 4 that takes Power", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, []any{1, 3}, hands{nil, []string{"Rally"}}, sp("Lodz", 3, 0), lasting(engine.Yakovlev))
		if p.Power[engine.Poland].Held != engine.Democrat {
			t.Error("3 + 1 does not topple")
		}
	})
	t.Run("card 62: when the Democrat loses there is no modifier, and it is used up", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"March-3"}, nil}, sp("Warszawa", 0, 3), lasting(engine.Yakovlev))
		p = carry(t, p, []any{1, 3}, "ATTACK March-3")
		hasVP(t, p, -1) // a modified 4 would be 2
		lies(t, carry(t, p, nil, "KEEP POWER"), engine.Yakovlev, engine.PileRemoved)
	})
	t.Run("card 62, edge case 3: with Petition, raises and the ends of the table", func(t *testing.T) {
		t.Parallel()
		p := engine.Position{Struggle: engine.Struggle{Raised: 2}}
		p.Effects.Cards.Add(engine.Yakovlev)
		if got := p.AftermathMod(engine.Democrat, engine.PetitionSuit); got != 1 {
			t.Errorf("-2 + 2 + 1 is %d", got)
		}
	})
}

// TestScoringCards holds the scoring cards against their edge cases.
func TestScoringCards(t *testing.T) {
	t.Parallel()
	for _, c := range engine.ScoringCards.List() {
		country := c.Info().Scoring
		t.Run(c.String()+": neither Ops, attempt, box 7, box 8 nor card 21", func(t *testing.T) {
			t.Parallel()
			p := scene(t, engine.Communist, holds(engine.Communist, c, 21), boxes(0, 7), sp("Lodz", 1, 1))
			for m := range engine.ModeNames {
				if offers(p, engine.AtomPlay(c, engine.Mode(m))) != (engine.Mode(m) == engine.PlayEvent) {
					t.Errorf("played as %v: %v", engine.ModeNames[m], offers(p, engine.AtomPlay(c, engine.Mode(m))))
				}
			}
		})
		t.Run(c.String()+": neither controls a space (ruling 32), the player loses", func(t *testing.T) {
			t.Parallel()
			p := carry(t, scene(t, engine.Democrat, holds(engine.Democrat, c)), []any{1, 1}, "PLAY "+number2(c)+" EVENT", "KEEP POWER")
			if p.Power[country].Held != engine.Communist || p.Power[country].Times != 1 {
				t.Errorf("Power is %+v", p.Power[country])
			}
			hasVP(t, p, -map[engine.Country]int{engine.EastGermany: 3, engine.Poland: 3, engine.Czechoslovakia: 2, engine.Hungary: 1, engine.Romania: 2, engine.Bulgaria: 1}[country])
			lies(t, p, c, engine.PileDiscard)
			mustAsk(t, p, engine.AskRound, engine.Communist)
			q := carry(t, scene(t, engine.Communist, holds(engine.Communist, c)), []any{1, 4}, "PLAY "+number2(c)+" EVENT")
			hasVP(t, q, 2)
			lies(t, q, c, engine.PileRemoved)
		})
		t.Run(c.String()+": the largest deal", func(t *testing.T) {
			t.Parallel()
			p := scene(t, engine.Communist, holds(engine.Communist, c))
			n := 0
			for s := engine.InCountry[country]; !s.Empty(); n++ {
				p.SetSupport(engine.Side(n%2), s.Next(), 9)
			}
			dealtOut(t, p, c)
			want := 12 + 2*(n-2)
			if got := p.Struggle.Hands[engine.Democrat].Len() + p.Struggle.Hands[engine.Communist].Len(); got != want || want > 36 {
				t.Errorf("%d cards are dealt for %d spaces, want %d", got, n, want)
			}
		})
	}
	t.Run("card 95, edge case 4: a destroyed battleground is not asked for Control", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, ruined("Iasi"))
		for s := engine.Battlegrounds.And(engine.InCountry[engine.Romania]).And(p.OnMap()); !s.Empty(); {
			p.SetSupport(engine.Communist, s.Next(), 9)
		}
		if l, n := p.Level(engine.Communist, engine.Romania); l != engine.Control || n != 5 {
			t.Errorf("%v with %d battlegrounds, want Control with 5", l, n)
		}
	})
	t.Run("card 42, edge case 8: lost points change the scoring", func(t *testing.T) {
		t.Parallel()
		// The Communist loses his only control to the support loss.
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.EastGermanyScoring), sp("Dresden", 0, 4), sp("East German Lutheran Church", 5, 0))
		var deal []any
		for range 4 {
			deal = append(deal, "Strike-4", "March-4")
		}
		deal = append(deal, "Strike-5", "March-3", "Strike-5", "March-3")
		p = carry(t, p, append(deal, 2, 1), "PLAY 42 EVENT", "PASS", "PASS", "ATTACK March-4", "SURRENDER POWER")
		has(t, p, "Dresden", 0, 3)
		hasVP(t, p, 3+1)
	})
}

func number2(c engine.Card) string { return engine.Source(c).String() }
