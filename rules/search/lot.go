package search

import (
	"math/rand/v2"

	"samizdat/rules"
)

// Lot is a rules.Chance for simulated matches, with the same outcomes after the same Seed on every machine.
type Lot struct{ source rand.PCG }

// Seed starts a new sequence of outcomes, determined by the numbers a and b.
func (l *Lot) Seed(a, b uint64) { l.source.Seed(Mix(a), Mix(b)) }

// Uint64 implements rand.Source.
func (l *Lot) Uint64() uint64 { return l.source.Uint64() }

// Roll implements rules.Chance.
func (l *Lot) Roll(rules.Reason) (int, error) { return 1 + rules.RandomBelow(&l.source, 6), nil }

// Draw implements rules.Chance.
func (l *Lot) Draw(d rules.Draw) (int, error) {
	if len(d.Pile) == 0 {
		return 0, rules.ErrNoOutcome
	}
	return rules.RandomBelow(&l.source, len(d.Pile)), nil
}

// Mix scrambles a number (the output function of SplitMix64), so that similar seeds give unrelated sequences.
func Mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
