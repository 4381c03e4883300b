package engine_test

import (
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// leaderSpace is the Polish space in which these tests let a leader be usable.
var leaderSpace = map[engine.SpaceType]string{engine.Elite: "Bydgoszcz", engine.Intellectual: "Polish Writers", engine.Church: "Polish Catholic Church",
	engine.Student: "Jagiellonian University", engine.Worker: "Gdansk"}

// everyType gives a side a space of every leader's type in Poland, and the enemy
// Warszawa, which is of no leader's type.
func everyType(s engine.Side) func(*engine.Position) {
	return func(p *engine.Position) {
		for _, n := range leaderSpace {
			p.SetSupport(s, engine.FindSpace(n), 9)
		}
		p.SetSupport(s.Enemy(), engine.FindSpace("Warszawa"), 9)
	}
}

// withoutType takes the space of one type away again.
func withoutType(s engine.Side, k engine.SpaceType) func(*engine.Position) {
	return func(p *engine.Position) {
		everyType(s)(p)
		p.SetSupport(s, engine.FindSpace(leaderSpace[k]), 0)
	}
}

// leadsAs lists the flags under which the Communist, who holds the card and a
// Strike-5, may lead it.
func leadsAs(t *testing.T, k engine.StruggleCard, put func(*engine.Position)) map[uint8]bool {
	t.Helper()
	// With two cards each nobody is asked for stakes.
	p := struggling(t, nil, hands{[]string{k.String(), "Strike-5"}, []string{"Strike-3", "Rally"}}, put)
	mustAsk(t, p, engine.AskAttack, engine.Communist)
	out := map[uint8]bool{}
	for _, a := range p.LegalAtoms(nil) {
		if engine.AtomVerb(a) == engine.VerbAttack && engine.StruggleCard(engine.AtomValue(a)) == k {
			out[engine.AtomFlag(a)] = true
		}
	}
	return out
}

// replies reports whether the Democrat may answer an attack with a card.
func replies(t *testing.T, lead string, k engine.StruggleCard, put func(*engine.Position)) bool {
	t.Helper()
	p := struggling(t, nil, hands{[]string{lead, "Strike-5"}, []string{k.String(), "Tactic Fails"}}, put)
	p = carry(t, p, nil, "ATTACK "+lead)
	mustAsk(t, p, engine.AskDefend, engine.Democrat)
	if !offers(p, engine.AtomConcede) {
		t.Error("conceding is not offered")
	}
	return offers(p, engine.NewAtom(engine.VerbDefend, 0, int(k)))
}

// suited has a card of each suit.
var suited = map[engine.Suit]string{engine.RallySuit: "Rally", engine.StrikeSuit: "Strike-4", engine.MarchSuit: "March-4", engine.PetitionSuit: "Petition-5"}

// TestEveryStruggleCard leads and answers with each kind of the 52 cards.
func TestEveryStruggleCard(t *testing.T) {
	t.Parallel()
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		info := k.Info()
		t.Run("rule 8.3.2, step 1: "+k.String()+" leads", func(t *testing.T) {
			t.Parallel()
			as := leadsAs(t, k, everyType(engine.Communist))
			switch {
			case k == engine.TacticFails:
				if len(as) != 0 {
					t.Error("it leads, though it can only answer")
				}
			case info.Leader:
				for s := engine.RallySuit; s < engine.Suits; s++ {
					if !as[uint8(s)] {
						t.Errorf("it cannot lead as %v", s)
					}
				}
				if len(as) != 4 || len(leadsAs(t, k, withoutType(engine.Communist, info.LeaderType))) != 0 {
					t.Errorf("it leads as %v, or without a controlled %v space", as, info.LeaderType)
				}
			case k == engine.ScareTactics:
				if len(as) != 1 || !as[uint8(engine.FindSpace("Warszawa"))] {
					t.Errorf("it leads against %v, want the only space with enemy points", as)
				}
			default:
				if len(as) != 1 || !as[0] {
					t.Errorf("it leads as %v, want plainly", as)
				}
			}
		})
		t.Run("rule 8.3.2, step 2: "+k.String()+" answers", func(t *testing.T) {
			t.Parallel()
			for s := engine.RallySuit; s < engine.Suits; s++ {
				want := info.Suit == s || info.Leader || k == engine.TacticFails
				if got := replies(t, suited[s], k, everyType(engine.Democrat)); got != want {
					t.Errorf("against %s: %v, want %v", suited[s], got, want)
				}
				if info.Leader && replies(t, suited[s], k, withoutType(engine.Democrat, info.LeaderType)) {
					t.Errorf("against %s without a controlled %v space", suited[s], info.LeaderType)
				}
			}
		})
		if info.Rank == 0 {
			continue
		}
		t.Run("rule 8.3.2, step 3: a counterattack on "+k.String()+" needs its rank", func(t *testing.T) {
			t.Parallel()
			for die := 1; die <= 6; die++ {
				order, suit, chance := "ATTACK "+k.String(), info.Suit, []any{die}
				if info.Leader {
					order, suit = order+" AS Rally", engine.RallySuit
				}
				if info.Rank == 1 {
					chance = nil
				}
				p := struggling(t, nil, hands{[]string{k.String(), "Strike-5"}, []string{suited[suit], "Strike-6"}}, everyType(engine.Communist))
				p = carry(t, p, chance, order, "DEFEND "+suited[suit])
				want := engine.Communist
				if die >= info.Rank {
					want = engine.Democrat
				}
				mustAsk(t, p, engine.AskAttack, want)
			}
		})
	}
}

