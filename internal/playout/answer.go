package playout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Answer lets a robot answer an open decision; see [gate.ChooseAnswer].
func Answer(pos rules.Position, d rules.Decision, r rules.Robot) ([]rules.Atom, error) {
	atoms, err := gate.ChooseAnswer(pos, d, r)
	if errors.Is(err, gate.ErrNoAnswer) {
		err = fmt.Errorf("%w: %w", errStuck, err)
	}
	return atoms, err
}

// RandomBytes returns a ChaCha8 stream of pseudo-random bytes that the seed determines.
func RandomBytes(seed uint64) io.Reader {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}
