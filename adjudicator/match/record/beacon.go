package record

import (
	"fmt"

	"samizdat/adjudicator/beacon"
)

// Beacon is a round of a public beacon.
type Beacon struct {
	Chain string `json:"chain"`
	Round int64  `json:"round"`
	// Signature is in lower-case hexadecimal digits.
	Signature string `json:"signature"`
}

// Key is the key of the match that the header is of, whose secret is given.
func (h Header) Key(s Secret) (Key, error) {
	if h.Beacon == nil {
		return s.Key(h.Match, h.Words)
	}
	return s.BeaconKey(h.Match, h.Words, h.Beacon.Signature)
}

// VerifyBeacon checks that the signature of the round that is mixed in is that of the beacon,
// which is one that everybody knows, or one of those that are given. It is good for the public
// form of a record as well, and for records without a beacon.
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
