package picture

import (
	"encoding/binary"
	"image"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"
)

// canvas draws an item into layers for an image of a given size.
type canvas struct {
	w, h   int
	scale  float64
	layers []layer
	raster vector.Rasterizer
	mask   []byte
}

// layer holds the pixels of one colour.
type layer struct {
	colour Colour
	runs   []run
}

// run is n pixels of a row with the same coverage level. at is the index of the first pixel in the image.
type run struct {
	at       uint32
	n, level uint16
}

const runBytes = 8

func (c *canvas) fillRun(col Colour, r run) {
	if n := len(c.layers); n == 0 || c.layers[n-1].colour != col {
		c.layers = append(c.layers, layer{colour: col})
	}
	l := &c.layers[len(c.layers)-1]
	l.runs = append(l.runs, r)
}

// fill fills the shape that draw outlines. b is the box of the shape, in pixels of the image; draw subtracts x, y, the
// corner of the box, from its coordinates.
func (c *canvas) fill(b Box, col Colour, draw func(r *vector.Rasterizer, x, y float64)) {
	left, top := int(math.Floor(b.X)), int(math.Floor(b.Y))
	right, bottom := int(math.Ceil(b.X+b.W))+1, int(math.Ceil(b.Y+b.H))+1
	left, top = max(left, 0), max(top, 0)
	right, bottom = min(right, c.w), min(bottom, c.h)
	if left >= right || top >= bottom {
		return
	}
	mask := c.drawMask(right-left, bottom-top, func(r *vector.Rasterizer) { draw(r, float64(left), float64(top)) })
	c.paintMask(mask, left, top, col)
}

// drawMask returns how far an outline covers each pixel. The result is valid until the next call.
func (c *canvas) drawMask(w, h int, outline func(r *vector.Rasterizer)) *image.Alpha {
	if n := w * h; cap(c.mask) < n {
		c.mask = make([]uint8, n)
	}
	mask := &image.Alpha{Pix: c.mask[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	clear(mask.Pix)
	c.raster.Reset(w, h)
	outline(&c.raster)
	c.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return mask
}

// paintMask adds the pixels that a mask covers to the layer of a colour; x, y is the position of the mask.
func (c *canvas) paintMask(mask *image.Alpha, x, y int, col Colour) {
	from, to := max(0, -x), min(mask.Rect.Dx(), c.w-x)
	if from >= to {
		return
	}
	for row := max(0, -y); row < min(mask.Rect.Dy(), c.h-y); row++ {
		src := mask.Pix[row*mask.Stride+from : row*mask.Stride+to]
		for i := 0; i < len(src); {
			// Masks of lines are nearly empty, so eight empty pixels are skipped at once.
			if i+8 <= len(src) && binary.NativeEndian.Uint64(src[i:]) == 0 {
				i += 8
				continue
			}
			first, level := i, levelOf[src[i]]
			for i++; i < len(src) && levelOf[src[i]] == level; i++ {
			}
			if level > 0 {
				c.fillRun(col, run{uint32((y+row)*c.w + x + from + first), uint16(i - first), level})
			}
		}
	}
}

// levelOf maps the coverage of a pixel, 0 to 255, to a level, 0 to coverageLevels.
var levelOf = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16((i*coverageLevels + 127) / 255)
	}
	return out
}()

func (c *canvas) scalePath(p Path) Path {
	q := p
	q.Points = make([]Point, len(p.Points))
	for i, a := range p.Points {
		q.Points[i] = Point{a.X * c.scale, a.Y * c.scale}
	}
	q.Round *= c.scale
	q.Width *= c.scale
	return q
}

func (p Path) paint(c *canvas) {
	q := c.scalePath(p)
	if q.Fill != 0 && !c.fillUprightRect(q) {
		c.fill(q.bounds(), q.Fill, func(r *vector.Rasterizer, x, y float64) {
			for _, s := range q.outline() {
				switch s.op {
				case moveTo:
					r.MoveTo(float32(s.to.X-x), float32(s.to.Y-y))
				case lineTo:
					r.LineTo(float32(s.to.X-x), float32(s.to.Y-y))
				case curveTo:
					r.QuadTo(float32(s.control.X-x), float32(s.control.Y-y), float32(s.to.X-x), float32(s.to.Y-y))
				}
			}
			r.ClosePath()
		})
	}
	if q.Stroke != 0 && q.Width > 0 {
		c.drawStroke(q.flatten(), q.Width, q.Stroke, q.bounds())
	}
}

