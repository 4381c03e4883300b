package gate

import (
	"errors"
	"fmt"

	"samizdat/rules"
)

// ErrMustAnswer is returned by SilentAnswer for a decision with SilenceWaits.
var ErrMustAnswer = errors.New("the match waits for this answer, however long it takes")

// LotDrawer draws lots for silent seats.
type LotDrawer interface {
	// Lot returns the index of an option.
	Lot(l Lot) (int, error)
}

// Lot is a request for an option of a silent seat.
type Lot struct {
	Seat rules.Seat
	// Options are the seat's options as orders.
	Options []string
	// Hidden is set if only the seat may know the outcome and the number of options.
	Hidden bool
}

// SilentAnswer returns the default answer for an open decision: the first option or a lot, repeated until the
// answer is complete. The position is not changed. write formats options as orders.
func SilentAnswer(pos rules.Position, d rules.Decision, write func([]rules.Atom) string, lots LotDrawer) (rules.Answer, error) {
	out := rules.Answer{Kinds: []string{d.Kind}, Source: d.Source, Plain: d.Source == "", Ballot: d.Ballot}
	if d.Silence == rules.SilenceWaits {
		return out, ErrMustAnswer
	}
	x := execution{seat: d.Seat, chance: &countingChance{Chance: NoChance{}}, decision: d, result: Result{Position: pos.Clone(), Decision: d}}
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
