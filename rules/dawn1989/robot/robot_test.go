package robot

import (
	"math/rand/v2"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// playing is chance for tests: seeded, and the same on every run.
type playing struct{ r *rand.Rand }

func (d playing) Roll(rules.Reason) (int, error) { return 1 + d.r.IntN(6), nil }
func (d playing) Draw(w rules.Draw) (int, error) { return d.r.IntN(len(w.Pile)), nil }

// newMatch is a new match after the deal.
func newMatch(t testing.TB, c rules.Chance) *engine.Position {
	t.Helper()
	pos, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: engine.Rules{}.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(c, nil); err != nil {
		t.Fatal(err)
	}
	return pos.(*engine.Position)
}

// TestRobotSeesItsView: what the sensible robot answers does not depend on cards
// that are hidden from it.
func TestRobotSeesItsView(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := range uint64(long.N(5, 12)) {
		d := playing{rand.New(rand.NewPCG(seed, 1989))}
		p := newMatch(t, d)
		x := engine.Run{Chance: d}
		var one sensible
		for n := 0; p.Ending == engine.NotOver && n < 3000; n++ {
			options := p.LegalAtoms(nil)
			side := p.Question.Side
			owner := side.Enemy()
			q := *p
			mine, deck := q.Piles[engine.HandPile(owner)].Minus(q.KnownCards[owner]).List(), q.Piles[engine.PileDeck].List()
			if len(mine) > 0 && len(deck) > 0 {
				a, b := mine[d.r.IntN(len(mine))], deck[d.r.IntN(len(deck))]
				q.Move(a, engine.HandPile(owner), engine.PileDeck)
				q.Move(b, engine.PileDeck, engine.HandPile(owner))
			}
			dec := p.OpenDecisions(nil)[0]
			a := one.Choose(func() rules.View { return p.View(p.SeatOfSide[side]) }, dec, options)
			// The second is new, so that nothing is remembered either.
			b := new(sensible).Choose(func() rules.View { return q.View(q.SeatOfSide[side]) }, dec, options)
			if a != b {
				t.Fatalf("seed %d: %v to %v answers %#x, and %#x when the enemy holds other cards", seed, side, p.Question.Kind, a, b)
			}
			asked++
			x.Events = x.Events[:0]
			if err := p.Decide(&x, a); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(asked, "answers")
}

// TestDefendsCheaply: a struggle card that is needed less goes first, and nobody
// concedes who can match.
func TestDefendsCheaply(t *testing.T) {
	t.Parallel()
	p := new(engine.Position)
	p.Struggle = engine.Struggle{Country: engine.Poland, Attacker: engine.Communist, Suit: engine.StrikeSuit, Attack: 2, Winner: engine.Neutral}
	p.Struggle.Hands[engine.Democrat] = engine.StruggleCards{1: 1, 4: 1, engine.TacticFails: 1}
	p.Question = engine.Question{Kind: engine.AskDefend, Side: engine.Democrat, Remaining: 1}
	options := []rules.Atom{engine.NewAtom(engine.VerbDefend, 0, 1), engine.NewAtom(engine.VerbDefend, 0, 4), engine.NewAtom(engine.VerbDefend, 0, int(engine.TacticFails)), engine.AtomConcede}
	if a := chooseDefense(p, options); a != engine.NewAtom(engine.VerbDefend, 0, 1) {
		t.Errorf("defends with %v, want Strike-3", engine.StruggleCard(engine.AtomValue(a)))
	}
}

// TestScoresInTime: with as many scoring cards as action rounds left, one is
// played whatever it costs.
func TestScoresInTime(t *testing.T) {
	t.Parallel()
	p := newMatch(t, playing{rand.New(rand.NewPCG(3, 1989))})
	for c := engine.Card(1); c < engine.Cards; c++ {
		if p.Piles[engine.PileDemocrat].Has(c) {
			p.Move(c, engine.PileDemocrat, engine.PileDiscard)
		}
	}
	for _, c := range []engine.Card{engine.PolandScoring, engine.Walesa, engine.SolidarityLegalized} {
		for pile := range engine.Piles {
			if p.Piles[pile].Has(c) {
				p.Move(c, pile, engine.PileDemocrat)
			}
		}
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if s.Info().Country == engine.Poland {
			p.SetSupport(engine.Democrat, s, 0)
			p.SetSupport(engine.Communist, s, 9)
		}
	}
	var r sensible
	for _, tt := range []struct {
		round  int8
		scores bool
	}{{6, false}, {7, true}} {
		v := p.View(0).(*engine.View).WithFrame(engine.Frame{Proc: engine.ProcRound, Side: engine.Democrat})
		v.Visible.Phase, v.Visible.Round, v.Visible.Phasing = engine.PhaseRounds, tt.round, engine.Democrat
		v.Visible.Question = engine.Question{Kind: engine.AskRound, Side: engine.Democrat, Remaining: 1, ID: 99}
		a := r.Choose(func() rules.View { return v }, rules.Decision{}, v.Visible.LegalAtoms(nil))
		if scores := engine.Card(engine.AtomValue(a)) == engine.PolandScoring; scores != tt.scores {
			t.Errorf("round %d: plays %v", tt.round, engine.Card(engine.AtomValue(a)))
		}
	}
}

// TestTrial: what a trial says of a change of support is the difference of the country's
// worth before and after.
func TestTrial(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		d := playing{rand.New(rand.NewPCG(seed, 7))}
		p := newMatch(t, d)
		x := engine.Run{Chance: d}
		var m evaluator
		for n := 0; p.Ending == engine.NotOver && n < 2000; n++ {
			options := p.LegalAtoms(nil)
			m.prepare(p.View(p.SeatOfSide[p.Question.Side]).(*engine.View))
			for range 4 {
				w, s := *p, engine.Space(1+d.r.IntN(engine.Spaces-1))
				if !p.ExistingSpaces().Has(s) {
					continue
				}
				before, trial := m.countryWorth(&w, s.Info().Country), m.beginTrial(&w, s)
				w.SetSupport(engine.Side(d.r.IntN(2)), s, d.r.IntN(9))
				if got, want := m.worthChange(&w, &trial), m.countryWorth(&w, s.Info().Country)-before; got != want {
					t.Fatalf("seed %d, %v: the trial says %d, the country has changed by %d", seed, s, got, want)
				}
			}
			x.Events = x.Events[:0]
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}
