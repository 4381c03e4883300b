package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"samizdat/rules"
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
		if err := p.Decide(&x, engine.SpaceAtom(engine.VerbCheck, engine.FindSpace("Berlin"))); err == nil {
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
		if err := p.Decide(&x, engine.SpaceAtom(engine.VerbCheck, engine.FindSpace("Gyor"))); err == nil {
			t.Fatal("the next turn is dealt without chance")
		}
		if got := int(p.Support[tt.side.Enemy()][engine.FindSpace("Gyor")]); got != tt.left { // 5 + 2 against 6
			t.Errorf("the %v's check leaves %d, want %d", tt.side, got, tt.left)
		}
	}
	t.Run("the bans hold for it (cards 2, 48, 49)", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 6), lasting(engine.SolidarityLegalized, engine.WeAreThePeople), func(p *engine.Position) { p.Effects.DebtCountry = engine.Hungary },
			sp("Gdansk", 1, 0), sp("Leipzig", 1, 0), sp("Gyor", 1, 0)))
		if p.Turn != 2 {
			t.Errorf("%v is asked, though nothing may be checked", p.Question.Kind)
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
		if s := p.CheckBonus(engine.Democrat, engine.FindSpace("Iasi"), 1, 0, false); s.Ops != 1 || s.Modifiers != -2 {
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
		if got := p.AttemptModifier(engine.Communist, 35); got != 4 {
			t.Errorf("the modifiers are %d, want 4", got)
		}
	})
	t.Run("cards 59 and 74 balance each other in East Germany", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, lasting(engine.Grenztruppen, engine.FRGEmbassies))
		if s := p.CheckBonus(engine.Democrat, engine.FindSpace("Berlin"), 3, 0, false); s.Modifiers != 0 {
			t.Errorf("the modifier is %d", s.Modifiers)
		}
	})
	t.Run("box 7 and General Strike do not meet: a strike round has no Ops", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 40), boxes(0, 8), lasting(engine.GeneralStrike), sp("Praha", 0, 1))
		if offers(p, engine.PlayAtom(40, engine.PlayNoEvent)) || offers(p, engine.PlayAtom(engine.TearGas, engine.PlayOps)) {
			t.Error("Ops are offered")
		}
	})
}

// What the frame does for cards whose events are missing: effects on action
// rounds and turns. The tests set what the events will set.

// TestStrikeHook holds General Strike against its edge cases.
func TestStrikeHook(t *testing.T) {
	t.Parallel()
	t.Run("card 5, edge case 2: it goes on in the next turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.GeneralStrike)))
		if p.Turn != 2 || !p.Effects.Cards.Has(engine.GeneralStrike) {
			t.Error("the strike has ended with the turn")
		}
		lies(t, p, engine.GeneralStrike, engine.PileInPlay)
	})
	t.Run("card 5, edge case 4: nothing but the discard, and the round is over also when the strike ends", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14, 21, 35, 40), lasting(engine.GeneralStrike), sp("Lodz", 1, 1))
		for _, a := range p.LegalAtoms(nil) {
			if engine.Mode(engine.AtomFlag(a)) != engine.PlayStrike {
				t.Errorf("mode %v is offered for card %d", engine.ModeNames[engine.AtomFlag(a)], engine.AtomValue(a))
			}
		}
		p = carry(t, p, []any{6}, "PLAY 14 STRIKE")
		lies(t, p, engine.GeneralStrike, engine.PileRemoved)
		mustAsk(t, p, engine.AskRound, engine.Democrat)
		if p.Tiananmen[engine.Communist].Attempted {
			t.Error("an attempt is used up")
		}
	})
	t.Run("card 5, edge case 5: a scoring card is played in full, without a die for the strike", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.PolandScoring), lasting(engine.GeneralStrike))
		if offers(p, engine.PlayAtom(engine.PolandScoring, engine.PlayStrike)) {
			t.Error("a scoring card may be thrown away")
		}
		p = carry(t, p, []any{1, 6}, "PLAY 22 EVENT")
		lies(t, p, engine.GeneralStrike, engine.PileInPlay)
		hasVP(t, p, 3)
	})
	t.Run("card 5, edge case 6: the Ops are modified", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put  func(*engine.Position)
			card engine.Card
			need int
		}{{nil, 35, 3}, {lasting(engine.Perestroika), 35, 2}, {prudent(engine.Communist), 35, 4}, {nil, engine.TheWall, 5}, {boxes(0, 2), engine.TheWall, 4}, {prudent(engine.Democrat), 35, 3},
			{lasting(engine.SinatraDoctrine), 35, 3}} {
			for die := 1; die <= 6; die++ {
				p := scene(t, engine.Communist, holds(engine.Communist, tt.card), lasting(engine.GeneralStrike))
				if tt.put != nil {
					tt.put(p)
				}
				x := engine.Run{Chance: &script{t, []any{die}}}
				if err := p.Decide(&x, engine.PlayAtom(tt.card, engine.PlayStrike)); err != nil {
					t.Fatal(err)
				}
				if got := !p.Effects.Cards.Has(engine.GeneralStrike); got != (die >= tt.need) {
					t.Errorf("card %d, die %d: ended %v, want from %d on", tt.card, die, got, tt.need)
				}
			}
		}
	})
	t.Run("card 5, edge case 7: with an empty hand the round is forfeited and the strike goes on", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, lay(engine.PileDiscard, engine.TearGas), lasting(engine.GeneralStrike))
		mustAsk(t, p, engine.AskRound, engine.Democrat)
		lies(t, p, engine.GeneralStrike, engine.PileInPlay)
	})
	t.Run("card 5, edge case 8: Communist events in the Democrat's round go on", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 12), lasting(engine.GeneralStrike), sp("Lodz", 1, 0))
		has(t, carry(t, p, nil, "PLAY 12 OPS PLACE Lodz 2 EVENT AFTER", "PLACE Praha 3"), "Praha", 0, 3)
	})
	t.Run("card 5, edge case 9: under Stasi the Democrat still shows his card", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39), holds(engine.Communist, 35), lasting(engine.GeneralStrike, engine.Stasi), func(p *engine.Position) { p.Effects.StasiFrom = 2 })
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, engine.AskAnnounce, engine.Democrat)
		mustAsk(t, carry(t, p, nil, "CHOOSE 39"), engine.AskStrike, engine.Communist)
	})
}

