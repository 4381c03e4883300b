package engine_test

import (
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestAttempts holds Tiananmen attempts against rule 6.3.
func TestAttempts(t *testing.T) {
	t.Parallel()
	t.Run("rule 6.3.1: die + Ops against the box, the card is discarded, no event", func(t *testing.T) {
		t.Parallel()
		// Box 1 needs 6 of the Communist. Card 40 is the enemy's: die + 3.
		p := scene(t, engine.Communist, holds(engine.Communist, 40))
		q := carry(t, p, []any{3}, "PLAY 40 OPS TIANANMEN")
		if q.Tiananmen[engine.Communist].Box != 1 {
			t.Error("3 + 3 does not reach 6")
		}
		lies(t, q, 40, engine.PileDiscard)
		q = carry(t, p, []any{2}, "PLAY 40 OPS TIANANMEN")
		if tr := q.Tiananmen[engine.Communist]; tr.Box != 0 || !tr.Failed || !tr.Attempted {
			t.Errorf("after 2 + 3 the marker is %+v", tr)
		}
	})
	t.Run("an own star gives +1, a silver one nothing (ruling 24)", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist)
		for c, want := range map[engine.Card]int{35: 1, 40: 0, 14: 0} {
			if got := p.AttemptModifier(engine.Communist, c); got != want {
				t.Errorf("card %d gives %d, want %d", c, got, want)
			}
		}
	})
	t.Run("+1 after a failure at the same box, +1 of box 1, +1 of Li Peng", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, boxes(0, 1), lasting(engine.LiPeng), func(p *engine.Position) { p.Tiananmen[engine.Communist].Failed = true })
		if got := p.AttemptModifier(engine.Communist, 14); got != 3 {
			t.Errorf("the modifiers are %d, want 3", got)
		}
		if got := p.AttemptModifier(engine.Democrat, 14); got != 0 {
			t.Errorf("the Democrat's modifiers are %d, want 0", got)
		}
	})
	t.Run("advancing forgets the failure", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 35), func(p *engine.Position) { p.Tiananmen[engine.Communist].Failed = true })
		if q := carry(t, p, []any{6}, "PLAY 35 OPS TIANANMEN"); q.Tiananmen[engine.Communist].Failed {
			t.Error("the failure is remembered")
		}
	})
	t.Run("once a turn, and not from box 8", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 35), func(p *engine.Position) { p.Tiananmen[engine.Communist].Attempted = true })
		mustRefuse(t, p, "PLAY 35 OPS TIANANMEN")
		mustRefuse(t, scene(t, engine.Communist, holds(engine.Communist, 35), boxes(0, 8)), "PLAY 35 OPS TIANANMEN")
	})
	t.Run("the requirements of all boxes", func(t *testing.T) {
		t.Parallel()
		want := [2][8]int{{5, 5, 6, 6, 7, 8, 9, 10}, {6, 6, 7, 7, 8, 7, 6, 5}}
		for side := engine.Democrat; side <= engine.Communist; side++ {
			for box := range int8(8) {
				// Both markers are as far, so that no award changes the sum;
				// a card of 4 or of 1 lets some die be just enough.
				c, ops := engine.Card(14), 4
				if want[side][box] < 6 {
					c, ops = 29+engine.Card(side), 1
				}
				mods := 0
				if c.Info().Side == side {
					mods = 1
				}
				die := want[side][box] - ops - mods
				p := scene(t, side, holds(side, c), boxes(box, box))
				for _, d := range []int{die - 1, die} {
					q := *p
					r := engine.NewRun(&q, &script{t, []any{d}})
					f := engine.Frame{Card: c, Side: side}
					if err := r.Attempt(&f, 0); err != nil {
						t.Fatal(err)
					}
					if got := q.Tiananmen[side].Box > box; got != (d == die) {
						t.Errorf("%v, box %d: die %d + %d + %d against %d advances: %v", side, box+1, d, ops, mods, want[side][box], got)
					}
				}
			}
		}
	})
}

