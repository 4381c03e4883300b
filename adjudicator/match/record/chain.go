package record

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
)

// buffers is a pool of buffers for hashing.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Seal completes an entry after prev: the hash of the previous entry, or the commitment. It sets
// Sealed, Prev and Hash.
func (s Secret) Seal(match, prev string, e *Entry) error {
	sealed, err := s.seal(match, e)
	if err != nil {
		return fmt.Errorf("seal entry %d: %w", e.Seq, err)
	}
	hash, err := link(prev, sealed, e)
	if err != nil {
		return fmt.Errorf("seal entry %d: %w", e.Seq, err)
	}
	e.Sealed, e.Prev, e.Hash = sealed, prev, hash
	return nil
}

// seal returns the HMAC-SHA256 of the entry's hidden fields, under the entry's key.
func (s Secret) seal(match string, e *Entry) (string, error) {
	key, err := s.entryKey(match, e.Seq)
	if err != nil {
		return "", err
	}
	sum, err := mac(key, e.hidden())
	return hex.EncodeToString(sum[:]), err
}

// link returns the entry's hash: SHA-256 of [prev, public fields, sealed].
func link(prev, sealed string, e *Entry) (string, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var err error
	if *b, err = appendCanonical((*b)[:0], []any{prev, e.public(), sealed}); err != nil {
		return "", err
	}
	return digest(*b), nil
}

// isCanonical reports whether a canonical line contains exactly the entry.
func isCanonical(e *Entry, line []byte) bool {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var err error
	*b, err = appendEntry((*b)[:0], e)
	return err == nil && bytes.Equal(*b, line)
}

// ChainError is an error of an entry in the chain.
type ChainError struct {
	Line, Seq int
	Problem   string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("line %d, entry %d: %s", e.Line, e.Seq, e.Problem)
}

// chain verifies entries in order.
type chain struct {
	header Header
	secret *Secret
	prev   string
	seq    int
}

func newChain(h Header) (*chain, error) {
	c := &chain{header: h, prev: h.Commitment}
	if h.Commitment == "" {
		return nil, errors.New("line 1: a record without a commitment has no chain to verify")
	}
	if h.Secret == "" {
		return c, nil
	}
	s, err := h.published()
	c.secret = &s
	return c, err
}

// next checks that an entry follows the entries before it. Without the secret, seals are not
// checked.
func (c *chain) next(s Step) error {
	e := s.Entry
	broken := func(format string, a ...any) error {
		return &ChainError{Line: s.Line, Seq: e.Seq, Problem: fmt.Sprintf(format, a...)}
	}
	if s.raw != nil && !isCanonical(e, s.raw) {
		return broken("the line is not written as it was hashed")
	}
	if e.Seq != c.seq {
		return broken("entry %d is missing", c.seq)
	}
	if e.Prev != c.prev {
		return broken("it does not follow on the entry before: prev is not its hash")
	}
	if e.Seq == 0 {
		want, err := c.header.Digest()
		if err != nil {
			return err
		}
		if e.Setup != want {
			return broken("the header is not what the match was agreed to be")
		}
	}
	if c.secret != nil {
		sealed, err := c.secret.seal(c.header.Match, e)
		if err != nil {
			return broken("%v", err)
		}
		if !hmac.Equal([]byte(sealed), []byte(e.Sealed)) {
			return broken("its hidden fields are not those that were sealed")
		}
	}
	hash, err := link(e.Prev, e.Sealed, e)
	if err != nil {
		return broken("%v", err)
	}
	if hash != e.Hash {
		return broken("its public fields are not those that were hashed")
	}
	c.prev, c.seq = e.Hash, e.Seq+1
	return nil
}
