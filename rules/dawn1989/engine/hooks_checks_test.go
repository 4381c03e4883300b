package engine_test

import (
	"fmt"
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// What the frame does in Operations and checks for cards whose events are
// missing.

// TestBorderHook holds Austria-Hungary Border Reopened against rule 11.1 and its
// edge cases.
func TestBorderHook(t *testing.T) {
	t.Parallel()
	border := lasting(engine.AustriaHungaryBorder)
	t.Run("card 58, edge case 1: spent elsewhere the extra point is gone", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34), border, sp("Berlin", 1, 0), sp("Lodz", 1, 0))
		carry(t, p, nil, "PLAY 34 OPS PLACE Berlin, Lodz")
		mustRefuse(t, p, "PLAY 34 OPS PLACE Berlin, Lodz, Berlin")
		mustRefuse(t, p, "PLAY 34 OPS PLACE Lodz 3")
		has(t, carry(t, p, nil, "PLAY 34 OPS PLACE Berlin 3"), "Berlin", 4, 0)
	})
	t.Run("card 58, edge case 2: the extra point helps to pay 2", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34), border, sp("Berlin", 1, 5), sp("Rostock", 1, 0))
		p = carry(t, p, nil, "PLAY 34 OPS PLACE Rostock, Berlin")
		has(t, p, "Berlin", 2, 5)
		mustAsk(t, p, engine.AskRound, engine.Communist)
	})
	t.Run("card 58, edge case 3: claimed without a second target, the first bonus stands", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), border, sp("Berlin", 0, 1), sp("Lodz", 0, 3))
		p = carry(t, p, []any{3}, "PLAY 40 OPS CHECK Berlin BONUS")
		has(t, p, "Berlin", 0, 0) // 3 + 4 against 6
		has(t, p, "Lodz", 0, 3)
		mustAsk(t, p, engine.AskRound, engine.Communist)
	})
	t.Run("rule 11.1: silence is no, and a first target elsewhere too", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), border, sp("Berlin", 0, 3), sp("Lodz", 0, 3))
		q := carry(t, p, []any{4, 4}, "PLAY 40 OPS CHECK Lodz, Berlin")
		has(t, q, "Berlin", 0, 2) // 4 + 3 against 6
		q = carry(t, p, []any{4, 4}, "PLAY 40 OPS CHECK Berlin, Berlin")
		has(t, q, "Berlin", 0, 1)
		q = carry(t, p, []any{4, 4}, "PLAY 40 OPS CHECK Berlin BONUS") // the second, of the only target left, is made unasked
		has(t, q, "Berlin", 1, 0)                                      // 2, then 1 removed and 1 added
	})
	t.Run("card 58, edge case 5: the free check of box 6 has it", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(6, 0), border, sp("Berlin", 0, 3)))
		x := engine.Run{Chance: &dieThenNone{die: 4}}
		if err := p.Decide(&x, engine.AtomAt(engine.VerbCheck, engine.SpaceNamed("Berlin"))); err == nil {
			t.Fatal("the next turn is dealt without chance")
		}
		has(t, p, "Berlin", 0, 2) // 4 + 3 against 6
	})
	t.Run("card 58, edge case 6: an attempt has it not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 12), border)
		if q := carry(t, p, []any{2}, "PLAY 12 OPS TIANANMEN"); q.Tiananmen[engine.Democrat].Box != 0 {
			t.Error("2 + 2 has reached 5")
		}
	})
	t.Run("card 58, edge case 8: it is the Democrat's alone", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), border, sp("Berlin", 0, 1))
		mustRefuse(t, p, "PLAY 12 OPS PLACE Berlin 3")
		p = scene(t, engine.Communist, holds(engine.Communist, 12), border, sp("Berlin", 1, 0), sp("Halle", 1, 0))
		mustRefuse(t, p, "PLAY 12 OPS CHECK Berlin BONUS")
	})
	t.Run("card 58, edge case 10: with Genscher 1 a point, and one more", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34), lasting(engine.AustriaHungaryBorder, engine.Genscher), sp("Berlin", 1, 9), sp("Lodz", 1, 9))
		has(t, carry(t, p, nil, "PLAY 34 OPS PLACE Berlin 3"), "Berlin", 4, 9)
		// Card 63, edge case 1: elsewhere it costs 2.
		has(t, carry(t, p, nil, "PLAY 34 OPS PLACE Lodz"), "Lodz", 2, 9)
		mustRefuse(t, p, "PLAY 34 OPS PLACE Lodz 2")
	})
	t.Run("card 63, edge case 4: the Communist pays as ever", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), lasting(engine.Genscher), sp("Berlin", 9, 1))
		mustRefuse(t, p, "PLAY 12 OPS PLACE Berlin 2")
		carry(t, p, nil, "PLAY 12 OPS PLACE Berlin")
	})
}

