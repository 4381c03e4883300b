// Package beacontest makes beacons with a known key, for tests.
package beacontest

import (
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"samizdat/adjudicator/beacon"
)

// Chain returns a beacon with a round every 3 seconds since the beginning of 1989, and a function
// that signs its rounds.
func Chain(t testing.TB) (c beacon.Chain, sign func(round int64) []byte) {
	t.Helper()
	key, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("a key for tests, which everybody knows"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	c = beacon.Chain{Name: "testnet", Hash: "7e57", Key: public, Genesis: time.Date(1989, 1, 1, 0, 0, 0, 0, time.UTC), Period: 3 * time.Second}
	return c, func(round int64) []byte { return bls.Sign(key, beacon.RoundMessage(round)) }
}
