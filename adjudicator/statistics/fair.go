package statistics

import (
	"fmt"
	"math"
)

// MinSample is how many dice a chi-square wants: five for each face.
const MinSample = 30

// Fair says how likely it is that fair chance is so uneven, or more.
type Fair struct {
	ChiSquare float64
	// Freedom are the degrees of freedom, P the probability.
	Freedom int
	P       float64
}

// Fair tests the dice; false where there are too few.
func (d Dice) Fair() (Fair, bool) {
	if d.N() < MinSample {
		return Fair{}, false
	}
	should := make([]float64, len(d))
	for i := range should {
		should[i] = float64(d.N()) / float64(len(d))
	}
	return chiSquare(d[:], should), true
}

// Fair tests the places; false where there are too few draws.
func (p Places) Fair() (Fair, bool) {
	if p.N < 5*len(p.Seen) {
		return Fair{}, false
	}
	return chiSquare(p.Seen[:], p.Expected[:]), true
}

func chiSquare(seen []int, should []float64) Fair {
	x, cells := 0.0, 0
	for i, n := range seen {
		if should[i] > 0 {
			x += (float64(n) - should[i]) * (float64(n) - should[i]) / should[i]
			cells++
		}
	}
	return Fair{ChiSquare: x, Freedom: cells - 1, P: tail(x, cells-1)}
}

// tail is the probability that chi-square with so many degrees of freedom is x or more: the
// regularised gamma function Q(k/2, x/2), which for halves is a finite sum.
func tail(x float64, freedom int) float64 {
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

// Lower is the probability that the mean of as many fair dice is as low as this, or lower.
func (d Dice) Lower() float64 {
	n := float64(d.N())
	const variance = 35.0 / 12
	// The sum of dice is whole: half a step more is the border.
	z := (d.Mean()*n + 0.5 - 3.5*n) / math.Sqrt(variance*n)
	return math.Erfc(-z/math.Sqrt2) / 2
}

// FormatPercent is a probability in words: "43 of 100", "less than 1 of 100".
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
