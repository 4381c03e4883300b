package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"samizdat/rules"
)

// Stream is the sealed stream's part for one entry: a rules.Chance that takes
// outcomes from their places and writes them down. Give every attempt at an
// entry a fresh one: an attempt that was refused has used no place.
type Stream struct {
	key          Key
	epoch, entry int
	words        OutcomeNames
	taken        []Outcome
}

var _ rules.Chance = (*Stream)(nil)

// NewStream returns the outcomes of an entry: entry is the place's count of
// entries with orders, 0 before the first.
func NewStream(key Key, epoch, entry int, words OutcomeNames) *Stream {
	return &Stream{key: key, epoch: epoch, entry: entry, words: words}
}

// Outcomes are those taken so far, as the entry records them.
func (s *Stream) Outcomes() []Outcome { return s.taken }

// Roll rolls a die.
func (s *Stream) Roll(why rules.Reason) (int, error) {
	v, err := s.sample(rules.KindRoll, 6)
	if err != nil {
		return 0, fmt.Errorf("roll: %w", err)
	}
	s.taken = append(s.taken, s.words.Rolled(why, v+1))
	return v + 1, nil
}

// Draw draws an element of a pile.
func (s *Stream) Draw(d rules.Draw) (int, error) {
	i, err := s.sample(d.Kind, len(d.Pile))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.Kind, err)
	}
	o, err := s.words.Drawn(d, i)
	if err != nil {
		return 0, err
	}
	s.taken = append(s.taken, o)
	return i, nil
}

func (s *Stream) sample(kind string, n int) (int, error) {
	return s.key.Sample(Place{Epoch: s.epoch, Entry: s.entry, Outcome: len(s.taken), Kind: kind}, n)
}

// Place is where in a match an outcome stands. No place is ever used twice.
type Place struct {
	// Epoch rises with every take-back, undo and restore from a backup.
	Epoch int
	// Entry counts the entries that carry game orders, from 1; what is dealt
	// before the first order has 0.
	Entry int
	// Outcome counts the outcomes of the entry, from 0.
	Outcome int
	// Kind is the kind of outcome (rules.KindRoll, rules.KindLot, "draw ...").
	Kind string
}

// Sample returns a number from 0 to n-1 for a place, each as likely as any other. How
// is said in the package's comment.
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

// reduce takes the first of a digest's four numbers that is not rejected.
func reduce(digest [32]byte, n uint64) (uint64, bool) {
	// 2^64 mod n: so many numbers at the top are too many.
	over := (math.MaxUint64%n + 1) % n
	for i := 0; i < len(digest); i += 8 {
		if v := binary.BigEndian.Uint64(digest[i:]); v <= math.MaxUint64-over {
			return v % n, true
		}
	}
	return 0, false
}
