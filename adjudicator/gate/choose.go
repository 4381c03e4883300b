package gate

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// ErrNoAnswer is returned for a decision that a robot cannot answer.
var ErrNoAnswer = errors.New("there is no answer")

// ChooseAnswer lets a robot answer an open decision atom by atom from the view of its seat. The
// position is not changed and no outcome is used: the answer ends where chance is needed.
func ChooseAnswer(pos rules.Position, d rules.Decision, r rules.Robot) ([]rules.Atom, error) {
	pos = pos.Clone()
	seat := d.Seat
	var atoms []rules.Atom
	for {
		options := pos.Options(nil, d.ID)
		if len(options) == 0 {
			return nil, fmt.Errorf("%w to %q %s", ErrNoAnswer, d.Kind, d.Source)
		}
		a := r.Choose(func() rules.View { return pos.View(seat) }, d, options)
		if atoms = append(atoms, a); d.Ballot {
			return atoms, nil
		}
		if _, err := pos.Apply(d.ID, a, NoChance{}, nil); errors.Is(err, rules.ErrNoOutcome) {
			return atoms, nil
		} else if err != nil {
			return nil, err
		}
		owed := pos.OpenDecisions(nil)
		i := slices.IndexFunc(owed, func(o rules.Decision) bool { return o.Seat == seat && o.Midway })
		if i < 0 {
			return atoms, nil
		}
		d = owed[i]
	}
}
