package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"samizdat/rules"
)

// Stream is the sealed stream of an entry: a rules.Chance that records its outcomes. Use a new
// Stream for every attempt at an entry, because a refused attempt has used no outcomes.
type Stream struct {
	key          Key
	epoch, entry int
	words        OutcomeNames
	taken        []Outcome
}

var _ rules.Chance = (*Stream)(nil)

// NewStream returns the outcomes of an entry. entry counts the entries with orders, 0 before the
// first.
func NewStream(key Key, epoch, entry int, words OutcomeNames) *Stream {
	return &Stream{key: key, epoch: epoch, entry: entry, words: words}
}

// Outcomes returns the outcomes taken so far.
func (s *Stream) Outcomes() []Outcome { return s.taken }

// Roll rolls a die.
func (s *Stream) Roll(why rules.Reason) (int, error) {
	v, err := s.sample(rules.KindRoll, 6)
	if err != nil {
		return 0, fmt.Errorf("roll: %w", err)
	}
	s.taken = append(s.taken, s.words.NewRoll(why, v+1))
	return v + 1, nil
}

// Draw draws an element of a pile.
func (s *Stream) Draw(d rules.Draw) (int, error) {
	i, err := s.sample(d.Kind, len(d.Pile))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.Kind, err)
	}
	o, err := s.words.NewDraw(d, i)
	if err != nil {
		return 0, err
	}
	s.taken = append(s.taken, o)
	return i, nil
}

func (s *Stream) sample(kind string, n int) (int, error) {
	return s.key.Sample(Place{Epoch: s.epoch, Entry: s.entry, Outcome: len(s.taken), Kind: kind}, n)
}

// Place is the place of an outcome in the stream of a match. No place is used twice.
type Place struct {
	// Epoch rises with every take-back, undo and restore from a backup.
	Epoch int
	// Entry counts the entries with game orders, from 1; outcomes before the first order have 0.
	Entry int
	// Outcome counts the outcomes of the entry, from 0.
	Outcome int
	// Kind is rules.KindRoll, rules.KindLot, or "draw " and a pile.
	Kind string
}

// Sample returns a uniform number from 0 to n-1 for a place, by the algorithm of docs/record.md.
func (k Key) Sample(p Place, n int) (int, error) {
	if n < 1 {
		return 0, fmt.Errorf("an outcome out of %d", n)
	}
	list := []any{p.Epoch, p.Entry, p.Outcome, p.Kind}
	for round := 1; ; round++ {
		digest, err := mac(k.b, list)
		if err != nil {
			return 0, err
		}
		if v, ok := reduce(digest, uint64(n)); ok {
			return int(v), nil
		}
		list = append(list[:4:4], round)
	}
}

// reduce takes the first of a digest's four numbers that is in range.
func reduce(digest [32]byte, n uint64) (uint64, bool) {
	// The highest 2^64 mod n numbers are rejected, so that all results are equally likely.
	over := (math.MaxUint64%n + 1) % n
	for i := 0; i < len(digest); i += 8 {
		if v := binary.BigEndian.Uint64(digest[i:]); v <= math.MaxUint64-over {
			return v % n, true
		}
	}
	return 0, false
}
