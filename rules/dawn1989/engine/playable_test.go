package engine_test

import (
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// TestPlayable holds the conditions of events against rule 5.2 and the cards,
// those of missing events included: where a condition fails, the Ops are free.
func TestPlayable(t *testing.T) {
	t.Parallel()
	taken := func(cs ...engine.Country) func(*engine.Position) {
		return func(p *engine.Position) {
			for _, c := range cs {
				p.Power[c].Held = engine.Democrat
			}
		}
	}
	all := taken(engine.EastGermany, engine.Poland, engine.Czechoslovakia, engine.Hungary, engine.Romania, engine.Bulgaria)
	for _, tt := range []struct {
		name string
		c    engine.Card
		side engine.Side
		put  []func(*engine.Position)
		want bool
	}{
		{"44: the Communist has Power everywhere", engine.InflationaryCurrency, engine.Communist, nil, false},
		{"44: and so the Democrat can", engine.InflationaryCurrency, engine.Democrat, nil, true},
		{"44: the Democrat has Power somewhere", engine.InflationaryCurrency, engine.Communist, []func(*engine.Position){taken(engine.Hungary)}, true},
		{"44: the Democrat has it everywhere", engine.InflationaryCurrency, engine.Democrat, []func(*engine.Position){all}, false},
		{"57: Communist Power somewhere", engine.CentralCommittee, engine.Communist, nil, true},
		{"57: Communist Power nowhere", engine.CentralCommittee, engine.Communist, []func(*engine.Position){all}, false},
		{"67: ahead", engine.ReformerRehabilitated, engine.Democrat, []func(*engine.Position){boxes(1, 0)}, true},
		{"67: level", engine.ReformerRehabilitated, engine.Democrat, []func(*engine.Position){boxes(3, 3)}, false},
		{"67: behind", engine.ReformerRehabilitated, engine.Communist, []func(*engine.Position){boxes(1, 0)}, false},
		{"89: one country", engine.DominoTheory, engine.Democrat, []func(*engine.Position){taken(engine.Poland)}, false},
		{"89: two countries", engine.DominoTheory, engine.Democrat, []func(*engine.Position){taken(engine.Poland, engine.Hungary)}, true},
		{"93: no country", engine.ShockTherapy, engine.Democrat, nil, false},
		{"93: one country", engine.ShockTherapy, engine.Democrat, []func(*engine.Position){taken(engine.Bulgaria)}, true},
		{"96: box 6", engine.ChineseSolution, engine.Communist, []func(*engine.Position){boxes(0, 6)}, false},
		{"96: box 7", engine.ChineseSolution, engine.Communist, []func(*engine.Position){boxes(8, 7)}, true},
		{"106: no country", engine.SocialDemocraticPlatform, engine.Communist, nil, false},
		{"106: one country", engine.SocialDemocraticPlatform, engine.Communist, []func(*engine.Position){taken(engine.Bulgaria)}, true},
		{"110: before Kremlin Coup!", engine.MaltaSummit, engine.Democrat, nil, true},
		{"110: after it", engine.MaltaSummit, engine.Democrat, []func(*engine.Position){happened(engine.KremlinCoup)}, false},
		{"14: after Breakaway Baltic Republics", engine.GorbachevCharmsTheWest, engine.Democrat, []func(*engine.Position){happened(engine.BreakawayRepublics)}, false},
		{"15: after Modrow", engine.Honecker, engine.Communist, []func(*engine.Position){happened(engine.Modrow)}, false},
		{"97: the Crowd was played, and waits", engine.TyrantIsGone, engine.Democrat, []func(*engine.Position){lasting(engine.CrowdTurns)}, true},
		{"107: after Laszlo Tokes", engine.MassacreInTimisoara, engine.Communist, []func(*engine.Position){happened(engine.LaszloTokes)}, true},
		{"10: after the Tyrant is gone, without effect", engine.CultOfPersonality, engine.Communist, []func(*engine.Position){refuge("Iasi")}, true},
		{"21: never by itself", engine.CommonEuropeanHome, engine.Democrat, nil, false},
	} {
		t.Run("card "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, tt.side.Enemy(), append(tt.put, holds(tt.side.Enemy(), tt.c), sp("Lodz", 1, 1))...)
			if got := p.Playable(tt.c, tt.side); got != tt.want {
				t.Errorf("the event can take place: %v, want %v", got, tt.want)
			}
			// In the enemy's hand the Ops are free of it when it cannot.
			if tt.c.Info().Side == tt.side {
				if got := offers(p, engine.AtomPlay(tt.c, engine.PlayOps)); got == tt.want {
					t.Errorf("the Ops are free of the event: %v", got)
				}
			}
		})
	}
}

