// Package beacon knows public beacons: networks that publish a random value at fixed times,
// a round each, which nobody can know before and everybody can check afterwards. They are
// those of drand: the value of a round is a BLS signature of its number.
//
// Nothing here asks for a round; that is for whoever has a network.
package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/sign/bls"
)

// Chain is a beacon whose rounds are signed without reference to the one before, with
// signatures in G1 and the public key in G2.
type Chain struct {
	// Name names the chain in records and letters, Hash where it is asked for rounds.
	Name, Hash string
	// Key is its public key.
	Key []byte
	// Genesis is when round 1 is published, Period is the time from one to the next.
	Genesis time.Time
	Period  time.Duration
}

// Quicknet is the chain that the League of Entropy runs.
var Quicknet = Chain{
	Name: "quicknet", Hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
	Key: mustHex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
		"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"),
	Genesis: time.Unix(1692803367, 0).UTC(), Period: 3 * time.Second,
}

func mustHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// Find finds a chain by its name among those that are given and those that everybody knows.
func Find(name string, given ...Chain) (Chain, error) {
	for _, c := range append(given, Quicknet) {
		if c.Name == name {
			return c, nil
		}
	}
	return Chain{}, fmt.Errorf("this program does not know the beacon %q", name)
}

// Round is the first round that is published at a time or later.
func (c Chain) Round(at time.Time) int64 {
	if !at.After(c.Genesis) {
		return 1
	}
	return int64((at.Sub(c.Genesis)+c.Period-1)/c.Period) + 1
}

// Published is when a round is published.
func (c Chain) Published(round int64) time.Time {
	return c.Genesis.Add(time.Duration(round-1) * c.Period)
}

// Verify checks that a signature is that of a round.
func (c Chain) Verify(round int64, signature []byte) error {
	if round < 1 {
		return fmt.Errorf("%s has no round %d", c.Name, round)
	}
	var key bls.PublicKey[bls.KeyG2SigG1]
	if err := key.UnmarshalBinary(c.Key); err != nil {
		return fmt.Errorf("the public key of %s: %w", c.Name, err)
	}
	// A point can be written in several ways, and who could choose one would have a choice of
	// dice.
	var point bls12381.G1
	if err := point.SetBytes(signature); err != nil || !bytes.Equal(point.BytesCompressed(), signature) ||
		!bls.Verify(&key, Message(round), signature) {
		return fmt.Errorf("the signature is not that of round %d of %s", round, c.Name)
	}
	return nil
}

// VerifyHex checks a signature in hexadecimal, as records have it: in lower case, so that one
// round has one.
func (c Chain) VerifyHex(round int64, signature string) error {
	b, err := hex.DecodeString(signature)
	if err != nil || hex.EncodeToString(b) != signature {
		return errors.New("the signature of a round is written in lower-case hexadecimal digits")
	}
	return c.Verify(round, b)
}

// Message is what is signed for a round.
func Message(round int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(round)))
	return sum[:]
}

// Randomness is the value that a beacon shows for the signature of a round.
func Randomness(signature []byte) string {
	sum := sha256.Sum256(signature)
	return hex.EncodeToString(sum[:])
}
