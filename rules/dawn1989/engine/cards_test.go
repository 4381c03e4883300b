package engine_test

import (
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// TestMissing: no event is missing. Common European Home has none of its own: it is a
// way to play another card.
func TestMissing(t *testing.T) {
	t.Parallel()
	for c := engine.Card(1); c < engine.Cards; c++ {
		if len(engine.StepsOf(c)) == 0 && c != engine.CommonEuropeanHome {
			t.Errorf("card %d, %v, has no event", c, c)
		}
	}
}

// TestCardPlay holds the use of cards against rule 5.
func TestCardPlay(t *testing.T) {
	t.Parallel()
	t.Run("rule 5.2: the enemy's event happens, before or after as its player says", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 39), sp("Varna", 0, 1))
		// Before: Ruse is the Democrat's by the time of the Ops, and costs 2.
		first := carry(t, p, nil, "PLAY 39 OPS EVENT FIRST", "OPS PLACE Ruse")
		has(t, first, "Ruse", 4, 1)
		after := carry(t, p, nil, "PLAY 39 OPS PLACE Ruse 2 EVENT AFTER")
		has(t, after, "Ruse", 4, 2)
	})
	t.Run("rule 5.2: the clause is needed, and only then", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 39, 3, 12), sp("Varna", 0, 1))
		mustRefuse(t, p, "PLAY 39 OPS PLACE Varna 2")
		mustRefuse(t, p, "PLAY 3 OPS PLACE Varna 3 EVENT AFTER")
		mustRefuse(t, p, "PLAY 12 OPS PLACE Varna 2 EVENT AFTER")
		carry(t, p, nil, "PLAY 3 OPS PLACE Varna 3")
		carry(t, p, nil, "PLAY 12 OPS PLACE Varna 2")
	})
	t.Run("rule 5.2: a card whose event cannot take place is discarded", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Walesa), sp("Varna", 0, 1))
		lies(t, carry(t, p, nil, "PLAY 3 OPS PLACE Varna 3"), engine.Walesa, engine.PileDiscard)
	})
	t.Run("an own card for Ops has no event and is discarded, asterisk or not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), sp("Varna", 0, 1))
		p = carry(t, p, nil, "PLAY 12 OPS PLACE Varna 2")
		lies(t, p, 12, engine.PileDiscard)
		has(t, p, "Berlin", 0, 0)
	})
	t.Run("the enemy's event cannot be played as one's own", func(t *testing.T) {
		t.Parallel()
		mustRefuse(t, scene(t, engine.Communist, holds(engine.Communist, 39)), "PLAY 39 EVENT")
	})
	t.Run("a scoring card is played for its event only", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 22), sp("Lodz", 0, 1))
		mustRefuse(t, p, "PLAY 22 OPS PLACE Lodz")
		mustRefuse(t, p, "PLAY 22 OPS TIANANMEN")
	})
	t.Run("ruling 9: without any legal use a card is spent in vain", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), func(p *engine.Position) { p.Tiananmen[engine.Communist].Attempted = true })
		lies(t, carry(t, p, nil, "PLAY 12 OPS"), 12, engine.PileDiscard)
		p = scene(t, engine.Communist, holds(engine.Communist, 12))
		mustRefuse(t, p, "PLAY 12 OPS") // an attempt is a use
	})
	t.Run("card 21: with an enemy card, whose event is cancelled", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 21, 40), sp("Varna", 0, 1))
		q := carry(t, p, nil, "PLAY 21 WITH 40 OPS PLACE Varna 3")
		lies(t, q, 21, engine.PileDiscard)
		lies(t, q, 40, engine.PileDiscard)
		hasVP(t, q, 0)
		// For its own Ops the enemy scores 1, as with an attempt (ruling 22).
		hasVP(t, carry(t, p, nil, "PLAY 21 OPS PLACE Varna 2"), 1)
		hasVP(t, carry(t, p, []any{1}, "PLAY 21 OPS TIANANMEN"), 1)
		mustRefuse(t, p, "PLAY 21 EVENT")
	})
	t.Run("rule 4.5.2: without cards the round is forfeited", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, lay(engine.PileDiscard, engine.TearGas))
		mustAsk(t, p, engine.AskRound, engine.Democrat)
	})
}

