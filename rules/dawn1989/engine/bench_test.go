package engine_test

import (
	"testing"
	"unsafe"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// midGame is a position of turn 1 in the middle of a placement, where most
// decisions of a match are made.
func midGame(tb testing.TB) *engine.Position {
	d := newDice(7)
	p := begin(tb, d)
	x := engine.Run{Chance: d}
	var buf []rules.Atom
	for p.Question.Kind != engine.AskOps {
		buf = p.LegalAtoms(buf[:0])
		a := buf[0]
		for _, b := range buf {
			if engine.AtomVerb(b) == engine.VerbPlay && engine.Mode(engine.AtomFlag(b)) == engine.PlayOps {
				a = b
			}
		}
		if err := p.Decide(&x, a); err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

// BenchmarkDecision applies one atom to a position and lists the options of the
// next: the unit of work of robots and of the gate.
func BenchmarkDecision(b *testing.B) {
	p := midGame(b)
	var buf [160]rules.Atom
	first := p.LegalAtoms(buf[:0])[0]
	x := engine.Run{Chance: newDice(1), Events: make([]rules.Event, 0, 64)}
	q := *p
	b.ReportAllocs()
	for b.Loop() {
		q = *p
		x.Events = x.Events[:0]
		if err := q.Decide(&x, first); err != nil {
			b.Fatal(err)
		}
		if len(q.LegalAtoms(buf[:0])) == 0 {
			b.Fatal("no options")
		}
	}
}

// BenchmarkCopy copies a position.
func BenchmarkCopy(b *testing.B) {
	p := *midGame(b)
	var q engine.Position
	b.ReportMetric(float64(unsafe.Sizeof(p)), "bytes")
	b.ReportAllocs()
	for b.Loop() {
		q = p
	}
	if q != p {
		b.Fatal("the copy differs")
	}
}

// BenchmarkMatch plays a match at random through the concrete engine until it
// is over or meets an event that is missing.
func BenchmarkMatch(b *testing.B) {
	start := *begin(b, newDice(1))
	d := newDice(2)
	var buf [160]rules.Atom
	x := engine.Run{Chance: d, Events: make([]rules.Event, 0, 256)}
	decisions := 0
	b.ReportAllocs()
	for b.Loop() {
		q := start
		for q.Ending == engine.NotOver {
			options := q.LegalAtoms(buf[:0])
			if len(options) == 0 {
				break
			}
			x.Events = x.Events[:0]
			if err := q.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				b.Fatal(err)
			}
			decisions++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
}

// TestNoGarbage: an atomic decision with its options allocates nothing.
func TestNoGarbage(t *testing.T) {
	p := midGame(t)
	var buf [160]rules.Atom
	first := p.LegalAtoms(buf[:0])[0]
	x := engine.Run{Chance: newDice(1), Events: make([]rules.Event, 0, 64)}
	q := *p
	n := testing.AllocsPerRun(100, func() {
		q = *p
		x.Events = x.Events[:0]
		if err := q.Decide(&x, first); err != nil {
			t.Fatal(err)
		}
		q.LegalAtoms(buf[:0])
	})
	if n != 0 {
		t.Errorf("a decision with its options allocates %v times, want 0", n)
	}
}
