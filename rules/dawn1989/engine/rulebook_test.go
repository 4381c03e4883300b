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
			if !offers(p, engine.PlayAtom(c, engine.PlayOps)) || offers(p, engine.PlayAtom(c, engine.PlayEventAfter)) {
				t.Errorf("card %d without card %d: the Ops are not free of the event", c, needed)
			}
			if q := scene(t, engine.Communist, holds(engine.Communist, c), happened(needed)); offers(q, engine.PlayAtom(c, engine.PlayOps)) {
				t.Errorf("card %d after card %d: the Ops are free of the event", c, needed)
			}
			p = scene(t, engine.Democrat, holds(engine.Democrat, c))
			if offers(p, engine.PlayAtom(c, engine.PlayEvent)) {
				t.Errorf("card %d without card %d: its owner may play it for the event", c, needed)
			}
		}
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Walesa), sp("Varna", 0, 1))
		lies(t, carry(t, p, nil, "PLAY 3 OPS PLACE Varna 3"), engine.Walesa, engine.PileDiscard)
		for c, needed := range map[engine.Card]engine.Card{engine.MassacreInTimisoara: engine.LaszloTokes, engine.KremlinCoup: engine.BreakawayRepublics} {
			if p := scene(t, engine.Democrat, holds(engine.Democrat, c), sp("Varna", 1, 0)); !offers(p, engine.PlayAtom(c, engine.PlayOps)) {
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
		if p.Power[engine.Poland].Struggles != 0 {
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
		if s := p.CheckBonus(engine.Communist, engine.FindSpace("Jagiellonian University"), 3, 0, false); s.OwnNeighbours != 0 || s.EnemyNeighbours != 2 || s.Ops != 3 {
			t.Errorf("first check: %+v, want 3 - 2", s)
		}
		p = carry(t, p, []any{5}, "PLAY 15 OPS CHECK Jagiellonian University")
		has(t, p, "Jagiellonian University", 0, 3)
		if s := p.CheckBonus(engine.Communist, engine.FindSpace("Krakow"), 3, 0, false); s.OwnNeighbours != 2 || s.EnemyNeighbours != 1 {
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
		if err := p.Decide(&x, engine.PlayAtom(engine.PolandScoring, engine.PlayEvent)); err != nil {
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
		r := engine.NewRun(p, nil)
		r.Score(engine.Poland)
		hasVP(t, p, 4)
	})
	t.Run("rule 9.3.1: only the highest level counts", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, sp("Iasi", 0, 3), sp("Galati", 0, 3), sp("Craiova", 0, 4), sp("Brasov", 3, 0))
		r := engine.NewRun(p, nil)
		r.Score(engine.Romania)
		hasVP(t, p, -(4+2)+(2+1))
	})
	t.Run("rule 8.4.6: Power in Poland is worth 3, 6, 9", func(t *testing.T) {
		t.Parallel()
		for n := range int8(3) {
			p := struggling(t, nil, hands{[]string{"March-3"}, nil}, sp("Warszawa", 0, 3), func(p *engine.Position) { p.Power[engine.Poland].Struggles = n })
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

// TestPlacing holds the placement of support points with Operations against rule
// 6.1.
func TestPlacing(t *testing.T) {
	t.Parallel()
	t.Run("rule 6.1.1: reach is fixed before the first point", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 8), sp("Gdansk", 0, 1), sp("Poznan", 1, 0))
		mustRefuse(t, p, "PLAY 8 OPS PLACE Bydgoszcz, Lodz, Warszawa 2")
		p = carry(t, p, nil, "PLAY 8 OPS PLACE Bydgoszcz 2, Warszawa, Szczecin")
		has(t, p, "Bydgoszcz", 0, 2)
		has(t, p, "Warszawa", 0, 1)
		has(t, p, "Szczecin", 0, 1)
	})
	t.Run("rule 6.1.2: a space that the enemy controls costs 2, at the control of that moment", func(t *testing.T) {
		t.Parallel()
		// Lodz, stability 3: the Democrat's 3 to 0 control it until one point
		// stands against them.
		p := scene(t, engine.Communist, holds(engine.Communist, 15), sp("Lodz", 3, 0), sp("Warszawa", 0, 1))
		mustRefuse(t, p, "PLAY 15 OPS PLACE Lodz 3")
		p = carry(t, p, nil, "PLAY 15 OPS PLACE Lodz 2")
		has(t, p, "Lodz", 3, 2)
	})
	t.Run("rule 6.1.2: with one point left an enemy space cannot be paid", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 15), sp("Lodz", 4, 0), sp("Warszawa", 0, 1))
		mustRefuse(t, p, "PLAY 15 OPS PLACE Warszawa 2, Lodz")
		carry(t, p, nil, "PLAY 15 OPS PLACE Warszawa, Lodz")
	})
	t.Run("all points must be spent", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 15), sp("Warszawa", 0, 1))
		mustRefuse(t, p, "PLAY 15 OPS PLACE Warszawa 2")
		mustRefuse(t, p, "PLAY 15 OPS PLACE Warszawa 4")
	})
	t.Run("card 63: for the Democrat East Germany costs 1 this turn", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), lasting(engine.Genscher), sp("Berlin", 1, 4))
		p = carry(t, p, nil, "PLAY 40 OPS PLACE Berlin 3")
		has(t, p, "Berlin", 4, 4)
	})
	t.Run("card 58: the extra point is for East Germany, and may be left", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), lasting(engine.AustriaHungaryBorder), sp("Berlin", 1, 0), sp("Lodz", 1, 0))
		has(t, carry(t, p, nil, "PLAY 40 OPS PLACE Berlin 4"), "Berlin", 5, 0)
		has(t, carry(t, p, nil, "PLAY 40 OPS PLACE Berlin 3"), "Berlin", 4, 0)
		mustRefuse(t, p, "PLAY 40 OPS PLACE Berlin 3, Lodz")
		mustRefuse(t, p, "PLAY 40 OPS PLACE Lodz, Berlin 3")
	})
	t.Run("ruling 13: a 1-Ops card and card 58 pay for one East German space of the Communist", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 26), lasting(engine.AustriaHungaryBorder), sp("Berlin", 1, 4), sp("Lodz", 1, 0))
		has(t, carry(t, p, nil, "PLAY 26 OPS PLACE Berlin"), "Berlin", 2, 4)
	})
	t.Run("ruling 14: neighbours across a destroyed space", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), sp("Timisoara", 0, 1), func(p *engine.Position) { p.Destroyed = engine.ClujNapoca })
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Bucuresti, Babes-Bolyai")
		has(t, p, "Bucuresti", 0, 1)
		if offers(p, engine.SpaceAtom(engine.VerbOpsPlace, engine.ClujNapoca)) {
			t.Error("a destroyed space is offered")
		}
	})
}