// TestStasiHook holds Stasi against its edge cases.
func TestStasiHook(t *testing.T) {
	t.Parallel()
	from := func(n int8) func(*engine.Position) { return func(p *engine.Position) { p.Effects.StasiFrom = n } }
	t.Run("card 13, edge case 1: not for the round in which it was played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39, 40), lasting(engine.Stasi), from(2))
		if p.Effects.AnnouncedCard != 0 || !offers(p, engine.PlayAtom(34, engine.PlayEvent)) || !offers(p, engine.PlayAtom(39, engine.PlayEvent)) {
			t.Error("the Democrat is bound in the round of the event")
		}
	})
	t.Run("card 13, edge case 3: an announced card that has left the hand frees the Democrat", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39), lasting(engine.Stasi), func(p *engine.Position) { p.Effects.AnnouncedCard = 40 })
		if !offers(p, engine.PlayAtom(34, engine.PlayEvent)) || !offers(p, engine.PlayAtom(39, engine.PlayEvent)) {
			t.Error("the Democrat may not choose freely")
		}
	})
	t.Run("card 13, edge case 4: an empty hand has nothing to show", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, lay(engine.PileDiscard, 29), holds(engine.Democrat, 34), holds(engine.Communist, 35), lasting(engine.Stasi), from(2))
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, engine.AskRound, engine.Communist)
	})
	t.Run("card 13, edge case 7: it ends with the turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.Stasi), from(2), holds(engine.Democrat, 29, 34)))
		lies(t, p, engine.Stasi, engine.PileRemoved)
		if p.Effects.StasiFrom != 0 || p.Effects.Cards.Has(engine.Stasi) {
			t.Error("Stasi goes on")
		}
	})
	t.Run("card 13, edge case 9: a scoring card that was announced must be played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring, 34), lasting(engine.Stasi), func(p *engine.Position) { p.Effects.AnnouncedCard = engine.PolandScoring })
		options := p.LegalAtoms(nil)
		if len(options) != 1 || options[0] != engine.PlayAtom(engine.PolandScoring, engine.PlayEvent) {
			t.Errorf("the options are %x", options)
		}
	})
	t.Run("only the card is shown: the announcement is public", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39, 40), lasting(engine.Stasi), from(2))
		p = carry(t, p, nil, "PLAY 34 EVENT", "CHOOSE 39")
		for _, seat := range []rules.Seat{p.SeatOfSide[engine.Communist], rules.NoSeat} {
			if v := p.View(seat).(*engine.View); v.Visible.Effects.AnnouncedCard != 39 {
				t.Errorf("seat %d does not see the announced card", seat)
			}
		}
	})
}

