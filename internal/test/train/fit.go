package main

import (
	"log"
	"math"
	"math/rand/v2"

	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
)

// The units of the weights in a leaf.
const (
	unit      = 1 << 12
	layerUnit = 1 << 10
)

// slopeScale makes the weights of the turn as large as the others, so that the ridge treats them alike.
const slopeScale = 4

// group is a group of weights with the state of their descent (Adam).
type group struct {
	weights, centre, gradient, mean, square []float32
	// ridge says how strongly weights are drawn towards the centre.
	ridge float32
}

func newGroup(n int) *group {
	return &group{weights: make([]float32, n), centre: make([]float32, n), gradient: make([]float32, n), mean: make([]float32, n),
		square: make([]float32, n)}
}

// step takes step n of the descent along the gradient, and clears the gradient.
func (g *group) step(n int, rate float64) {
	meanShare, squareShare := 1-math.Pow(0.9, float64(n)), 1-math.Pow(0.999, float64(n))
	for i, d := range g.gradient {
		d += g.ridge * (g.weights[i] - g.centre[i])
		g.mean[i] += 0.1 * (d - g.mean[i])
		g.square[i] += 0.001 * (d*d - g.square[i])
		g.weights[i] -= float32(rate * float64(g.mean[i]) / meanShare / (math.Sqrt(float64(g.square[i])/squareShare) + 1e-6))
		g.gradient[i] = 0
	}
}

// network is a leaf in floating-point numbers.
type network struct {
	even, slope, last *group
	// in holds the weights of each feature for all units of the hidden layer, out those of the units.
	in, out *group
}

func (n *network) groups() []*group { return []*group{n.even, n.slope, n.last, n.in, n.out} }

