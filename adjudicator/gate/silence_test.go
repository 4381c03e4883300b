package gate_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/adjudicator/gate"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// drawn is a source of lots that a test draws.
type drawn struct {
	*rapid.T
	asked []gate.LotRequest
}

func (d *drawn) DrawLot(l gate.LotRequest) (int, error) {
	d.asked = append(d.asked, l)
	return rapid.IntRange(0, len(l.Options)-1).Draw(d.T, "lot"), nil
}

// TestSilent: whatever silence means is a legal answer, and finding it changes nothing.
func TestSilent(t *testing.T) {
	t.Parallel()
	g := rulestest.Game()
	rapid.Check(t, func(rt *rapid.T) {
		dice := rulestest.NewDice(rapid.Uint64().Draw(rt, "seed"))
		pos, err := g.Begin(rules.Setup{Seats: 3, Revision: 1})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := pos.Resume(dice, nil); err != nil {
			rt.Fatal(err)
		}
		for {
			owed := pos.OpenDecisions(nil)
			if len(owed) == 0 {
				return
			}
			for _, d := range owed {
				before, _ := pos.MarshalJSON()
				lots := &drawn{T: rt}
				a, err := gate.SilentAnswer(pos, d, g.FormatOrder, lots)
				if d.Silence == rules.SilenceWaits {
					if !errors.Is(err, gate.ErrMustAnswer) {
						rt.Fatalf("%+v: %v", d, err)
					}
					continue
				}
				if err != nil || len(lots.asked) > 0 != (d.Silence == rules.SilenceLot) {
					rt.Fatalf("%+v: %d lots, %v", d, len(lots.asked), err)
				}
				if slices.ContainsFunc(lots.asked, func(l gate.LotRequest) bool { return l.Hidden != d.Private || l.Seat != d.Seat }) {
					rt.Fatalf("lots %+v for %+v", lots.asked, d)
				}
				if _, err := gate.Execute(pos, d.Seat, a, dice); err != nil {
					rt.Fatalf("%s for %+v: %v", g.FormatOrder(a.Atoms), d, err)
				}
				if after, _ := pos.MarshalJSON(); string(after) != string(before) {
					rt.Fatal("the position has changed")
				}
			}
			d := owed[len(owed)-1]
			r, err := gate.Execute(pos, d.Seat, rules.Answer{Atoms: rulestest.Pick(pos, d, dice.Intn), Kinds: []string{d.Kind}}, dice)
			if err != nil {
				rt.Fatal(err)
			}
			pos = r.Position
		}
	})
}
