// Package beacon verifies rounds of public randomness beacons: networks that publish a random value at fixed times. Before its
// publication a value is unpredictable; afterwards everyone can verify it. The beacons are drand chains (https://drand.love):
// the value of a round is a BLS signature of its number. The package does not fetch rounds.
package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/sign/bls"
)

// Chain describes a drand network ("chain") in unchained mode: a signature depends only on the number of its
// round. Signatures are points of G1, the public key is a point of G2. An example is Quicknet.
type Chain struct {
	// Name is the name in records and letters. Hash is the chain hash in drand's HTTP API.
	Name, Hash string
	Key        []byte
	// Genesis is the time of round 1. Period is the time between rounds.
	Genesis time.Time
	Period  time.Duration
}

// Quicknet is the main chain of the League of Entropy.
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

// Find finds a chain by name among the configured chains and the public chains.
func Find(name string, configured ...Chain) (Chain, error) {
	for _, c := range append(configured, Quicknet) {
		if c.Name == name {
			return c, nil
		}
	}
	return Chain{}, fmt.Errorf("unknown beacon %q", name)
}

// FirstRoundFrom returns the first round that is published at or after a time.
func (c Chain) FirstRoundFrom(at time.Time) int64 {
	if !at.After(c.Genesis) {
		return 1
	}
	return int64((at.Sub(c.Genesis)+c.Period-1)/c.Period) + 1
}

// PublicationTime returns the publication time of a round.
func (c Chain) PublicationTime(round int64) time.Time {
	return c.Genesis.Add(time.Duration(round-1) * c.Period)
}

// Verify checks the signature of a round.
func (c Chain) Verify(round int64, signature []byte) error {
	if round < 1 {
		return fmt.Errorf("beacon %s: round %d must be 1 or greater", c.Name, round)
	}
	var key bls.PublicKey[bls.KeyG2SigG1]
	if err := key.UnmarshalBinary(c.Key); err != nil {
		return fmt.Errorf("parse the public key of beacon %s: %w", c.Name, err)
	}
	// A point has several encodings. Only the canonical encoding is accepted; otherwise a person who submits a
	// signature could choose between several random values.
	var point bls12381.G1
	if err := point.SetBytes(signature); err != nil || !bytes.Equal(point.BytesCompressed(), signature) ||
		!bls.Verify(&key, RoundMessage(round), signature) {
		return fmt.Errorf("invalid signature for round %d of beacon %s", round, c.Name)
	}
	return nil
}

// VerifyHex checks a signature in lower-case hexadecimal, as records store it.
func (c Chain) VerifyHex(round int64, signature string) error {
	b, err := hex.DecodeString(signature)
	if err != nil || hex.EncodeToString(b) != signature {
		return fmt.Errorf("invalid signature %q: must be lower-case hexadecimal", signature)
	}
	return c.Verify(round, b)
}

// RoundMessage returns the signed message of a round.
func RoundMessage(round int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(round)))
	return sum[:]
}

// Randomness returns the random value of a signature: its SHA-256, as drand publishes it.
func Randomness(signature []byte) string {
	sum := sha256.Sum256(signature)
	return hex.EncodeToString(sum[:])
}
