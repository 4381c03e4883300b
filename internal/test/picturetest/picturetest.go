// Package picturetest measures pictures, for the tests of games that draw them.
package picturetest

import (
	"slices"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"samizdat/templates/picture"
)

// How far most letters reach above and below the line, in font sizes. An accent
// on a capital reaches higher.
const (
	ascent  = 0.8
	descent = 0.22
)

// Bounds is the box that an item fills.
func Bounds(i picture.Item) picture.Box {
	switch i := i.(type) {
	case picture.Path:
		return ofPath(i)
	case picture.Circle:
		r := i.Radius + reach(i.Style)
		return picture.Box{X: i.Centre.X - r, Y: i.Centre.Y - r, W: 2 * r, H: 2 * r}
	case picture.Text:
		w := picture.TextWidth(i.Words, i.Size, i.Bold)
		return picture.Box{X: i.At.X - w*float64(i.Anchor)/2, Y: i.At.Y - ascent*i.Size, W: w, H: (ascent + descent) * i.Size}
	}
	return picture.Box{}
}

func ofPath(p picture.Path) picture.Box {
	if len(p.Points) == 0 {
		return picture.Box{}
	}
	lo, hi := p.Points[0], p.Points[0]
	for _, q := range p.Points[1:] {
		lo.X, lo.Y = min(lo.X, q.X), min(lo.Y, q.Y)
		hi.X, hi.Y = max(hi.X, q.X), max(hi.Y, q.Y)
	}
	return picture.Box{X: lo.X, Y: lo.Y, W: hi.X - lo.X, H: hi.Y - lo.Y}.Grow(reach(p.Style))
}

// reach is how far a stroke goes beyond its outline.
func reach(s picture.Style) float64 {
	if s.Stroke == 0 {
		return 0
	}
	return s.Width / 2
}

// Meet reports whether two boxes have more than an edge in common.
func Meet(b, c picture.Box) bool {
	return b.X < c.X+c.W && c.X < b.X+b.W && b.Y < c.Y+c.H && c.Y < b.Y+b.H
}

// Holds reports whether c lies inside b.
func Holds(b, c picture.Box) bool {
	return c.X >= b.X && c.Y >= b.Y && c.X+c.W <= b.X+b.W && c.Y+c.H <= b.Y+b.H
}

// Missing lists the letters of a text that the fonts of pictures do not have.
func Missing(text string) ([]rune, error) {
	var out []rune
	for _, data := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := sfnt.Parse(data)
		if err != nil {
			return nil, err
		}
		var b sfnt.Buffer
		for _, r := range text {
			if i, err := f.GlyphIndex(&b, r); (err != nil || i == 0) && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}
