package engine_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// halting is chance that fails every other time it is asked.
type halting struct {
	dice
	ready bool
}

func (h *halting) fails() bool {
	h.ready = !h.ready
	return h.ready
}

func (h *halting) Roll(why rules.Reason) (int, error) {
	if h.fails() {
		return 0, rules.ErrNoOutcome
	}
	return h.dice.Roll(why)
}

func (h *halting) Draw(d rules.Draw) (int, error) {
	if h.fails() {
		return 0, rules.ErrNoOutcome
	}
	return h.dice.Draw(d)
}

// TestStalls plays matches twice: once with chance at hand, and once with chance
// that fails before every outcome, the position stored and read back at each
// stall. Positions and events are the same.
func TestStalls(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.N(4, 40)) {
		choose := rand.New(rand.NewPCG(seed, 1))
		smooth, rough := engine.NewPositionBy(revisionOf(seed)), engine.NewPositionBy(revisionOf(seed))
		a, b := newDice(seed), &halting{dice: newDice(seed)}
		var told, toldToo []rules.Event
		told, err := smooth.Resume(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		rough, toldToo = resumed(t, rough, b, nil, rules.ErrNoOutcome)
		for n := 0; smooth.Ending == engine.NotOver && n < 3000; n++ {
			if *smooth != *rough || !slices.Equal(told, toldToo) {
				t.Fatalf("seed %d, answer %d: a stall has changed the match", seed, n)
			}
			options := smooth.Choices(nil)
			if len(options) == 0 {
				t.Fatalf("seed %d: nothing to answer to %v", seed, smooth.Question.Ask)
			}
			o, id := options[choose.IntN(len(options))], smooth.Owed(nil)[0].ID
			if told, err = smooth.Apply(id, o, a, nil); err != nil {
				t.Fatal(err)
			}
			toldToo, err = rough.Apply(id, o, b, nil)
			rough, toldToo = resumed(t, rough, b, toldToo, err)
		}
		if *smooth != *rough {
			t.Fatalf("seed %d: a stall has changed the end of the match", seed)
		}
	}
}

// resumed stores, reads and resumes a position until it stalls no more.
func resumed(t *testing.T, p *engine.Position, c rules.Chance, told []rules.Event, err error) (*engine.Position, []rules.Event) {
	t.Helper()
	for errors.Is(err, rules.ErrNoOutcome) {
		if !p.Stalled() || len(p.Owed(nil)) != 0 {
			t.Fatal("chance has failed, and the position waits for something else")
		}
		sound(t, p)
		data, e := json.Marshal(p)
		if e != nil {
			t.Fatal(e)
		}
		q, e := dawn1989.Game{}.Decode(data)
		if e != nil {
			t.Fatal(e)
		}
		p = q.(*engine.Position)
		told, err = p.Resume(c, told)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, told
}

// TestFlat: a position is a value, and its clone is independent.
func TestFlat(t *testing.T) {
	t.Parallel()
	if n := unsafe.Sizeof(engine.Position{}); n > 2048 {
		t.Errorf("a position takes %d bytes, want 2048 at most", n)
	}
	p := begin(t, newDice(1))
	q := p.Clone().(*engine.Position)
	before := *p
	x := engine.Run{Chance: newDice(2)}
	for q.Question.Ask == engine.AskSetup {
		if err := q.Decide(&x, q.Choices(nil)[0]); err != nil {
			t.Fatal(err)
		}
	}
	if *p != before || *q == before {
		t.Error("the clone shares something with its original, or has not moved")
	}
	if _, err := p.Resume(nil, nil); err != nil || *p != before {
		t.Errorf("resuming what has not stalled: %v", err)
	}
}