// TestOpsValue holds the Ops value against rule 7.3: one sum, the floor last.
func TestOpsValue(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		side    engine.Side
		printed int
		all     bool
		change  []func(*engine.Position)
		want    int
	}{
		{"as printed", engine.Democrat, 3, false, nil, 3},
		{"card 25: Perestroika is the Communist's", engine.Communist, 3, false, []func(*engine.Position){lasting(engine.Perestroika)}, 4},
		{"card 25: and not the Democrat's", engine.Democrat, 3, false, []func(*engine.Position){lasting(engine.Perestroika)}, 3},
		{"card 50: the Sinatra Doctrine is the Democrat's", engine.Democrat, 2, false, []func(*engine.Position){lasting(engine.SinatraDoctrine)}, 3},
		{"card 8: Prudence", engine.Communist, 2, false, []func(*engine.Position){func(p *engine.Position) { p.Effects.Prudence[engine.Communist] = 1 }}, 1},
		{"card 8: twice, never below 1", engine.Communist, 2, false, []func(*engine.Position){func(p *engine.Position) { p.Effects.Prudence[engine.Communist] = 2 }}, 1},
		{"box 2: a printed 1 counts as 2", engine.Democrat, 1, false, []func(*engine.Position){boxes(2, 1)}, 2},
		{"box 2: not when the enemy has come too", engine.Democrat, 1, false, []func(*engine.Position){boxes(2, 2)}, 1},
		{"box 2: only a printed 1", engine.Democrat, 2, false, []func(*engine.Position){boxes(3, 0)}, 2},
		{"card 58: all in East Germany", engine.Democrat, 2, true, []func(*engine.Position){lasting(engine.AustriaHungaryBorder)}, 3},
		{"ruling 12: 1 - 1 + 1 = 1, one sum", engine.Democrat, 1, true,
			[]func(*engine.Position){lasting(engine.AustriaHungaryBorder), func(p *engine.Position) { p.Effects.Prudence[engine.Democrat] = 1 }}, 1},
		{"rule 7.3.2: modifiers meet in one sum", engine.Communist, 1, false,
			[]func(*engine.Position){lasting(engine.Perestroika), boxes(0, 2), func(p *engine.Position) { p.Effects.Prudence[engine.Communist] = 1 }}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, tt.side, tt.change...)
			if got := p.OpsValue(tt.side, tt.printed, tt.all); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// TestSupportCheck holds support checks against rule 6.2 and the table of
// modifiers.
func TestSupportCheck(t *testing.T) {
	t.Parallel()
	t.Run("rule 6.2: the excess removes, the remainder is added", func(t *testing.T) {
		t.Parallel()
		// Lodz 6: die 6 + 4 Ops = 10, so 4: 2 removed, 2 added.
		p := scene(t, engine.Communist, holds(engine.Communist, 14), sp("Lodz", 2, 0))
		has(t, carry(t, p, []any{6}, "PLAY 14 OPS CHECK Lodz"), "Lodz", 0, 2)
	})
	t.Run("rule 6.2: equal is not enough", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), sp("Lodz", 2, 0))
		p = carry(t, p, []any{2, 6}, "PLAY 14 OPS CHECK Lodz")
		has(t, p, "Lodz", 0, 2) // the second check, of the only target, made unasked
	})
	t.Run("rule 6.2.2: neighbours count by control, for each check anew", func(t *testing.T) {
		t.Parallel()
		// Beside Lodz: Warszawa of the Communist, Krakow and the Church of the
		// Democrat: 4 + 1 - 2.
		p := scene(t, engine.Communist, holds(engine.Communist, 14), sp("Lodz", 3, 0), sp("Warszawa", 0, 3), sp("Krakow", 3, 0), sp("Polish Catholic Church", 5, 0))
		if s := p.CheckBonus(engine.Communist, engine.FindSpace("Lodz"), 4, 0, false); s.Total() != 3 || s.OwnNeighbours != 1 || s.EnemyNeighbours != 2 {
			t.Errorf("the sum is %+v, want 4 + 1 - 2", s)
		}
		// Krakow first: die 6 + 4 + 0 - 2 (Church, Lodz) = 8 against 6 takes 2,
		// and with it the control; then Lodz: die 3 + 4 + 1 - 1 = 7.
		p = carry(t, p, []any{6, 3}, "PLAY 14 OPS CHECK Krakow, Lodz")
		has(t, p, "Krakow", 1, 0)
		has(t, p, "Lodz", 2, 0)
	})
	t.Run("the second check is compulsory while there is a target, and lapses without", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), sp("Lodz", 1, 0), sp("Krakow", 1, 0), sp("Praha", 1, 0))
		p = carry(t, p, []any{1}, "PLAY 14 OPS CHECK Lodz")
		mustAsk(t, p, engine.AskSecondCheck, engine.Communist)
		mustRefuse(t, p, "PASS")
		p = scene(t, engine.Communist, holds(engine.Communist, 14), sp("Lodz", 1, 0))
		p = carry(t, p, []any{6}, "PLAY 14 OPS CHECK Lodz")
		mustAsk(t, p, engine.AskRound, engine.Democrat)
	})
	t.Run("ruling 10: without a further target the enemy's event still happens", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 39), sp("Lodz", 1, 0))
		p = carry(t, p, []any{6}, "PLAY 39 OPS CHECK Lodz EVENT AFTER")
		has(t, p, "Ruse", 4, 0)
		lies(t, p, 39, engine.PileInPlay)
	})
	t.Run("cards 2, 48, 49: where the Communist may not check", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.SolidarityLegalized, engine.WeAreThePeople), func(p *engine.Position) { p.Effects.DebtCountry = engine.Hungary },
			sp("Gdansk", 1, 0), sp("Leipzig", 1, 0), sp("Szeged", 1, 0), sp("Lodz", 1, 0), sp("Praha", 1, 0))
		for _, s := range []string{"Gdansk", "Leipzig", "Szeged"} {
			mustRefuse(t, p, "PLAY 14 OPS CHECK "+s)
		}
		if !p.CheckTargets(engine.Democrat).IsEmpty() {
			t.Error("the bans are for the Communist's checks")
		}
	})
	t.Run("card 26: a Communist check of students or intellectuals is worth 1 VP, whatever its result", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.HelsinkiFinalAct), sp("Polish Writers", 1, 0), sp("Sofia University", 1, 0), sp("Lodz", 1, 0))
		p = carry(t, p, []any{6, 6}, "PLAY 14 OPS CHECK Polish Writers, Sofia University")
		hasVP(t, p, 2)
	})
	t.Run("card 39: and one of Ruse", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.EcoGlasnost), sp("Ruse", 4, 0), sp("Lodz", 1, 0))
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Ruse, Ruse"), 2)
	})
	t.Run("card 26: victory is tested between the two checks", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.HelsinkiFinalAct), vpAt(19), sp("Polish Writers", 4, 0))
		p = carry(t, p, []any{1}, "PLAY 14 OPS CHECK Polish Writers")
		if p.Ending != engine.AutomaticVictory || !p.Winners.Has(p.SeatOfSide[engine.Democrat]) {
			t.Errorf("the ending is %v for %v", p.Ending, p.Winners)
		}
	})
	t.Run("card 9: the next check in East Germany ignores the Democrat's neighbours, once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.TheWall), sp("Leipzig", 9, 0), sp("Halle", 3, 0), sp("Berlin", 3, 0), sp("Lodz", 1, 0))
		s := p.CheckBonus(engine.Communist, engine.Leipzig, 4, 0, false)
		if s.EnemyNeighbours != 0 {
			t.Errorf("%d neighbours count against the check", s.EnemyNeighbours)
		}
		p = carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Lodz, Leipzig")
		lies(t, p, engine.TheWall, engine.PileRemoved)
		if s := p.CheckBonus(engine.Communist, engine.Leipzig, 4, 0, false); s.EnemyNeighbours != 2 {
			t.Errorf("afterwards %d neighbours count, want 2", s.EnemyNeighbours)
		}
	})
	t.Run("card 30: the next Communist check of students has +1, once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.TearGas), sp("Sofia University", 9, 0), sp("Lodz", 1, 0))
		if s := p.CheckBonus(engine.Communist, engine.FindSpace("Sofia University"), 4, 0, false); s.Modifiers != 1 {
			t.Errorf("the modifier is %d, want 1", s.Modifiers)
		}
		lies(t, carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Sofia University, Lodz"), engine.TearGas, engine.PileRemoved)
	})
	t.Run("modifiers of the turn", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			name  string
			side  engine.Side
			where string
			put   []func(*engine.Position)
			want  int
		}{
			{"card 74 in Eastern Europe", engine.Democrat, "Lodz", []func(*engine.Position){lasting(engine.FRGEmbassies)}, 1},
			{"card 74 not in the Balkans", engine.Democrat, "Sofia", []func(*engine.Position){lasting(engine.FRGEmbassies)}, 0},
			{"card 59 in East Germany", engine.Democrat, "Berlin", []func(*engine.Position){lasting(engine.Grenztruppen)}, -1},
			{"card 59 not against the Communist", engine.Communist, "Berlin", []func(*engine.Position){lasting(engine.Grenztruppen)}, 0},
			{"card 101 in Romania", engine.Democrat, "Iasi", []func(*engine.Position){lasting(engine.Elena)}, -1},
			{"card 100 where its player controls", engine.Democrat, "Iasi", []func(*engine.Position){sp("Iasi", 0, 3), func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }}, -1},
			{"card 100 not elsewhere", engine.Democrat, "Iasi", []func(*engine.Position){sp("Iasi", 0, 2), func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }}, 0},
			{"card 100 not against its player", engine.Communist, "Iasi", []func(*engine.Position){sp("Iasi", 3, 0), func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }}, 0},
		} {
			p := scene(t, tt.side, tt.put...)
			if got := p.CheckBonus(tt.side, engine.FindSpace(tt.where), 3, 0, false).Modifiers; got != tt.want {
				t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
			}
		}
	})
	t.Run("card 58: the bonus is claimed for the pair, which then stays in East Germany", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), lasting(engine.AustriaHungaryBorder), sp("Berlin", 0, 1), sp("Halle", 0, 1), sp("Leipzig", 0, 1), sp("Lodz", 0, 1))
		mustRefuse(t, p, "PLAY 40 OPS CHECK Lodz BONUS")
		q := carry(t, p, []any{3, 3}, "PLAY 40 OPS CHECK Berlin, Halle BONUS")
		has(t, q, "Berlin", 0, 0) // 3 + 4 against 6
		has(t, q, "Halle", 0, 0)
		q = carry(t, p, []any{3}, "PLAY 40 OPS CHECK Berlin BONUS")
		mustRefuse(t, q, "OPS CHECK Lodz")
		q = carry(t, p, []any{3, 3}, "PLAY 40 OPS CHECK Berlin, Lodz")
		has(t, q, "Berlin", 0, 1) // 3 + 3 against 6
	})
}

