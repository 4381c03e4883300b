package record

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"samizdat/rules"
)

var bufferPool = sync.Pool{New: func() any { return new([]byte) }}

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Seal sets Sealed, Prev and Hash of an entry. prev is the hash of the previous entry, or the commitment for entry 0.
func (s Secret) Seal(match, prev string, e *Entry) error {
	sealed, err := s.seal(match, e)
	if err != nil {
		return fmt.Errorf("seal entry %d: %w", e.Seq, err)
	}
	hash, err := hashEntry(prev, sealed, e)
	if err != nil {
		return fmt.Errorf("seal entry %d: %w", e.Seq, err)
	}
	e.Sealed, e.Prev, e.Hash = sealed, prev, hash
	return nil
}

func (s Secret) seal(match string, e *Entry) (string, error) {
	key, err := s.entryKey(match, e.Seq)
	if err != nil {
		return "", err
	}
	sum, err := canonicalHMAC(key, e.hiddenFields())
	return hex.EncodeToString(sum[:]), err
}

func hashEntry(prev, sealed string, e *Entry) (string, error) {
	b := bufferPool.Get().(*[]byte)
	defer bufferPool.Put(b)
	var err error
	if *b, err = appendCanonical((*b)[:0], []any{prev, e.publicFields(), sealed}); err != nil {
		return "", err
	}
	return sha256Hex(*b), nil
}

// isCanonical reports whether line, the canonical form of the text from which e was decoded, is also the canonical form of e. If not, the
// text has members that the hash does not cover.
func isCanonical(e *Entry, line []byte) bool {
	b := bufferPool.Get().(*[]byte)
	defer bufferPool.Put(b)
	var err error
	*b, err = appendEntry((*b)[:0], e)
	return err == nil && bytes.Equal(*b, line)
}

// ChainError is a failed check of one entry of a record.
type ChainError struct {
	Line, Seq int
	Problem   string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("line %d, entry %d: %s", e.Line, e.Seq, e.Problem)
}

type chainVerifier struct {
	header       Header
	secret       *Secret
	previousHash string
	nextSeq      int
}

func newChainVerifier(h Header) (*chainVerifier, error) {
	c := &chainVerifier{header: h, previousHash: h.Commitment}
	if h.Commitment == "" {
		return nil, errors.New("line 1: a record without a commitment has no chain to verify")
	}
	if h.Secret == "" {
		return c, nil
	}
	s, err := h.publishedSecret()
	c.secret = &s
	return c, err
}

// verifyNext checks that an entry follows the entries before it. Seals are checked only with the secret.
func (c *chainVerifier) verifyNext(step Step) error {
	e := step.Entry
	fail := func(format string, a ...any) error {
		return &ChainError{Line: step.Line, Seq: e.Seq, Problem: fmt.Sprintf(format, a...)}
	}
	if step.raw != nil && !isCanonical(e, step.raw) {
		return fail("the line has members that the hash does not cover")
	}
	if e.Seq != c.nextSeq {
		return fail("entry %d is missing", c.nextSeq)
	}
	if e.Prev != c.previousHash {
		return fail("prev is not the hash of the entry before")
	}
	if e.Seq == 0 {
		expected, err := c.header.Digest()
		if err != nil {
			return err
		}
		if e.Setup != expected {
			return fail("setup is not the digest of the header: the header was changed")
		}
	}
	if c.secret != nil {
		sealed, err := c.secret.seal(c.header.Match, e)
		if err != nil {
			return fail("%v", err)
		}
		if !hmac.Equal([]byte(sealed), []byte(e.Sealed)) {
			return fail("the hidden fields do not match the seal")
		}
	}
	hash, err := hashEntry(e.Prev, e.Sealed, e)
	if err != nil {
		return fail("%v", err)
	}
	if hash != e.Hash {
		return fail("the public fields do not match the hash")
	}
	c.previousHash, c.nextSeq = e.Hash, e.Seq+1
	return nil
}

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
		return Secret{}, fmt.Errorf("a secret must have 32 bytes, got %d", len(b))
	}
	return Secret{b: [32]byte(b)}, nil
}

