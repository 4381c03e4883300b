package picture

import "math"

// The parts of an outline.
const (
	moveTo = iota
	lineTo
	curveTo
)

// part is a step of an outline; control is for curves.
type part struct {
	op      int
	control Point
	to      Point
}

// outline is the path with its corners rounded, as both renderers draw it.
func (p Path) outline() []part {
	n := len(p.Points)
	if n == 0 {
		return nil
	}
	if p.Round <= 0 || n < 3 {
		out := make([]part, n)
		for i, q := range p.Points {
			out[i] = part{op: lineTo, to: q}
		}
		out[0].op = moveTo
		return out
	}
	out := make([]part, 0, 2*n+2)
	line := func(to Point) {
		op := lineTo
		if len(out) == 0 {
			op = moveTo
		}
		out = append(out, part{op: op, to: to})
	}
	for i, q := range p.Points {
		if !p.Closed && (i == 0 || i == n-1) {
			line(q)
			continue
		}
		line(toward(q, p.Points[(i+n-1)%n], p.Round))
		out = append(out, part{curveTo, q, toward(q, p.Points[(i+1)%n], p.Round)})
	}
	return out
}

// toward is the point d from a on the way to b, but at most half the way.
func toward(a, b Point, d float64) Point {
	l := math.Hypot(b.X-a.X, b.Y-a.Y)
	if l == 0 {
		return a
	}
	f := min(d/l, 0.5)
	return Point{a.X + (b.X-a.X)*f, a.Y + (b.Y-a.Y)*f}
}

// flat is the outline as points.
func (p Path) flat() []Point {
	var out []Point
	for _, c := range p.outline() {
		if c.op == curveTo {
			from := out[len(out)-1]
			const steps = 6
			for k := 1; k < steps; k++ {
				t := float64(k) / steps
				u := 1 - t
				out = append(out, Point{
					u*u*from.X + 2*u*t*c.control.X + t*t*c.to.X,
					u*u*from.Y + 2*u*t*c.control.Y + t*t*c.to.Y,
				})
			}
		}
		out = append(out, c.to)
	}
	if p.Closed && len(out) > 0 {
		out = append(out, out[0])
	}
	return out
}
