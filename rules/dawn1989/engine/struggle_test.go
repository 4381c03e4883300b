package engine_test

import (
	"fmt"
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// hands are the power struggle cards of a test: the Communist's, then the
// Democrat's.
type hands struct{ c, d []string }

// struggling begins a power struggle in Poland, played by the Communist, with
// the hands of the test. Both sides control as many spaces as their hands need.
func struggling(t *testing.T, chance []any, h hands, changes ...func(*engine.Position)) *engine.Position {
	t.Helper()
	p := scene(t, engine.Communist, append([]func(*engine.Position){holds(engine.Communist, 22)}, changes...)...)
	r := engine.NewRun(p, &script{t, chance})
	r.Close()
	p.Move(22, engine.PileCommunist, engine.PileTable)
	f := r.Push(engine.Frame{Proc: engine.ProcEvent, Card: 22, Side: engine.Communist, Source: 22})
	f.Step = 1
	f = r.Push(engine.Frame{Proc: engine.ProcStruggle, Card: 22, Side: engine.Communist, Country: engine.Poland, Step: engine.StruggleStakes})
	struggle := &p.Struggle
	*struggle = engine.Struggle{Country: engine.Poland, StartedBy: engine.Communist, Attacker: engine.Communist, Deck: engine.WholeStruggleDeck, Winner: engine.Neutral}
	for side, names := range map[engine.Side][]string{engine.Communist: h.c, engine.Democrat: h.d} {
		for _, n := range names {
			k, ok := engine.StruggleCardByName[n]
			if !ok {
				t.Fatalf("no struggle card %q", n)
			}
			struggle.Hands[side][k]++
			struggle.Deck[k]--
		}
	}
	if f.Step != engine.StruggleStakes {
		t.Fatal("not at the stakes")
	}
	if err := p.Advance(r); err != nil {
		t.Fatal(err)
	}
	return p
}

// bothHold gives each side spaces in Poland of every type that leaders need,
// less the types left out.
func bothHold(p *engine.Position) {
	for _, s := range []string{"Bydgoszcz", "Warszawa", "Lodz"} {
		sp(s, 0, 9)(p)
	}
	for _, s := range []string{"Krakow", "Polish Catholic Church", "Polish Writers"} {
		sp(s, 9, 0)(p)
	}
}

// TestDeal holds the deal against rule 8.1.
func TestDeal(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 6, 2: 8, 3: 10, 4: 12} {
		if got := engine.StruggleHandSize(n); got != want {
			t.Errorf("%d spaces: %d cards, want %d", n, got, want)
		}
	}
	n := engine.WholeStruggleDeck
	if n.Len() != 52 {
		t.Errorf("the deck has %d cards", n.Len())
	}
	t.Run("the Communist first, alternating, then the rest", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 22), sp("Krakow", 3, 0), sp("Lodz", 3, 0), sp("Warszawa", 0, 3))
		var chance []any
		for range 6 {
			chance = append(chance, "Strike-3", "March-4")
			if len(chance) == 8 {
				chance[6], chance[7] = "Strike-4", "Petition-5"
			}
			if len(chance) > 8 {
				chance[len(chance)-2], chance[len(chance)-1] = "Petition-6", "Rally"
			}
		}
		chance[10] = "Strike-5" // only 3 Petitions of 6
		chance = append(chance, "Rally", "Rally")
		p = carry(t, p, chance, "PLAY 22 EVENT")
		h := p.Struggle.Hands
		if h[engine.Communist].Len() != 6 || h[engine.Democrat].Len() != 8 {
			t.Errorf("%d and %d cards, want 6 and 8", h[engine.Communist].Len(), h[engine.Democrat].Len())
		}
		if h[engine.Communist][engine.StruggleCardByName["Strike-3"]] != 3 || h[engine.Democrat][engine.Rally] != 4 {
			t.Errorf("the hands are %v and %v", h[engine.Communist].Names(), h[engine.Democrat].Names())
		}
		mustAsk(t, p, engine.AskStakes, engine.Democrat)
	})
	t.Run("cards 17, 72, 102 move cards before anybody looks", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 43), lasting(engine.RoundtableTalks, engine.PeasantPartiesRevolt, engine.NationalSalvationFront),
			sp("Sofia", 0, 3), sp("Pleven", 4, 0))
		chance := []any{"Strike-3", "March-3", "Strike-3", "March-3", "Strike-3", "March-3", "Strike-3", "March-3", "Strike-4", "March-4", "Strike-4", "March-4",
			"Strike-3", "Strike-3", "Strike-4", "March-3", "March-3"}
		p = carry(t, p, chance, "PLAY 43 EVENT")
		h := p.Struggle.Hands
		// 6 and 6; 2 to the Democrat, 1 to the Democrat (Pleven), 2 to the Communist.
		if h[engine.Communist].Len() != 5 || h[engine.Democrat].Len() != 7 {
			t.Errorf("%d and %d cards, want 5 and 7", h[engine.Communist].Len(), h[engine.Democrat].Len())
		}
		lies(t, p, engine.RoundtableTalks, engine.PileDiscard)
		lies(t, p, engine.NationalSalvationFront, engine.PileRemoved)
		lies(t, p, engine.PeasantPartiesRevolt, engine.PileInPlay) // until the struggle is over
	})
}

