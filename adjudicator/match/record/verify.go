package record

import (
	"errors"
	"fmt"

	"samizdat/rules"
)

// VerifyChain checks the links of all entries, the hashes of their public fields and, if the record
// has the secret, the seals of their hidden fields. Public records can be verified too. The error
// of an entry is a *ChainError.
func VerifyChain(rec *Record) error {
	c, err := newChain(rec.Header)
	if err != nil {
		return err
	}
	for _, s := range rec.Steps {
		if s.Entry == nil {
			continue
		}
		if err := c.next(s); err != nil {
			return err
		}
	}
	return nil
}

// VerifyStream recomputes every outcome from the published secret and the seats' words and compares
// it with the record. It also checks that epochs never fall. Replay checks the piles.
func VerifyStream(rec *Record) error {
	h := rec.Header
	switch {
	case h.Chance == ChanceRecorded:
		return errors.New("line 1: the outcomes of this record come from elsewhere: there is no stream to verify")
	case h.Secret == "":
		return errors.New("line 1: the secret is not published yet")
	}
	secret, err := h.published()
	if err != nil {
		return err
	}
	key, err := h.Key(secret)
	if err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	n, epoch := 0, 0
	for _, s := range rec.Steps {
		e := s.Entry
		if e == nil {
			continue
		}
		broken := func(err error) error { return &ChainError{Line: s.Line, Seq: e.Seq, Problem: err.Error()} }
		if e.Epoch < epoch {
			return broken(errors.New("its epoch is less than that of the entry before"))
		}
		epoch = e.Epoch
		if e.HasOrders() {
			n++
		}
		for i, o := range e.Chance {
			if err := verifyOutcome(key, Place{Epoch: epoch, Entry: n, Outcome: i, Kind: o.kind()}, o); err != nil {
				return broken(fmt.Errorf("outcome %d: %w", i+1, err))
			}
		}
	}
	return nil
}

func verifyOutcome(key Key, p Place, o Outcome) error {
	if p.Kind == rules.KindRoll {
		v, err := key.Sample(p, 6)
		if err == nil && v+1 != o.Roll {
			err = fmt.Errorf("a roll of %d is recorded, the sealed stream has %d", o.Roll, v+1)
		}
		return err
	}
	if o.I == nil || o.N == nil {
		return fmt.Errorf("a draw from %q without its place and the size of the pile", o.From)
	}
	v, err := key.Sample(p, *o.N)
	if err == nil && v != *o.I {
		err = fmt.Errorf("place %d of %d in %q is recorded, the sealed stream has %d", *o.I, *o.N, o.From, v)
	}
	return err
}
