package dawn1989

import "testing"

// TestCard36 holds Dash for the West against its edge cases.
func TestCard36(t *testing.T) {
	t.Parallel()
	east := []func(*Position){sp("Berlin", 0, 3), sp("Halle", 0, 3), sp("Rostock", 0, 3), sp("Schwerin", 0, 3), sp("Leipzig", 0, 3)}
	t.Run("card 36, edge case 1: the VP come without an eligible card, and before the choice", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 36), sp("Lodz", 0, 1)), []any{1}, "PLAY 36 OPS PLACE Lodz 3 EVENT AFTER")
		hasVP(t, p, 1)
		p = scene(t, Democrat, holds(Democrat, 36), vpAt(19), lay(PileDiscard, 34, 39))
		if q := carry(t, p, []any{6}, "PLAY 36 EVENT"); q.ending != AutomaticVictory {
			t.Error("the match goes on at +20")
		}
	})
	t.Run("card 36, edge cases 2 and 3: strictly higher; a failure takes the card away too", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, append(east, holds(Democrat, 36), lay(PileDiscard, 34))...)
		q := carry(t, p, []any{5}, "PLAY 36 EVENT")
		hasVP(t, q, 0)
		lies(t, q, 36, PileRemoved)
		lies(t, q, 34, PileDiscard)
		hasVP(t, carry(t, p, []any{6}, "PLAY 36 EVENT"), 1)
		p = scene(t, Democrat, append(east, holds(Democrat, 36), sp("Dresden", 0, 4))...)
		hasVP(t, carry(t, p, []any{6}, "PLAY 36 EVENT"), 0)
	})
	t.Run("card 36, edge case 4: blue asterisk cards only, not itself", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 36), lay(PileDiscard, 34, 39, 27, 12, 14, PolandScoring))
		p = carry(t, p, []any{6}, "PLAY 36 EVENT")
		if n := len(p.Choices(nil)); n != 2 {
			t.Errorf("%d cards are offered, want 34 and 39", n)
		}
		for _, order := range []string{"TAKE 27", "TAKE 12", "TAKE 14", "TAKE 22", "TAKE 36", "PASS"} {
			mustRefuse(t, p, order)
		}
	})
	t.Run("card 36, edge case 5: a card whose event cannot take place cannot be chosen", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 36), lay(PileDiscard, Walesa, MondayDemonstrations, BalticWay, BreakawayRepublics, TyrantIsGone, MaltaSummit),
			happened(KremlinCoup))
		p = carry(t, p, []any{6}, "PLAY 36 EVENT")
		mustAsk(t, p, AskRound, Communist)
		lies(t, p, Walesa, PileDiscard)
	})
	t.Run("card 36, edge case 6: the chosen card leaves the game, or lies in play", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 36), lay(PileDiscard, 34, 39))
		p = carry(t, p, []any{6}, "PLAY 36 EVENT")
		lies(t, carry(t, p, nil, "TAKE 34"), 34, PileRemoved)
		q := carry(t, p, nil, "TAKE 39")
		lies(t, q, 39, PileInPlay)
		lies(t, q, 36, PileRemoved)
		if !q.force.cards.has(EcoGlasnost) {
			t.Error("Eco-Glasnost is not in force")
		}
	})
	t.Run("card 36, edge case 7: the nested event is the Democrat's also in the Communist's round", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 36), lay(PileDiscard, 40), sp("Miskolc", 0, 3), lasting(SinatraDoctrine, Perestroika))
		p = carry(t, p, []any{6, 5}, "PLAY 36 OPS EVENT FIRST", "PLACE Pecs 3")
		has(t, p, "Miskolc", 0, 0) // 5 + 4 against 6
		mustAsk(t, p, AskOps, Communist)
		lies(t, p, 40, PileRemoved)
	})
	t.Run("card 36, edge case 9: Ops first or event first changes the number", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 36), sp("Berlin", 0, 1))
		hasVP(t, carry(t, p, []any{1}, "PLAY 36 OPS PLACE Berlin 3 EVENT AFTER"), 0)
		hasVP(t, carry(t, p, []any{1}, "PLAY 36 OPS EVENT FIRST"), 1)
	})
	t.Run("card 36, edge case 10: an eligible card must be chosen", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 36), lay(PileDiscard, 34))
		has(t, carry(t, p, []any{6}, "PLAY 36 EVENT"), "Eotvos Lorand University", 5, 0)
	})
}
