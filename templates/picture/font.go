package picture

import (
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// typeface is a font with the glyphs that were asked for so far. They are few,
// and the same in every picture.
type typeface struct {
	font *sfnt.Font
	unit float64

	mu     sync.Mutex
	glyphs map[rune]*glyph
}

// glyph is a letter at size 1.
type glyph struct {
	advance float64
	outline []segment
}

// segment is a part of an outline: a move (no controls), a line or a curve, as
// sfnt has them.
type segment struct {
	op   sfnt.SegmentOp
	args [3]Point
}

var faces = [2]func() *typeface{
	sync.OnceValue(func() *typeface { return parse(goregular.TTF) }),
	sync.OnceValue(func() *typeface { return parse(gobold.TTF) }),
}

func face(bold bool) *typeface {
	if bold {
		return faces[1]()
	}
	return faces[0]()
}

// parse reads a font that is part of the program: an error is one of the build.
func parse(data []byte) *typeface {
	f, err := sfnt.Parse(data)
	if err != nil {
		panic("picture: a built-in font cannot be read: " + err.Error())
	}
	return &typeface{font: f, unit: float64(f.UnitsPerEm()), glyphs: map[rune]*glyph{}}
}

// glyph loads a letter. What the font lacks is shown as its empty box.
func (t *typeface) glyph(r rune) *glyph {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.glyphs[r]; g != nil {
		return g
	}
	g := t.load(r)
	t.glyphs[r] = g
	return g
}

func (t *typeface) load(r rune) *glyph {
	var b sfnt.Buffer
	g := new(glyph)
	// At as many pixels as units nothing is rounded.
	em := fixed.I(int(t.unit))
	i, err := t.font.GlyphIndex(&b, r)
	if err != nil {
		return g
	}
	if a, err := t.font.GlyphAdvance(&b, i, em, 0); err == nil {
		g.advance = float64(a) / 64 / t.unit
	}
	segments, err := t.font.LoadGlyph(&b, i, em, nil)
	if err != nil {
		return g
	}
	for _, s := range segments {
		out := segment{op: s.Op}
		for k, a := range s.Args {
			out.args[k] = Point{float64(a.X) / 64 / t.unit, float64(a.Y) / 64 / t.unit}
		}
		g.outline = append(g.outline, out)
	}
	return g
}

// TextWidth is how wide a line of writing is.
func TextWidth(s string, size float64, bold bool) float64 {
	f, w := face(bold), 0.0
	for _, r := range s {
		w += f.glyph(r).advance
	}
	return w * size
}