// TestBans holds a banned suit against rule 8.3.2: neither side may lead or name
// it for the rest of the struggle.
func TestBans(t *testing.T) {
	t.Parallel()
	for s := engine.RallySuit; s < engine.Suits; s++ {
		t.Run("Tactic Fails against "+s.String(), func(t *testing.T) {
			t.Parallel()
			p := struggling(t, nil, hands{[]string{suited[s], "Elite Leader"}, []string{"Tactic Fails", "Worker Leader"}},
				everyType(engine.Communist), sp("Lodz", 3, 0))
			p = carry(t, p, nil, "ATTACK "+suited[s], "DEFEND Tactic Fails")
			mustAsk(t, p, engine.AskAttack, engine.Communist)
			mustRefuse(t, p, "ATTACK Elite Leader AS "+s.String())
			// The ban holds for the other side as well.
			p.Struggle.Attacker = engine.Democrat
			options := p.LegalAtoms(nil)
			if len(options) != 3 {
				t.Errorf("the other side's leader has %d suits, want 3", len(options))
			}
			for _, a := range options {
				if engine.Suit(engine.AtomFlag(a)) == s {
					t.Errorf("the other side may name %v", s)
				}
			}
		})
	}
	t.Run("a leader that names a suit gets that suit banned", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Elite Leader", "March-3"}, []string{"Tactic Fails", "Rally"}}, everyType(engine.Communist))
		p = carry(t, p, nil, "ATTACK Elite Leader AS Petition", "DEFEND Tactic Fails")
		if b := p.Struggle.Banned; !b[engine.PetitionSuit] || b[engine.MarchSuit] || b[engine.StrikeSuit] || b[engine.RallySuit] {
			t.Errorf("banned: %v, want Petition", b)
		}
	})
}

// TestLeadersModify holds ruling 30: a leader that leads as Rally or Petition
// gives that suit's modifier.
func TestLeadersModify(t *testing.T) {
	t.Parallel()
	for s, want := range map[engine.Suit]int{engine.RallySuit: 3, engine.StrikeSuit: 2, engine.MarchSuit: 2, engine.PetitionSuit: 1} {
		p := struggling(t, nil, hands{[]string{"Elite Leader"}, nil}, sp("Bydgoszcz", 0, 4))
		p = carry(t, p, []any{4, 4}, "ATTACK Elite Leader AS "+s.String())
		hasVP(t, p, -want) // 4, with +2 or -2
	}
}

