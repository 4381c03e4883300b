// Package search chooses among the options of a decision by simulation. It knows no game.
//
// Everything is counted in whole numbers, so that a robot with the same seed and the same
// number of simulations gives the same answer on every machine.
package search

import (
	"slices"

	"samizdat/rules"
)

// Certain is the chance of an event that is sure to happen. A chance is a whole number from
// 0 to Certain.
const Certain = rules.AnalystCertain

// Arm is an option under trial.
type Arm struct {
	Atom rules.Atom
	// Prior says how good the option looks before the first simulation: a difference of
	// chances from the best option, which has 0.
	Prior int
	// Sum adds up the results of N simulations, each from 0 to Certain.
	Sum int64
	N   int
}

// Budget says how many simulations a search may make, and how much a prior counts.
type Budget struct {
	Simulations int
	// PriorWeight is how many simulations a prior is worth.
	PriorWeight int
}

// precision is the factor of the values that arms are compared by.
const precision = 1 << 8

// value is what an arm is worth: the mean of its simulations and of its prior, which counts
// from the mean of all simulations of the search.
func (a *Arm) value(mean, priorWeight int64) int64 {
	n := int64(a.N) + priorWeight
	if n == 0 {
		return mean * precision
	}
	return (a.Sum + (mean+int64(a.Prior))*priorWeight) * precision / n
}

// Halve finds the best arm by sequential halving: all arms get the same number of
// simulations, the worse half drops out, and so on until one arm is left. With 8 arms and
// 96 simulations the three stages try each arm 4, 8 and 16 times.
//
// simulate plays simulation n of an arm and returns its result. The same n must mean the
// same hidden cards and the same dice for every arm: then luck does not decide between them.
// The arms are reordered, the best first.
func Halve(arms []Arm, b Budget, simulate func(a *Arm, n int) int) {
	stages := 0
	for n := len(arms); n > 1; n = (n + 1) / 2 {
		stages++
	}
	var sum, total int64
	simulation := 0
	for live := arms; len(live) > 1; {
		for range max(1, b.Simulations/(stages*len(live))) {
			for i := range live {
				result := int64(simulate(&live[i], simulation))
				live[i].Sum, live[i].N = live[i].Sum+result, live[i].N+1
				sum, total = sum+result, total+1
			}
			simulation++
		}
		mean := sum / total
		slices.SortStableFunc(live, func(a, c Arm) int {
			switch x, y := a.value(mean, int64(b.PriorWeight)), c.value(mean, int64(b.PriorWeight)); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		live = live[:(len(live)+1)/2]
	}
}
