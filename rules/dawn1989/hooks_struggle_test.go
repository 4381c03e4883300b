package dawn1989

import (
	"encoding/json"
	"strings"
	"testing"

	"samizdat/rules"
)

// What the frame does in power struggles for cards whose events are missing.

// dealtOut plays a scoring card with seeded chance until somebody is asked, and
// returns what happened.
func dealtOut(t *testing.T, p *Position, c Card) []rules.Event {
	t.Helper()
	x := Run{Chance: newDice(31)}
	if err := p.Decide(&x, play(c, PlayEvent)); err != nil {
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
		c        Card
		cards    []Card
		put      []func(*Position)
		dem, com int
		stays    []Card
	}{
		{"card 17: two of the Communist's", PolandScoring, []Card{RoundtableTalks}, []func(*Position){sp("Lodz", 3, 0), sp("Warszawa", 0, 3)}, 8, 4, nil},
		{"card 17, edge case 2: of none nothing is taken, and the card is used up", PolandScoring, []Card{RoundtableTalks},
			[]func(*Position){sp("Lodz", 3, 0)}, 6, 0, nil},
		{"card 72: with a farmer space", PolandScoring, []Card{PeasantPartiesRevolt}, []func(*Position){sp("Lublin", 4, 0), sp("Warszawa", 0, 3)}, 7, 5,
			[]Card{PeasantPartiesRevolt}},
		{"card 72, edge case 3: without one", PolandScoring, []Card{PeasantPartiesRevolt}, []func(*Position){sp("Lodz", 3, 0), sp("Warszawa", 0, 3)}, 6, 6,
			[]Card{PeasantPartiesRevolt}},
		{"card 72, edge case 2: a farmer space of another country is none", PolandScoring, []Card{PeasantPartiesRevolt},
			[]func(*Position){sp("Lodz", 3, 0), sp("Szeged", 4, 0), sp("Warszawa", 0, 3)}, 6, 6, []Card{PeasantPartiesRevolt}},
		{"card 72, edge case 5: of none nothing is taken", PolandScoring, []Card{RoundtableTalks, PeasantPartiesRevolt}, []func(*Position){sp("Lublin", 4, 0)}, 6, 0,
			[]Card{PeasantPartiesRevolt}},
		{"card 102: in Bulgaria", BulgariaScoring, []Card{NationalSalvationFront}, []func(*Position){sp("Varna", 3, 0), sp("Sofia", 0, 3)}, 4, 8, nil},
		{"card 102: in Romania", RomaniaScoring, []Card{NationalSalvationFront}, []func(*Position){sp("Iasi", 3, 0), sp("Galati", 0, 3)}, 4, 8, nil},
		{"card 102, edge case 2: not outside the Balkans", HungaryScoring, []Card{NationalSalvationFront}, []func(*Position){sp("Gyor", 3, 0), sp("Miskolc", 0, 3)}, 6, 6,
			[]Card{NationalSalvationFront}},
		{"card 102, edge case 5, ruling 25: of none nothing is taken, and the card is used up", BulgariaScoring, []Card{NationalSalvationFront},
			[]func(*Position){sp("Sofia", 0, 3)}, 0, 6, nil},
		{"card 102, edge case 6: a Communist who controls nothing can fight", BulgariaScoring, []Card{NationalSalvationFront},
			[]func(*Position){sp("Varna", 3, 0)}, 4, 2, nil},
		{"all three", RomaniaScoring, []Card{RoundtableTalks, PeasantPartiesRevolt, NationalSalvationFront},
			[]func(*Position){sp("Craiova", 4, 0), sp("Galati", 0, 3)}, 7, 5, []Card{PeasantPartiesRevolt}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, Democrat, append(tt.put, holds(Democrat, tt.c), lasting(tt.cards...))...)
			dealtOut(t, p, tt.c)
			h := &p.struggle.Hands
			if d, c := h[Democrat].len(), h[Communist].len(); d != tt.dem || c != tt.com {
				t.Errorf("the hands have %d and %d cards, want %d and %d", d, c, tt.dem, tt.com)
			}
			for _, c := range tt.cards {
				want := PileDiscard
				if c.Info().Asterisk {
					want = PileRemoved
				}
				for _, s := range tt.stays {
					if s == c {
						want = PileInPlay
					}
				}
				lies(t, p, c, want)
			}
			if got := h[Democrat].len() + h[Communist].len() + p.struggle.Deck.len(); got != 52 {
				t.Errorf("there are %d cards", got)
			}
		})
	}
	t.Run("rule 8.1.2: nobody has looked at what changes hands", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, RomaniaScoring), lasting(RoundtableTalks, PeasantPartiesRevolt, NationalSalvationFront),
			sp("Craiova", 4, 0), sp("Galati", 0, 3))
		events := dealtOut(t, p, RomaniaScoring)
		for s := Democrat; s <= Communist; s++ {
			// What a side is told of is its hand, and nothing besides.
			var told Hand
			for _, e := range events {
				if e.Kind == EvStruggleCard && e.Audience.Has(p.sits[s]) && e.Args[1] != hiddenStruggleCard {
					if Side(e.Args[0]) != s {
						t.Errorf("the %v is told of the enemy's %v", s, StruggleCard(e.Args[1]))
					}
					told[e.Args[1]]++
				}
			}
			if told != p.struggle.Hands[s] {
				t.Errorf("the %v is told of %v, and holds %v", s, told.names(), p.struggle.Hands[s].names())
			}
		}
		for _, e := range events {
			if e.Kind == EvStruggleCard && e.Audience.Has(rules.Nobody) && e.Args[1] != hiddenStruggleCard {
				t.Errorf("everybody is told of a %v", StruggleCard(e.Args[1]))
			}
		}
	})
	t.Run("rule 8.1.2: a struggle that stalls in the deal shows nobody his cards", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, PolandScoring), lasting(RoundtableTalks), sp("Lodz", 3, 0), sp("Warszawa", 0, 3))
		x := Run{Chance: &some{dice: newDice(3), left: 9}}
		if err := p.Decide(&x, play(PolandScoring, PlayEvent)); err == nil || p.struggle.Hands[Communist].len() != 5 {
			t.Fatalf("%v, %d cards", err, p.struggle.Hands[Communist].len())
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
		if err := p.Go(&x); err != nil || p.struggle.Hands[Communist].len() != 4 {
			t.Errorf("%v, %d cards", err, p.struggle.Hands[Communist].len())
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
	shown := func(p *Position, seat rules.Seat) (dem, com bool) {
		h := p.View(seat).(*View).p.struggle.Hands
		return h[Democrat].len() > 0, h[Communist].len() > 0
	}
	t.Run("card 70, edge cases 1 to 3: in Romania the Communist sees the Democrat's cards, and nobody else does", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, RomaniaScoring), lasting(Securitate), sp("Iasi", 3, 0), sp("Galati", 0, 3))
		dealtOut(t, p, RomaniaScoring)
		if d, c := shown(p, p.sits[Communist]); !d || !c {
			t.Error("the Communist does not see both hands")
		}
		if d, c := shown(p, p.sits[Democrat]); !d || c {
			t.Error("the Democrat does not see his own hand alone")
		}
		if d, c := shown(p, rules.Nobody); d || c {
			t.Error("spectators see hands")
		}
	})
	t.Run("card 70, edge case 3: not elsewhere", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, BulgariaScoring), lasting(Securitate), sp("Varna", 3, 0), sp("Sofia", 0, 3))
		dealtOut(t, p, BulgariaScoring)
		if d, _ := shown(p, p.sits[Communist]); d {
			t.Error("the Communist sees the Democrat's cards in Bulgaria")
		}
	})
}