// TestStruggle holds the card play against rule 8.3.
func TestStruggle(t *testing.T) {
	t.Parallel()
	remaining := []any{1, 1} // the dice of an aftermath that is not looked at
	t.Run("rule 8.2: any three cards, the player of the scoring card first", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Rally", "Rally", "March-3", "Strike-3"}, []string{"Rally", "Strike-4", "March-5"}}, bothHold)
		mustAsk(t, p, engine.AskStakes, engine.Communist)
		mustRefuse(t, p, "RAISE Rally, Rally")
		mustRefuse(t, p, "RAISE Rally, Rally, Petition-5")
		p = carry(t, p, nil, "RAISE Rally, Rally, March-3")
		mustAsk(t, p, engine.AskStakes, engine.Democrat)
		p = carry(t, p, nil, "RAISE Rally, Strike-4, March-5")
		if p.Struggle.Stakes != 2 {
			t.Errorf("raised %d times, want 2", p.Struggle.Stakes)
		}
		mustAsk(t, p, engine.AskAttack, engine.Communist)
	})
	t.Run("rule 8.2: with fewer than three cards nobody is asked", func(t *testing.T) {
		t.Parallel()
		mustAsk(t, struggling(t, nil, hands{[]string{"Rally", "Strike-3"}, []string{"Rally"}}, bothHold), engine.AskAttack, engine.Communist)
	})
	t.Run("the same suit matches; the die takes the initiative from the attack's rank on", func(t *testing.T) {
		t.Parallel()
		for die, attacker := range map[int]engine.Side{4: engine.Communist, 5: engine.Democrat} {
			p := struggling(t, nil, hands{[]string{"Strike-5", "Rally"}, []string{"Strike-3", "Rally"}}, bothHold)
			p = carry(t, p, nil, "ATTACK Strike-5")
			mustRefuse(t, p, "DEFEND Rally")
			p = carry(t, p, []any{die}, "DEFEND Strike-3")
			mustAsk(t, p, engine.AskAttack, attacker)
		}
	})
	t.Run("rank 1 passes without a die", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Rally", "Strike-3"}, []string{"Rally", "March-3"}}, bothHold)
		mustAsk(t, carry(t, p, nil, "ATTACK Rally", "DEFEND Rally"), engine.AskAttack, engine.Democrat)
	})
	t.Run("a leader needs a controlled space of its type, and names its suit", func(t *testing.T) {
		t.Parallel()
		// The Communist has Bydgoszcz (elite) and workers, no writers.
		p := struggling(t, nil, hands{[]string{"Elite Leader", "Intellectual Leader"}, []string{"Intellectual Leader", "Elite Leader", "Rally"}}, bothHold)
		p = carry(t, p, nil, "PASS")
		mustRefuse(t, p, "ATTACK Intellectual Leader AS Rally")
		mustRefuse(t, p, "ATTACK Elite Leader")
		p = carry(t, p, nil, "ATTACK Elite Leader AS March")
		mustRefuse(t, p, "DEFEND Elite Leader")
		// A leader keeps rank 3, also for a counterattack against a Rally.
		mustAsk(t, carry(t, p, []any{3}, "DEFEND Intellectual Leader"), engine.AskAttack, engine.Democrat)
	})
	t.Run("ruling 30: a leader as Rally keeps rank 3", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Elite Leader", "Strike-3"}, []string{"Rally", "Strike-3"}}, bothHold)
		mustAsk(t, carry(t, p, []any{2}, "ATTACK Elite Leader AS Rally", "DEFEND Rally"), engine.AskAttack, engine.Communist)
	})
	t.Run("Tactic Fails bans the suit for both, leaders included, and the attacker goes on", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Strike-5", "Strike-3", "Elite Leader"}, []string{"Tactic Fails", "Strike-4"}}, bothHold)
		mustRefuse(t, p, "ATTACK Tactic Fails")
		p = carry(t, p, nil, "PASS", "ATTACK Strike-5", "DEFEND Tactic Fails")
		mustAsk(t, p, engine.AskAttack, engine.Communist)
		mustRefuse(t, p, "ATTACK Strike-3")
		mustRefuse(t, p, "ATTACK Elite Leader AS Strike")
	})
	t.Run("Tactic Fails cannot lead", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, []any{1, 4}, hands{[]string{"Tactic Fails"}, []string{"Rally"}}, bothHold)
		if p.Power[engine.Poland].Holder != engine.Democrat {
			t.Error("an attacker with Tactic Fails alone has not lost")
		}
	})
	t.Run("Support Falters: two at random, no reply, the initiative passes", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Support Falters", "Rally"}, []string{"Rally", "Strike-3"}}, bothHold)
		p = carry(t, p, append([]any{"Rally", "Strike-3"}, remaining...), "ATTACK Support Falters")
		if p.Struggle.Country != engine.NoCountry && p.Question.Kind == engine.AskDefend {
			t.Error("a reply is asked")
		}
	})
	t.Run("Support Surges: two more", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Support Surges", "Rally"}, []string{"Rally"}}, bothHold)
		p = carry(t, p, []any{"March-6", "March-5"}, "ATTACK Support Surges")
		mustAsk(t, p, engine.AskAttack, engine.Democrat)
		if n := p.Struggle.Hands[engine.Communist].Len(); n != 3 {
			t.Errorf("the attacker has %d cards, want 3", n)
		}
	})
	t.Run("Scare Tactics: one enemy point in the country", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Scare Tactics", "Rally"}, []string{"Rally"}}, bothHold, sp("Praha", 2, 0))
		mustRefuse(t, p, "ATTACK Scare Tactics")
		mustRefuse(t, p, "ATTACK Scare Tactics IN Praha")
		p = carry(t, p, nil, "ATTACK Scare Tactics IN Krakow")
		has(t, p, "Krakow", 8, 0)
		mustAsk(t, p, engine.AskAttack, engine.Democrat)
	})
	t.Run("an impossible defence ends the struggle at once; conceding is always allowed", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"March-3"}, []string{"Strike-3"}}, bothHold)
		p = carry(t, p, []any{1, 1}, "ATTACK March-3")
		mustAsk(t, p, engine.AskPower, engine.Communist)
		p = struggling(t, nil, hands{[]string{"March-3"}, []string{"March-4"}}, bothHold)
		carry(t, p, []any{1, 1}, "ATTACK March-3", "CONCEDE")
	})
	t.Run("an attacker without a legal card loses, with no suit", func(t *testing.T) {
		t.Parallel()
		// The Democrat takes the initiative with his last card. The Communist
		// wins with no suit: 4 stays 4, without a Rally's +2.
		p := struggling(t, nil, hands{[]string{"Rally"}, []string{"Rally"}}, bothHold)
		p = carry(t, p, []any{1, 4}, "ATTACK Rally", "DEFEND Rally")
		hasVP(t, p, -2)
		mustAsk(t, p, engine.AskPower, engine.Communist)
	})
	t.Run("ruling 31: an attacker without cards", func(t *testing.T) {
		t.Parallel()
		// Fails at the attack, before any question; the dice are asked at once.
		p := scene(t, engine.Communist, holds(engine.Communist, 22), sp("Krakow", 3, 0))
		chance := []any{"Rally", "Rally", "Rally", "Strike-3", "Strike-3", "Strike-3"}
		p = carry(t, p, append(chance, 1, 4), "PLAY 22 EVENT", "PASS")
		if p.Power[engine.Poland].Holder != engine.Democrat {
			t.Error("4 without a modifier does not topple")
		}
	})
	t.Run("ruling 32: neither controls a space: the player loses", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, engine.Communist, holds(engine.Communist, 22)), []any{1, 4}, "PLAY 22 EVENT")
		if p.Power[engine.Poland].Holder != engine.Democrat {
			t.Error("the Democrat has not won")
		}
	})
}

