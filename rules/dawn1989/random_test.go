package dawn1989

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"samizdat/rules"
)

// dice is chance for tests: seeded, and the same on every run.
type dice struct{ r *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1989))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.r.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.r.IntN(len(w.Pile)), nil }

// begin is a new match after the deal.
func begin(t testing.TB, d dice) *Position {
	t.Helper()
	p := newPosition()
	x := Run{Chance: d}
	if err := p.Go(&x); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRandomPlay plays whole matches at random and holds every position against
// what must always be true.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	endings := map[Ending]int{}
	for seed := range uint64(200) {
		d := newDice(seed)
		p := begin(t, d)
		var x Run
		var buf []rules.Atom
		for n := 0; p.ending == NotOver; n++ {
			if n > 5000 {
				t.Fatalf("seed %d: the match does not end", seed)
			}
			buf = p.Choices(buf[:0])
			if len(buf) == 0 {
				// Only a hand full of events that this edition lacks may leave
				// nothing to do.
				if p.question.Ask == AskRound {
					break
				}
				t.Fatalf("seed %d: nothing to answer to %v %v", seed, p.question.Ask, p.question.Source)
			}
			for i := 1; i < len(buf); i++ {
				if buf[i-1] >= buf[i] {
					t.Fatalf("seed %d: options of %v do not ascend: %x", seed, p.question.Ask, buf)
				}
			}
			x.Chance, x.Events = d, x.Events[:0]
			if err := p.Decide(&x, buf[d.r.IntN(len(buf))]); err != nil {
				t.Fatal(err)
			}
			sound(t, p)
			if n%17 == 0 {
				sameAfterStorage(t, p)
			}
		}
		endings[p.ending]++
	}
	t.Log(endings)
}

// sound checks the invariants of a position against slow recomputations.
func sound(t testing.TB, p *Position) {
	t.Helper()
	if err := p.conserved(); err != nil {
		t.Fatal(err)
	}
	for s := Space(1); s < spaces; s++ {
		dem, com := int(p.support[Democrat][s]), int(p.support[Communist][s])
		if dem < 0 || com < 0 {
			t.Fatalf("%v: support %d, %d", s, dem, com)
		}
		st := s.Info().Stability
		if p.controls[Democrat].has(s) != (dem-com >= st) || p.controls[Communist].has(s) != (com-dem >= st) {
			t.Fatalf("%v: %d, %d: control is kept wrongly", s, dem, com)
		}
		if p.holds[Democrat].has(s) != (dem > 0) || p.holds[Communist].has(s) != (com > 0) {
			t.Fatalf("%v: %d, %d: presence is kept wrongly", s, dem, com)
		}
	}
	if p.ending == NotOver && p.struggle.Country == NoCountry && (p.vp >= 20 || p.vp <= -20) {
		t.Fatalf("VP %d and the match goes on", p.vp)
	}
}

// sameAfterStorage stores a position, reads it back and compares everything.
func sameAfterStorage(t *testing.T, p *Position) {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Game{}.Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if *q.(*Position) != *p {
		again, _ := json.Marshal(q)
		t.Fatalf("not the same after storage (JSON the same: %v)\n%s", bytes.Equal(data, again), data)
	}
}