// TestAwards holds the awards of the boxes against rule 6.3.5.
func TestAwards(t *testing.T) {
	t.Parallel()
	t.Run("box 3: draw 3, keep 1, discard 2 face up", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2))
		p = carry(t, p, []any{3, engine.Card(1), engine.Card(22), engine.Card(40)}, "PLAY 14 OPS TIANANMEN")
		mustAsk(t, p, engine.AskTake, engine.Communist)
		if v := p.View(p.SeatOfSide[engine.Democrat]).(*engine.View); !v.Visible.Piles[engine.PileShown].IsEmpty() {
			t.Error("the Democrat sees the three cards")
		}
		if v := p.View(p.SeatOfSide[engine.Communist]).(*engine.View); v.Visible.Piles[engine.PileShown].Len() != 3 {
			t.Error("the Communist does not see the three cards")
		}
		p = carry(t, p, nil, "TAKE 22")
		lies(t, p, 22, engine.PileCommunist)
		lies(t, p, 1, engine.PileDiscard)
		lies(t, p, 40, engine.PileDiscard)
	})
	t.Run("box 3: the second to come gets nothing", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(3, 2))
		mustAsk(t, carry(t, p, []any{3}, "PLAY 14 OPS TIANANMEN"), engine.AskRound, engine.Democrat)
	})
	t.Run("box 4: remove 2 enemy points anywhere", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 3), sp("Lodz", 2, 0), sp("Praha", 2, 0))
		p = carry(t, p, []any{3}, "PLAY 14 OPS TIANANMEN")
		mustRefuse(t, p, "REMOVE Lodz")
		p = carry(t, p, nil, "REMOVE Lodz, Praha")
		has(t, p, "Lodz", 1, 0)
		has(t, p, "Praha", 1, 0)
	})
	t.Run("box 4: what leaves no choice is done unasked", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 3), sp("Lodz", 1, 0))
		p = carry(t, p, []any{3}, "PLAY 14 OPS TIANANMEN")
		has(t, p, "Lodz", 0, 0)
		mustAsk(t, p, engine.AskRound, engine.Democrat)
	})
	t.Run("lasting awards end when the enemy enters the box", func(t *testing.T) {
		t.Parallel()
		for box := int8(1); box <= 8; box++ {
			p := scene(t, engine.Communist, boxes(box, box-1))
			if !p.HasAward(engine.Democrat, box) || p.HasAward(engine.Communist, box) {
				t.Errorf("box %d: the first to come has no award", box)
			}
			p.Tiananmen[engine.Communist].Box = box
			if p.HasAward(engine.Democrat, box) || p.HasAward(engine.Communist, box) {
				t.Errorf("box %d: the award has not ended", box)
			}
		}
	})
	t.Run("box 7: once a turn an enemy card without its event", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 39, 40, 14), boxes(0, 7), sp("Warszawa", 0, 1))
		mustRefuse(t, p, "PLAY 14 OPS PLACE Warszawa 4 NO EVENT")
		p = carry(t, p, nil, "PLAY 39 OPS PLACE Warszawa 2 NO EVENT")
		has(t, p, "Ruse", 0, 0)
		lies(t, p, 39, engine.PileDiscard)
		if q := scene(t, engine.Communist, holds(engine.Communist, 40), boxes(0, 7), func(p *engine.Position) { p.Tiananmen[engine.Communist].UsedBox7 = true }); offers(q, engine.PlayAtom(40, engine.PlayNoEvent)) {
			t.Error("the award is there twice in a turn")
		}
	})
	t.Run("box 7: not spent when the event could not happen anyway", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, engine.Walesa), boxes(0, 7), sp("Warszawa", 0, 1))
		if q := carry(t, p, nil, "PLAY 3 OPS PLACE Warszawa 3 NO EVENT"); q.Tiananmen[engine.Communist].UsedBox7 {
			t.Error("the award is spent")
		}
	})
	t.Run("box 8: an own or neutral card for event and Ops, in either order", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12, 22), boxes(0, 8), sp("Warszawa", 0, 1))
		q := carry(t, p, nil, "PLAY 12 BOTH PLACE Warszawa 2 EVENT AFTER", "PLACE Berlin 3")
		has(t, q, "Warszawa", 0, 3)
		has(t, q, "Berlin", 0, 3)
		lies(t, q, 12, engine.PileRemoved)
		q = carry(t, p, nil, "PLAY 12 BOTH EVENT FIRST", "PLACE Praha 3", "OPS PLACE Praha 2")
		has(t, q, "Praha", 0, 5)
		if !q.Tiananmen[engine.Communist].UsedBox8 {
			t.Error("the award is not spent")
		}
		if offers(p, engine.PlayAtom(22, engine.PlayBothFirst)) {
			t.Error("a scoring card may be played for both")
		}
	})
}