// Further examples that the rulebook prints: events, power struggles, bidding.

// TestExamplesOfEvents holds the examples of rules 5.2 to 5.3 and 7.6.
func TestExamplesOfEvents(t *testing.T) {
	t.Parallel()
	t.Run("rule 5.2, example 5: Elena after the Tyrant has gone counts as played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.Elena), sp("Lodz", 1, 0), caseEffects["tyrant gone"])
		p = carry(t, p, nil, "PLAY 101 OPS PLACE Lodz EVENT AFTER")
		has(t, p, "Cluj-Napoca", 0, 0)
		lies(t, p, engine.Elena, engine.PileRemoved)
	})
	t.Run("rule 5.3, example 1: Brought in for Questioning discards Poland Scoring, and no struggle follows", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, lay(engine.PileDeck, engine.JanPalachWeek), holds(engine.Democrat, engine.BroughtIn, engine.PolandScoring), sp("Lodz", 1, 0))
		p = carry(t, p, []any{engine.PolandScoring}, "PLAY 6 OPS PLACE Lodz 3 EVENT AFTER")
		lies(t, p, engine.PolandScoring, engine.PileDiscard)
		if p.Power[engine.Poland].Struggles != 0 || p.Struggle.Country != engine.NoCountry {
			t.Error("a power struggle has taken place")
		}
	})
	t.Run("rule 5.3, example 2: Kiss of Death discards Poland Scoring, and the struggle takes place", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, lay(engine.PileDeck, engine.TearGas), holds(engine.Communist, engine.KissOfDeath, engine.PolandScoring), sp("Lodz", 0, 1), prudent(engine.Communist))
		p = tell(t, p, &told{t: t, draws: []string{"22"}, dice: []int{1, 1}}, "PLAY 71 OPS PLACE Lodz 2 EVENT AFTER", "PASS")
		mustAsk(t, p, engine.AskPower, engine.Communist)
		p = carry(t, p, nil, "SURRENDER POWER")
		lies(t, p, engine.PolandScoring, engine.PileRemoved)
	})
	t.Run("rule 7.6.4: Systematization while the Tyrant waits", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Systematization), lasting(engine.CrowdTurns, engine.TyrantIsGone))
		p = carry(t, p, nil, "PLAY 69 EVENT", "CHOOSE Romanian Writers")
		if p.Destroyed != engine.FindSpace("Romanian Writers") {
			t.Errorf("%v is destroyed", p.Destroyed)
		}
	})
}