// newNetwork returns the network of a leaf. Without a hidden layer it gets a random one.
func newNetwork(l *robot.Evaluator) *network {
	features := len(l.Weights)
	n := &network{newGroup(features), newGroup(robot.Evolving), newGroup(features), newGroup(features * robot.Neurons), newGroup(robot.Neurons)}
	for i, w := range l.Weights {
		n.even.weights[i], n.last.weights[i] = float32(w.Mean)/unit, float32(w.LastTurn)/unit
		if i < robot.Evolving {
			n.slope.weights[i] = float32(w.Slope) / unit * slopeScale
		}
	}
	for _, g := range n.groups()[:3] {
		copy(g.centre, g.weights)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n.in.weights {
		if n.in.weights[i] = float32(random.NormFloat64()) * 0.08; l.Layer != nil {
			n.in.weights[i] = float32(l.Layer.In[i/robot.Neurons][i%robot.Neurons]) / layerUnit
		}
	}
	for i := range n.out.weights {
		if n.out.weights[i] = float32(random.NormFloat64()) * 0.02; l.Layer != nil {
			n.out.weights[i] = float32(l.Layer.Out[i]) / unit
		}
	}
	return n
}

// leaf returns the network in whole numbers.
func (n *network) leaf() *robot.Evaluator {
	l := &robot.Evaluator{Layer: new(robot.Layer)}
	for i := range l.Weights {
		l.Weights[i] = robot.Weight{Mean: whole(n.even.weights[i]), LastTurn: whole(n.last.weights[i])}
		if i < robot.Evolving {
			l.Weights[i].Slope = whole(n.slope.weights[i] / slopeScale)
		}
	}
	for i, w := range n.in.weights {
		l.Layer.In[i/robot.Neurons][i%robot.Neurons] = int16(math.Round(float64(w) * layerUnit))
	}
	for i, w := range n.out.weights {
		l.Layer.Out[i] = int16(whole(w))
	}
	return l
}

func whole(w float32) int32 { return int32(math.Round(float64(w) * unit)) }

// chance returns the Democrat's chance in a position, and the values of the hidden units.
func (n *network) chance(p *position, units *[robot.Neurons]float32) float32 {
	z := float32(0)
	*units = [robot.Neurons]float32{}
	t := float32(p.turn-5) / slopeScale
	for k, i := range p.indices {
		v := p.values[k]
		switch {
		case p.turn >= engine.Turns:
			z += n.last.weights[i] * v
		case int(i) < robot.Evolving:
			z += (n.even.weights[i] + n.slope.weights[i]*t) * v
		default:
			z += n.even.weights[i] * v
		}
		for j, w := range n.in.weights[int(i)*robot.Neurons:][:robot.Neurons] {
			units[j] += w * v
		}
	}
	for j, sum := range units {
		units[j] = max(0, sum)
		z += units[j] * n.out.weights[j]
	}
	return float32(1 / (1 + math.Exp(-float64(z))))
}

// learn adds a position to the gradients.
func (n *network) learn(p *position, share float32) {
	var units [robot.Neurons]float32
	g := (n.chance(p, &units) - p.label) * share
	for j, v := range units {
		n.out.gradient[j] += g * v
		if units[j] = 0; v > 0 {
			units[j] = g * n.out.weights[j]
		}
	}
	t := float32(p.turn-5) / slopeScale
	for k, i := range p.indices {
		v := p.values[k]
		if p.turn >= engine.Turns {
			n.last.gradient[i] += g * v
		} else {
			n.even.gradient[i] += g * v
			if int(i) < robot.Evolving {
				n.slope.gradient[i] += g * v * t
			}
		}
		row := n.in.gradient[int(i)*robot.Neurons:][:robot.Neurons]
		for j, d := range units {
			row[j] += d * v
		}
	}
}

// batch is the number of positions of a step of the descent.
const batch = 512

// descend fits the network to positions.
func (n *network) descend(positions []*position, t *training) {
	for i, g := range n.groups() {
		if g.ridge = float32(t.ridge / float64(len(positions))); i >= 3 {
			g.ridge = float32(t.layerRidge / float64(len(positions)))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	steps, last := 0, t.epochs*(len(positions)/batch)
	for range t.epochs {
		random.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
		for k := 0; k+batch <= len(positions); k += batch {
			for _, p := range positions[k : k+batch] {
				n.learn(p, 1./batch)
			}
			steps++
			rate := t.rate * (1 + math.Cos(math.Pi*float64(steps)/float64(last+1))) / 2
			for _, g := range n.groups() {
				g.step(steps, rate)
			}
		}
	}
}

// fit makes a leaf out of the positions of matches. First every fifth match is held out, to tell whether the fit is better than
// the last leaf in matches that it has not seen.
func (t *training) fit(matches [][]position, old *robot.Evaluator) *robot.Evaluator {
	var all, others, held []*position
	for n, positions := range matches {
		for i := range positions {
			all = append(all, &positions[i])
			if n%5 == 4 {
				held = append(held, &positions[i])
			} else {
				others = append(others, &positions[i])
			}
		}
	}
	n := newNetwork(old)
	labels, results := n.loss(held)
	n.descend(others, t)
	newLabels, newResults := n.loss(held)
	log.Printf("%d positions of %d matches: squared error of held out labels %.5f, with the last leaf %.5f; loss on results %.4f, with the last leaf %.4f",
		len(all), len(matches), newLabels, labels, newResults, results)
	n = newNetwork(old)
	n.descend(all, t)
	return n.leaf()
}

// loss returns the mean squared error on labels, and the mean logarithmic loss on results.
func (n *network) loss(positions []*position) (labels, results float64) {
	var units [robot.Neurons]float32
	played := 0
	for _, p := range positions {
		chance := float64(n.chance(p, &units))
		labels += (chance - float64(p.label)) * (chance - float64(p.label))
		if p.isPlayedWell {
			played++
			c, y := math.Min(1-1e-6, math.Max(1e-6, chance)), float64(p.result)
			results -= y*math.Log(c) + (1-y)*math.Log(1-c)
		}
	}
	return labels / float64(max(1, len(positions))), results / float64(max(1, played))
}
