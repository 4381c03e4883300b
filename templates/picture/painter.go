package picture

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
)

// Painter paints pictures as images. It caches the layers of items, so that only new items are drawn. It is not safe
// for concurrent use; the zero value is ready to use.
type Painter struct {
	canvas canvas
	palette
	// layers are the cached layers by image size and item; cachedBytes is their size.
	layers      map[string][]layer
	cachedBytes int
	// key, pix and file are reused buffers.
	key, pix []byte
	file     pngFile
}

// A thousand pictures of a game need less than maxCacheBytes.
const maxCacheBytes = 16 << 20

// maxPixels limits the width and the height, as a protection against wrong scales.
const maxPixels = 8000

// Image paints the picture at a scale.
func (p *Picture) Image(scale float64) (*image.Paletted, error) {
	img, _, err := new(Painter).paint(p, scale)
	return img, err
}

// paint paints a picture. ownColours is the number of colours of the picture itself; in the palette they come before the
// mixtures at edges. The image is valid until the next call.
func (t *Painter) paint(p *Picture, scale float64) (img *image.Paletted, ownColours int, err error) {
	w, h := int(math.Round(float64(p.Width)*scale)), int(math.Round(float64(p.Height)*scale))
	if w < 1 || h < 1 || w > maxPixels || h > maxPixels {
		return nil, 0, fmt.Errorf("invalid picture size: %d by %d pixels", w, h)
	}
	t.canvas.w, t.canvas.h, t.canvas.scale = w, h, scale
	t.reset()
	// A new image is filled with palette entry 0, the background.
	t.indexOf(cmp.Or(p.Back, RGB(0xffffff)))
	for _, i := range p.Items {
		for _, col := range i.colours() {
			t.indexOf(col)
		}
	}
	ownColours = len(t.colours)
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
		for _, l := range t.itemLayers(i) {
			t.blend(img.Pix, l)
		}
	}
	img.Palette = t.colours
	return img, ownColours, nil
}

// itemLayers returns the layers of an item. The caller has set t.key, the key of the cache.
func (t *Painter) itemLayers(i Item) []layer {
	out, ok := t.layers[string(t.key)]
	if ok {
		return out
	}
	t.canvas.layers = nil
	i.paint(&t.canvas)
	out = t.canvas.layers
	size := len(t.key) + 100
	for j, l := range out {
		out[j].runs = append([]run(nil), l.runs...) // without spare capacity
		size += 40 + runBytes*len(l.runs)
	}
	if t.layers == nil || t.cachedBytes+size > maxCacheBytes {
		t.layers, t.cachedBytes = map[string][]layer{}, 0
	}
	t.layers[string(t.key)] = out
	t.cachedBytes += size
	return out
}

// blend paints a layer over an image. pix holds the rows of the image without gaps between them.
func (t *Painter) blend(pix []byte, l layer) {
	overlay := t.indexOf(l.colour)
	mixed := t.mixturesOf(overlay)
	for _, r := range l.runs {
		dst := pix[r.at:][:r.n]
		if r.level == coverageLevels {
			fill(dst, overlay)
			continue
		}
		mixtures := mixed[r.level]
		for i, under := range dst {
			m := mixtures[under]
			if m == 0 {
				m = t.mixtureOf(under, overlay, r.level)
				mixtures[under] = m
			}
			dst[i] = uint8(m - 1)
		}
	}
}

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

// coverageLevels is the number of steps at an antialiased edge. Few steps keep the palette small without visible difference.
const coverageLevels = 3

// palette numbers the colours of an image in the order of their first use.
type palette struct {
	colours color.Palette
	indexes map[Colour]uint8
	// mixed caches mixtures. The indexes are the coverage level, the upper colour and the lower colour; the value is
	// the palette index of the mixture plus 1, or 0 if the mixture is not known yet.
	mixed [coverageLevels][256]*[256]uint16
}

func (p *palette) reset() {
	p.colours, p.indexes = nil, map[Colour]uint8{}
	for _, over := range &p.mixed {
		for _, row := range over {
			if row != nil {
				clear(row[:])
			}
		}
	}
}

// indexOf returns the palette entry of a colour, or the nearest entry if the palette is full.
func (p *palette) indexOf(col Colour) uint8 {
	if col == 0 {
		return 0
	}
	if i, ok := p.indexes[col]; ok {
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
	p.indexes[col] = i
	return i
}

// mixturesOf returns the part of mixed for an upper colour. The indexes are the coverage level and the lower colour.
func (p *palette) mixturesOf(over uint8) (out [coverageLevels]*[256]uint16) {
	for level := range out {
		if p.mixed[level][over] == nil {
			p.mixed[level][over] = new([256]uint16)
		}
		out[level] = p.mixed[level][over]
	}
	return out
}

// mixtureOf returns the palette entry of a mixture, plus 1.
func (p *palette) mixtureOf(under, over uint8, level uint16) uint16 {
	a, b := p.colours[under].(color.RGBA), p.colours[over].(color.RGBA)
	blend := func(x, y uint8) uint32 {
		return uint32((int(x)*(coverageLevels-int(level)) + int(y)*int(level) + coverageLevels/2) / coverageLevels)
	}
	return uint16(p.indexOf(RGB(blend(a.R, b.R)<<16|blend(a.G, b.G)<<8|blend(a.B, b.B)))) + 1
}