// ParseSecret parses the output of Hex.
func ParseSecret(s string) (Secret, error) {
	b, err := hex.DecodeString(s)
	if err != nil || hex.EncodeToString(b) != s {
		return Secret{}, errors.New("a secret must be 64 lower-case hexadecimal digits")
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
	return nil, errors.New("a secret must not be written as JSON")
}

// Commitment returns the SHA-256 of the secret in hexadecimal. It is in the invitations, and is the Prev of the first entry.
func (s Secret) Commitment() string {
	return sha256Hex(s.b[:])
}

// Key determines the outcomes of a match.
type Key struct{ b [32]byte }

// Key returns the key of a match: the HMAC-SHA256, under the secret, of the canonical JSON ["key",
// match, words] with the words of all seats in order.
func (s Secret) Key(match string, words []string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := canonicalHMAC(s.b, []any{"key", match, words})
	return Key{b: b}, err
}

// BeaconKey works like Key, but also includes the signature of a beacon round: it is the HMAC of ["key", match, words,
// signature].
func (s Secret) BeaconKey(match string, words []string, signature string) (Key, error) {
	if words == nil {
		words = []string{}
	}
	b, err := canonicalHMAC(s.b, []any{"key", match, words, signature})
	return Key{b: b}, err
}

func (s Secret) entryKey(match string, seq int) ([32]byte, error) {
	return canonicalHMAC(s.b, []any{"entry", match, seq})
}

// LetterDigest returns the value of Entry.Letter for a conditional order: the HMAC-SHA256, under the secret, of ["letter",
// match, seq, letter]. The digest of the letter itself would show others which letter contained the order, if they know the digests of
// letters. The HMAC shows it only to those who know the secret.
func (s Secret) LetterDigest(match string, seq int, letter string) (string, error) {
	sum, err := canonicalHMAC(s.b, []any{"letter", match, seq, letter})
	return hex.EncodeToString(sum[:]), err
}

// Format hides the key in formatted output.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "key") }

func canonicalHMAC(key [32]byte, v any) ([32]byte, error) {
	b := bufferPool.Get().(*[]byte)
	defer bufferPool.Put(b)
	var err error
	if *b, err = appendCanonical((*b)[:0], v); err != nil {
		return [32]byte{}, err
	}
	h := hmac.New(sha256.New, key[:])
	h.Write(*b)
	return [32]byte(h.Sum(nil)), nil
}

// A player may have hashed the words with no line ending (printf %s), with \n (echo) or with \r\n (Windows).
var lineEndings = []string{"", "\n", "\r\n"}

// SealWords returns the seal of a player's words: their SHA-256 in hexadecimal.
func SealWords(words string) string { return sha256Hex([]byte(words)) }

// MatchesSeal reports whether seal is the SHA-256 of words, or of words and a line break. Words that contain a line
// break never match: a player could reveal the words with or without that line break, and so choose between two keys.
func MatchesSeal(seal, words string) bool {
	return !strings.ContainsAny(words, "\r\n") && slices.ContainsFunc(lineEndings,
		func(end string) bool { return SealWords(words+end) == seal })
}

// ParseSeal parses a seal as programs print it: upper or lower case, in groups of digits, or with the "-" of sha256sum.
// For example, "5BE1 07AA ... -" becomes "5be107aa...".
func ParseSeal(text string) (string, error) {
	fields := strings.Fields(text)
	if n := len(fields); n > 1 && strings.TrimLeft(fields[n-1], "*") == "-" {
		fields = fields[:n-1]
	}
	seal := strings.ToLower(strings.TrimRight(strings.Join(fields, ""), "."))
	if b, err := hex.DecodeString(seal); err != nil || len(b) != 32 {
		return "", errors.New("a seal must be a SHA-256 of 64 hexadecimal digits")
	}
	return seal, nil
}

// VerifySeals checks that each seat's words match its seal, if the words were sealed. The check needs no secret.
func VerifySeals(rec *Record) error {
	h := rec.Header
	if len(h.Seals) == 0 {
		return nil
	}
	if len(h.Seals) != len(h.Words) {
		return fmt.Errorf("line 1: expected %d seals, one for the words of each seat, got %d", len(h.Words), len(h.Seals))
	}
	for i, seal := range h.Seals {
		if !MatchesSeal(seal, h.Words[i]) {
			return fmt.Errorf("line 1: the words of seat %d do not match their seal", i+1)
		}
	}
	return nil
}

// VerifyChain checks the links of all entries and the hashes of their public fields. If the record has the secret, it also
// checks the seals of their hidden fields. The error of an entry is a *ChainError.
func VerifyChain(rec *Record) error {
	c, err := newChainVerifier(rec.Header)
	if err != nil {
		return err
	}
	for _, s := range rec.Steps {
		if s.Entry == nil {
			continue
		}
		if err := c.verifyNext(s); err != nil {
			return err
		}
	}
	return nil
}

// VerifyStream recomputes every outcome from the published secret and the seats' words and compares
// it with the record. It also checks that epochs never decrease. It does not check the contents of piles; Replay does.
func VerifyStream(rec *Record) error {
	h := rec.Header
	switch {
	case h.Chance == ChanceRecorded:
		return errors.New("line 1: the outcomes of this record were entered by hand: there is no sealed stream to verify")
	case h.Secret == "":
		return errors.New("line 1: the secret is not published yet")
	}
	secret, err := h.publishedSecret()
	if err != nil {
		return err
	}
	key, err := h.Key(secret)
	if err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	orderCount, epoch := 0, 0
	for _, s := range rec.Steps {
		e := s.Entry
		if e == nil {
			continue
		}
		fail := func(err error) error { return &ChainError{Line: s.Line, Seq: e.Seq, Problem: err.Error()} }
		if e.Epoch < epoch {
			return fail(errors.New("the epoch is less than the epoch of the entry before"))
		}
		epoch = e.Epoch
		if e.HasOrders() {
			orderCount++
		}
		for i, o := range e.Chance {
			if err := verifyOutcome(key, Place{Epoch: epoch, Entry: orderCount, Outcome: i, Kind: o.kind()}, o); err != nil {
				return fail(fmt.Errorf("outcome %d: %w", i+1, err))
			}
		}
	}
	return nil
}

func verifyOutcome(key Key, p Place, o Outcome) error {
	if p.Kind == rules.KindRoll {
		v, err := key.Sample(p, 6)
		if err == nil && v+1 != o.Roll {
			err = fmt.Errorf("expected a roll of %d from the sealed stream, got %d", v+1, o.Roll)
		}
		return err
	}
	if o.I == nil || o.N == nil {
		return fmt.Errorf("a draw from %q lacks the index or the size of the pile", o.From)
	}
	v, err := key.Sample(p, *o.N)
	if err == nil && v != *o.I {
		err = fmt.Errorf("expected index %d of %d in %q from the sealed stream, got %d", v, *o.N, o.From, *o.I)
	}
	return err
}

// VerifyWitnesses lists the entries in which players confirmed the history, and checks that each such entry names the
// hash of an earlier entry. The error is a *ChainError. The check needs no secret.
func VerifyWitnesses(rec *Record) (witnesses []*Entry, err error) {
	hashes := map[int]string{}
	for _, s := range rec.Steps {
		e := s.Entry
		if e == nil {
			continue
		}
		if a := e.Act; a != nil && a.Kind == Witness {
			if a.Entry == nil || a.Hash == "" || hashes[*a.Entry] != a.Hash {
				return witnesses, &ChainError{Line: s.Line, Seq: e.Seq,
					Problem: fmt.Sprintf("%s confirmed an entry with the hash %s, which is not in this history", e.Seat, a.Hash)}
			}
			witnesses = append(witnesses, e)
		}
		hashes[e.Seq] = e.Hash
	}
	return witnesses, nil
}
