package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
)

const (
	// mostColours keeps the file small: 16 take half a byte a pixel. The picture's own
	// colours all stay; what more there are lie between two of them at an edge.
	mostColours = 16
	// mostBytes is what a picture may take: mail makes a third more of it.
	mostBytes = 40_000
)

// scales are tried in turn until the file is small enough. At the first, lines that lie on
// even places come to lie between pixels: they are sharp, and take a fifth less.
var scales = [...]float64{0.5, 0.48, 0.44}

// LetterPNG draws the picture as a PNG for letters. The compression is not the best:
// that would take four times as long for a twentieth of the size.
func (p *Picture) LetterPNG() ([]byte, error) {
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	var b bytes.Buffer
	for _, scale := range scales {
		img, own, err := p.paint(scale)
		if err != nil {
			return nil, fmt.Errorf("draw a picture: %w", err)
		}
		b.Reset()
		if err := e.Encode(&b, fewer(img, own)); err != nil {
			return nil, fmt.Errorf("draw a picture: %w", err)
		}
		if b.Len() <= mostBytes {
			break
		}
	}
	return b.Bytes(), nil
}

// fewer leaves the first colours of an image's palette and then those that are
// seen most, and takes the nearest of them for each other. A mark at a single
// space is small, and must not lose its colour.
func fewer(img *image.Paletted, first int) *image.Paletted {
	n := max(first, mostColours)
	if len(img.Palette) <= n {
		return img
	}
	var seen [256]int
	for _, c := range img.Pix {
		seen[c]++
	}
	most := make([]int, len(img.Palette))
	for i := range most {
		most[i] = i
	}
	slices.SortStableFunc(most[first:], func(a, b int) int { return seen[b] - seen[a] })
	out := image.NewPaletted(img.Rect, make(color.Palette, n))
	for i := range n {
		out.Palette[i] = img.Palette[most[i]]
	}
	var to [256]uint8
	for i, c := range img.Palette {
		to[i] = uint8(out.Palette.Index(c))
	}
	for i, c := range img.Pix {
		out.Pix[i] = to[c]
	}
	return out
}