// TestLigachevHook holds Ligachev against its edge cases.
func TestLigachevHook(t *testing.T) {
	t.Parallel()
	t.Run("card 99, edge case 1: for Ops or an attempt card 14 does not help", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), lasting(engine.Ligachev))
		hasVP(t, carry(t, p, []any{1}, "PLAY 14 OPS TIANANMEN"), -3)
	})
	t.Run("card 99, edge case 2: before a power struggle", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring), lasting(engine.Ligachev), vpAt(-17))
		p = carry(t, p, nil, "PLAY 22 EVENT")
		if p.Ending != engine.AutomaticVictory || p.Struggle.Country != engine.NoCountry {
			t.Errorf("the ending is %v", p.Ending)
		}
		lies(t, p, engine.Ligachev, engine.PileRemoved)
	})
	t.Run("card 99, edge case 4: the Communist's own rounds do not trigger it, and it crosses turns", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), lasting(engine.Ligachev), sp("Praha", 0, 1))
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Praha 2")
		hasVP(t, p, 0)
		lies(t, p, engine.Ligachev, engine.PileInPlay)
		p = finish(t, lastRound(t))
		lasting(engine.Ligachev)(p)
		if engine.LastsForTurn.Has(engine.Ligachev) {
			t.Error("it ends with the turn")
		}
	})
	t.Run("card 99, edge case 9, ruling 7: a forfeited round costs 3", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12, 35), lay(engine.PileDiscard, 29), lasting(engine.Ligachev), sp("Praha", 0, 1))
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Praha 2")
		hasVP(t, p, -3)
		lies(t, p, engine.Ligachev, engine.PileRemoved)
	})
}

// TestCeausescuHook holds the third part of card 41 against its edge cases.
func TestCeausescuHook(t *testing.T) {
	t.Parallel()
	happening := func(p *engine.Position) { p.Effects.CeausescuPending = true }
	for _, tt := range []struct {
		name string
		put  []func(*engine.Position)
		left int
	}{
		{"edge case 2: next to Cluj-Napoca", []func(*engine.Position){sp("Babes-Bolyai University", 1, 0)}, 4},
		{"edge case 2: in Bucuresti itself", []func(*engine.Position){sp("Bucuresti", 1, 5)}, 4},
		{"edge case 2: in Cluj-Napoca does not count", []func(*engine.Position){sp("Cluj-Napoca", 3, 0)}, 5},
		{"edge case 3: Timisoara destroyed, Szeged counts", []func(*engine.Position){ruined("Timisoara"), sp("Szeged", 1, 0)}, 4},
		{"edge case 3: Timisoara there, Szeged does not", []func(*engine.Position){sp("Szeged", 1, 0)}, 5},
		{"edge case 3: the university destroyed, its writers count", []func(*engine.Position){ruined("Babes-Bolyai University"), sp("Romanian Writers", 1, 0)}, 4},
		{"edge case 3: Cluj-Napoca destroyed, nothing", []func(*engine.Position){ruined("Cluj-Napoca"), sp("Timisoara", 1, 0)}, 5},
	} {
		t.Run("card 41, "+tt.name, func(t *testing.T) {
			t.Parallel()
			put := append([]func(*engine.Position){holds(engine.Democrat, 14), happening, sp("Bucuresti", 0, 5), sp("Lodz", 1, 0)}, tt.put...)
			p := carry(t, scene(t, engine.Democrat, put...), nil, "PLAY 14 OPS PLACE Lodz 4")
			if got := int(p.Support[engine.Communist][engine.Bucuresti]); got != tt.left {
				t.Errorf("%d points are left, want %d", got, tt.left)
			}
			if p.Effects.CeausescuPending {
				t.Error("it would happen again")
			}
		})
	}
	t.Run("card 41, edge case 4: without a point there nothing is removed", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), happening, sp("Timisoara", 1, 0))
		has(t, carry(t, p, nil, "PLAY 14 OPS PLACE Timisoara 4"), "Bucuresti", 0, 0)
	})
	t.Run("card 41, edge case 5: the Democrat's Ops of the round count", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), happening, sp("Szeged", 1, 0), sp("Bucuresti", 0, 2))
		has(t, carry(t, p, nil, "PLAY 14 OPS PLACE Timisoara 4"), "Bucuresti", 0, 1)
	})
}

