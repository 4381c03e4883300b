package robot

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// quick is the skill of a searcher that tests can wait for.
func quick(level int) Skill {
	s := Level(level)
	s.Simulations = 8
	return s
}

// playThrough plays a match and calls each with every question.
func playThrough(t testing.TB, seed uint64, each func(p *engine.Position, options []rules.Atom) rules.Atom) {
	t.Helper()
	lot := new(search.Lot)
	lot.Seed(seed, 1989)
	p := newMatch(t, lot)
	x := engine.Run{Chance: lot}
	for n := 0; p.Ending == engine.NotOver && n < 5000; n++ {
		options := p.LegalAtoms(nil)
		a := each(p, options)
		x.Events = x.Events[:0]
		if err := p.Decide(&x, a); err != nil {
			t.Fatal(err)
		}
	}
	if p.Ending == engine.NotOver {
		t.Fatalf("seed %d: the match does not end", seed)
	}
}

// TestSearcherSeesItsView: two positions that a seat cannot tell apart give the same choice.
func TestSearcherSeesItsView(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := uint64(1); asked < long.N(100, 2000); seed++ {
		var lot search.Lot
		playThrough(t, seed, func(p *engine.Position, options []rules.Atom) rules.Atom {
			seat := p.SeatOfSide[p.Question.Side]
			a := NewSearcher(quick(5), seed).Choose(func() rules.View { return p.View(seat) }, rules.Decision{}, options)
			if len(options) == 1 {
				return a
			}
			asked++
			lot.Seed(seed, uint64(p.Question.ID))
			var q engine.Position
			p.View(seat).(*engine.View).DealHidden(&q, &lot)
			if b := NewSearcher(quick(5), seed).Choose(func() rules.View { return q.View(seat) }, rules.Decision{}, options); a != b {
				t.Fatalf("seed %d: %v to %v answers %#x, and %#x when other cards are hidden", seed, p.Question.Side, p.Question.Kind, a, b)
			}
			return a
		})
	}
	t.Log(asked, "answers")
}

// TestSearcherSameEverywhere plays matches whose answers are known by hash. .ci/run repeats it with
// GOARCH=386: a decision has no floating-point number in it.
func TestSearcherSameEverywhere(t *testing.T) {
	t.Parallel()
	for level, want := range map[int]string{3: "564 40cc4e5488e99a0f", 5: "350 7aca0eb710c7c69c"} {
		sum, answers := sha256.New(), 0
		r := NewSearcher(quick(level), 42)
		playThrough(t, 42, func(p *engine.Position, options []rules.Atom) rules.Atom {
			a := r.Choose(func() rules.View { return p.View(p.SeatOfSide[p.Question.Side]) }, rules.Decision{}, options)
			_ = binary.Write(sum, binary.LittleEndian, uint32(a))
			answers++
			return a
		})
		if got := fmt.Sprintf("%d %x", answers, sum.Sum(nil)[:8]); got != want {
			t.Errorf("the match of level %d is %q, want %q", level, got, want)
		}
	}
}
