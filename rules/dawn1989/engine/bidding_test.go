package engine_test

import (
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// bids carries two sealed bids out, with the dice that follow.
func bids(t *testing.T, first, second string, dice ...any) *engine.Position {
	t.Helper()
	pos, err := dawn1989.Game{}.Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	owed := pos.Owed(nil)
	if len(owed) != 2 || !owed[0].Sealed || owed[0].Group != owed[1].Group || owed[0].ID == owed[1].ID {
		t.Fatalf("owed are %+v, want two sealed bids of one group", owed)
	}
	var sealed []gate.Sealed
	// The second chair's letter comes first; the order makes no difference.
	for chair, text := range map[int]string{1: second, 0: first} {
		sealed = append(sealed, gate.Sealed{Seat: rules.Seat(chair), Answer: bidAnswer(t, text, owed)})
		if _, err := gate.Check(pos, rules.Seat(chair), sealed[len(sealed)-1].Answer); err != nil {
			t.Fatalf("%s alone: %v", text, err)
		}
	}
	chance := &told{t: t, free: true}
	opened, err := gate.CarryAll(pos, sealed, &mixed{dice, chance})
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

func (m *mixed) Roll(why rules.Reason) (int, error) {
	if len(m.dice) == 0 {
		return m.rest.Roll(why)
	}
	n := m.dice[0].(int)
	m.dice = m.dice[1:]
	return n, nil
}
func (m *mixed) Draw(d rules.Draw) (int, error) { return m.rest.Draw(d) }

func bidAnswer(t *testing.T, text string, owed []rules.Decision) rules.Answer {
	t.Helper()
	o, err := parser().Order(text)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := dawn1989.Game{}.Answers(o, owed)
	if err != nil {
		t.Fatal(err)
	}
	if line := (dawn1989.Game{}).Line(answers[0].Atoms); line != text {
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
			if p.Sits[engine.Democrat] != tt.democrat || p.Sits[engine.Communist] != 1-tt.democrat {
				t.Errorf("seats %v, want the Democrat on %d", p.Sits, tt.democrat)
			}
			if p.Extra != tt.extra || p.Extra > 0 && p.ExtraTo != tt.to {
				t.Errorf("%d points for the %v, want %d for the %v", p.Extra, p.ExtraTo, tt.extra, tt.to)
			}
			mustAsk(t, p, engine.AskSetup, engine.Communist)
		})
	}
	t.Run("rule 13: equal bids are rolled for, ties again (ruling 1), and the higher chooses", func(t *testing.T) {
		t.Parallel()
		p := bids(t, "BID COMMUNIST GIVE 2", "BID COMMUNIST GIVE 2", 3, 3, 2, 5)
		if d := p.Owed(nil); len(d) != 1 || d[0].Seat != 1 || d[0].Kind != "side" {
			t.Fatalf("owed is %+v, want the choice of the second chair", d)
		}
		q := carryFree(t, p, "CHOOSE COMMUNIST")
		if q.Sits[engine.Communist] != 1 || q.Extra != 2 || q.ExtraTo != engine.Democrat {
			t.Errorf("%v, %d points for the %v", q.Sits, q.Extra, q.ExtraTo)
		}
		// The enemy's bid wins: he plays what he bid for, and gives the points.
		q = carryFree(t, p, "CHOOSE DEMOCRAT")
		if q.Sits[engine.Democrat] != 1 || q.Extra != 2 || q.ExtraTo != engine.Democrat {
			t.Errorf("%v, %d points for the %v", q.Sits, q.Extra, q.ExtraTo)
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
	if _, err := (dawn1989.Game{}).Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes", dawn1989.OptionExtra: "1"}}); err == nil {
		t.Error("bidding goes with extra points")
	}
	if _, err := (dawn1989.Game{}).Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "no"}}); err == nil {
		t.Error("an unknown value is taken")
	}
	pos, err := dawn1989.Game{}.Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: "yes"}})
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