// TestPartyHook holds the New Year's Eve Party against its edge cases.
func TestPartyHook(t *testing.T) {
	t.Parallel()
	party := func(p *engine.Position) { p.Effects.EndDeclared = true }
	t.Run("card 104, edge case 4: the held card comes first", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, holds(engine.Communist, engine.PolandScoring)))
		if p.Ending != engine.HeldCard {
			t.Errorf("the ending is %v", p.Ending)
		}
	})
	t.Run("card 104, edge case 5: in turn 10 it replaces final scoring", func(t *testing.T) {
		t.Parallel()
		p := carry(t, finish(t, lastRound(t, party, turn(engine.Turns), vpAt(1))), nil, "PASS")
		hasVP(t, p, 1)
		if p.Ending != engine.NewYear || p.Winners != rules.Only(0) {
			t.Errorf("the ending is %v for %b", p.Ending, p.Winners)
		}
	})
	t.Run("card 104, edge case 6: a full struggle, the Democrat attacking, without automatic victory", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, vpAt(-19), sp("Sofia", 0, 3), lasting(engine.Yakovlev), func(p *engine.Position) { p.Power[engine.Bulgaria].Struggles = 2 }))
		mustAsk(t, p, engine.AskCountry, engine.Democrat)
		deal := []any{"Rally", "Rally", "Rally", "Strike-3", "Strike-3", "Strike-3"}
		p = carry(t, p, append(deal, 1, 1), "CHOOSE Bulgaria", "PASS", "KEEP POWER")
		// Without a card he loses: 0 VP for the die, -1 x 3 for Power, -1 - 1 for Bulgaria.
		hasVP(t, p, -24)
		if p.Ending != engine.NewYear || p.Winners != rules.Only(1) {
			t.Errorf("the ending is %v for %b", p.Ending, p.Winners)
		}
	})
	t.Run("card 104, edge case 10: without Communist Power nobody is asked; 0 is a draw", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, func(p *engine.Position) {
			for c := engine.EastGermany; c < engine.Countries; c++ {
				p.Power[c].Holder = engine.Democrat
			}
		}))
		if p.Ending != engine.NewYear || p.Winners != 0 {
			t.Errorf("the ending is %v for %b", p.Ending, p.Winners)
		}
	})
	t.Run("card 104: only countries under Communist Power may be chosen", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, func(p *engine.Position) { p.Power[engine.Hungary].Holder = engine.Democrat }))
		mustRefuse(t, p, "CHOOSE Hungary")
		if n := len(p.LegalAtoms(nil)); n != 6 {
			t.Errorf("%d options, want five countries and passing", n)
		}
	})
	t.Run("card 104, edge case 11, ruling 37: no -2 for the Ceausescus at large", func(t *testing.T) {
		t.Parallel()
		p := carry(t, finish(t, lastRound(t, party, refuge("Iasi"), vpAt(1))), nil, "PASS")
		hasVP(t, p, 1)
	})
	t.Run("card 104, edge case 3: box 6 comes before it", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, boxes(6, 0), sp("Lodz", 0, 1), sp("Praha", 0, 1)))
		mustAsk(t, p, engine.AskCheck, engine.Democrat)
		mustAsk(t, carry(t, p, nil, "PASS"), engine.AskCountry, engine.Democrat)
	})
}

// TestVisitHook holds Presidential Visit against its edge cases.
func TestVisitHook(t *testing.T) {
	t.Parallel()
	for have, want := range map[int]int{6: 7, 7: 7, 8: 8} {
		p := finish(t, lastRound(t, lasting(engine.PresidentialVisit),
			holds(engine.Communist, []engine.Card{1, 3, 4, 5, 6, 7, 10, 11}[:have]...)))
		x := engine.Run{Chance: newDice(9)}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		if c, d := p.Piles[engine.PileCommunist].Len(), p.Piles[engine.PileDemocrat].Len(); c != want || d != engine.HandSize {
			t.Errorf("card 65, edge cases 1 and 2: %d cards become %d and the Democrat has %d, want %d and 8", have, c, d, want)
		}
		if p.Effects.Cards.Has(engine.PresidentialVisit) {
			t.Error("card 65, edge case 5: it goes on")
		}
	}
}