// TestFreeCheck holds the free check of box 6 against rule 4.5.3: what lasts a
// turn still counts.
func TestFreeCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		side engine.Side
		put  func(*engine.Position)
		left int
	}{
		{engine.Democrat, nil, 4}, {engine.Democrat, lasting(engine.SinatraDoctrine), 3}, {engine.Democrat, lasting(engine.FRGEmbassies), 3}, {engine.Democrat, prudent(engine.Democrat), 5},
		{engine.Democrat, prudent(engine.Communist), 4}, {engine.Communist, lasting(engine.Perestroika), 3}, {engine.Communist, prudent(engine.Communist), 5}, {engine.Communist, nil, 4},
		{engine.Democrat, func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }, 5},
	} {
		put := []func(*engine.Position){boxes(6*int8(tt.side.Enemy()), 6*int8(tt.side))}
		if tt.put != nil {
			put = append(put, tt.put)
		}
		support := [2]int{}
		support[tt.side.Enemy()] = 5
		p := finish(t, lastRound(t, append(put, sp("Gyor", support[engine.Democrat], support[engine.Communist]))...))
		mustAsk(t, p, engine.AskCheck, tt.side)
		x := engine.Run{Chance: &dieThenNone{die: 5}}
		if err := p.Decide(&x, engine.AtomAt(engine.VerbCheck, engine.SpaceNamed("Gyor"))); err == nil {
			t.Fatal("the next turn is dealt without chance")
		}
		if got := int(p.Support[tt.side.Enemy()][engine.SpaceNamed("Gyor")]); got != tt.left { // 5 + 2 against 6
			t.Errorf("the %v's check leaves %d, want %d", tt.side, got, tt.left)
		}
	}
	t.Run("the bans hold for it (cards 2, 48, 49)", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 6), lasting(engine.SolidarityLegalized, engine.WeAreThePeople), func(p *engine.Position) { p.Effects.Debt = engine.Hungary },
			sp("Gdansk", 1, 0), sp("Leipzig", 1, 0), sp("Gyor", 1, 0)))
		if p.Turn != 2 {
			t.Errorf("%v is asked, though nothing may be checked", p.Question.Ask)
		}
	})
}

// TestStandFastHook holds Stand Fast against its edge cases.
func TestStandFastHook(t *testing.T) {
	t.Parallel()
	t.Run("card 100, edge case 1: looked at before each roll", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }, sp("Gyor", 0, 4))
		// 5 + 4 - 1 against 6 takes 2, and the control; then 5 + 4 takes 2 and adds 1.
		p = carry(t, p, []any{5, 5}, "PLAY 14 OPS CHECK Gyor")
		has(t, p, "Gyor", 1, 0)
	})
	t.Run("card 100, edge case 3: it is no Ops modifier", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, func(p *engine.Position) { p.Effects.StandFast = int8(engine.Communist) + 1 }, lasting(engine.Elena), prudent(engine.Democrat), sp("Iasi", 0, 3))
		if s := p.CheckSum(engine.Democrat, engine.SpaceNamed("Iasi"), 1, 0, false); s.Ops != 1 || s.Mods != -2 {
			t.Errorf("the sum is %+v, want 1 - 2", s)
		}
	})
}

// TestTyrantHook holds the Tyrant's capture (card 97) against its edge cases.
func TestTyrantHook(t *testing.T) {
	t.Parallel()
	for i, play := range []struct {
		put    []func(*engine.Position)
		chance []any
		orders []string
	}{
		{[]func(*engine.Position){holds(engine.Democrat, 14), sp("Iasi", 2, 0)}, nil, []string{"PLAY 14 OPS PLACE Iasi 4"}},
		{[]func(*engine.Position){holds(engine.Democrat, 14), sp("Iasi", 2, 1)}, []any{6}, []string{"PLAY 14 OPS CHECK Iasi"}},
		{[]func(*engine.Position){holds(engine.Democrat, 14), sp("Iasi", 3, 2)}, nil, []string{"PLAY 14 EVENT"}},
	} {
		t.Run(fmt.Sprint("card 97, edge case 8: captured once, way ", i+1), func(t *testing.T) {
			t.Parallel()
			p := carry(t, scene(t, engine.Democrat, append(play.put, refuge("Iasi"))...), play.chance, play.orders...)
			hasVP(t, p, 2)
			if p.Effects.Refuge != 0 {
				t.Error("the marker still lies")
			}
		})
	}
	t.Run("card 97, edge case 9: at +20 the match is over, and nothing more happens", func(t *testing.T) {
		t.Parallel()
		// The removal alone gives control; the points that the check would add
		// are not placed any more.
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), refuge("Iasi"), sp("Iasi", 3, 1), sp("Praha", 0, 3), vpAt(18))
		p = carry(t, p, []any{6}, "PLAY 14 OPS CHECK Iasi")
		if p.Ending != engine.AutomaticVictory {
			t.Errorf("the ending is %v", p.Ending)
		}
		has(t, p, "Iasi", 3, 0)
	})
	t.Run("card 97: the Communist's control captures nothing", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), refuge("Iasi"), sp("Iasi", 0, 2))
		p = carry(t, p, nil, "PLAY 14 OPS PLACE Iasi 4")
		hasVP(t, p, 0)
		if p.Effects.Refuge == 0 {
			t.Error("the marker is gone")
		}
	})
	t.Run("card 97, edge case 8: by the support loss of a struggle; victory waits", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.RomaniaScoring), refuge("Iasi"), sp("Iasi", 3, 1), vpAt(18))
		// Neither controls a space, so that the Communist, who plays, loses:
		// 2 is one point, his only one; the VP die of 1 is nothing.
		p = carry(t, p, []any{2, 1}, "PLAY 95 EVENT")
		has(t, p, "Iasi", 3, 0)
		hasVP(t, p, 20)
		mustAsk(t, p, engine.AskPower, engine.Communist)
		p = carry(t, p, nil, "KEEP POWER")
		// -2 for Power, +2 +1 for the Democrat's Presence in Iasi.
		hasVP(t, p, 21)
		if p.Ending != engine.AutomaticVictory {
			t.Errorf("the ending is %v", p.Ending)
		}
	})
}

