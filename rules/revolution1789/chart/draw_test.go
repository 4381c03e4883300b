package chart_test

import (
	"bytes"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789/chart"
	"samizdat/rules/revolution1789/engine"
	"samizdat/templates/picture"
)

// TestDraw draws the board all through a random match of each size: what is drawn lies in the
// picture, and texts do not leave it.
func TestDraw(t *testing.T) {
	t.Parallel()
	for players := engine.MinSeats; players <= engine.MaxSeats; players += 4 {
		table, err := engine.Rules{}.NewSimulation(rules.Setup{Seats: players, Revision: engine.Rules{}.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		dice := rulestest.NewDice(uint64(players))
		if err := table.Begin(dice); err != nil {
			t.Fatal(err)
		}
		for {
			d, options, isOpen := table.Ask()
			if !isOpen {
				break
			}
			if d.Kind == engine.KindSeat {
				inside(t, chart.Draw(table.View(), "Turn 12: Croissant is in the chair; purge at Catholic Church.", nil))
			}
			a := options[dice.Intn(len(options))]
			if d.Kind == engine.KindCall && dice.Intn(12) > 0 {
				a = options[0]
			}
			if err := table.Answer(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func inside(t *testing.T, p *picture.Picture) {
	t.Helper()
	for _, item := range p.Items {
		text, ok := item.(picture.Text)
		if !ok {
			continue
		}
		w := picture.TextWidth(text.Words, text.Size, text.Bold)
		left := text.At.X - w*float64(text.Anchor)/2
		if left < 0 || left+w > float64(p.Width) || text.At.Y > float64(p.Height) {
			t.Fatalf("%q leaves the picture: from %.0f to %.0f", text.Words, left, left+w)
		}
	}
	if p.Words == "" || p.Title == "" {
		t.Fatal("a picture without words")
	}
}

// TestDrawHides draws the same for a seat whatever the objectives of the others are.
func TestDrawHides(t *testing.T) {
	t.Parallel()
	var svgs [2]bytes.Buffer
	for i, seed := range []uint64{5, 5} {
		pos, err := engine.Rules{}.Begin(rules.Setup{Seats: 6, Revision: engine.Rules{}.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pos.Resume(rulestest.NewDice(seed), nil); err != nil {
			t.Fatal(err)
		}
		p := pos.(*engine.Position)
		if i == 1 {
			p.Objectives[3], p.Objectives[4] = p.Objectives[4], p.Objectives[3]
		}
		if err := chart.Draw(p.View(0), "Turn 1.", nil).SVG(&svgs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(svgs[0].Bytes(), svgs[1].Bytes()) {
		t.Error("the picture depends on hidden objectives")
	}
}
