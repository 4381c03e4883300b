package picture

import "image/color"

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