// TestFewCards holds draws with few cards against rule 4.3 and ruling 5.
func TestFewCards(t *testing.T) {
	t.Parallel()
	bare := func(deck []engine.Card, discard ...engine.Card) func(*engine.Position) {
		return func(p *engine.Position) {
			for _, pile := range []engine.Pile{engine.PileDeck, engine.PileDiscard} {
				lay(engine.PileRemoved, p.Piles[pile].List()...)(p)
			}
			lay(engine.PileDeck, deck...)(p)
			lay(engine.PileDiscard, discard...)(p)
		}
	}
	box3 := func(t *testing.T, put func(*engine.Position), chance ...any) *engine.Position {
		t.Helper()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), put)
		return carry(t, p, append([]any{6}, chance...), "PLAY 14 OPS TIANANMEN")
	}
	t.Run("box 3 in a reshuffle: the card being played is not in it (ruling 4)", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]engine.Card{35}, 12, 39), engine.Card(35), engine.Card(12), engine.Card(39))
		mustAsk(t, p, engine.AskTake, engine.Communist)
		p = carry(t, p, nil, "TAKE 12")
		lies(t, p, 35, engine.PileDiscard)
		lies(t, p, 14, engine.PileDiscard)
		if !p.Piles[engine.PileDeck].Empty() {
			t.Error("the deck is not empty")
		}
	})
	t.Run("box 3 with two cards: one is kept of two", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]engine.Card{35, 12}), engine.Card(35), engine.Card(12))
		mustAsk(t, p, engine.AskTake, engine.Communist)
		lies(t, carry(t, p, nil, "TAKE 35"), 12, engine.PileDiscard)
	})
	t.Run("box 3 with no card: nothing", func(t *testing.T) {
		t.Parallel()
		mustAsk(t, box3(t, bare(nil)), engine.AskRound, engine.Democrat)
	})
	t.Run("box 3: the choice is the player's secret, the two discards are not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), bare([]engine.Card{35, 12, 39, 40}))
		p = carry(t, p, []any{6, engine.Card(35), engine.Card(12), engine.Card(39)}, "PLAY 14 OPS TIANANMEN")
		d := p.Owed(nil)[0]
		if !d.Private {
			t.Error("the answer is not private")
		}
		told, err := p.Apply(d.ID, engine.NewAtom(engine.VerbTake, 0, 35), &script{t, nil}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range told {
			if e.Audience.Has(p.Sits[engine.Democrat]) && e.Kind == engine.EvKept && e.Args[1] != 0 {
				t.Error("the Democrat is told of the card that was kept")
			}
			if e.Kind == engine.EvDiscarded && e.Audience != rules.Everyone {
				t.Error("the discards are not public")
			}
		}
	})
	t.Run("a deal that runs out stops, and the match goes on", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare([]engine.Card{35, 12, 39}), lay(engine.PileRemoved, 30)))
		// 29, just discarded, comes back with the reshuffle.
		x := engine.Run{Chance: newDice(5)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		mustAsk(t, p, engine.AskRound, engine.Communist)
		if c, d := p.Piles[engine.PileCommunist].Len(), p.Piles[engine.PileDemocrat].Len(); c != 2 || d != 2 {
			t.Errorf("the hands have %d and %d cards, want 2 and 2", c, d)
		}
	})
	t.Run("rule 4.4: discards stay discards when a period begins", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare(nil, 8), turn(3)))
		if p.Turn != 4 || p.Piles[engine.PileDeck].Has(8) || !p.Piles[engine.PileDiscard].Has(8) || p.Piles[engine.PileDeck].Len() != 41 {
			t.Errorf("turn %d, the deck has %d cards", p.Turn, p.Piles[engine.PileDeck].Len())
		}
	})
}
