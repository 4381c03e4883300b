package record

import (
	"fmt"

	"samizdat/rules"
)

// Stream is the sealed stream's part for one entry: a rules.Chance that takes
// outcomes from their places and writes them down. Give every attempt at an
// entry a fresh one: an attempt that was refused has used no place.
type Stream struct {
	key          Key
	epoch, entry int
	words        Words
	taken        []Outcome
}

var _ rules.Chance = (*Stream)(nil)

// NewStream returns the outcomes of an entry: entry is the place's count of
// entries with orders, 0 before the first.
func NewStream(key Key, epoch, entry int, words Words) *Stream {
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
	s.taken = append(s.taken, Outcome{Roll: v + 1, For: s.words.Game.Reason(why)})
	return v + 1, nil
}

// Draw draws an element of a pile.
func (s *Stream) Draw(d rules.Draw) (int, error) {
	pile, err := from(d.Kind)
	if err != nil {
		return 0, err
	}
	i, err := s.sample(d.Kind, len(d.Pile))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.Kind, err)
	}
	n := len(d.Pile)
	s.taken = append(s.taken, Outcome{Draw: s.words.element(d.Kind, d.Pile[i]), I: &i, N: &n, From: pile,
		To: s.words.seat(d.To), Hand: s.words.seat(d.Hand), Hidden: d.Hidden, For: s.words.Game.Reason(d.For)})
	return i, nil
}

func (s *Stream) sample(kind string, n int) (int, error) {
	return s.key.Sample(Place{Epoch: s.epoch, Entry: s.entry, Outcome: len(s.taken), Kind: kind}, n)
}
