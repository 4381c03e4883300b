package picture

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
)

// Painter paints pictures. It remembers how items come out: of a picture like one before,
// only what is new is drawn. One goroutine uses it at a time; the zero value is ready.
type Painter struct {
	canvas canvas
	palette
	// layers are those of the items painted before, by size of the image and item, and
	// held counts the bytes of them.
	layers map[string][]layer
	held   int
	// key, pix and file are kept from one picture to the next.
	key, pix []byte
	file     pngFile
}

// mostHeld bounds what a painter remembers. All that 1000 pictures of a game show takes less.
const mostHeld = 16 << 20

// mostPixels bounds the size of a side, so that a wrong scale cannot eat the
// memory.
const mostPixels = 8000

// Image paints the picture at a scale.
func (p *Picture) Image(scale float64) (*image.Paletted, error) {
	img, _, err := new(Painter).paint(p, scale)
	return img, err
}

// paint paints a picture, and counts the colours that it asks for: they are the first of
// the palette, before all mixtures. The image is good until the next.
func (t *Painter) paint(p *Picture, scale float64) (img *image.Paletted, own int, err error) {
	w, h := int(math.Round(float64(p.Width)*scale)), int(math.Round(float64(p.Height)*scale))
	if w < 1 || h < 1 || w > mostPixels || h > mostPixels {
		return nil, 0, fmt.Errorf("a picture of %d by %d pixels", w, h)
	}
	t.canvas.w, t.canvas.h, t.canvas.scale = w, h, scale
	t.reset()
	// The ground is entry 0 of the palette, which a new image is full of.
	t.index(cmp.Or(p.Back, RGB(0xffffff)))
	for _, i := range p.Items {
		for _, col := range i.colours() {
			t.index(col)
		}
	}
	own = len(t.colours)
	if cap(t.pix) < w*h {
		t.pix = make([]byte, w*h)
	}
	img = &image.Paletted{Pix: t.pix[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	clear(img.Pix)
	t.key = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(t.key[:0], uint16(w)), uint16(h))
	t.key = binary.LittleEndian.AppendUint64(t.key, math.Float64bits(scale))
	size := len(t.key)
	for _, i := range p.Items {
		t.key = i.pack(t.key[:size])
		for _, l := range t.item(i) {
			t.lay(img.Pix, l)
		}
	}
	img.Palette = t.colours
	return img, own, nil
}

// item is what an item, whose key is set, comes to.
func (t *Painter) item(i Item) []layer {
	out, ok := t.layers[string(t.key)]
	if ok {
		return out
	}
	t.canvas.layers = nil
	i.paint(&t.canvas)
	out = t.canvas.layers
	size := len(t.key) + 100
	for j, l := range out {
		out[j].runs = append([]run(nil), l.runs...) // Without the room to grow.
		size += 40 + runBytes*len(l.runs)
	}
	if t.layers == nil || t.held+size > mostHeld {
		t.layers, t.held = map[string][]layer{}, 0
	}
	t.layers[string(t.key)] = out
	t.held += size
	return out
}

// lay paints a layer over an image without a gap between its rows.
func (t *Painter) lay(pix []byte, l layer) {
	over := t.index(l.colour)
	mixed := t.mixtures(over)
	for _, r := range l.runs {
		dst := pix[r.at:][:r.n]
		if r.level == levels {
			fill(dst, over)
			continue
		}
		known := mixed[r.level]
		for i, under := range dst {
			m := known[under]
			if m == 0 {
				m = t.mix(under, over, r.level)
				known[under] = m
			}
			dst[i] = uint8(m - 1)
		}
	}
}

// fill paints pixels, eight at once where there are so many.
func fill(dst []byte, c uint8) {
	if len(dst) < 8 {
		for i := range dst {
			dst[i] = c
		}
		return
	}
	all := uint64(c) * everyByte
	for i := 0; i+8 < len(dst); i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], all)
	}
	binary.LittleEndian.PutUint64(dst[len(dst)-8:], all)
}

// levels is how many steps an edge has between two colours. Few steps keep the
// palette and the file small, and nobody sees the difference.
const levels = 3

// palette numbers the colours of an image, in the order in which they are asked for.
type palette struct {
	colours color.Palette
	known   map[Colour]uint8
	// mixed remembers mixtures, by level, over and under: one more than their number.
	mixed [levels][256]*[256]uint16
}

// reset begins a new image.
func (p *palette) reset() {
	p.colours, p.known = nil, map[Colour]uint8{}
	for _, over := range &p.mixed {
		for _, row := range over {
			if row != nil {
				clear(row[:])
			}
		}
	}
}

// index is the palette entry of a colour. A full palette gives the nearest.
func (p *palette) index(col Colour) uint8 {
	if col == 0 {
		return 0
	}
	if i, ok := p.known[col]; ok {
		return i
	}
	rgb := color.RGBA{uint8(col >> 16), uint8(col >> 8), uint8(col), 255}
	var i uint8
	if len(p.colours) < 256 {
		i = uint8(len(p.colours))
		p.colours = append(p.colours, rgb)
	} else {
		i = uint8(p.colours.Index(rgb))
	}
	p.known[col] = i
	return i
}

// mixtures are the known mixtures of a colour over others, by level and then under it: one more than their number.
func (p *palette) mixtures(over uint8) (out [levels]*[256]uint16) {
	for level := range out {
		if p.mixed[level][over] == nil {
			p.mixed[level][over] = new([256]uint16)
		}
		out[level] = p.mixed[level][over]
	}
	return out
}

// mix is one more than the palette entry of one colour over another.
func (p *palette) mix(under, over uint8, level uint16) uint16 {
	a, b := p.colours[under].(color.RGBA), p.colours[over].(color.RGBA)
	part := func(x, y uint8) uint32 {
		return uint32((int(x)*(levels-int(level)) + int(y)*int(level) + levels/2) / levels)
	}
	return uint16(p.index(RGB(part(a.R, b.R)<<16|part(a.G, b.G)<<8|part(a.B, b.B)))) + 1
}