// TestExamplesOfControl holds the examples of rules 2.1.7 and 2.3.2.
func TestExamplesOfControl(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		democrat, communist int
		want                engine.Side
	}{{0, 3, engine.Neutral}, {0, 4, engine.Communist}, {5, 2, engine.Neutral}, {6, 2, engine.Democrat}} {
		p := scene(t, engine.Democrat, sp("Dresden", tt.democrat, tt.communist))
		got := engine.Neutral
		for s := engine.Democrat; s <= engine.Communist; s++ {
			if p.Controlled[s].Has(engine.FindSpace("Dresden")) {
				got = s
			}
		}
		if got != tt.want {
			t.Errorf("rule 2.1.7: Dresden with %d and %d is controlled by %v, want %v", tt.democrat, tt.communist, got, tt.want)
		}
	}
	p := struggling(t, nil, hands{[]string{"Elite Leader", "Worker Leader", "Church Leader"}, []string{"March-3"}}, sp("Bydgoszcz", 0, 4), sp("Lodz", 0, 3))
	for card, want := range map[engine.StruggleCard]bool{engine.StruggleCardByName["Elite Leader"]: true, engine.StruggleCardByName["Worker Leader"]: true,
		engine.StruggleCardByName["Church Leader"]: false} {
		if got := p.CanUseLeader(engine.Communist, card); got != want {
			t.Errorf("rule 2.3.2: %v usable: %v, want %v", card, got, want)
		}
	}
}