// bids carries two sealed bids out, with the dice that follow.
func bids(t *testing.T, first, second string, dice ...any) *engine.Position {
	t.Helper()
	pos, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	decisions := pos.OpenDecisions(nil)
	if len(decisions) != 2 || !decisions[0].Sealed || decisions[0].Group != decisions[1].Group || decisions[0].ID == decisions[1].ID {
		t.Fatalf("owed are %+v, want two sealed bids of one group", decisions)
	}
	var sealed []gate.SealedAnswer
	// The second chair's letter comes first; the order makes no difference.
	for chair, text := range map[int]string{1: second, 0: first} {
		sealed = append(sealed, gate.SealedAnswer{Seat: rules.Seat(chair), Answer: bidAnswer(t, text, decisions)})
		if _, err := gate.Check(pos, rules.Seat(chair), sealed[len(sealed)-1].Answer); err != nil {
			t.Fatalf("%s alone: %v", text, err)
		}
	}
	chance := &told{t: t, free: true}
	opened, err := gate.ExecuteSealed(pos, sealed, &mixed{dice, chance})
	if err != nil {
		t.Fatal(err)
	}
	p := opened.Position.(*engine.Position)
	sameAfterStorage(t, p)
	return p
}

// mixed has told dice, and then any.
type mixed struct {
	dice []any
	rest rules.Chance
}

func (m *mixed) Roll(reason rules.Reason) (int, error) {
	if len(m.dice) == 0 {
		return m.rest.Roll(reason)
	}
	n := m.dice[0].(int)
	m.dice = m.dice[1:]
	return n, nil
}
func (m *mixed) Draw(d rules.Draw) (int, error) { return m.rest.Draw(d) }

func bidAnswer(t *testing.T, text string, decisions []rules.Decision) rules.Answer {
	t.Helper()
	o, err := parser().ParseOrder(text)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := dawn1989.Game().Answers(o, decisions)
	if err != nil {
		t.Fatal(err)
	}
	if line := dawn1989.Game().FormatOrder(answers[0].Atoms); line != text {
		t.Errorf("%s is written back as %s", text, line)
	}
	return answers[0]
}

