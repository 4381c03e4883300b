package beacon_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/cloudflare/circl/ecc/bls12381"

	"samizdat/adjudicator/beacon"
	"samizdat/internal/test/beacontest"
)

// rounds are two that quicknet has published.
var rounds = map[int64]string{
	1000:   "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
	657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}

// TestQuicknet: real rounds are good, and no other signature is: of another round, with any
// byte changed, cut, padded, empty, written otherwise, or in capitals.
func TestQuicknet(t *testing.T) {
	t.Parallel()
	for round, text := range rounds {
		if err := beacon.Quicknet.VerifyHex(round, text); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		sig, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		bad := [][]byte{nil, {}, sig[:47], append(bytes.Clone(sig), 0), make([]byte, 48)}
		for i := range sig {
			changed := bytes.Clone(sig)
			changed[i] ^= 1
			bad = append(bad, changed)
		}
		var point bls12381.G1
		if err := point.SetBytes(sig); err != nil {
			t.Fatal(err)
		}
		bad = append(bad, point.Bytes())
		for _, b := range bad {
			if err := beacon.Quicknet.Verify(round, b); err == nil {
				t.Errorf("round %d: %x is good", round, b)
			}
		}
		for _, other := range []int64{-1, 0, 1, round - 1, round + 1} {
			if err := beacon.Quicknet.Verify(other, sig); err == nil {
				t.Errorf("the signature of round %d is good for round %d", round, other)
			}
		}
		if err := beacon.Quicknet.VerifyHex(round, strings.ToUpper(text)); err == nil {
			t.Error("a signature in capitals is good")
		}
	}
}

// TestRounds: the round of a time is the first that is not published before it.
func TestRounds(t *testing.T) {
	t.Parallel()
	q := beacon.Quicknet
	for _, tt := range []struct {
		after time.Duration
		round int64
	}{{-time.Hour, 1}, {0, 1}, {1, 2}, {3 * time.Second, 2}, {3*time.Second + 1, 3}, {2997 * time.Second, 1000}, {900 * 24 * time.Hour, 25920001}} {
		at := q.Genesis.Add(tt.after)
		round := q.FirstRoundFrom(at)
		if round != tt.round || q.PublicationTime(round).Before(at) || round > 1 && !q.PublicationTime(round-1).Before(at) {
			t.Errorf("%v after the first round comes round %d at %v, want %d", tt.after, round, q.PublicationTime(round), tt.round)
		}
	}
}

// TestFind: what is given comes first, and no chain is found that is not known.
func TestFind(t *testing.T) {
	t.Parallel()
	own, sign := beacontest.Chain(t)
	for _, name := range []string{own.Name, "quicknet"} {
		if c, err := beacon.Find(name, own); err != nil || c.Name != name {
			t.Errorf("%s: %v, %v", name, c.Name, err)
		}
	}
	if _, err := beacon.Find("slownet", own); err == nil {
		t.Error("a chain is found that nobody knows")
	}
	if err := own.Verify(7, sign(7)); err != nil {
		t.Error(err)
	}
	if err := beacon.Quicknet.Verify(7, sign(7)); err == nil {
		t.Error("quicknet takes what another chain has signed")
	}
}
