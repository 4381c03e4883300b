package statistics

import (
	"fmt"
	"math"
)

// MinSample is the least number of dice for a chi-square test: five for each face.
const MinSample = 30

// FairnessTest is the result of a chi-square test: P is the probability that fair chance is at least as
// uneven.
type FairnessTest struct {
	ChiSquare float64
	// Freedom are the degrees of freedom, P is the probability.
	Freedom int
	P       float64
}

// FairnessTest tests the dice; false for fewer than MinSample.
func (d Dice) TestFairness() (FairnessTest, bool) {
	if d.N() < MinSample {
		return FairnessTest{}, false
	}
	should := make([]float64, len(d))
	for i := range should {
		should[i] = float64(d.N()) / float64(len(d))
	}
	return chiSquare(d[:], should), true
}

// FairnessTest tests the places; false if there are too few draws.
func (p Places) TestFairness() (FairnessTest, bool) {
	if p.N < 5*len(p.Seen) {
		return FairnessTest{}, false
	}
	return chiSquare(p.Seen[:], p.Expected[:]), true
}

func chiSquare(seen []int, should []float64) FairnessTest {
	x, cells := 0.0, 0
	for i, n := range seen {
		if should[i] > 0 {
			x += (float64(n) - should[i]) * (float64(n) - should[i]) / should[i]
			cells++
		}
	}
	return FairnessTest{ChiSquare: x, Freedom: cells - 1, P: tailProbability(x, cells-1)}
}

// tailProbability returns the probability that chi-square is at least x: the regularised gamma function Q(k/2,
// x/2), a finite sum for integers k (https://dlmf.nist.gov/8.4).
func tailProbability(x float64, freedom int) float64 {
	h := x / 2
	sum, term := 0.0, math.Exp(-h)
	a := 1.0
	if freedom%2 == 1 {
		sum, term, a = math.Erfc(math.Sqrt(h)), math.Exp(-h)*math.Sqrt(h/math.Pi)*2, 1.5
	}
	for ; a <= float64(freedom)/2; a++ {
		sum += term
		term *= h / a
	}
	return min(sum, 1)
}

// Lower returns the probability that the mean of as many fair dice is at most this mean.
func (d Dice) Lower() float64 {
	n := float64(d.N())
	const variance = 35.0 / 12
	// Continuity correction: the sum of dice is an integer.
	z := (d.Mean()*n + 0.5 - 3.5*n) / math.Sqrt(variance*n)
	return math.Erfc(-z/math.Sqrt2) / 2
}

// FormatPercent writes a probability in words: "43 of 100", "less than 1 of 100".
func FormatPercent(p float64) string {
	switch n := math.Round(100 * p); {
	case p < 0.005:
		return "fewer than 1 of 100"
	case p > 0.995:
		return "more than 99 of 100"
	default:
		return fmt.Sprintf("%.0f of 100", n)
	}
}
