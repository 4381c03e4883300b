// Package search chooses among the options of a decision by simulation, for the robots of all games.
//
// It computes with integers only, so that a robot with the same seed and the same number of simulations gives the same
// answer on every machine.
package search

import (
	"slices"

	"samizdat/rules"
)

// Certain is the chance of a sure event. A chance is a whole number from 0 to Certain.
const Certain = rules.AnalystCertain

// Arm is an option under trial.
type Arm struct {
	Atom rules.Atom
	// Prior is the estimate before the first simulation: the chance of the option minus the chance of the best option.
	Prior int
	// Sum is the sum of the results of N simulations, each from 0 to Certain.
	Sum int64
	N   int
}

// Budget limits a search, and weights its priors.
type Budget struct {
	Simulations int
	// PriorWeight is the number of simulations that a prior counts for.
	PriorWeight int
}

// precision is the factor by which value multiplies chances, so that small differences survive the integer division.
const precision = 1 << 8

// value returns the estimated chance of an arm, times precision: the weighted mean of its results and of its
// prior. The prior is a difference, so it is added to mean, the mean result of all arms.
func (a *Arm) value(mean, priorWeight int64) int64 {
	n := int64(a.N) + priorWeight
	if n == 0 {
		return mean * precision
	}
	return (a.Sum + (mean+int64(a.Prior))*priorWeight) * precision / n
}

// SequentialHalving finds the best arm by sequential halving: all arms get the same number of simulations, the worse
// half drops out, and so on until one arm is left. With 8 arms and 96 simulations, the three stages try each arm that is
// left 4, 8 and 16 times.
//
// simulate plays simulation n of an arm and returns its result. The same n must mean the same hidden cards and the same
// dice for every arm: then luck does not decide between the arms. The arms are reordered, the best first.
func SequentialHalving(arms []Arm, b Budget, simulate func(a *Arm, n int) int) {
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
