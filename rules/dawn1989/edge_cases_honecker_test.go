package dawn1989

import "testing"

// TestCard15 holds Honecker against its edge cases.
func TestCard15(t *testing.T) {
	t.Parallel()
	t.Run("card 15, edge case 1: the halves are independent", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 15), lay(PileDiscard, PolandScoring)), nil, "PLAY 15 EVENT")
		mustAsk(t, p, AskRound, Democrat) // a scoring card is nothing to choose
		if !p.force.extraRound {
			t.Error("the eighth round is not earned")
		}
	})
	t.Run("card 15, edge case 2: discarded asterisk cards may be taken, removed and lasting ones not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 15), lay(PileDiscard, Fidesz, 12), lay(PileRemoved, 10), lasting(HelsinkiFinalAct))
		p = carry(t, p, nil, "PLAY 15 EVENT")
		for _, order := range []string{"TAKE 10", "TAKE 26", "TAKE 15"} {
			mustRefuse(t, p, order)
		}
		lies(t, carry(t, p, nil, "TAKE 34"), Fidesz, PileCommunist)
	})
	t.Run("card 15, edge case 3: also when the Democrat plays it, in his seventh round", func(t *testing.T) {
		t.Parallel()
		p := lastRound(t, holds(Democrat, 15), holds(Communist, 12), lay(PileDiscard, 8), sp("Lodz", 1, 0), sp("Praha", 0, 1))
		p = carry(t, p, nil, "PLAY 15 OPS PLACE Lodz 3 EVENT AFTER")
		mustAsk(t, p, AskTake, Communist)
		p = carry(t, p, nil, "TAKE 8")
		mustAsk(t, p, AskExtraRound, Communist)
	})
	t.Run("card 15, edge case 4: an ordinary round: event, strike, or forfeited", func(t *testing.T) {
		t.Parallel()
		extra := func(p *Position) { p.force.extraRound = true }
		p := finish(t, lastRound(t, extra, holds(Communist, 35, 12, PolandScoring)))
		for _, a := range []Mode{PlayEvent, PlayTiananmen} {
			if !offers(p, play(35, a)) {
				t.Errorf("mode %v is not offered in the eighth round", modeNames[a])
			}
		}
		if !offers(p, play(PolandScoring, PlayEvent)) || !offers(p, pass) {
			t.Error("a scoring card, or passing, is not offered")
		}
		p = finish(t, lastRound(t, extra, holds(Communist, 35), lasting(GeneralStrike)))
		mustAsk(t, p, AskStrike, Communist)
		if !offers(p, play(35, PlayStrike)) || offers(p, play(35, PlayEvent)) || !offers(p, pass) {
			t.Error("the eighth round is no strike round")
		}
		p = finish(t, lastRound(t, extra))
		if p.turn != 2 {
			t.Error("with an empty hand the eighth round is not forfeited")
		}
		p = finish(t, lastRound(t, extra, holds(Communist, 35), holds(Democrat, 29, 34), lasting(Stasi)))
		mustAsk(t, p, AskExtraRound, Communist) // no card is announced for it
	})
	t.Run("card 15, edge case 5: box 6 and the held card come after it, effects of the turn last", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, func(p *Position) { p.force.extraRound = true }, holds(Communist, 12, PolandScoring), boxes(6, 0),
			lasting(Perestroika), sp("Lodz", 0, 2), sp("Praha", 0, 2)))
		mustAsk(t, p, AskExtraRound, Communist)
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Praha 3")
		mustAsk(t, p, AskCheck, Democrat)
		p = carry(t, p, nil, "PASS")
		if p.ending != HeldCard {
			t.Errorf("the ending is %v", p.ending)
		}
	})
	t.Run("card 15, edge case 6: after Modrow it is Ops only; a round already earned stays", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 15), happened(Modrow), sp("Praha", 0, 2))
		if offers(p, play(15, PlayEvent)) || !offers(p, play(15, PlayOps)) {
			t.Error("the plays after Modrow are wrong")
		}
		p = finish(t, lastRound(t, func(p *Position) { p.force.extraRound = true }, happened(Modrow), holds(Communist, 12)))
		mustAsk(t, p, AskExtraRound, Communist)
	})
	t.Run("card 15, edge case 7: Prudence that was recovered adds up", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, prudent(Democrat), prudent(Democrat))
		if got := p.opsValue(Democrat, 4, false); got != 2 {
			t.Errorf("4 under two Prudences is %d, want 2", got)
		}
	})
	t.Run("card 15, edge case 8: the next deal goes to 8 and takes nothing back", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, holds(Communist, 1, 3, 4, 5, 6, 7, 10, 11, 12)))
		x := Run{Chance: newDice(2)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		if c, d := p.piles[PileCommunist].len(), p.piles[PileDemocrat].len(); c != 9 || d != 8 {
			t.Errorf("the hands have %d and %d cards, want 9 and 8", c, d)
		}
	})
}
