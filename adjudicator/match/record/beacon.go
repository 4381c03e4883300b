package record

import (
	"fmt"

	"samizdat/adjudicator/beacon"
)

// Beacon is a round of a public beacon.
type Beacon struct {
	Chain string `json:"chain"`
	Round int64  `json:"round"`
	// Signature is in lower-case hexadecimal.
	Signature string `json:"signature"`
}

// Key returns the key of the header's match.
func (h Header) Key(s Secret) (Key, error) {
	if h.Beacon == nil {
		return s.Key(h.Match, h.Words)
	}
	return s.BeaconKey(h.Match, h.Words, h.Beacon.Signature)
}

// VerifyBeacon checks the signature of the beacon round in the key. The beacon is a public one or
// one of given. Public records and records without a beacon can be verified too.
func VerifyBeacon(rec *Record, given ...beacon.Chain) error {
	b := rec.Header.Beacon
	if b == nil {
		return nil
	}
	chain, err := beacon.Find(b.Chain, given...)
	if err == nil {
		err = chain.VerifyHex(b.Round, b.Signature)
	}
	if err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}
