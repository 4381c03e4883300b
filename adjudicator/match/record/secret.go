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

// Secret determines all outcomes of a match. Its owner knows future outcomes, so it prints as
// "secret" and leaves the process only through Hex and Bytes.
type Secret struct{ b [32]byte }

// NewSecret reads a secret from r: crypto/rand.Reader except in tests.
func NewSecret(r io.Reader) (Secret, error) {
	var s Secret
	if _, err := io.ReadFull(r, s.b[:]); err != nil {
		return Secret{}, fmt.Errorf("make a secret: %w", err)
	}
	return s, nil
}

// SecretFromBytes makes a secret from 32 bytes.
func SecretFromBytes(b []byte) (Secret, error) {
	if len(b) != 32 {
		return Secret{}, fmt.Errorf("a secret has 32 bytes, not %d", len(b))
	}
	return Secret{b: [32]byte(b)}, nil
}

// ParseSecret parses the output of Hex.
func ParseSecret(s string) (Secret, error) {
	b, err := hex.DecodeString(s)
	if err != nil || hex.EncodeToString(b) != s {
		return Secret{}, errors.New("a secret is written as 64 lower-case hexadecimal digits")
	}
	return SecretFromBytes(b)
}

// Bytes returns the 32 bytes, for encrypted storage.
func (s Secret) Bytes() []byte { return s.b[:] }

// Hex returns the secret as records publish it after the match.
func (s Secret) Hex() string { return hex.EncodeToString(s.b[:]) }

// Format hides the secret in formatted output.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "secret") }

// LogValue hides the secret in logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue("secret") }

// MarshalJSON returns an error, so that no JSON contains the secret by accident.
func (s Secret) MarshalJSON() ([]byte, error) {
	return nil, errors.New("a secret is not part of JSON")
}

// Commitment returns the SHA-256 of the secret in hexadecimal. Invitations contain it, and the first entry's Prev.
func (s Secret) Commitment() string {
	return digest(s.b[:])
}

// Key determines the outcomes of a match.
type Key struct{ b [32]byte }

// Key returns the key of a match: the HMAC-SHA256, under the secret, of the canonical JSON ["key",
// match, words] with the words of all seats in order.
func (s Secret) Key(match string, words []string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := mac(s.b, []any{"key", match, words})
	return Key{b: b}, err
}

// BeaconKey works like Key with the signature of a beacon round: the HMAC of ["key", match, words, signature].
func (s Secret) BeaconKey(match string, words []string, signature string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := mac(s.b, []any{"key", match, words, signature})
	return Key{b: b}, err
}

// entryKey returns the key of an entry's seal: the HMAC of ["entry", match, seq].
func (s Secret) entryKey(match string, seq int) ([32]byte, error) {
	return mac(s.b, []any{"entry", match, seq})
}

// LetterDigest returns Entry.Letter of a conditional order: the HMAC-SHA256, under the secret, of ["letter", match,
// seq, letter]. A plain digest would show that an earlier letter contained the conditional order; this digest
// reveals the letter only with the secret.
func (s Secret) LetterDigest(match string, seq int, letter string) (string, error) {
	sum, err := mac(s.b, []any{"letter", match, seq, letter})
	return hex.EncodeToString(sum[:]), err
}

// Format hides the key in formatted output.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "key") }

// mac returns the HMAC-SHA256 of v in canonical JSON.
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
