package engine_test

import (
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// The examples that the rulebook prints, each under its rule.

// TestExamplesOfCardPlay holds the examples of rules 5.2 and 5.3.
func TestExamplesOfCardPlay(t *testing.T) {
	t.Parallel()
	t.Run("rule 5.2, example 1: the enemy's event first, then the Ops", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.JanPalachWeek), sp("Praha", 0, 3))
		p = carry(t, p, nil, "PLAY 29 OPS EVENT FIRST")
		has(t, p, "Charles University", 6, 0)
		mustAsk(t, p, engine.AskOps, engine.Communist)
		p = carry(t, p, nil, "OPS PLACE Praha")
		has(t, p, "Praha", 0, 4)
		lies(t, p, engine.JanPalachWeek, engine.PileRemoved)
	})
	t.Run("rule 5.2, example 2: without its prerequisite an event does not happen, asterisk or not", func(t *testing.T) {
		t.Parallel()
		for c, needed := range map[engine.Card]engine.Card{engine.Walesa: engine.SolidarityLegalized, engine.MondayDemonstrations: engine.StNicholasChurch, engine.BalticWay: engine.Sajudis,
			engine.BreakawayRepublics: engine.BalticWay, engine.TyrantIsGone: engine.CrowdTurns} {
			p := scene(t, engine.Communist, holds(engine.Communist, c), sp("Varna", 0, 1))
			if !offers(p, engine.AtomPlay(c, engine.PlayOps)) || offers(p, engine.AtomPlay(c, engine.PlayEventAfter)) {
				t.Errorf("card %d without card %d: the Ops are not free of the event", c, needed)
			}
			if q := scene(t, engine.Communist, holds(engine.Communist, c), happened(needed)); offers(q, engine.AtomPlay(c, engine.PlayOps)) {
				t.Errorf("card %d after card %d: the Ops are free of the event", c, needed)
			}
			p = scene(t, engine.Democrat, holds(engine.Democrat, c))
			if offers(p, engine.AtomPlay(c, engine.PlayEvent)) {
				t.Errorf("card %d without card %d: its owner may play it for the event", c, needed)
			}
		}
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Walesa), sp("Varna", 0, 1))
		lies(t, carry(t, p, nil, "PLAY 3 OPS PLACE Varna 3"), engine.Walesa, engine.PileDiscard)
		for c, needed := range map[engine.Card]engine.Card{engine.MassacreInTimisoara: engine.LaszloTokes, engine.KremlinCoup: engine.BreakawayRepublics} {
			if p := scene(t, engine.Democrat, holds(engine.Democrat, c), sp("Varna", 1, 0)); !offers(p, engine.AtomPlay(c, engine.PlayOps)) {
				t.Errorf("card %d without card %d: the Ops are not free of the event", c, needed)
			}
		}
	})
	t.Run("rule 5.2, example 3: Honecker after Modrow is Ops only, and is discarded", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.Honecker), happened(engine.Modrow), lay(engine.PileDiscard, 8), sp("Lodz", 1, 0))
		p = carry(t, p, nil, "PLAY 15 OPS PLACE Lodz 3")
		lies(t, p, engine.Honecker, engine.PileDiscard)
		lies(t, p, 8, engine.PileDiscard)
		if p.Effects.ExtraRound {
			t.Error("the eighth round is earned")
		}
	})
	t.Run("rule 5.2, examples 4 and 5: an event without effect is played all the same", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.Normalization), sp("Lodz", 1, 0))
		lies(t, carry(t, p, nil, "PLAY 52 OPS PLACE Lodz 3 EVENT AFTER"), engine.Normalization, engine.PileRemoved)
		p = scene(t, engine.Democrat, holds(engine.Democrat, engine.CultOfPersonality), sp("Praha", 1, 0), func(p *engine.Position) { p.Effects.TyrantGone = true })
		lies(t, carry(t, p, nil, "PLAY 10 OPS PLACE Praha 3 EVENT AFTER"), engine.CultOfPersonality, engine.PileRemoved)
	})
	t.Run("rule 5.3: a card that is discarded has no event, a scoring card neither", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), sp("Lodz", 1, 0))
		p = carry(t, p, []any{6, engine.PolandScoring, engine.Card(39), engine.Card(35)}, "PLAY 14 OPS TIANANMEN", "TAKE 35")
		lies(t, p, engine.PolandScoring, engine.PileDiscard)
		lies(t, p, 39, engine.PileDiscard)
		has(t, p, "Ruse", 0, 0)
		if p.Power[engine.Poland].Times != 0 {
			t.Error("a power struggle has taken place")
		}
	})
	t.Run("rule 5.3: a card given up in General Strike has no event", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 39, 35), lasting(engine.GeneralStrike))
		q := carry(t, p, []any{1}, "PLAY 39 STRIKE")
		lies(t, q, 39, engine.PileDiscard) // an asterisk notwithstanding
		has(t, q, "Ruse", 0, 0)
		hasVP(t, carry(t, p, []any{1}, "PLAY 35 STRIKE"), 0)
	})
}

