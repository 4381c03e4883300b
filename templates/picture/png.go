package picture

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// PNG writes the picture as a PNG with a palette, at a scale: 1 is the picture's
// own size.
func (p *Picture) PNG(w io.Writer, scale float64) error {
	img, err := p.Image(scale)
	if err != nil {
		return err
	}
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := e.Encode(w, img); err != nil {
		return fmt.Errorf("writing a PNG: %w", err)
	}
	return nil
}

// mostPixels bounds the size of a side, so that a wrong scale cannot eat the
// memory.
const mostPixels = 8000

// Image paints the picture at a scale.
func (p *Picture) Image(scale float64) (*image.Paletted, error) {
	img, _, err := p.paint(scale)
	return img, err
}

// paint paints the picture, and counts the colours that it asks for: they are the
// first of the palette, before all mixtures.
func (p *Picture) paint(scale float64) (img *image.Paletted, own int, err error) {
	w, h := int(math.Round(float64(p.Width)*scale)), int(math.Round(float64(p.Height)*scale))
	if w < 1 || h < 1 || w > mostPixels || h > mostPixels {
		return nil, 0, fmt.Errorf("a picture of %d by %d pixels", w, h)
	}
	c := newCanvas(w, h, scale)
	// The ground is entry 0 of the palette, which a new image is full of.
	c.index(cmp.Or(p.Back, RGB(0xffffff)))
	for _, i := range p.Items {
		for _, col := range i.colours() {
			c.index(col)
		}
	}
	own = len(c.palette)
	for _, i := range p.Items {
		i.paint(c)
	}
	c.img.Palette = c.palette
	return c.img, own, nil
}

// levels is how many steps an edge has between two colours. Few steps keep the
// palette and the file small, and nobody sees the difference.
const levels = 3

// canvas is a picture being painted, right into its palette.
type canvas struct {
	img     *image.Paletted
	scale   float64
	palette color.Palette
	known   map[Colour]uint8
	// mixed remembers mixtures: under, over and level.
	mixed  map[uint32]uint8
	raster vector.Rasterizer
	mask   *image.Alpha
	// letters are the masks of glyphs, which come again and again.
	letters map[letter]letterMask
}

func newCanvas(w, h int, scale float64) *canvas {
	return &canvas{
		img: image.NewPaletted(image.Rect(0, 0, w, h), nil), scale: scale,
		known: map[Colour]uint8{}, mixed: map[uint32]uint8{}, letters: map[letter]letterMask{},
		mask: new(image.Alpha),
	}
}

// index is the palette entry of a colour. A full palette gives the nearest.
func (c *canvas) index(col Colour) uint8 {
	if col == 0 {
		return 0
	}
	if i, ok := c.known[col]; ok {
		return i
	}
	rgb := color.RGBA{uint8(col >> 16), uint8(col >> 8), uint8(col), 255}
	var i uint8
	if len(c.palette) < 256 {
		i = uint8(len(c.palette))
		c.palette = append(c.palette, rgb)
	} else {
		i = uint8(c.palette.Index(rgb))
	}
	c.known[col] = i
	return i
}

// mix is the palette entry of one colour over another.
func (c *canvas) mix(under, over, level uint8) uint8 {
	key := uint32(under)<<16 | uint32(over)<<8 | uint32(level)
	if i, ok := c.mixed[key]; ok {
		return i
	}
	a, b := c.palette[under].(color.RGBA), c.palette[over].(color.RGBA)
	part := func(x, y uint8) uint32 {
		return uint32((int(x)*(levels-int(level)) + int(y)*int(level) + levels/2) / levels)
	}
	i := c.index(RGB(part(a.R, b.R)<<16 | part(a.G, b.G)<<8 | part(a.B, b.B)))
	c.mixed[key] = i
	return i
}

// paint lays a colour over the image where a mask says, whose top left pixel
// comes to x, y.
func (c *canvas) paint(mask *image.Alpha, x, y int, over uint8) {
	bounds := c.img.Rect
	for row := 0; row < mask.Rect.Dy(); row++ {
		if y+row < 0 || y+row >= bounds.Max.Y {
			continue
		}
		from, to := max(0, -x), min(mask.Rect.Dx(), bounds.Max.X-x)
		if from >= to {
			return
		}
		src := mask.Pix[row*mask.Stride+from : row*mask.Stride+to]
		dst := c.img.Pix[(y+row)*c.img.Stride+x+from:]
		dst = dst[:len(src)]
		for i := 0; i < len(src); i++ {
			// The mask of a line is nearly empty.
			if i+8 <= len(src) && binary.NativeEndian.Uint64(src[i:]) == 0 {
				i += 7
				continue
			}
			switch level := (int(src[i])*levels + 127) / 255; level {
			case 0:
			case levels:
				dst[i] = over
			default:
				dst[i] = c.mix(dst[i], over, uint8(level))
			}
		}
	}
}