// TestAftermath holds the aftermath against rule 8.4.
func TestAftermath(t *testing.T) {
	t.Parallel()
	t.Run("the modifiers", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			suit   engine.Suit
			raised int8
			winner engine.Side
			yak    bool
			want   int
		}{
			{engine.NoSuit, 0, engine.Communist, false, 0}, {engine.PetitionSuit, 0, engine.Communist, false, -2}, {engine.RallySuit, 0, engine.Democrat, false, 2},
			{engine.StrikeSuit, 2, engine.Democrat, false, 2}, {engine.MarchSuit, 1, engine.Democrat, true, 2}, {engine.MarchSuit, 0, engine.Communist, true, 0},
		} {
			p := engine.Position{Struggle: engine.Struggle{Stakes: tt.raised}}
			if tt.yak {
				p.Effects.Cards.Add(engine.Yakovlev)
			}
			if got := p.AftermathModifier(tt.winner, tt.suit); got != tt.want {
				t.Errorf("%+v: %d", tt, got)
			}
		}
	})
	t.Run("the table, clamped at both ends", func(t *testing.T) {
		t.Parallel()
		// The Democrat wins by conceded attacks. The rank is no matter; the suit
		// and the stakes shift the dice from -1 to 10.
		for _, tt := range []struct {
			suit string
			die  int
			loss int
			vp   int
		}{
			{"Petition-5", 1, 0, 0}, {"Petition-5", 4, 1, 1}, {"Petition-5", 6, 2, 2}, {"March-3", 1, 0, 0}, {"March-3", 2, 1, 1},
			{"March-3", 3, 1, 1}, {"March-3", 4, 2, 2}, {"March-3", 5, 2, 2}, {"March-3", 6, 3, 3}, {"Rally", 5, 4, 4}, {"Rally", 6, 4, 4},
		} {
			t.Run(fmt.Sprint(tt.suit, " die ", tt.die), func(t *testing.T) {
				t.Parallel()
				// The Communist is the attacker and wins; the Democrat loses points.
				p := struggling(t, nil, hands{[]string{tt.suit}, nil}, bothHold)
				before := p.Occupied[engine.Democrat]
				q := p.Clone().(*engine.Position)
				chance := []any{tt.die, tt.die}
				orders := []string{"ATTACK " + tt.suit}
				if tt.loss > 0 {
					orders = append(orders, fmt.Sprintf("REMOVE Krakow %d", tt.loss))
				}
				q = carry(t, q, chance, orders...)
				if got := int(p.Support[engine.Democrat][engine.FindSpace("Krakow")] - q.Support[engine.Democrat][engine.FindSpace("Krakow")]); got != tt.loss {
					t.Errorf("%d points lost, want %d (of %v)", got, tt.loss, before.Names())
				}
				if got := -int(q.VP); got != tt.vp {
					t.Errorf("%d VP, want %d", got, tt.vp)
				}
				mustAsk(t, q, engine.AskPower, engine.Communist)
			})
		}
	})
	t.Run("rule 8.4.4: the Democrat takes Power from a modified 4 on, and the card is gone", func(t *testing.T) {
		t.Parallel()
		for die, taken := range map[int]bool{3: false, 4: true} {
			p := struggling(t, []any{1, die}, hands{nil, []string{"Rally"}}, bothHold)
			if got := p.Power[engine.Poland].Holder == engine.Democrat; got != taken {
				t.Errorf("die %d: taken %v", die, got)
			}
		}
	})
	t.Run("rule 8.4.5: keeping Power costs its value times the struggles, surrendering nothing", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"March-3"}, nil}, bothHold, func(p *engine.Position) { p.Power[engine.Poland].Struggles = 1 })
		p = carry(t, p, []any{1, 1}, "ATTACK March-3")
		kept := carry(t, p, nil, "CHOOSE KEEP POWER")
		// -3 x 2 for Power; the spaces score evenly here: 3 each, battlegrounds 2 to 1.
		surrendered := carry(t, p, nil, "CHOOSE SURRENDER POWER")
		if d := int(surrendered.VP - kept.VP); d != 6 {
			t.Errorf("keeping costs %d VP, want 6", d)
		}
		lies(t, kept, 22, engine.PileDiscard)
		lies(t, surrendered, 22, engine.PileRemoved)
		if surrendered.Power[engine.Poland].Holder != engine.Democrat || kept.Power[engine.Poland].Holder != engine.Communist {
			t.Error("Power lies with the wrong side")
		}
	})
	t.Run("rule 10.1: victory is tested once, at the end", func(t *testing.T) {
		t.Parallel()
		// At -17 the Communist's 3 VP reach -20, and country scoring brings it back.
		p := struggling(t, nil, hands{[]string{"March-3"}, nil}, bothHold, vpAt(-18), sp("Warszawa", 0, 0), sp("Lodz", 0, 0), sp("Bydgoszcz", 0, 4))
		p = carry(t, p, []any{1, 6}, "ATTACK March-3")
		hasVP(t, p, -21)
		mustAsk(t, p, engine.AskPower, engine.Communist)
		p = carry(t, p, nil, "SURRENDER POWER")
		if p.Ending != engine.NotOver {
			t.Errorf("the match has ended at VP %d", p.VP)
		}
	})
	t.Run("cards 62 and 72 leave the game with the struggle", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, []any{1}, hands{nil, []string{"Rally"}}, bothHold, lasting(engine.Yakovlev, engine.PeasantPartiesRevolt))
		p = carry(t, p, []any{3}, "REMOVE Lodz")
		lies(t, p, engine.Yakovlev, engine.PileRemoved)
		lies(t, p, engine.PeasantPartiesRevolt, engine.PileRemoved)
		if p.Power[engine.Poland].Holder != engine.Democrat {
			t.Error("3 + 1 does not topple")
		}
	})
}

