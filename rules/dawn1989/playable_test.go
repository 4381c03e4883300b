package dawn1989

import (
	"testing"

	"samizdat/rules"
)

// TestPlayable holds the conditions of events against rule 5.2 and the cards,
// those of missing events included: where a condition fails, the Ops are free.
func TestPlayable(t *testing.T) {
	t.Parallel()
	taken := func(cs ...Country) func(*Position) {
		return func(p *Position) {
			for _, c := range cs {
				p.power[c].Held = Democrat
			}
		}
	}
	all := taken(EastGermany, Poland, Czechoslovakia, Hungary, Romania, Bulgaria)
	for _, tt := range []struct {
		name string
		c    Card
		side Side
		put  []func(*Position)
		want bool
	}{
		{"44: the Communist has Power everywhere", InflationaryCurrency, Communist, nil, false},
		{"44: and so the Democrat can", InflationaryCurrency, Democrat, nil, true},
		{"44: the Democrat has Power somewhere", InflationaryCurrency, Communist, []func(*Position){taken(Hungary)}, true},
		{"44: the Democrat has it everywhere", InflationaryCurrency, Democrat, []func(*Position){all}, false},
		{"57: Communist Power somewhere", CentralCommittee, Communist, nil, true},
		{"57: Communist Power nowhere", CentralCommittee, Communist, []func(*Position){all}, false},
		{"67: ahead", ReformerRehabilitated, Democrat, []func(*Position){boxes(1, 0)}, true},
		{"67: level", ReformerRehabilitated, Democrat, []func(*Position){boxes(3, 3)}, false},
		{"67: behind", ReformerRehabilitated, Communist, []func(*Position){boxes(1, 0)}, false},
		{"89: one country", DominoTheory, Democrat, []func(*Position){taken(Poland)}, false},
		{"89: two countries", DominoTheory, Democrat, []func(*Position){taken(Poland, Hungary)}, true},
		{"93: no country", ShockTherapy, Democrat, nil, false},
		{"93: one country", ShockTherapy, Democrat, []func(*Position){taken(Bulgaria)}, true},
		{"96: box 6", ChineseSolution, Communist, []func(*Position){boxes(0, 6)}, false},
		{"96: box 7", ChineseSolution, Communist, []func(*Position){boxes(8, 7)}, true},
		{"106: no country", SocialDemocraticPlatform, Communist, nil, false},
		{"106: one country", SocialDemocraticPlatform, Communist, []func(*Position){taken(Bulgaria)}, true},
		{"110: before Kremlin Coup!", MaltaSummit, Democrat, nil, true},
		{"110: after it", MaltaSummit, Democrat, []func(*Position){happened(KremlinCoup)}, false},
		{"14: after Breakaway Baltic Republics", GorbachevCharmsTheWest, Democrat, []func(*Position){happened(BreakawayRepublics)}, false},
		{"15: after Modrow", Honecker, Communist, []func(*Position){happened(Modrow)}, false},
		{"97: the Crowd was played, and waits", TyrantIsGone, Democrat, []func(*Position){lasting(CrowdTurns)}, true},
		{"107: after Laszlo Tokes", MassacreInTimisoara, Communist, []func(*Position){happened(LaszloTokes)}, true},
		{"10: after the Tyrant is gone, without effect", CultOfPersonality, Communist, []func(*Position){refuge("Iasi")}, true},
		{"21: never by itself", CommonEuropeanHome, Democrat, nil, false},
	} {
		t.Run("card "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, tt.side.Enemy(), append(tt.put, holds(tt.side.Enemy(), tt.c), sp("Lodz", 1, 1))...)
			if got := p.playable(tt.c, tt.side); got != tt.want {
				t.Errorf("the event can take place: %v, want %v", got, tt.want)
			}
			// In the enemy's hand the Ops are free of it when it cannot.
			if tt.c.Info().Side == tt.side {
				if got := offers(p, play(tt.c, PlayOps)); got == tt.want {
					t.Errorf("the Ops are free of the event: %v", got)
				}
			}
		})
	}
}

// TestFewCards holds draws with few cards against rule 4.3 and ruling 5.
func TestFewCards(t *testing.T) {
	t.Parallel()
	bare := func(deck []Card, discard ...Card) func(*Position) {
		return func(p *Position) {
			for _, pile := range []Pile{PileDeck, PileDiscard} {
				lay(PileRemoved, p.piles[pile].cards()...)(p)
			}
			lay(PileDeck, deck...)(p)
			lay(PileDiscard, discard...)(p)
		}
	}
	box3 := func(t *testing.T, put func(*Position), chance ...any) *Position {
		t.Helper()
		p := scene(t, Communist, holds(Communist, 14), boxes(0, 2), put)
		return carry(t, p, append([]any{6}, chance...), "PLAY 14 OPS TIANANMEN")
	}
	t.Run("box 3 in a reshuffle: the card being played is not in it (ruling 4)", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]Card{35}, 12, 39), Card(35), Card(12), Card(39))
		mustAsk(t, p, AskTake, Communist)
		p = carry(t, p, nil, "TAKE 12")
		lies(t, p, 35, PileDiscard)
		lies(t, p, 14, PileDiscard)
		if !p.piles[PileDeck].empty() {
			t.Error("the deck is not empty")
		}
	})
	t.Run("box 3 with two cards: one is kept of two", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]Card{35, 12}), Card(35), Card(12))
		mustAsk(t, p, AskTake, Communist)
		lies(t, carry(t, p, nil, "TAKE 35"), 12, PileDiscard)
	})
	t.Run("box 3 with no card: nothing", func(t *testing.T) {
		t.Parallel()
		mustAsk(t, box3(t, bare(nil)), AskRound, Democrat)
	})
	t.Run("box 3: the choice is the player's secret, the two discards are not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), boxes(0, 2), bare([]Card{35, 12, 39, 40}))
		p = carry(t, p, []any{6, Card(35), Card(12), Card(39)}, "PLAY 14 OPS TIANANMEN")
		d := p.Owed(nil)[0]
		if !d.Private {
			t.Error("the answer is not private")
		}
		told, err := p.Apply(d.ID, atom(VerbTake, 0, 35), &script{t, nil}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range told {
			if e.Audience.Has(p.sits[Democrat]) && e.Kind == EvKept && e.Args[1] != 0 {
				t.Error("the Democrat is told of the card that was kept")
			}
			if e.Kind == EvDiscarded && e.Audience != rules.Everyone {
				t.Error("the discards are not public")
			}
		}
	})
	t.Run("a deal that runs out stops, and the match goes on", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare([]Card{35, 12, 39}), lay(PileRemoved, 30)))
		// 29, just discarded, comes back with the reshuffle.
		x := Run{Chance: newDice(5)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		mustAsk(t, p, AskRound, Communist)
		if c, d := p.piles[PileCommunist].len(), p.piles[PileDemocrat].len(); c != 2 || d != 2 {
			t.Errorf("the hands have %d and %d cards, want 2 and 2", c, d)
		}
	})
	t.Run("rule 4.4: discards stay discards when a period begins", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare(nil, 8), turn(3)))
		if p.turn != 4 || p.piles[PileDeck].has(8) || !p.piles[PileDiscard].has(8) || p.piles[PileDeck].len() != 41 {
			t.Errorf("turn %d, the deck has %d cards", p.turn, p.piles[PileDeck].len())
		}
	})
}
