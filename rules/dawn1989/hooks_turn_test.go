package dawn1989

import (
	"testing"

	"samizdat/rules"
)

// What the frame does for cards whose events are missing: effects on action
// rounds and turns. The tests set what the events will set.

// TestStrikeHook holds General Strike against its edge cases.
func TestStrikeHook(t *testing.T) {
	t.Parallel()
	t.Run("card 5, edge case 2: it goes on in the next turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(GeneralStrike)))
		if p.turn != 2 || !p.force.cards.has(GeneralStrike) {
			t.Error("the strike has ended with the turn")
		}
		lies(t, p, GeneralStrike, PileInPlay)
	})
	t.Run("card 5, edge case 4: nothing but the discard, and the round is over also when the strike ends", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14, 21, 35, 40), lasting(GeneralStrike), sp("Lodz", 1, 1))
		for _, a := range p.Choices(nil) {
			if Mode(AtomFlag(a)) != PlayStrike {
				t.Errorf("mode %v is offered for card %d", modeNames[AtomFlag(a)], AtomValue(a))
			}
		}
		p = carry(t, p, []any{6}, "PLAY 14 STRIKE")
		lies(t, p, GeneralStrike, PileRemoved)
		mustAsk(t, p, AskRound, Democrat)
		if p.tiananmen[Communist].Attempted {
			t.Error("an attempt is used up")
		}
	})
	t.Run("card 5, edge case 5: a scoring card is played in full, without a die for the strike", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, PolandScoring), lasting(GeneralStrike))
		if offers(p, play(PolandScoring, PlayStrike)) {
			t.Error("a scoring card may be thrown away")
		}
		p = carry(t, p, []any{1, 6}, "PLAY 22 EVENT")
		lies(t, p, GeneralStrike, PileInPlay)
		hasVP(t, p, 3)
	})
	t.Run("card 5, edge case 6: the Ops are modified", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put  func(*Position)
			card Card
			need int
		}{{nil, 35, 3}, {lasting(Perestroika), 35, 2}, {prudent(Communist), 35, 4}, {nil, TheWall, 5}, {boxes(0, 2), TheWall, 4}, {prudent(Democrat), 35, 3},
			{lasting(SinatraDoctrine), 35, 3}} {
			for die := 1; die <= 6; die++ {
				p := scene(t, Communist, holds(Communist, tt.card), lasting(GeneralStrike))
				if tt.put != nil {
					tt.put(p)
				}
				x := Run{Chance: &script{t, []any{die}}}
				if err := p.Decide(&x, play(tt.card, PlayStrike)); err != nil {
					t.Fatal(err)
				}
				if got := !p.force.cards.has(GeneralStrike); got != (die >= tt.need) {
					t.Errorf("card %d, die %d: ended %v, want from %d on", tt.card, die, got, tt.need)
				}
			}
		}
	})
	t.Run("card 5, edge case 7: with an empty hand the round is forfeited and the strike goes on", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, lay(PileDiscard, TearGas), lasting(GeneralStrike))
		mustAsk(t, p, AskRound, Democrat)
		lies(t, p, GeneralStrike, PileInPlay)
	})
	t.Run("card 5, edge case 8: Communist events in the Democrat's round go on", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 12), lasting(GeneralStrike), sp("Lodz", 1, 0))
		has(t, carry(t, p, nil, "PLAY 12 OPS PLACE Lodz 2 EVENT AFTER", "PLACE Praha 3"), "Praha", 0, 3)
	})
	t.Run("card 5, edge case 9: under Stasi the Democrat still shows his card", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 34, 39), holds(Communist, 35), lasting(GeneralStrike, Stasi), func(p *Position) { p.force.stasiFrom = 2 })
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, AskAnnounce, Democrat)
		mustAsk(t, carry(t, p, nil, "CHOOSE 39"), AskStrike, Communist)
	})
}