// TestExamplesOfOperations holds the examples of rules 6.1 and 6.2.
func TestExamplesOfOperations(t *testing.T) {
	t.Parallel()
	t.Run("rule 6.1.3: the first point into Budapest costs 2, the next ones 1", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), sp("Budapest", 3, 0), sp("Szeged", 0, 1))
		p = carry(t, p, nil, "PLAY 14 OPS PLACE Budapest 3")
		has(t, p, "Budapest", 3, 3)
		mustAsk(t, p, engine.AskRound, engine.Democrat)
	})
	t.Run("rule 6.1.4: next to what was there before the first point", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), sp("Czech Catholic Church", 1, 0), sp("Gdansk", 1, 0))
		mustRefuse(t, p, "PLAY 14 OPS PLACE Presov, Kosice, Gdansk 2")
		q := carry(t, p, nil, "PLAY 14 OPS PLACE Bratislava, Ostrava, Presov, Gdansk")
		for _, s := range []string{"Bratislava", "Ostrava", "Presov"} {
			has(t, q, s, 1, 0)
		}
		has(t, q, "Gdansk", 2, 0)
		carry(t, p, nil, "PLAY 14 OPS PLACE Presov 2, Szczecin, Bydgoszcz")
	})
	t.Run("rule 6.2.6: Jagiellonian University, then Krakow", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 15), sp("Polish Catholic Church", 5, 0), sp("Krakow", 3, 0),
			sp("Jagiellonian University", 1, 0), sp("Polish Writers", 2, 0), sp("Lodz", 0, 3))
		if s := p.CheckSum(engine.Communist, engine.SpaceNamed("Jagiellonian University"), 3, 0, false); s.Own != 0 || s.Enemy != 2 || s.Ops != 3 {
			t.Errorf("first check: %+v, want 3 - 2", s)
		}
		p = carry(t, p, []any{5}, "PLAY 15 OPS CHECK Jagiellonian University")
		has(t, p, "Jagiellonian University", 0, 3)
		if s := p.CheckSum(engine.Communist, engine.SpaceNamed("Krakow"), 3, 0, false); s.Own != 2 || s.Enemy != 1 {
			t.Errorf("second check: %+v, want 3 + 2 - 1", s)
		}
		p = carry(t, p, []any{1}, "OPS CHECK Krakow")
		has(t, p, "Krakow", 3, 0)
	})
	t.Run("rule 6.2.3: without support points of the enemy there is nothing to check", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 15), sp("Lodz", 1, 3), sp("Krakow", 0, 3))
		mustRefuse(t, p, "PLAY 15 OPS CHECK Krakow")
		mustRefuse(t, p, "PLAY 15 OPS CHECK Praha")
		// Neither presence nor adjacency is asked for.
		p = scene(t, engine.Communist, holds(engine.Communist, 15), sp("Lodz", 1, 0), sp("Sofia", 0, 3))
		carry(t, p, []any{6}, "PLAY 15 OPS CHECK Lodz")
	})
	t.Run("rule 6.2.2: two checks, whatever the Ops, of one space if it likes", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.TheWall), sp("Charles University", 6, 0), sp("Lodz", 1, 0))
		p = carry(t, p, []any{3, 3}, "PLAY 9 OPS CHECK Charles University, Charles University")
		has(t, p, "Charles University", 2, 0) // twice 3 + 1 against 2
	})
}

