package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
)

// dice is chance for tests, the same for the same seed.
type dice struct{ r *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1789))} }

func (d dice) Roll(rules.Reason) (int, error)    { return 1 + d.r.IntN(6), nil }
func (d dice) Draw(draw rules.Draw) (int, error) { return d.r.IntN(len(draw.Pile)), nil }

// figures are what 1789's facts tell of random play without revolutions.
type figures struct{ turns, most, votes, doubles, complete, cycles float64 }

// play plays one match at random without revolutions, checks the invariants at each step and
// counts.
func play(t *testing.T, table *matchTable, seed uint64, sum *figures) {
	d := newDice(seed)
	if err := table.Begin(d); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		decision, options, open := table.Ask()
		if !open {
			break
		}
		if n > 2000 {
			t.Fatalf("seed %d: no end after %d answers", seed, n)
		}
		checkInvariants(t, &table.p, seed)
		a := options[d.r.IntN(len(options))]
		if decision.Kind == KindCall {
			a = options[0]
		}
		if err := table.Answer(a); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, e := range table.events {
			switch e.Kind {
			case EventVote:
				sum.votes++
			case EventUnresolved:
				sum.cycles++
			}
		}
		if table.p.Phase == Seating && table.p.Taken != 0 {
			sum.doubles++
		}
	}
	if _, over := table.Result(); !over {
		t.Fatalf("seed %d: nothing is asked and the match goes on", seed)
	}
	turns := float64(table.Turn())
	sum.turns += turns
	sum.most = max(sum.most, turns)
	if table.p.Complete() {
		sum.complete++
	}
}

// checkInvariants holds a position to section 1.1 of the facts.
func checkInvariants(t *testing.T, p *Position, seed uint64) {
	t.Helper()
	for s := Space(1); s < Spaces; s++ {
		var held []rules.Seat
		for _, u := range Around(s) {
			if h := p.Holders[u]; h != rules.Nobody {
				if slices.Contains(held, h) {
					t.Fatalf("seed %d: %s sits twice at space %d", seed, Citizen(int(h)), s)
				}
				held = append(held, h)
			}
		}
		under := p.VotedOn == s || slices.Contains(p.Queue[:], s)
		if len(held) == 3 && p.Verdicts[s] == Open && !under {
			t.Fatalf("seed %d: the open crisis at space %d is full", seed, s)
		}
		if p.VotedOn == s && p.Phase == Voting && p.Queue[0] == 0 && !slices.Contains(held, p.InChair()) {
			t.Fatalf("seed %d: the Chairman does not vote at space %d", seed, s)
		}
	}
	if p.Turn > 29 {
		t.Fatalf("seed %d: turn %d", seed, p.Turn)
	}
}

// TestRandomPlay holds random play without revolutions to the figures of the facts (section
// 3.6): turns, crises voted on, two filled at once, all ministers.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	games := long.N(75, 20_000)
	spread := 1 / math.Sqrt(float64(games)/2000)
	for _, want := range []struct {
		players                      int
		turns, votes, doubles, share float64
	}{{4, 17.8, 7.6, 1.7, .70}, {5, 19.2, 9.3, 2.2, .82}, {6, 20.0, 10.2, 2.5, .88}, {8, 20.5, 10.9, 2.7, .92}, {12, 21.1, 11.6, 2.8, .94}} {
		t.Run(fmt.Sprint(want.players), func(t *testing.T) {
			t.Parallel()
			table, err := Rules{}.Table(rules.Setup{Seats: want.players, Revision: newestRevision})
			if err != nil {
				t.Fatal(err)
			}
			var sum figures
			n := float64(games)
			for seed := range uint64(games) {
				play(t, table.(*matchTable), seed, &sum)
			}
			for _, c := range []struct {
				name           string
				got, want, off float64
			}{
				{"turns", sum.turns / n, want.turns, .15 + .1*spread}, {"votes", sum.votes / n, want.votes, .1 + .1*spread},
				{"two filled at once", sum.doubles / n, want.doubles, .1 + .06*spread}, {"all ministers", sum.complete / n, want.share, .02 + .02*spread},
			} {
				if math.Abs(c.got-c.want) > c.off {
					t.Errorf("%s: %.2f a match, the facts have %.2f", c.name, c.got, c.want)
				}
			}
			t.Logf("%+v", sum)
		})
	}
}

func BenchmarkRandomMatch(b *testing.B) {
	table, err := Rules{}.Table(rules.Setup{Seats: 6, Revision: newestRevision})
	if err != nil {
		b.Fatal(err)
	}
	d := newDice(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := table.Begin(d); err != nil {
			b.Fatal(err)
		}
		for {
			decision, options, open := table.Ask()
			if !open {
				break
			}
			a := options[d.r.IntN(len(options))]
			if decision.Kind == KindCall {
				a = options[0]
			}
			if err := table.Answer(a); err != nil {
				b.Fatal(err)
			}
		}
	}
}
