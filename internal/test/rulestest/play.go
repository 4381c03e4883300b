package rulestest

import (
	"math/rand/v2"

	"samizdat/rules"
)

// Dice is a pseudo-random source of chance. The same seed gives the same game.
type Dice struct{ rnd *rand.Rand }

// NewDice returns the dice of a seed.
func NewDice(seed uint64) *Dice { return &Dice{rnd: rand.New(rand.NewPCG(seed, 0))} }

func (d *Dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }

func (d *Dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }

// Intn returns a random number below n for choices of a test.
func (d *Dice) Intn(n int) int { return d.rnd.IntN(n) }

// Rolls is a scripted source of chance: it returns the rolls in Left and draws the first element of
// every pile. Without rolls left it returns rules.ErrNoOutcome.
type Rolls struct{ Left []int }

func (r *Rolls) Roll(rules.Reason) (int, error) {
	if len(r.Left) == 0 {
		return 0, rules.ErrNoOutcome
	}
	n := r.Left[0]
	r.Left = r.Left[1:]
	return n, nil
}

func (r *Rolls) Draw(rules.Draw) (int, error) { return 0, nil }

// Pick builds a random legal answer to an open decision of any game. pick returns a number below n.
// The position does not change. The answer ends early where it needs a chance outcome.
func Pick(pos rules.Position, d rules.Decision, pick func(n int) int) []rules.Atom {
	var atoms []rules.Atom
	work := pos.Clone()
	for {
		options := work.Options(nil, d.ID)
		a := options[pick(len(options))]
		atoms = append(atoms, a)
		if _, err := work.Apply(d.ID, a, none{}, nil); err != nil {
			return atoms
		}
		midway := false
		for _, o := range work.OpenDecisions(nil) {
			if o.Seat == d.Seat && o.Midway {
				d, midway = o, true
			}
		}
		if !midway {
			return atoms
		}
	}
}

// none is a source of chance without outcomes.
type none struct{}

func (none) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }
func (none) Draw(rules.Draw) (int, error)   { return 0, rules.ErrNoOutcome }
