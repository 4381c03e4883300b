package engine_test

import (
	"testing"

	"samizdat/rules/dawn1989/engine"
)

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
		if offers(p, engine.AtomAt(engine.VerbOpsPlace, engine.ClujNapoca)) {
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
		if s := p.CheckSum(engine.Communist, engine.SpaceNamed("Lodz"), 4, 0, false); s.Total() != 3 || s.Own != 1 || s.Enemy != 2 {
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
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.SolidarityLegalized, engine.WeAreThePeople), func(p *engine.Position) { p.Effects.Debt = engine.Hungary },
			sp("Gdansk", 1, 0), sp("Leipzig", 1, 0), sp("Szeged", 1, 0), sp("Lodz", 1, 0), sp("Praha", 1, 0))
		for _, s := range []string{"Gdansk", "Leipzig", "Szeged"} {
			mustRefuse(t, p, "PLAY 14 OPS CHECK "+s)
		}
		if !p.Targets(engine.Democrat).Empty() {
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
		if p.Ending != engine.AutomaticVictory || !p.Winners.Has(p.Sits[engine.Democrat]) {
			t.Errorf("the ending is %v for %v", p.Ending, p.Winners)
		}
	})
	t.Run("card 9: the next check in East Germany ignores the Democrat's neighbours, once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.TheWall), sp("Leipzig", 9, 0), sp("Halle", 3, 0), sp("Berlin", 3, 0), sp("Lodz", 1, 0))
		s := p.CheckSum(engine.Communist, engine.Leipzig, 4, 0, false)
		if s.Enemy != 0 {
			t.Errorf("%d neighbours count against the check", s.Enemy)
		}
		p = carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Lodz, Leipzig")
		lies(t, p, engine.TheWall, engine.PileRemoved)
		if s := p.CheckSum(engine.Communist, engine.Leipzig, 4, 0, false); s.Enemy != 2 {
			t.Errorf("afterwards %d neighbours count, want 2", s.Enemy)
		}
	})
	t.Run("card 30: the next Communist check of students has +1, once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.TearGas), sp("Sofia University", 9, 0), sp("Lodz", 1, 0))
		if s := p.CheckSum(engine.Communist, engine.SpaceNamed("Sofia University"), 4, 0, false); s.Mods != 1 {
			t.Errorf("the modifier is %d, want 1", s.Mods)
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
			if got := p.CheckSum(tt.side, engine.SpaceNamed(tt.where), 3, 0, false).Mods; got != tt.want {
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
