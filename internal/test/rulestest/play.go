package rulestest

import (
	"math/rand/v2"

	"samizdat/rules"
)

// Dice is a source of chance that a seed determines: the same seed gives the
// same game. It is for tests; a match has its sealed stream.
type Dice struct{ rnd *rand.Rand }

// NewDice returns the dice of a seed.
func NewDice(seed uint64) *Dice { return &Dice{rnd: rand.New(rand.NewPCG(seed, 0))} }

// Roll returns 1 to 6.
func (d *Dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }

// Draw returns an index into the pile.
func (d *Dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }

// Intn returns a number below n, for a test's own choices.
func (d *Dice) Intn(n int) int { return d.rnd.IntN(n) }

// Rolls is a source of chance for stories: it rolls what it is told, draws the
// first of every pile, and has no further outcome when the rolls are used up.
type Rolls struct{ Left []int }

// Roll returns the next roll.
func (r *Rolls) Roll(rules.Reason) (int, error) {
	if len(r.Left) == 0 {
		return 0, rules.ErrNoOutcome
	}
	n := r.Left[0]
	r.Left = r.Left[1:]
	return n, nil
}

// Draw returns the first element of the pile.
func (r *Rolls) Draw(rules.Draw) (int, error) { return 0, nil }

// Pick makes a whole legal answer to an open decision, of any game, by calls of
// pick, which returns a number below n. The position stays as it is. An answer
// that gets into chance before it is complete ends there.
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

// none is the source of chance that has no outcome.
type none struct{}

func (none) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }
func (none) Draw(rules.Draw) (int, error)   { return 0, rules.ErrNoOutcome }
