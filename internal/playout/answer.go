package playout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Answer lets a robot answer an open decision atom by atom. The position stays as it
// is, and nothing is drawn or rolled: the answer ends where an outcome would be needed.
func Answer(pos rules.Position, d rules.Decision, r rules.Robot) ([]rules.Atom, error) {
	pos = pos.Clone()
	seat := d.Seat
	var atoms []rules.Atom
	for {
		options := pos.Options(nil, d.ID)
		if len(options) == 0 {
			return nil, fmt.Errorf("%w: there is no answer to %q %s", errStuck, d.Kind, d.Source)
		}
		a := r.Choose(func() rules.View { return pos.View(seat) }, d, options)
		if atoms = append(atoms, a); d.Ballot {
			return atoms, nil
		}
		if _, err := pos.Apply(d.ID, a, gate.NoChance{}, nil); errors.Is(err, rules.ErrNoOutcome) {
			return atoms, nil
		} else if err != nil {
			return nil, err
		}
		owed := pos.Owed(nil)
		i := slices.IndexFunc(owed, func(o rules.Decision) bool { return o.Seat == seat && o.Midway })
		if i < 0 {
			return atoms, nil
		}
		d = owed[i]
	}
}

// Bytes is a source of bytes that a seed determines.
func Bytes(seed uint64) io.Reader {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}