// TestExampleOfStruggle plays the struggle in Poland that rules 8.2 to 8.4 tell
// in their examples.
func TestExampleOfStruggle(t *testing.T) {
	t.Parallel()
	p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring), sp("Polish Catholic Church", 5, 0), sp("Polish Writers", 2, 0), sp("Wroclaw", 3, 0), sp("Krakow", 3, 0), sp("Bydgoszcz", 0, 4), sp("Warszawa", 0, 3))
	p = tell(t, p, &told{t: t, deals: [2][]string{
		{"March-6", "March-5", "March-4", "March-3", "Petition-5", "Petition-6", "Strike-3", "Strike-3", "Strike-4", "Strike-4", "Petition-5", "Rally"},
		{"March-3", "Elite Leader", "Intellectual Leader", "Strike-3", "Strike-4", "Petition-5", "Rally", "Rally"},
	}}, "PLAY 22")
	mustAsk(t, p, engine.AskStakes, engine.Democrat)
	p = carry(t, p, nil, "RAISE Petition-5, Petition-6, Strike-3", "PASS")
	mustAsk(t, p, engine.AskAttack, engine.Democrat)
	p = carry(t, p, nil, "ATTACK March-6")
	mustRefuse(t, p, "DEFEND Intellectual Leader")
	// A 2 is less than the rank 6: the Democrat leads again.
	p = carry(t, p, []any{2}, "DEFEND March-3")
	mustAsk(t, p, engine.AskAttack, engine.Democrat)
	mustRefuse(t, p, "PASS")
	p = carry(t, p, nil, "ATTACK March-5")
	// The loser's 1 is 2 with the stakes: one point. The winner's 3 is 4: 2 VP
	// and Power.
	p = carry(t, p, []any{1}, "CONCEDE")
	mustAsk(t, p, engine.AskRemove, engine.Communist)
	vp := p.VP
	p = carry(t, p, []any{3}, "REMOVE Bydgoszcz")
	has(t, p, "Bydgoszcz", 0, 3)
	if p.Power[engine.Poland].Holder != engine.Democrat {
		t.Error("rule 8.4.4: the Democrat does not take Power")
	}
	lies(t, p, engine.PolandScoring, engine.PileRemoved)
	// 2 VP, then Domination of 6 + 2 against Presence of 3 + 1 (rule 9.3.3).
	if got := p.VP - vp; got != 2+4 {
		t.Errorf("%d VP, want 6", got)
	}
}

// tell carries orders out with chance that is told; nothing of it may be left.
func tell(t *testing.T, p *engine.Position, c *told, orders ...string) *engine.Position {
	t.Helper()
	for _, text := range orders {
		next, err := try(t, p, c, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p = next
	}
	if remaining := c.left(); remaining != "" {
		t.Fatalf("chance is left over: %s", remaining)
	}
	return p
}

// TestExampleOfBidding is the example of rule 13.
func TestExampleOfBidding(t *testing.T) {
	t.Parallel()
	p := bids(t, "BID COMMUNIST GIVE 2", "BID COMMUNIST GIVE 1")
	if p.SeatOfSide[engine.Communist] != 0 || p.ExtraPoints != 2 || p.ExtraSide != engine.Democrat {
		t.Errorf("seats %v, %d points for the %v", p.SeatOfSide, p.ExtraPoints, p.ExtraSide)
	}
}
