package main

import (
	"log"
	"math"
	"slices"

	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/search"
)

// unit is the weight of 1 in a leaf.
const unit = 1 << 12

// fit makes a leaf out of positions: one regression for turns 1 to 9, where all weights but those of marks may change with
// the turn, and one for turn 10, with marks drawn towards those of the earlier turns. results is how much the result of the
// match counts in a label, from 0 to 1; the playouts are the rest.
func fit(positions []position, old *robot.Leaf, ridge, results float64) *robot.Leaf {
	n := len(old)
	var early, last regression
	for _, w := range old {
		early.centre = append(early.centre, float64(w.Even)/unit)
		last.centre = append(last.centre, float64(w.Last)/unit)
	}
	for _, w := range old[:robot.Evolving] {
		early.centre = append(early.centre, float64(w.Slope)/unit*slopeScale)
	}
	for i := range positions {
		p := &positions[i]
		label := p.Label + results*(p.Result-p.Label)
		x := make([]float64, 0, 2*n)
		for _, v := range p.Features {
			x = append(x, float64(v)/search.Unit)
		}
		if p.Turn >= engine.Turns {
			last.add(x, label, p.Result)
			continue
		}
		for _, v := range p.Features[:robot.Evolving] {
			x = append(x, float64(v)/search.Unit*float64(p.Turn-5)/slopeScale)
		}
		early.add(x, label, p.Result)
	}
	a := early.solve(ridge, "turns 1 to 9")
	copy(last.centre[robot.Evolving:], a[robot.Evolving:n])
	b := last.solve(ridge, "turn 10")
	out := new(robot.Leaf)
	for i := range out {
		out[i] = robot.Weight{Even: whole(a[i]), Last: whole(b[i])}
		if i < robot.Evolving {
			out[i].Slope = whole(a[n+i] / slopeScale)
		}
	}
	return out
}

// slopeScale makes the weights of the turn as large as the others, so that the ridge treats
// them alike.
const slopeScale = 4

func whole(w float64) int32 { return int32(math.Round(w * unit)) }

// regression is a logistic regression with weights drawn towards a centre.
type regression struct {
	xs     [][]float64
	ys     []float64
	centre []float64
	// results are the results of the matches.
	results []float64
}

func (r *regression) add(x []float64, y, result float64) {
	r.xs, r.ys, r.results = append(r.xs, x), append(r.ys, y), append(r.results, result)
}

// solve finds the weights by Newton's method. First the last fifth of the positions is held out, to tell whether the fit
// is better than the centre in matches that it has not seen.
func (r *regression) solve(ridge float64, what string) []float64 {
	w := r.descend(ridge, len(r.xs)*4/5)
	log.Printf("%s, %d positions: loss on held out labels %.4f, with the last leaf %.4f; on their results %.4f, with the last leaf %.4f",
		what, len(r.xs), r.loss(w, r.ys), r.loss(r.centre, r.ys), r.loss(w, r.results), r.loss(r.centre, r.results))
	return r.descend(ridge, len(r.xs))
}

// descend takes Newton's steps from the centre in the first n positions.
func (r *regression) descend(ridge float64, n int) []float64 {
	w := slices.Clone(r.centre)
	for range 4 {
		for i, step := range r.newton(w, ridge, n) {
			w[i] += step
		}
	}
	return w
}

// newton is one step of Newton's method in the first positions.
func (r *regression) newton(w []float64, ridge float64, positions int) []float64 {
	n := len(w)
	h := make([][]float64, n)
	for i := range h {
		h[i] = make([]float64, n+1)
		h[i][i], h[i][n] = ridge, ridge*(r.centre[i]-w[i])
	}
	for k, x := range r.xs[:positions] {
		p := chance(w, x)
		g, v := r.ys[k]-p, p*(1-p)
		for i := range n {
			if x[i] == 0 {
				continue
			}
			h[i][n] += g * x[i]
			row, vx := h[i], v*x[i]
			for j := i; j < n; j++ {
				row[j] += vx * x[j]
			}
		}
	}
	for i := range n {
		for j := range i {
			h[i][j] = h[j][i]
		}
	}
	return eliminate(h)
}

// eliminate solves linear equations. The last column of the matrix is their right side.
func eliminate(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		best := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[best][i]) {
				best = k
			}
		}
		a[i], a[best] = a[best], a[i]
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; f != 0 && j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		v := a[i][n]
		for j := i + 1; j < n; j++ {
			v -= a[i][j] * x[j]
		}
		x[i] = v / a[i][i]
	}
	return x
}

func chance(w, x []float64) float64 { return 1 / (1 + math.Exp(-product(w, x))) }

func product(w, x []float64) float64 {
	z := 0.0
	for i, v := range x {
		z += w[i] * v
	}
	return z
}

// loss is the mean logarithmic loss on held out positions, against their labels or results.
func (r *regression) loss(w, labels []float64) float64 {
	sum, trained := 0.0, len(r.xs)*4/5
	for i, y := range labels[trained:] {
		p := math.Min(1-1e-6, math.Max(1e-6, chance(w, r.xs[trained+i])))
		sum -= y*math.Log(p) + (1-y)*math.Log(1-p)
	}
	return sum / float64(max(1, len(labels)-trained))
}
