package record

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is what every outcome of a match is made from. Whoever has it knows
// every outcome to come, so it prints as "secret" and is written nowhere but
// where Hex is called.
type Secret struct{ b [32]byte }

// NewSecret reads a secret from r, which is crypto/rand.Reader except in tests.
func NewSecret(r io.Reader) (Secret, error) {
	var s Secret
	if _, err := io.ReadFull(r, s.b[:]); err != nil {
		return Secret{}, fmt.Errorf("make a secret: %w", err)
	}
	return s, nil
}

// SecretFromBytes returns the secret of 32 bytes.
func SecretFromBytes(b []byte) (Secret, error) {
	if len(b) != 32 {
		return Secret{}, fmt.Errorf("a secret has 32 bytes, not %d", len(b))
	}
	return Secret{b: [32]byte(b)}, nil
}

// ParseSecret reads a secret that Hex wrote.
func ParseSecret(s string) (Secret, error) {
	b, err := hex.DecodeString(s)
	if err != nil || hex.EncodeToString(b) != s {
		return Secret{}, errors.New("a secret is written as 64 lower-case hexadecimal digits")
	}
	return SecretFromBytes(b)
}

// Bytes returns the 32 bytes, for the store that wraps them.
func (s Secret) Bytes() []byte { return s.b[:] }

// Hex returns the secret as a record publishes it when the match is over.
func (s Secret) Hex() string { return hex.EncodeToString(s.b[:]) }

// Format keeps the secret out of messages, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "secret") }

// LogValue keeps the secret out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue("secret") }

// MarshalJSON refuses: a secret is published on purpose or not at all.
func (s Secret) MarshalJSON() ([]byte, error) {
	return nil, errors.New("a secret is not part of JSON")
}

// Commitment is the SHA-256 of the secret in hexadecimal: what the invitations
// carry, and what the first entry of the chain follows on.
func (s Secret) Commitment() string {
	return digest(s.b[:])
}

// Key is what the outcomes of one match are made from.
type Key struct{ b [32]byte }

// Key returns the key of a match: HMAC-SHA256 under the secret of the canonical
// JSON ["key", match, words], words being the list of every seat's words in the
// order of seats.
func (s Secret) Key(match string, words []string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := mac(s.b, []any{"key", match, words})
	return Key{b: b}, err
}

// BeaconKey is the key of a match into which the signature of a round of a public beacon is
// mixed: that of ["key", match, words, signature].
func (s Secret) BeaconKey(match string, words []string, signature string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := mac(s.b, []any{"key", match, words, signature})
	return Key{b: b}, err
}

// entryKey is what one entry's hidden fields are sealed under: HMAC-SHA256 under
// the secret of ["entry", match, seq].
func (s Secret) entryKey(match string, seq int) ([32]byte, error) {
	return mac(s.b, []any{"entry", match, seq})
}

// LetterDigest is what the entry of a conditional order has as its letter: HMAC-SHA256, under
// the secret, of ["letter", match, seq, letter]. Two entries with one digest would
// tell everybody that the second was ordered by the letter of the first; this tells
// nothing before the secret is known, and then names the letter.
func (s Secret) LetterDigest(match string, seq int, letter string) (string, error) {
	sum, err := mac(s.b, []any{"letter", match, seq, letter})
	return hex.EncodeToString(sum[:]), err
}

// Format keeps the key out of messages.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "key") }

// mac is the HMAC-SHA256 of a value in canonical JSON.
func mac(key [32]byte, v any) ([32]byte, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var err error
	if *b, err = appendCanonical((*b)[:0], v); err != nil {
		return [32]byte{}, err
	}
	h := hmac.New(sha256.New, key[:])
	h.Write(*b)
	return [32]byte(h.Sum(nil)), nil
}
