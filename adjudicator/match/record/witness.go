package record

import "fmt"

// VerifyWitnesses lists the entries in which players confirmed the history, and checks that each
// names the hash of an earlier entry. The error is a *ChainError. Public records can be verified
// too.
func VerifyWitnesses(rec *Record) (signed []*Entry, err error) {
	hashes := map[int]string{}
	for _, s := range rec.Steps {
		e := s.Entry
		if e == nil {
			continue
		}
		if a := e.Act; a != nil && a.Kind == Witness {
			if a.Entry == nil || a.Hash == "" || hashes[*a.Entry] != a.Hash {
				return signed, &ChainError{Line: s.Line, Seq: e.Seq,
					Problem: fmt.Sprintf("what %s has seen is not in this history: no entry before it has the hash %s", e.Seat, a.Hash)}
			}
			signed = append(signed, e)
		}
		hashes[e.Seq] = e.Hash
	}
	return signed, nil
}