// fillUprightRect fills an upright rectangle with corners on whole pixels, without a mask. It returns false for other
// paths.
func (c *canvas) fillUprightRect(p Path) bool {
	if len(p.Points) != 4 || p.Round > 0 || !p.Closed {
		return false
	}
	a, b := p.Points[0], p.Points[2]
	if p.Points[1] != (Point{b.X, a.Y}) || p.Points[3] != (Point{a.X, b.Y}) {
		return false
	}
	for _, n := range [...]float64{a.X, a.Y, b.X, b.Y} {
		if n != math.Trunc(n) {
			return false
		}
	}
	r := image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)).Intersect(image.Rect(0, 0, c.w, c.h))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.fillRun(p.Fill, run{uint32(y*c.w + r.Min.X), uint16(r.Dx()), coverageLevels})
	}
	return true
}

// maxMaskArea is the maximum area, in pixels, of the mask for a line.
const maxMaskArea = 40_000

// drawStroke paints a line with round joints. All parts have the same orientation, so that overlapping parts do not
// cancel each other.
func (c *canvas) drawStroke(points []Point, width float64, col Colour, b Box) {
	halfWidth := width / 2
	if b.W*b.H > maxMaskArea && len(points) > 2 {
		// A large mask would be nearly empty, so each segment has its own.
		for i := 1; i < len(points); i++ {
			p, q := points[i-1], points[i]
			c.drawStroke(points[i-1:i+1], width, col, Box{min(p.X, q.X), min(p.Y, q.Y), math.Abs(p.X - q.X), math.Abs(p.Y - q.Y)})
		}
		return
	}
	c.fill(b.Grow(halfWidth), col, func(r *vector.Rasterizer, x, y float64) {
		for i, p := range points {
			addDisc(r, p.X-x, p.Y-y, halfWidth)
			if i == 0 {
				continue
			}
			from := points[i-1]
			length := math.Hypot(p.X-from.X, p.Y-from.Y)
			if length == 0 {
				continue
			}
			nx, ny := -(p.Y-from.Y)/length*halfWidth, (p.X-from.X)/length*halfWidth
			r.MoveTo(float32(from.X-nx-x), float32(from.Y-ny-y))
			r.LineTo(float32(p.X-nx-x), float32(p.Y-ny-y))
			r.LineTo(float32(p.X+nx-x), float32(p.Y+ny-y))
			r.LineTo(float32(from.X+nx-x), float32(from.Y+ny-y))
			r.ClosePath()
		}
	})
}

// addDisc adds the outline of a circle, in the same orientation as the other parts of a stroke.
func addDisc(r *vector.Rasterizer, x, y, radius float64) {
	const k = 0.5522847498 // a quarter circle as a cubic curve
	f := func(dx, dy float64) (float32, float32) { return float32(x + dx*radius), float32(y + dy*radius) }
	cube := func(ax, ay, bx, by, cx, cy float64) {
		a1, a2 := f(ax, ay)
		b1, b2 := f(bx, by)
		c1, c2 := f(cx, cy)
		r.CubeTo(a1, a2, b1, b2, c1, c2)
	}
	r.MoveTo(f(1, 0))
	cube(1, k, k, 1, 0, 1)
	cube(-k, 1, -1, k, -1, 0)
	cube(-1, -k, -k, -1, 0, -1)
	cube(k, -1, 1, -k, 1, 0)
	r.ClosePath()
}

func (o Circle) paint(c *canvas) {
	x, y, r := o.Centre.X*c.scale, o.Centre.Y*c.scale, o.Radius*c.scale
	if o.Fill != 0 {
		c.fill(Box{x - r, y - r, 2 * r, 2 * r}, o.Fill, func(v *vector.Rasterizer, left, top float64) {
			addDisc(v, x-left, y-top, r)
		})
	}
	if o.Stroke == 0 {
		return
	}
	const corners = 48
	ring := make([]Point, corners+1)
	for i := range ring {
		a := 2 * math.Pi * float64(i) / corners
		ring[i] = Point{x + r*math.Cos(a), y + r*math.Sin(a)}
	}
	c.drawStroke(ring, o.Width*c.scale, o.Stroke, Box{x - r, y - r, 2 * r, 2 * r})
}