// TestBidding holds the bids for sides against rule 13.
func TestBidding(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		first, second string
		dice          []any
		democrat      rules.Seat
		extra         int8
		to            engine.Side
	}{
		"rule 13: different sides, no points":              {"BID COMMUNIST GIVE 5", "BID DEMOCRAT GIVE 3", nil, 1, 0, engine.Democrat},
		"rule 13: different sides, as the chairs stand":    {"BID DEMOCRAT GIVE 0", "BID COMMUNIST GIVE 9", nil, 0, 0, engine.Democrat},
		"rule 13: the same side, the first gives more":     {"BID COMMUNIST GIVE 3", "BID COMMUNIST GIVE 2", nil, 1, 3, engine.Democrat},
		"rule 13: the same side, the second gives more":    {"BID COMMUNIST GIVE 0", "BID COMMUNIST GIVE 1", nil, 0, 1, engine.Democrat},
		"rule 13: the Democrat's side may be worth points": {"BID DEMOCRAT GIVE 4", "BID DEMOCRAT GIVE 2", nil, 0, 4, engine.Communist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := bids(t, tt.first, tt.second, tt.dice...)
			if p.SeatOfSide[engine.Democrat] != tt.democrat || p.SeatOfSide[engine.Communist] != 1-tt.democrat {
				t.Errorf("seats %v, want the Democrat on %d", p.SeatOfSide, tt.democrat)
			}
			if p.ExtraPoints != tt.extra || p.ExtraPoints > 0 && p.ExtraSide != tt.to {
				t.Errorf("%d points for the %v, want %d for the %v", p.ExtraPoints, p.ExtraSide, tt.extra, tt.to)
			}
			mustAsk(t, p, engine.AskSetup, engine.Communist)
		})
	}
	t.Run("rule 13: equal bids are rolled for, ties again (ruling 1), and the higher chooses", func(t *testing.T) {
		t.Parallel()
		p := bids(t, "BID COMMUNIST GIVE 2", "BID COMMUNIST GIVE 2", 3, 3, 2, 5)
		if d := p.OpenDecisions(nil); len(d) != 1 || d[0].Seat != 1 || d[0].Kind != "side" {
			t.Fatalf("owed is %+v, want the choice of the second chair", d)
		}
		q := carryFree(t, p, "CHOOSE COMMUNIST")
		if q.SeatOfSide[engine.Communist] != 1 || q.ExtraPoints != 2 || q.ExtraSide != engine.Democrat {
			t.Errorf("%v, %d points for the %v", q.SeatOfSide, q.ExtraPoints, q.ExtraSide)
		}
		// The enemy's bid wins: he plays what he bid for, and gives the points.
		q = carryFree(t, p, "CHOOSE DEMOCRAT")
		if q.SeatOfSide[engine.Democrat] != 1 || q.ExtraPoints != 2 || q.ExtraSide != engine.Democrat {
			t.Errorf("%v, %d points for the %v", q.SeatOfSide, q.ExtraPoints, q.ExtraSide)
		}
	})
	t.Run("rule 13: the points go down after the others, where the enemy has none", func(t *testing.T) {
		t.Parallel()
		p := bids(t, "BID DEMOCRAT GIVE 2", "BID DEMOCRAT GIVE 1")
		p = carry(t, p, nil, "PLACE Lodz 2", "PLACE Pecs 3", "PLACE Lodz 3", "PLACE Pecs 4", "PLACE Lodz 2")
		mustAsk(t, p, engine.AskSetup, engine.Communist)
		mustRefuse(t, p, "PLACE Pecs 2")
		p = carry(t, p, nil, "PLACE Sofia 2")
		has(t, p, "Sofia", 0, 4)
		mustAsk(t, p, engine.AskRound, engine.Communist)
	})
}

// carryFree gives an order with any chance.
func carryFree(t *testing.T, p *engine.Position, text string) *engine.Position {
	t.Helper()
	next, err := try(t, p, &told{t: t, free: true}, text)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestBidOptions holds the options of a match and the forms of bids.
func TestBidOptions(t *testing.T) {
	t.Parallel()
	if _, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes", dawn1989.OptionExtra: "1"}}); err == nil {
		t.Error("bidding goes with extra points")
	}
	if _, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "no"}}); err == nil {
		t.Error("an unknown value is taken")
	}
	pos, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	p := pos.(*engine.Position)
	for _, text := range []string{"BID COMMUNIST", "BID COMMUNIST GIVE 21", "PASS", "CHOOSE DEMOCRAT"} {
		mustRefuse(t, p, text)
	}
}
