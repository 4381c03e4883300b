package engine_test

import (
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// TestViewAgain: a view that is made over an older one is the same as a new one.
func TestViewAgain(t *testing.T) {
	t.Parallel()
	d := newDice(4)
	p := begin(t, d)
	x := engine.Run{Chance: d}
	var again engine.View
	for n := 0; p.Ending == engine.NotOver && n < 2000; n++ {
		for _, seat := range []rules.Seat{0, 1, rules.Nobody} {
			p.Show(&again, seat)
			if fresh := p.View(seat).(*engine.View); *fresh != again {
				t.Fatalf("decision %d: the view of seat %d over another differs from a new one", n, seat)
			}
		}
		options := p.Choices(nil)
		if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTableLeavesNoGarbage: a decision on a table allocates nothing, the view
// included.
func TestTableLeavesNoGarbage(t *testing.T) {
	table, err := engine.Rules{}.Table(rules.Setup{Seats: 2, Revision: engine.NewestRevision})
	if err != nil {
		t.Fatal(err)
	}
	d := newDice(1)
	r := rules.NewRandomRobot(1)
	look := table.Look
	decisions := 0
	play := func() {
		if err := table.Begin(d); err != nil {
			t.Fatal(err)
		}
		for {
			dec, options, open := table.Ask()
			if !open {
				return
			}
			look()
			if err := table.Answer(r.Choose(look, dec, options)); err != nil {
				t.Fatal(err)
			}
			decisions++
		}
	}
	play()
	decisions = 0
	if n := testing.AllocsPerRun(50, play); n > 0 {
		t.Errorf("a match of some %d decisions allocates %v times", decisions/51, n)
	}
}
