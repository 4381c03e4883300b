package gate

import (
	"errors"
	"fmt"

	"samizdat/rules"
)

// ErrMustAnswer refuses to answer for a seat that is waited for.
var ErrMustAnswer = errors.New("the match waits for this answer, however long it takes")

// LotDrawer answer by lot for seats that stay silent.
type LotDrawer interface {
	// Lot returns the place of one of the options.
	Lot(l Lot) (int, error)
}

// Lot asks for one of the options of a seat that stays silent.
type Lot struct {
	Seat rules.Seat
	// Options are the seat's, as orders.
	Options []string
	// Hidden means that only the seat may learn the outcome, and how many options
	// there were.
	Hidden bool
}

// SilentAnswer is the answer that silence means to an open decision: the first of its
// options, or one by lot, and so on while the answer is not complete. The position
// stays as it is. Write writes options as orders.
func SilentAnswer(pos rules.Position, d rules.Decision, write func([]rules.Atom) string, lots LotDrawer) (rules.Answer, error) {
	out := rules.Answer{Kinds: []string{d.Kind}, Source: d.Source, Plain: d.Source == "", Ballot: d.Ballot}
	if d.Silence == rules.SilenceWaits {
		return out, ErrMustAnswer
	}
	x := carrying{seat: d.Seat, chance: &counted{Chance: NoChance{}}, decision: d, result: Result{Position: pos.Clone(), Decision: d}}
	for {
		options := x.result.Position.Options(nil, x.decision.ID)
		if len(options) == 0 {
			return out, fmt.Errorf("decision %d has no options", x.decision.ID)
		}
		i := 0
		if d.Silence == rules.SilenceLot {
			l := Lot{Seat: d.Seat, Hidden: d.Private}
			for _, a := range options {
				l.Options = append(l.Options, write([]rules.Atom{a}))
			}
			var err error
			if i, err = lots.Lot(l); err != nil {
				return out, fmt.Errorf("answer decision %d by lot: %w", d.ID, err)
			}
		}
		out.Atoms = append(out.Atoms, options[i])
		if d.Ballot {
			return out, nil
		}
		midway, err := x.apply(len(out.Atoms)-1, options[i])
		if err != nil {
			return out, err
		}
		if _, over := x.result.Position.Result(); !midway || over {
			return out, nil
		}
	}
}