// TestStasiHook holds Stasi against its edge cases.
func TestStasiHook(t *testing.T) {
	t.Parallel()
	from := func(n int8) func(*Position) { return func(p *Position) { p.force.stasiFrom = n } }
	t.Run("card 13, edge case 1: not for the round in which it was played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 34, 39, 40), lasting(Stasi), from(2))
		if p.force.announced != 0 || !offers(p, play(34, PlayEvent)) || !offers(p, play(39, PlayEvent)) {
			t.Error("the Democrat is bound in the round of the event")
		}
	})
	t.Run("card 13, edge case 3: an announced card that has left the hand frees the Democrat", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 34, 39), lasting(Stasi), func(p *Position) { p.force.announced = 40 })
		if !offers(p, play(34, PlayEvent)) || !offers(p, play(39, PlayEvent)) {
			t.Error("the Democrat may not choose freely")
		}
	})
	t.Run("card 13, edge case 4: an empty hand has nothing to show", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, lay(PileDiscard, 29), holds(Democrat, 34), holds(Communist, 35), lasting(Stasi), from(2))
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, AskRound, Communist)
	})
	t.Run("card 13, edge case 7: it ends with the turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(Stasi), from(2), holds(Democrat, 29, 34)))
		lies(t, p, Stasi, PileRemoved)
		if p.force.stasiFrom != 0 || p.force.cards.has(Stasi) {
			t.Error("Stasi goes on")
		}
	})
	t.Run("card 13, edge case 9: a scoring card that was announced must be played", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, PolandScoring, 34), lasting(Stasi), func(p *Position) { p.force.announced = PolandScoring })
		options := p.Choices(nil)
		if len(options) != 1 || options[0] != play(PolandScoring, PlayEvent) {
			t.Errorf("the options are %x", options)
		}
	})
	t.Run("only the card is shown: the announcement is public", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 34, 39, 40), lasting(Stasi), from(2))
		p = carry(t, p, nil, "PLAY 34 EVENT", "CHOOSE 39")
		for _, seat := range []rules.Seat{p.sits[Communist], rules.Nobody} {
			if v := p.View(seat).(*View); v.p.force.announced != 39 {
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
		p := scene(t, Democrat, holds(Democrat, 14), lasting(Ligachev))
		hasVP(t, carry(t, p, []any{1}, "PLAY 14 OPS TIANANMEN"), -3)
	})
	t.Run("card 99, edge case 2: before a power struggle", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, PolandScoring), lasting(Ligachev), vpAt(-17))
		p = carry(t, p, nil, "PLAY 22 EVENT")
		if p.ending != AutomaticVictory || p.struggle.Country != NoCountry {
			t.Errorf("the ending is %v", p.ending)
		}
		lies(t, p, Ligachev, PileRemoved)
	})
	t.Run("card 99, edge case 4: the Communist's own rounds do not trigger it, and it crosses turns", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 12), lasting(Ligachev), sp("Praha", 0, 1))
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Praha 2")
		hasVP(t, p, 0)
		lies(t, p, Ligachev, PileInPlay)
		p = finish(t, lastRound(t))
		lasting(Ligachev)(p)
		if lastsForTurn.has(Ligachev) {
			t.Error("it ends with the turn")
		}
	})
	t.Run("card 99, edge case 9, ruling 7: a forfeited round costs 3", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 12, 35), lay(PileDiscard, 29), lasting(Ligachev), sp("Praha", 0, 1))
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Praha 2")
		hasVP(t, p, -3)
		lies(t, p, Ligachev, PileRemoved)
	})
}

// TestCeausescuHook holds the third part of card 41 against its edge cases.
func TestCeausescuHook(t *testing.T) {
	t.Parallel()
	happening := func(p *Position) { p.force.ceausescu = true }
	for _, tt := range []struct {
		name string
		put  []func(*Position)
		left int
	}{
		{"edge case 2: next to Cluj-Napoca", []func(*Position){sp("Babes-Bolyai University", 1, 0)}, 4},
		{"edge case 2: in Bucuresti itself", []func(*Position){sp("Bucuresti", 1, 5)}, 4},
		{"edge case 2: in Cluj-Napoca does not count", []func(*Position){sp("Cluj-Napoca", 3, 0)}, 5},
		{"edge case 3: Timisoara destroyed, Szeged counts", []func(*Position){ruined("Timisoara"), sp("Szeged", 1, 0)}, 4},
		{"edge case 3: Timisoara there, Szeged does not", []func(*Position){sp("Szeged", 1, 0)}, 5},
		{"edge case 3: the university destroyed, its writers count", []func(*Position){ruined("Babes-Bolyai University"), sp("Romanian Writers", 1, 0)}, 4},
		{"edge case 3: Cluj-Napoca destroyed, nothing", []func(*Position){ruined("Cluj-Napoca"), sp("Timisoara", 1, 0)}, 5},
	} {
		t.Run("card 41, "+tt.name, func(t *testing.T) {
			t.Parallel()
			put := append([]func(*Position){holds(Democrat, 14), happening, sp("Bucuresti", 0, 5), sp("Lodz", 1, 0)}, tt.put...)
			p := carry(t, scene(t, Democrat, put...), nil, "PLAY 14 OPS PLACE Lodz 4")
			if got := int(p.support[Communist][bucuresti]); got != tt.left {
				t.Errorf("%d points are left, want %d", got, tt.left)
			}
			if p.force.ceausescu {
				t.Error("it would happen again")
			}
		})
	}
	t.Run("card 41, edge case 4: without a point there nothing is removed", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), happening, sp("Timisoara", 1, 0))
		has(t, carry(t, p, nil, "PLAY 14 OPS PLACE Timisoara 4"), "Bucuresti", 0, 0)
	})
	t.Run("card 41, edge case 5: the Democrat's Ops of the round count", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), happening, sp("Szeged", 1, 0), sp("Bucuresti", 0, 2))
		has(t, carry(t, p, nil, "PLAY 14 OPS PLACE Timisoara 4"), "Bucuresti", 0, 1)
	})
}