// What the frame does in power struggles for cards whose events are missing.

// dealtOut plays a scoring card with seeded chance until somebody is asked, and
// returns what happened.
func dealtOut(t *testing.T, p *engine.Position, c engine.Card) []rules.Event {
	t.Helper()
	x := engine.Run{Chance: newDice(31)}
	if err := p.Decide(&x, engine.PlayAtom(c, engine.PlayEvent)); err != nil {
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
			var told engine.StruggleCards
			for _, e := range events {
				if e.Kind == engine.EvStruggleCard && e.Audience.Has(p.SeatOfSide[s]) && e.Args[1] != engine.HiddenStruggleCard {
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
			if e.Kind == engine.EvStruggleCard && e.Audience.Has(rules.NoSeat) && e.Args[1] != engine.HiddenStruggleCard {
				t.Errorf("everybody is told of a %v", engine.StruggleCard(e.Args[1]))
			}
		}
	})
	t.Run("rule 8.1.2: a struggle that stalls in the deal shows nobody his cards", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring), lasting(engine.RoundtableTalks), sp("Lodz", 3, 0), sp("Warszawa", 0, 3))
		x := engine.Run{Chance: &some{dice: newDice(3), left: 9}}
		if err := p.Decide(&x, engine.PlayAtom(engine.PolandScoring, engine.PlayEvent)); err == nil || p.Struggle.Hands[engine.Communist].Len() != 5 {
			t.Fatalf("%v, %d cards", err, p.Struggle.Hands[engine.Communist].Len())
		}
		for _, seat := range []rules.Seat{0, 1, rules.NoSeat} {
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
		if err := p.Advance(&x); err != nil || p.Struggle.Hands[engine.Communist].Len() != 4 {
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
		h := p.View(seat).(*engine.View).Visible.Struggle.Hands
		return h[engine.Democrat].Len() > 0, h[engine.Communist].Len() > 0
	}
	t.Run("card 70, edge cases 1 to 3: in Romania the Communist sees the Democrat's cards, and nobody else does", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.RomaniaScoring), lasting(engine.Securitate), sp("Iasi", 3, 0), sp("Galati", 0, 3))
		dealtOut(t, p, engine.RomaniaScoring)
		if d, c := shown(p, p.SeatOfSide[engine.Communist]); !d || !c {
			t.Error("the Communist does not see both hands")
		}
		if d, c := shown(p, p.SeatOfSide[engine.Democrat]); !d || c {
			t.Error("the Democrat does not see his own hand alone")
		}
		if d, c := shown(p, rules.NoSeat); d || c {
			t.Error("spectators see hands")
		}
	})
	t.Run("card 70, edge case 3: not elsewhere", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.BulgariaScoring), lasting(engine.Securitate), sp("Varna", 3, 0), sp("Sofia", 0, 3))
		dealtOut(t, p, engine.BulgariaScoring)
		if d, _ := shown(p, p.SeatOfSide[engine.Communist]); d {
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
		if p.Power[engine.Poland].Holder != engine.Democrat {
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
		p := engine.Position{Struggle: engine.Struggle{Stakes: 2}}
		p.Effects.Cards.Add(engine.Yakovlev)
		if got := p.AftermathModifier(engine.Democrat, engine.PetitionSuit); got != 1 {
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
				if offers(p, engine.PlayAtom(c, engine.Mode(m))) != (engine.Mode(m) == engine.PlayEvent) {
					t.Errorf("played as %v: %v", engine.ModeNames[m], offers(p, engine.PlayAtom(c, engine.Mode(m))))
				}
			}
		})
		t.Run(c.String()+": neither controls a space (ruling 32), the player loses", func(t *testing.T) {
			t.Parallel()
			p := carry(t, scene(t, engine.Democrat, holds(engine.Democrat, c)), []any{1, 1}, "PLAY "+number2(c)+" EVENT", "KEEP POWER")
			if p.Power[country].Holder != engine.Communist || p.Power[country].Struggles != 1 {
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
			for s := engine.InCountry[country]; !s.IsEmpty(); n++ {
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
		for s := engine.Battlegrounds.And(engine.InCountry[engine.Romania]).And(p.ExistingSpaces()); !s.IsEmpty(); {
			p.SetSupport(engine.Communist, s.Next(), 9)
		}
		if l, n := p.CountryLevel(engine.Communist, engine.Romania); l != engine.Control || n != 5 {
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
