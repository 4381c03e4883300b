package picture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
)

const (
	// mostColours keeps the file small: 16 take half a byte a pixel. The picture's own
	// colours all stay; what more there are lie between two of them at an edge.
	mostColours = fewColours
	// mostBytes is what a picture may take: mail makes a third more of it.
	mostBytes = 40_000
)

// scales are tried in turn until the file is small enough. At the first, lines that lie on
// even places come to lie between pixels: they are sharp, and take a fifth less.
var scales = [...]float64{0.5, 0.48, 0.44}

// LetterPNG draws a picture as a PNG for letters.
func (t *Painter) LetterPNG(p *Picture) ([]byte, error) {
	var data []byte
	for _, scale := range scales {
		img, own, err := t.paint(p, scale)
		if err != nil {
			return nil, fmt.Errorf("draw a picture: %w", err)
		}
		if data, err = t.file.encode(img, fewer(img, own)); err != nil {
			return nil, fmt.Errorf("write a picture: %w", err)
		}
		if len(data) <= mostBytes {
			break
		}
	}
	return bytes.Clone(data), nil
}

// fewer leaves the first colours of an image's palette and then those that are
// seen most, and takes the nearest of them for each other. A mark at a single
// space is small, and must not lose its colour.
func fewer(img *image.Paletted, first int) inks {
	n := max(first, mostColours)
	if len(img.Palette) <= n {
		return every(img.Palette)
	}
	seen := census(img.Pix, first)
	most := make([]int, len(img.Palette))
	for i := range most {
		most[i] = i
	}
	slices.SortStableFunc(most[first:], func(a, b int) int { return seen[b] - seen[a] })
	left := make(color.Palette, n)
	for i := range left {
		left[i] = img.Palette[most[i]]
	}
	out := inks{colours: slices.Clone(left)}
	// What is seen most changes with little: in an order of their own the same colours have the same
	// numbers in every image, and rows that have not changed are the same to the byte.
	slices.SortFunc(out.colours, func(a, b color.Color) int { return cmp.Compare(number(a), number(b)) })
	for i, c := range img.Palette {
		out.of[i] = uint8(slices.Index(out.colours, left[left.Index(c)]))
	}
	return out
}

// number is a colour of a palette as web pages write it.
func number(c color.Color) Colour {
	r, g, b, _ := c.RGBA()
	return RGB(r>>8<<16 | g>>8<<8 | b>>8)
}

// everyByte times a byte is eight of it.
const everyByte = 0x0101010101010101

// census counts the pixels of each colour from the first of some on. Eight pixels that have none of these,
// or all the same one, as most, go at once; others are in two lists, since one count would wait for the other.
func census(pix []uint8, first int) (seen [256]int) {
	var others [256]int
	const highest = 0x80 * everyByte
	below := uint64(max(0, 0x80-first)) * everyByte
	for ; len(pix) >= 8; pix = pix[8:] {
		v := binary.LittleEndian.Uint64(pix)
		if (v|(v&^highest+below))&highest == 0 {
			continue
		}
		if v == v&0xff*everyByte {
			seen[v&0xff] += 8
			continue
		}
		for range 4 {
			seen[v&0xff]++
			others[v>>8&0xff]++
			v >>= 16
		}
	}
	for _, c := range pix {
		seen[c]++
	}
	for i, n := range others {
		seen[i] += n
	}
	return seen
}