// subpixels returns the number of subpixel positions of a glyph. More positions space glyphs evenly but make larger
// files, because fewer glyphs repeat. Only small pictures need them.
func (c *canvas) subpixels() float64 {
	if c.scale < 1 {
		return 4
	}
	return 1
}

func (t Text) paint(c *canvas) {
	if t.Colour == 0 {
		return
	}
	size := t.Size * c.scale
	x := t.startX(TextWidth(t.Words, t.Size, t.Bold)) * c.scale
	y := int(math.Round(t.At.Y * c.scale))
	f, subpixels := face(t.Bold), c.subpixels()
	for _, r := range t.Words {
		g := f.glyph(r)
		whole := math.Floor(x)
		c.drawGlyph(g, size, (math.Floor((x-whole)*subpixels)+0.5)/subpixels, int(whole), y, t.Colour)
		x += g.advance * size
	}
}

func (c *canvas) drawGlyph(g *glyph, size, offset float64, x, y int, col Colour) {
	if len(g.outline) == 0 {
		return
	}
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, s := range g.outline {
		for _, a := range s.args[:argumentCount(s.op)] {
			lo.X, lo.Y = min(lo.X, a.X), min(lo.Y, a.Y)
			hi.X, hi.Y = max(hi.X, a.X), max(hi.Y, a.Y)
		}
	}
	left, top := int(math.Floor(lo.X*size+offset)), int(math.Floor(lo.Y*size))
	w, h := int(math.Ceil(hi.X*size+offset))-left+1, int(math.Ceil(hi.Y*size))-top+1
	at := func(a Point) (float32, float32) {
		return float32(a.X*size + offset - float64(left)), float32(a.Y*size - float64(top))
	}
	mask := c.drawMask(w, h, func(r *vector.Rasterizer) {
		for _, s := range g.outline {
			x0, y0 := at(s.args[0])
			x1, y1 := at(s.args[1])
			x2, y2 := at(s.args[2])
			switch s.op {
			case sfnt.SegmentOpMoveTo:
				r.ClosePath()
				r.MoveTo(x0, y0)
			case sfnt.SegmentOpLineTo:
				r.LineTo(x0, y0)
			case sfnt.SegmentOpQuadTo:
				r.QuadTo(x0, y0, x1, y1)
			case sfnt.SegmentOpCubeTo:
				r.CubeTo(x0, y0, x1, y1, x2, y2)
			}
		}
		r.ClosePath()
	})
	c.paintMask(mask, x+left, y+top, col)
}

func argumentCount(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}

const (
	moveTo = iota
	lineTo
	curveTo
)

type outlineStep struct {
	op      int
	control Point // only for curves
	to      Point
}

// outline returns the path with rounded corners, for the SVG and the PNG.
func (p Path) outline() []outlineStep {
	n := len(p.Points)
	if n == 0 {
		return nil
	}
	if p.Round <= 0 || n < 3 {
		out := make([]outlineStep, n)
		for i, q := range p.Points {
			out[i] = outlineStep{op: lineTo, to: q}
		}
		out[0].op = moveTo
		return out
	}
	out := make([]outlineStep, 0, 2*n+2)
	line := func(to Point) {
		op := lineTo
		if len(out) == 0 {
			op = moveTo
		}
		out = append(out, outlineStep{op: op, to: to})
	}
	for i, q := range p.Points {
		if !p.Closed && (i == 0 || i == n-1) {
			line(q)
			continue
		}
		line(pointToward(q, p.Points[(i+n-1)%n], p.Round))
		out = append(out, outlineStep{curveTo, q, pointToward(q, p.Points[(i+1)%n], p.Round)})
	}
	return out
}

// pointToward returns the point at distance d from a in the direction of b, at most halfway.
func pointToward(a, b Point, d float64) Point {
	l := math.Hypot(b.X-a.X, b.Y-a.Y)
	if l == 0 {
		return a
	}
	f := min(d/l, 0.5)
	return Point{a.X + (b.X-a.X)*f, a.Y + (b.Y-a.Y)*f}
}

// flatten returns the outline with short lines in place of curves.
func (p Path) flatten() []Point {
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