// TestScoring holds country scoring against rule 9.
func TestScoring(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		c    engine.Country
		put  []func(*engine.Position)
		want [2]engine.Level
		vp   int
	}{
		{"nobody", engine.Poland, nil, [2]engine.Level{}, 0},
		{"Presence", engine.Poland, []func(*engine.Position){sp("Lublin", 0, 4)}, [2]engine.Level{engine.NoPresence, engine.Presence}, -3},
		{"Presence of both", engine.Poland, []func(*engine.Position){sp("Lublin", 0, 4), sp("Lodz", 3, 0)}, [2]engine.Level{engine.Presence, engine.Presence}, 1},
		{"Domination needs a space that is no battleground", engine.Poland, []func(*engine.Position){sp("Krakow", 3, 0), sp("Lodz", 3, 0)}, [2]engine.Level{engine.Presence, engine.NoPresence}, 5},
		{"Domination", engine.Poland, []func(*engine.Position){sp("Krakow", 3, 0), sp("Lublin", 4, 0), sp("Bydgoszcz", 0, 4)}, [2]engine.Level{engine.Domination, engine.Presence}, 6 + 1 - 3},
		{"more spaces, not more battlegrounds", engine.Poland, []func(*engine.Position){sp("Krakow", 3, 0), sp("Lublin", 4, 0), sp("Lodz", 0, 3)}, [2]engine.Level{engine.Presence, engine.Presence}, 0},
		{"Control: every battleground and more spaces", engine.Hungary,
			[]func(*engine.Position){sp("Miskolc", 3, 0), sp("Debrecen", 3, 0), sp("Budapest", 3, 0), sp("Szeged", 4, 0)}, [2]engine.Level{engine.Control, engine.NoPresence}, 4 + 4},
		{"every battleground, not more spaces", engine.Hungary, []func(*engine.Position){sp("Miskolc", 3, 0), sp("Debrecen", 3, 0), sp("Budapest", 3, 0), sp("Szeged", 4, 0),
			sp("Gyor", 0, 3), sp("Pecs", 0, 4), sp("Tatabanya", 0, 3), sp("Szombathely", 0, 4)}, [2]engine.Level{engine.Presence, engine.Presence}, 4},
		{"a destroyed space counts no more", engine.Romania, []func(*engine.Position){sp("Iasi", 0, 3), func(p *engine.Position) { p.Destroyed = engine.FindSpace("Iasi") }}, [2]engine.Level{}, 0},
	} {
		t.Run("rule 9: "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, engine.Communist, tt.put...)
			for s := engine.Democrat; s <= engine.Communist; s++ {
				if l, _ := p.CountryLevel(s, tt.c); l != tt.want[s] {
					t.Errorf("the %v has %v, want %v", s, l, tt.want[s])
				}
			}
			r := engine.NewRun(p, nil)
			r.Score(tt.c)
			hasVP(t, p, tt.vp)
		})
	}
	t.Run("the table of the countries", func(t *testing.T) {
		t.Parallel()
		counts := map[engine.Country][2]int{engine.EastGermany: {12, 6}, engine.Poland: {14, 6}, engine.Czechoslovakia: {11, 6}, engine.Hungary: {12, 4}, engine.Romania: {14, 6}, engine.Bulgaria: {12, 5}}
		for c, want := range counts {
			if got := [2]int{engine.InCountry[c].Len(), engine.InCountry[c].And(engine.Battlegrounds).Len()}; got != want {
				t.Errorf("%v has %d spaces and %d battlegrounds, want %v", c, got[0], got[1], want)
			}
		}
	})
}
