// Package picture represents drawings as lists of simple items, and writes them as SVG and as PNG.
//
// Coordinates are pixels of the picture at its own size, x to the right and y down. Later items cover earlier items.
package picture

import (
	"fmt"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Colour is an opaque colour, or transparent (the zero value).
type Colour uint32

// opaque distinguishes black from transparent.
const opaque = 1 << 24

// RGB makes a colour from 0xRRGGBB.
func RGB(n uint32) Colour { return Colour(n&0xffffff | opaque) }

// String returns the colour in SVG notation, for example "#1b5fa8".
func (c Colour) String() string {
	if c == 0 {
		return "none"
	}
	return fmt.Sprintf("#%06x", uint32(c)&0xffffff)
}

// Point is a position in the picture.
type Point struct{ X, Y float64 }

// Picture is a drawing. Its fields must keep their names, because pictures stored in the former format (unpackGob)
// contain the names.
type Picture struct {
	Width, Height int
	// Title and Words describe the picture for readers who cannot see it.
	Title, Words string
	// Back is the background colour.
	Back Colour
	// Items are painted in order.
	Items []Item
}

// Item is a Path, a Circle or a Text.
type Item interface {
	colours() [2]Colour
	paint(c *canvas)
	// pack appends the item in the format of Unpack.
	pack(b []byte) []byte
	write(s svg)
}

// Style is the fill and stroke of a Path or a Circle.
type Style struct {
	Fill, Stroke Colour
	// Width is the width of the stroke, centred on the outline.
	Width float64
}

func (s Style) colours() [2]Colour { return [2]Colour{s.Fill, s.Stroke} }

// Path is a line through points, or a closed shape.
type Path struct {
	Points []Point
	Closed bool
	// Round is the distance from a corner at which its rounding begins; with 0, corners are sharp.
	Round float64
	Style
}

// Circle is a disc or a ring.
type Circle struct {
	Centre Point
	Radius float64
	Style
}

// Anchor says which part of a text is at its position Text.At: the left end, the middle or the right end.
type Anchor uint8

const (
	Left Anchor = iota
	Middle
	Right
)

// Text is a line of text. At is on the baseline.
type Text struct {
	At     Point
	Words  string
	Size   float64
	Bold   bool
	Anchor Anchor
	Colour Colour
}

func (t Text) colours() [2]Colour { return [2]Colour{t.Colour} }

// Add appends items.
func (p *Picture) Add(items ...Item) { p.Items = append(p.Items, items...) }

// Rect returns a rectangle with rounded corners.
func Rect(b Box, round float64, s Style) Path {
	return Path{Closed: true, Round: round, Style: s, Points: []Point{
		{b.X, b.Y}, {b.X + b.W, b.Y}, {b.X + b.W, b.Y + b.H}, {b.X, b.Y + b.H}}}
}

// Line returns an open line through points.
func Line(width float64, c Colour, points ...Point) Path {
	return Path{Points: points, Style: Style{Stroke: c, Width: width}}
}

// Box is an upright rectangle. X, Y is its upper left corner.
type Box struct{ X, Y, W, H float64 }

// Grow returns the box with a margin of d on every side.
func (b Box) Grow(d float64) Box { return Box{b.X - d, b.Y - d, b.W + 2*d, b.H + 2*d} }

func (p Path) bounds() Box {
	if len(p.Points) == 0 {
		return Box{}
	}
	lo, hi := p.Points[0], p.Points[0]
	for _, q := range p.Points[1:] {
		lo.X, lo.Y = min(lo.X, q.X), min(lo.Y, q.Y)
		hi.X, hi.Y = max(hi.X, q.X), max(hi.Y, q.Y)
	}
	b := Box{lo.X, lo.Y, hi.X - lo.X, hi.Y - lo.Y}
	if p.Stroke != 0 {
		b = b.Grow(p.Width / 2)
	}
	return b
}

func (t Text) startX(width float64) float64 {
	return t.At.X - width*float64(t.Anchor)/2
}

type typeface struct {
	font       *sfnt.Font
	unitsPerEm float64

	mu     sync.Mutex
	glyphs map[rune]*glyph
}

// glyph is the shape of a character at font size 1.
type glyph struct {
	advance float64
	outline []segment
}

// segment is a part of an outline: a move, a line or a curve, as in package sfnt.
type segment struct {
	op   sfnt.SegmentOp
	args [3]Point
}

var faces = [2]func() *typeface{
	sync.OnceValue(func() *typeface { return parseFont(goregular.TTF) }),
	sync.OnceValue(func() *typeface { return parseFont(gobold.TTF) }),
}

func face(bold bool) *typeface {
	if bold {
		return faces[1]()
	}
	return faces[0]()
}

func parseFont(data []byte) *typeface {
	f, err := sfnt.Parse(data)
	if err != nil {
		panic("picture: parse embedded font: " + err.Error())
	}
	return &typeface{font: f, unitsPerEm: float64(f.UnitsPerEm()), glyphs: map[rune]*glyph{}}
}

// glyph returns the glyph of a character. For a character that the font does not have, it is an empty box.
func (t *typeface) glyph(r rune) *glyph {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.glyphs[r]; g != nil {
		return g
	}
	g := t.loadGlyph(r)
	t.glyphs[r] = g
	return g
}

func (t *typeface) loadGlyph(r rune) *glyph {
	var b sfnt.Buffer
	g := new(glyph)
	// One pixel for each font unit avoids rounding.
	em := fixed.I(int(t.unitsPerEm))
	i, err := t.font.GlyphIndex(&b, r)
	if err != nil {
		return g
	}
	if a, err := t.font.GlyphAdvance(&b, i, em, 0); err == nil {
		g.advance = float64(a) / 64 / t.unitsPerEm
	}
	segments, err := t.font.LoadGlyph(&b, i, em, nil)
	if err != nil {
		return g
	}
	for _, s := range segments {
		out := segment{op: s.Op}
		for k, a := range s.Args {
			out.args[k] = Point{float64(a.X) / 64 / t.unitsPerEm, float64(a.Y) / 64 / t.unitsPerEm}
		}
		g.outline = append(g.outline, out)
	}
	return g
}

// TextWidth returns the width of a line of text.
func TextWidth(s string, size float64, bold bool) float64 {
	f, w := face(bold), 0.0
	for _, r := range s {
		w += f.glyph(r).advance
	}
	return w * size
}