// TestWildCards holds the wild cards against rule 8.3.2: no answer, no die, and
// the defender attacks next.
func TestWildCards(t *testing.T) {
	t.Parallel()
	t.Run("Support Falters takes what is there", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Support Falters", "Rally"}, []string{"Strike-3"}}, everyType(engine.Communist))
		// The Democrat's only card goes; without a card he loses as the attacker,
		// with no suit: a die of 3 is 1, not the 5 of a Rally.
		p = carry(t, p, []any{"Strike-3", 1, 3}, "ATTACK Support Falters")
		hasVP(t, p, -1)
	})
	t.Run("Support Falters and Scare Tactics may be played without effect", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Scare Tactics", "Rally"}, []string{"Rally", "Strike-3"}},
			everyType(engine.Communist), sp("Warszawa", 0, 0))
		mustAsk(t, carry(t, p, nil, "ATTACK Scare Tactics"), engine.AskAttack, engine.Democrat)
		// Against an empty hand, too: the Democrat, without a card, then loses.
		p = struggling(t, nil, hands{[]string{"Support Falters"}, nil}, everyType(engine.Communist))
		mustAsk(t, carry(t, p, []any{1, 1}, "ATTACK Support Falters"), engine.AskPower, engine.Communist)
	})
	t.Run("Support Surges draws what is left (ruling 41)", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Support Surges", "Rally"}, []string{"Rally", "Strike-3"}}, everyType(engine.Communist))
		p.Struggle.Deck = engine.StruggleCards{}
		p.Struggle.Deck[engine.Rally] = 1
		p = carry(t, p, []any{"Rally"}, "ATTACK Support Surges")
		if n := p.Struggle.Hands[engine.Communist][engine.Rally]; n != 2 {
			t.Errorf("the attacker has %d Rallies, want 2", n)
		}
		mustAsk(t, p, engine.AskAttack, engine.Democrat)
	})
	t.Run("Scare Tactics can take away the use of a leader", func(t *testing.T) {
		t.Parallel()
		p := struggling(t, nil, hands{[]string{"Scare Tactics", "Rally"}, []string{"Student Leader", "Tactic Fails"}},
			sp("Lodz", 0, 3), sp("Jagiellonian University", 1, 0))
		// The Democrat attacks next and has nothing that leads: he loses.
		p = carry(t, p, []any{1, 1}, "ATTACK Scare Tactics IN Jagiellonian University")
		mustAsk(t, p, engine.AskPower, engine.Communist)
	})
	t.Run("Scare Tactics may capture the Tyrant; victory waits for the end (ruling 36)", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.RomaniaScoring), refuge("Iasi"), sp("Iasi", 3, 1), sp("Craiova", 4, 0), sp("Galati", 0, 3), vpAt(18))
		var deal []any
		for range 4 {
			deal = append(deal, "Strike-3", "March-3")
		}
		deal = append(deal, "Strike-4", "March-4", "Strike-4", "Scare Tactics")
		p = carry(t, p, deal, "PLAY 95 EVENT", "PASS", "PASS", "ATTACK Scare Tactics IN Iasi")
		hasVP(t, p, 20)
		mustAsk(t, p, engine.AskAttack, engine.Communist)
		if p.Effects.Refuge != 0 {
			t.Error("the marker still lies")
		}
		// The Communist wins with a Strike: a die of 2 is worth 1, and keeping
		// Power 2.
		p = carry(t, p, []any{1, 2}, "ATTACK Strike-3")
		mustAsk(t, p, engine.AskPower, engine.Communist)
		kept := carry(t, p, nil, "KEEP POWER")
		// Presence and a battleground for each side: the Democrat has more spaces,
		// but not more battlegrounds.
		hasVP(t, kept, 20-1-2)
		if kept.Ending != engine.NotOver {
			t.Errorf("the ending is %v", kept.Ending)
		}
	})
}