// TestEvents holds each event against its card.
func TestEvents(t *testing.T) {
	t.Parallel()
	t.Run("card 1", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 1), sp("Gdansk", 1, 0), sp("Poznan", 3, 0), sp("Praha", 2, 0))
		// Poznan is the only target that is left in Poland: nobody is asked.
		q := carry(t, p, []any{1}, "PLAY 1 EVENT", "CHOOSE Gdansk")
		has(t, q, "Gdansk", 0, 1)
		// 1.3: its only point gone, Gdansk is no target; the check is in Poland.
		p = scene(t, engine.Communist, holds(engine.Communist, 1), sp("Gdansk", 1, 0), sp("Poznan", 3, 0), sp("Lodz", 1, 0), sp("Praha", 2, 0))
		q = carry(t, p, nil, "PLAY 1 EVENT", "CHOOSE Gdansk")
		mustRefuse(t, q, "CHECK Gdansk")
		mustRefuse(t, q, "CHECK Praha")
		q = carry(t, q, []any{6}, "CHECK Poznan")
		has(t, q, "Poznan", 1, 0) // 6 + 2 against 6
		lies(t, q, 1, engine.PileRemoved)
	})
	t.Run("card 1.2: the ban of card 2 is for the check, not for the swap", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 1), lasting(engine.SolidarityLegalized), sp("Gdansk", 2, 0))
		q := carry(t, p, nil, "PLAY 1 EVENT")
		has(t, q, "Gdansk", 1, 1)
		mustAsk(t, q, engine.AskRound, engine.Democrat)
	})
	t.Run("card 1.4: without a Democratic point in Poland it is played all the same", func(t *testing.T) {
		t.Parallel()
		lies(t, carry(t, scene(t, engine.Communist, holds(engine.Communist, 1)), nil, "PLAY 1 EVENT"), 1, engine.PileRemoved)
	})
	t.Run("card 9 lies in play, unless the Wall has fallen", func(t *testing.T) {
		t.Parallel()
		lies(t, carry(t, scene(t, engine.Communist, holds(engine.Communist, 9)), nil, "PLAY 9 EVENT"), 9, engine.PileInPlay)
		p := scene(t, engine.Communist, holds(engine.Communist, 9), func(p *engine.Position) { p.Effects.WallFallen = true })
		lies(t, carry(t, p, nil, "PLAY 9 EVENT"), 9, engine.PileRemoved)
	})
	t.Run("card 10", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 10))
		q := carry(t, p, nil, "PLAY 10 EVENT")
		mustRefuse(t, q, "PLACE Brasov 3, Iasi")
		mustRefuse(t, q, "PLACE Brasov 2, Bucuresti 2")
		mustRefuse(t, q, "PLACE Brasov 2, Iasi")
		q = carry(t, q, nil, "PLACE Brasov 2, Craiova 2")
		has(t, q, "Craiova", 0, 2)
		lies(t, q, 10, engine.PileRemoved)
		// 10.1 after the Tyrant is gone; 10.3 a destroyed space.
		p = scene(t, engine.Communist, holds(engine.Communist, 10), func(p *engine.Position) { p.Effects.TyrantGone = true })
		q = carry(t, p, nil, "PLAY 10 EVENT")
		lies(t, q, 10, engine.PileRemoved)
		mustAsk(t, q, engine.AskRound, engine.Democrat)
		p = scene(t, engine.Communist, holds(engine.Communist, 10), func(p *engine.Position) { p.Destroyed = engine.FindSpace("Brasov") })
		mustRefuse(t, carry(t, p, nil, "PLAY 10 EVENT"), "PLACE Brasov 2, Craiova 2")
	})
	t.Run("card 12", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, engine.Communist, holds(engine.Communist, 12), sp("Praha", 9, 0)), nil, "PLAY 12 EVENT")
		mustRefuse(t, p, "PLACE Lodz 3")
		has(t, carry(t, p, nil, "PLACE Praha 3"), "Praha", 9, 3)
	})
	t.Run("card 14", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), sp("Lodz", 0, 3), sp("Praha", 0, 3))
		q := carry(t, p, []any{4}, "PLAY 14 EVENT", "REMOVE Lodz 2", "CHECK Praha")
		has(t, q, "Lodz", 0, 1)
		has(t, q, "Praha", 0, 1) // 4 + 4 against 6
		lies(t, q, 14, engine.PileDiscard)
		// After Breakaway Baltic Republics only its Ops are left.
		p = scene(t, engine.Democrat, holds(engine.Democrat, 14), happened(engine.BreakawayRepublics), sp("Lodz", 1, 3))
		mustRefuse(t, p, "PLAY 14 EVENT")
		carry(t, p, nil, "PLAY 14 OPS PLACE Lodz 4")
	})
	t.Run("card 14: a single check in East Germany has the bonus of card 58", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), lasting(engine.AustriaHungaryBorder), sp("Berlin", 0, 6))
		// One removal choice only: Berlin loses 2, then the only check: 2 + 4 + 1 against 6.
		has(t, carry(t, p, []any{2}, "PLAY 14 EVENT"), "Berlin", 0, 3)
	})
	t.Run("card 15", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 15), lay(engine.PileDiscard, 8, 22))
		q := carry(t, p, nil, "PLAY 15 EVENT")
		mustRefuse(t, q, "TAKE 22")
		mustRefuse(t, q, "TAKE 15")
		took := carry(t, q, nil, "TAKE 8")
		lies(t, took, 8, engine.PileCommunist)
		if v := took.View(took.SeatOfSide[engine.Democrat]).(*engine.View); !v.KnownEnemyCards.Has(8) {
			t.Error("the Democrat does not know where card 8 is")
		}
		lies(t, took, 15, engine.PileRemoved)
		declined := carry(t, q, nil, "PASS")
		lies(t, declined, 8, engine.PileDiscard)
		if !took.Effects.ExtraRound || !declined.Effects.ExtraRound {
			t.Error("the eighth round is not earned")
		}
		// Nothing to take: the round is earned without a question. After
		// Modrow it is no event.
		if q := carry(t, scene(t, engine.Communist, holds(engine.Communist, 15)), nil, "PLAY 15 EVENT"); !q.Effects.ExtraRound {
			t.Error("the eighth round is not earned")
		}
		mustRefuse(t, scene(t, engine.Communist, holds(engine.Communist, 15), happened(engine.Modrow)), "PLAY 15 EVENT")
	})
	t.Run("card 19", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 19)), nil, "PLAY 19 EVENT")
		mustRefuse(t, p, "CHOOSE East German Lutheran Church")
		mustRefuse(t, p, "CHOOSE Bulgarian Orthodox Church")
		has(t, carry(t, p, nil, "CHOOSE Czech Catholic Church"), "Czech Catholic Church", 3, 0)
	})
	t.Run("card 27", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 27), sp("Miskolc", 0, 3), sp("Debrecen", 0, 3), sp("Lodz", 0, 2), sp("Budapest", 0, 3))
		q := carry(t, p, nil, "PLAY 27 EVENT")
		mustRefuse(t, q, "CHOOSE Budapest") // 27.6: no Worker space
		q = carry(t, q, nil, "CHOOSE Miskolc")
		mustRefuse(t, q, "CHECK Lodz") // another country
		// 27.3: Miskolc is no longer controlled and counts no more against Debrecen.
		q = carry(t, q, []any{6}, "CHECK Debrecen")
		has(t, q, "Debrecen", 0, 0)
		lies(t, q, 27, engine.PileDiscard)
		// 27.1 and 27.2: nothing to remove, no check; the last one removed, no check.
		lies(t, carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 27)), nil, "PLAY 27 EVENT"), 27, engine.PileDiscard)
		q = carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 27), sp("Lodz", 0, 1)), nil, "PLAY 27 EVENT")
		mustAsk(t, q, engine.AskRound, engine.Communist)
	})
	t.Run("card 27.4: the Ops are the Democrat's also in the Communist's round", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 27), sp("Lodz", 0, 5), func(p *engine.Position) { p.Effects.Prudence[engine.Democrat] = 1 })
		// 5 + 2 against 6 takes 1 of the 4 left.
		has(t, carry(t, p, []any{5}, "PLAY 27 OPS EVENT FIRST"), "Lodz", 0, 3)
	})
	t.Run("card 33", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 33), sp("Razgrad", 1, 2))
		q := carry(t, p, nil, "PLAY 33 EVENT", "CHOOSE Razgrad")
		has(t, q, "Razgrad", 6, 2) // 33.4: Communist points raise the number
		hasVP(t, q, 1)
		if q.USSR != 1 || !q.IsEventPlayable(engine.BalticWay, engine.Democrat) {
			t.Error("the track has not moved, or The Baltic Way cannot take place")
		}
		lies(t, q, 33, engine.PileInPlay)
		// 33.1: the VP come first.
		if q := carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 33), vpAt(19)), nil, "PLAY 33 EVENT"); q.Ending != engine.AutomaticVictory {
			t.Error("+20 has not ended the match")
		}
		// 33.2: both controlled already; 33.3: one destroyed.
		lies(t, carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 33), sp("Razgrad", 4, 0), sp("Harghita/Covasna", 4, 0)), nil, "PLAY 33 EVENT"), 33, engine.PileInPlay)
		q = carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 33), func(p *engine.Position) { p.Destroyed = engine.FindSpace("Harghita/Covasna") }), nil, "PLAY 33 EVENT")
		has(t, q, "Razgrad", 4, 0)
	})
	t.Run("card 33.5: control of the Tyrant's refuge is worth 2 VP more", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 33), func(p *engine.Position) { p.Effects.Refuge = engine.FindSpace("Harghita/Covasna") })
		q := carry(t, p, nil, "PLAY 33 EVENT", "CHOOSE Harghita/Covasna")
		hasVP(t, q, 3)
		if q.Effects.Refuge != 0 {
			t.Error("the marker still lies")
		}
	})
	t.Run("card 34", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34), sp("Eotvos Lorand University", 0, 2))
		has(t, carry(t, p, nil, "PLAY 34 EVENT"), "Eotvos Lorand University", 5, 2)
	})
	t.Run("card 35: by the period of the turn", func(t *testing.T) {
		t.Parallel()
		for n, want := range map[int8]int{1: -3, 3: -3, 4: -1, 7: -1, 8: 3, 10: 3} {
			hasVP(t, carry(t, scene(t, engine.Communist, holds(engine.Communist, 35), turn(n)), nil, "PLAY 35 EVENT"), want)
		}
	})
	t.Run("card 36", func(t *testing.T) {
		t.Parallel()
		put := []func(*engine.Position){holds(engine.Democrat, 36), sp("Berlin", 0, 3), sp("Halle", 0, 3), lay(engine.PileDiscard, 34, 39, 27, 12)}
		p := scene(t, engine.Democrat, put...)
		// 2 spaces: 2 is not higher.
		q := carry(t, p, []any{2}, "PLAY 36 EVENT")
		hasVP(t, q, 0)
		lies(t, q, 36, engine.PileRemoved)
		q = carry(t, p, []any{3}, "PLAY 36 EVENT")
		hasVP(t, q, 1)
		mustRefuse(t, q, "TAKE 27") // no asterisk
		mustRefuse(t, q, "TAKE 12") // not the Democrat's
		mustRefuse(t, q, "PASS")
		q = carry(t, q, nil, "TAKE 34")
		has(t, q, "Eotvos Lorand University", 5, 0)
		lies(t, q, 34, engine.PileRemoved)
		// 36.1: the VP are scored without an eligible card.
		hasVP(t, carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 36)), []any{1}, "PLAY 36 EVENT"), 1)
		// 36.5: a card whose prerequisite is missing is not eligible.
		q = carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 36), lay(engine.PileDiscard, engine.Walesa)), []any{1}, "PLAY 36 EVENT")
		lies(t, q, engine.Walesa, engine.PileDiscard)
	})
	t.Run("card 39", func(t *testing.T) {
		t.Parallel()
		q := carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 39), sp("Ruse", 0, 2)), nil, "PLAY 39 EVENT")
		has(t, q, "Ruse", 4, 2)
		lies(t, q, 39, engine.PileInPlay)
	})
	t.Run("card 40", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 40), sp("Miskolc", 0, 1), sp("Debrecen", 0, 2), sp("Lodz", 0, 2))
		q := carry(t, p, nil, "PLAY 40 EVENT", "PLACE Budapest 3")
		mustRefuse(t, q, "CHECK Lodz")
		// 40.1: Budapest, controlled now, helps against Miskolc: 3 + 3 + 1.
		has(t, carry(t, q, []any{3}, "CHECK Miskolc"), "Miskolc", 0, 0)
		lies(t, carry(t, scene(t, engine.Democrat, holds(engine.Democrat, 40)), nil, "PLAY 40 EVENT", "PLACE Gyor, Pecs 2"), 40, engine.PileRemoved)
	})
}