// TestTurnHooks holds cards 25, 30, 50, 53, 59, 74 and 101 against what their
// edge cases say of Operations.
func TestTurnHooks(t *testing.T) {
	t.Parallel()
	t.Run("card 25, edge case 2: 4 becomes 5, for points and attempts", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), lasting(engine.Perestroika), sp("Praha", 0, 1))
		has(t, carry(t, p, nil, "PLAY 14 OPS PLACE Praha 5"), "Praha", 0, 6)
		if q := carry(t, p, []any{1}, "PLAY 14 OPS TIANANMEN"); q.Tiananmen[engine.Communist].Box != 1 {
			t.Error("1 + 5 does not reach 6")
		}
	})
	t.Run("card 25, edge case 3: not for the Democrat who plays it", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 15), lasting(engine.Perestroika), sp("Lodz", 1, 0))
		mustRefuse(t, p, "PLAY 15 OPS PLACE Lodz 4 EVENT AFTER")
		carry(t, p, nil, "PLAY 15 OPS PLACE Lodz 3 EVENT AFTER")
	})
	t.Run("card 30, edge case 2: one roll only", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.TheWall), lasting(engine.TearGas), sp("Charles University", 9, 0))
		p = carry(t, p, []any{2, 2}, "PLAY 9 OPS CHECK Charles University")
		has(t, p, "Charles University", 9-2-1, 0) // 2 + 1 + 1 against 2, then 2 + 1
	})
	t.Run("card 50, edge case 1: attempts and events as well", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), lasting(engine.SinatraDoctrine), sp("Gyor", 0, 6))
		if q := carry(t, p, []any{1}, "PLAY 40 OPS TIANANMEN"); q.Tiananmen[engine.Democrat].Box != 1 {
			t.Error("1 + 4 + 1 (own star) does not reach 5")
		}
		p = carry(t, p, []any{5}, "PLAY 40 EVENT", "PLACE Pecs 3")
		has(t, p, "Gyor", 0, 3) // 5 + 4 against 6
	})
	t.Run("card 53, edge case 1: it adds up with everything else", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 35), lasting(engine.LiPeng, engine.Perestroika), boxes(0, 4), func(p *engine.Position) { p.Tiananmen[engine.Communist].Failed = true })
		// 1 + 3 + 1 for Perestroika, and own star, failure, box 1, Li Peng: 9 against 8.
		if q := carry(t, p, []any{1}, "PLAY 35 OPS TIANANMEN"); q.Tiananmen[engine.Communist].Box != 5 {
			t.Error("9 does not reach 8")
		}
		if got := p.AttemptMods(engine.Communist, 35); got != 4 {
			t.Errorf("the modifiers are %d, want 4", got)
		}
	})
	t.Run("cards 59 and 74 balance each other in East Germany", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, lasting(engine.Grenztruppen, engine.FRGEmbassies))
		if s := p.CheckSum(engine.Democrat, engine.SpaceNamed("Berlin"), 3, 0, false); s.Mods != 0 {
			t.Errorf("the modifier is %d", s.Mods)
		}
	})
	t.Run("box 7 and General Strike do not meet: a strike round has no Ops", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 40), boxes(0, 8), lasting(engine.GeneralStrike), sp("Praha", 0, 1))
		if offers(p, engine.AtomPlay(40, engine.PlayNoEvent)) || offers(p, engine.AtomPlay(engine.TearGas, engine.PlayOps)) {
			t.Error("Ops are offered")
		}
	})
}
