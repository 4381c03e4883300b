package engine_test

import (
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

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
		for _, a := range p.Choices(nil) {
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
		if offers(p, engine.AtomPlay(engine.PolandScoring, engine.PlayStrike)) {
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
				if err := p.Decide(&x, engine.AtomPlay(tt.card, engine.PlayStrike)); err != nil {
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
		if p.Effects.Announced != 0 || !offers(p, engine.AtomPlay(34, engine.PlayEvent)) || !offers(p, engine.AtomPlay(39, engine.PlayEvent)) {
			t.Error("the Democrat is bound in the round of the event")
		}
	})
	t.Run("card 13, edge case 3: an announced card that has left the hand frees the Democrat", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39), lasting(engine.Stasi), func(p *engine.Position) { p.Effects.Announced = 40 })
		if !offers(p, engine.AtomPlay(34, engine.PlayEvent)) || !offers(p, engine.AtomPlay(39, engine.PlayEvent)) {
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
		p := scene(t, engine.Democrat, holds(engine.Democrat, engine.PolandScoring, 34), lasting(engine.Stasi), func(p *engine.Position) { p.Effects.Announced = engine.PolandScoring })
		options := p.Choices(nil)
		if len(options) != 1 || options[0] != engine.AtomPlay(engine.PolandScoring, engine.PlayEvent) {
			t.Errorf("the options are %x", options)
		}
	})
	t.Run("only the card is shown: the announcement is public", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 39, 40), lasting(engine.Stasi), from(2))
		p = carry(t, p, nil, "PLAY 34 EVENT", "CHOOSE 39")
		for _, seat := range []rules.Seat{p.Sits[engine.Communist], rules.Nobody} {
			if v := p.View(seat).(*engine.View); v.Seen.Effects.Announced != 39 {
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
	happening := func(p *engine.Position) { p.Effects.Ceausescu = true }
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
			if p.Effects.Ceausescu {
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
	party := func(p *engine.Position) { p.Effects.Party = true }
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
		p := finish(t, lastRound(t, party, vpAt(-19), sp("Sofia", 0, 3), lasting(engine.Yakovlev), func(p *engine.Position) { p.Power[engine.Bulgaria].Times = 2 }))
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
				p.Power[c].Held = engine.Democrat
			}
		}))
		if p.Ending != engine.NewYear || p.Winners != 0 {
			t.Errorf("the ending is %v for %b", p.Ending, p.Winners)
		}
	})
	t.Run("card 104: only countries under Communist Power may be chosen", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, func(p *engine.Position) { p.Power[engine.Hungary].Held = engine.Democrat }))
		mustRefuse(t, p, "CHOOSE Hungary")
		if n := len(p.Choices(nil)); n != 6 {
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
		if err := p.Go(&x); err != nil {
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