// TestPartyHook holds the New Year's Eve Party against its edge cases.
func TestPartyHook(t *testing.T) {
	t.Parallel()
	party := func(p *Position) { p.force.party = true }
	t.Run("card 104, edge case 4: the held card comes first", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, holds(Communist, PolandScoring)))
		if p.ending != HeldCard {
			t.Errorf("the ending is %v", p.ending)
		}
	})
	t.Run("card 104, edge case 5: in turn 10 it replaces final scoring", func(t *testing.T) {
		t.Parallel()
		p := carry(t, finish(t, lastRound(t, party, turn(turns), vpAt(1))), nil, "PASS")
		hasVP(t, p, 1)
		if p.ending != NewYear || p.winners != rules.Only(0) {
			t.Errorf("the ending is %v for %b", p.ending, p.winners)
		}
	})
	t.Run("card 104, edge case 6: a full struggle, the Democrat attacking, without automatic victory", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, vpAt(-19), sp("Sofia", 0, 3), lasting(Yakovlev), func(p *Position) { p.power[Bulgaria].Times = 2 }))
		mustAsk(t, p, AskCountry, Democrat)
		deal := []any{"Rally", "Rally", "Rally", "Strike-3", "Strike-3", "Strike-3"}
		p = carry(t, p, append(deal, 1, 1), "CHOOSE Bulgaria", "PASS", "KEEP POWER")
		// Without a card he loses: 0 VP for the die, -1 x 3 for Power, -1 - 1 for Bulgaria.
		hasVP(t, p, -24)
		if p.ending != NewYear || p.winners != rules.Only(1) {
			t.Errorf("the ending is %v for %b", p.ending, p.winners)
		}
	})
	t.Run("card 104, edge case 10: without Communist Power nobody is asked; 0 is a draw", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, func(p *Position) {
			for c := EastGermany; c < countries; c++ {
				p.power[c].Held = Democrat
			}
		}))
		if p.ending != NewYear || p.winners != 0 {
			t.Errorf("the ending is %v for %b", p.ending, p.winners)
		}
	})
	t.Run("card 104: only countries under Communist Power may be chosen", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, party, func(p *Position) { p.power[Hungary].Held = Democrat }))
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
		mustAsk(t, p, AskCheck, Democrat)
		mustAsk(t, carry(t, p, nil, "PASS"), AskCountry, Democrat)
	})
}

// TestVisitHook holds Presidential Visit against its edge cases.
func TestVisitHook(t *testing.T) {
	t.Parallel()
	for have, want := range map[int]int{6: 7, 7: 7, 8: 8} {
		p := finish(t, lastRound(t, lasting(PresidentialVisit),
			holds(Communist, []Card{1, 3, 4, 5, 6, 7, 10, 11}[:have]...)))
		x := Run{Chance: newDice(9)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		if c, d := p.piles[PileCommunist].len(), p.piles[PileDemocrat].len(); c != want || d != handSize {
			t.Errorf("card 65, edge cases 1 and 2: %d cards become %d and the Democrat has %d, want %d and 8", have, c, d, want)
		}
		if p.force.cards.has(PresidentialVisit) {
			t.Error("card 65, edge case 5: it goes on")
		}
	}
}