// TestYakovlevHook holds Yakovlev Counsels Gorbachev against its edge cases.
func TestYakovlevHook(t *testing.T) {
	t.Parallel()
	t.Run("card 62, edge case 2: it counts for the 4 that takes Power", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, []any{1, 3}, hands{nil, []string{"Rally"}}, sp("Lodz", 3, 0), lasting(Yakovlev))
		if p.power[Poland].Held != Democrat {
			t.Error("3 + 1 does not topple")
		}
	})
	t.Run("card 62: when the Democrat loses there is no modifier, and it is used up", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"March-3"}, nil}, sp("Warszawa", 0, 3), lasting(Yakovlev))
		p = carry(t, p, []any{1, 3}, "ATTACK March-3")
		hasVP(t, p, -1) // a modified 4 would be 2
		lies(t, carry(t, p, nil, "KEEP POWER"), Yakovlev, PileRemoved)
	})
	t.Run("card 62, edge case 3: with Petition, raises and the ends of the table", func(t *testing.T) {
		t.Parallel()
		st := Struggle{Won: PetitionSuit, Winner: Democrat, Raised: 2}
		if got := st.modifier(true); got != 1 {
			t.Errorf("-2 + 2 + 1 is %d", got)
		}
	})
}

// TestScoringCards holds the scoring cards against their edge cases.
func TestScoringCards(t *testing.T) {
	t.Parallel()
	for _, c := range scoringCards.cards() {
		country := c.Info().Scoring
		t.Run(c.String()+": neither Ops, attempt, box 7, box 8 nor card 21", func(t *testing.T) {
			t.Parallel()
			p := scene(t, Communist, holds(Communist, c, 21), boxes(0, 7), sp("Lodz", 1, 1))
			for m := range modeNames {
				if offers(p, play(c, Mode(m))) != (Mode(m) == PlayEvent) {
					t.Errorf("played as %v: %v", modeNames[m], offers(p, play(c, Mode(m))))
				}
			}
		})
		t.Run(c.String()+": neither controls a space (ruling 32), the player loses", func(t *testing.T) {
			t.Parallel()
			p := carry(t, scene(t, Democrat, holds(Democrat, c)), []any{1, 1}, "PLAY "+number2(c)+" EVENT", "KEEP POWER")
			if p.power[country].Held != Communist || p.power[country].Times != 1 {
				t.Errorf("Power is %+v", p.power[country])
			}
			hasVP(t, p, -map[Country]int{EastGermany: 3, Poland: 3, Czechoslovakia: 2, Hungary: 1, Romania: 2, Bulgaria: 1}[country])
			lies(t, p, c, PileDiscard)
			mustAsk(t, p, AskRound, Communist)
			q := carry(t, scene(t, Communist, holds(Communist, c)), []any{1, 4}, "PLAY "+number2(c)+" EVENT")
			hasVP(t, q, 2)
			lies(t, q, c, PileRemoved)
		})
		t.Run(c.String()+": the largest deal", func(t *testing.T) {
			t.Parallel()
			p := scene(t, Communist, holds(Communist, c))
			n := 0
			for s := inCountry[country]; !s.empty(); n++ {
				p.set(Side(n%2), s.next(), 9)
			}
			dealtOut(t, p, c)
			want := 12 + 2*(n-2)
			if got := p.struggle.Hands[Democrat].len() + p.struggle.Hands[Communist].len(); got != want || want > 36 {
				t.Errorf("%d cards are dealt for %d spaces, want %d", got, n, want)
			}
		})
	}
	t.Run("card 95, edge case 4: a destroyed battleground is not asked for Control", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, ruined("Iasi"))
		for s := battlegrounds.and(inCountry[Romania]).and(p.onMap()); !s.empty(); {
			p.set(Communist, s.next(), 9)
		}
		if l, n := p.level(Communist, Romania); l != Control || n != 5 {
			t.Errorf("%v with %d battlegrounds, want Control with 5", l, n)
		}
	})
	t.Run("card 42, edge case 8: lost points change the scoring", func(t *testing.T) {
		t.Parallel()
		// The Communist loses his only control to the support loss.
		p := scene(t, Democrat, holds(Democrat, EastGermanyScoring), sp("Dresden", 0, 4), sp("East German Lutheran Church", 5, 0))
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

func number2(c Card) string { return Source(c).String() }