// TestExamplesOfModifiers holds the examples of rule 7.3.
func TestExamplesOfModifiers(t *testing.T) {
	t.Parallel()
	t.Run("rule 7.3.1, example 1: 1 + 1 + 1 - 1 = 2 in Leipzig", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.HelsinkiFinalAct), lasting(engine.AustriaHungaryBorder), prudent(engine.Democrat), boxes(2, 0),
			sp("Halle", 1, 0), sp("Lodz", 1, 0))
		has(t, carry(t, p, nil, "PLAY 26 OPS PLACE Leipzig 2"), "Leipzig", 2, 0)
		mustRefuse(t, p, "PLAY 26 OPS PLACE Leipzig 3")
		mustRefuse(t, p, "PLAY 26 OPS PLACE Lodz 2")
	})
	t.Run("rule 7.3.1, example 2: 3 - 1 outside East Germany, for both checks", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.HungarianDemocraticForum), lasting(engine.AustriaHungaryBorder), prudent(engine.Democrat), boxes(2, 0),
			sp("Lodz", 0, 3), sp("Praha", 0, 3), sp("Berlin", 0, 1))
		p = carry(t, p, []any{5, 5}, "PLAY 40 OPS CHECK Lodz, Praha")
		has(t, p, "Lodz", 0, 2) // 5 + 2 against 6
		has(t, p, "Praha", 0, 2)
	})
	t.Run("rule 7.3.3: Consumerism with Perestroika and Prudence", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Consumerism), lasting(engine.Perestroika), prudent(engine.Democrat), sp("Lodz", 0, 4))
		mustRefuse(t, p, "PLAY 27 OPS PLACE Warszawa 3 EVENT AFTER")
		p = carry(t, p, []any{5}, "PLAY 27 OPS PLACE Warszawa 4 EVENT AFTER")
		// The event takes 1; the only check has 5 + 2 - 1 (Warszawa) against 6.
		has(t, p, "Lodz", 0, 3)
	})
}

// TestExamplesOfStruggles holds the examples of rules 8.1 to 8.4 and 9.3.
func TestExamplesOfStruggles(t *testing.T) {
	t.Parallel()
	example := []func(*engine.Position){sp("Polish Catholic Church", 5, 0), sp("Polish Writers", 2, 0), sp("Wroclaw", 3, 0), sp("Krakow", 3, 0)}
	t.Run("rule 8.1.2: 12 and 8 cards, then 2 change hands", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, append(example, holds(engine.Democrat, engine.PolandScoring), lasting(engine.RoundtableTalks), sp("Bydgoszcz", 0, 4), sp("Warszawa", 0, 3))...)
		x := engine.Run{Chance: newDice(1)}
		if err := p.Decide(&x, engine.AtomPlay(engine.PolandScoring, engine.PlayEvent)); err != nil {
			t.Fatal(err)
		}
		h := &p.Struggle.Hands
		if h[engine.Democrat].Len() != 14 || h[engine.Communist].Len() != 6 {
			t.Errorf("%d and %d cards, want 14 and 6", h[engine.Democrat].Len(), h[engine.Communist].Len())
		}
		mustAsk(t, p, engine.AskStakes, engine.Democrat) // 8.2.1: who played the card, first
	})
	t.Run("rule 9.3.3: Domination of 6 + 2 against Presence of 3 + 1", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, append(example, sp("Warszawa", 0, 3), sp("Gdansk", 1, 0))...)
		x := engine.NewRun(p, nil)
		x.Score(engine.Poland)
		hasVP(t, p, 4)
	})
	t.Run("rule 9.3.1: only the highest level counts", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, sp("Iasi", 0, 3), sp("Galati", 0, 3), sp("Craiova", 0, 4), sp("Brasov", 3, 0))
		x := engine.NewRun(p, nil)
		x.Score(engine.Romania)
		hasVP(t, p, -(4+2)+(2+1))
	})
	t.Run("rule 8.4.6: Power in Poland is worth 3, 6, 9", func(t *testing.T) {
		t.Parallel()
		for n := range int8(3) {
			p := struggling(t, nil, hands{[]string{"March-3"}, nil}, sp("Warszawa", 0, 3), func(p *engine.Position) { p.Power[engine.Poland].Times = n })
			p = carry(t, p, []any{1, 1}, "ATTACK March-3")
			before := p.VP
			p = carry(t, p, nil, "KEEP POWER")
			// Besides, Presence and a battleground of the Communist.
			if got, want := int(p.VP-before), -3*int(n+1)-4; got != want {
				t.Errorf("the %d. time: %d VP, want %d", n+1, got, want)
			}
		}
	})
}
