package picture

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"slices"
)

// PNG writes the picture as a PNG with a palette, at a scale: 1 is the picture's
// own size.
func (p *Picture) PNG(w io.Writer, scale float64) error {
	img, err := p.Image(scale)
	if err != nil {
		return err
	}
	var f pngFile
	data, err := f.encode(img, every(img.Palette))
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return fmt.Errorf("writing a PNG: %w", err)
	}
	return nil
}

// fewColours is how many colours take half a byte a pixel.
const fewColours = 16

// pngFile writes images with palettes as PNG files (RFC 2083). It compresses them by bands of rows, and
// remembers what each became: an image is mostly like one before.
type pngFile struct {
	out, rows []byte
	bands     bands
}

// inks are the colours of a file, and which of them stands for each of the image's.
type inks struct {
	colours color.Palette
	of      [256]uint8
}

// every takes the colours as they are.
func every(p color.Palette) inks {
	out := inks{colours: p}
	for i := range out.of {
		out.of[i] = uint8(i)
	}
	return out
}

// encode writes an image. The file is good until the next.
func (f *pngFile) encode(img *image.Paletted, as inks) ([]byte, error) {
	f.out = append(f.out[:0], "\x89PNG\r\n\x1a\n"...)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	depth := byte(8)
	if len(as.colours) <= fewColours {
		depth = 4
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	f.chunk("IHDR", append(head, depth, 3, 0, 0, 0)) // 3 is a palette
	var colours []byte
	for _, c := range as.colours {
		r, g, b, _ := c.RGBA()
		colours = append(colours, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	f.chunk("PLTE", colours)
	data, err := f.pixels(img, &as.of, depth == 4)
	if err != nil {
		return nil, err
	}
	f.chunk("IDAT", data)
	f.chunk("IEND", nil)
	return f.out, nil
}

// pixels packs the image's rows, none of which has a filter: the standard says that those
// make images with palettes larger.
func (f *pngFile) pixels(img *image.Paletted, as *[256]uint8, halves bool) ([]byte, error) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	stride := 1 + w
	if halves {
		stride = 1 + (w+1)/2
	}
	size := stride * h
	f.rows = slices.Grow(f.rows[:0], size)[:size]
	for y := range h {
		to := f.rows[y*stride:][:stride]
		to[0] = 0 // no filter
		if row := img.Pix[y*img.Stride:][:w]; halves {
			inHalves(to[1:], row, as)
		} else {
			for x, c := range row {
				to[1+x] = as[c]
			}
		}
	}
	return f.bands.compress(f.rows, stride)
}

// inHalves packs pixels, each into half a byte. Eight of a colour, as most are, go at once.
func inHalves(to, row []byte, as *[256]uint8) {
	for ; len(row) >= 8; row, to = row[8:], to[4:] {
		v := binary.LittleEndian.Uint64(row)
		if c := v & 0xff; v == c*everyByte {
			binary.LittleEndian.PutUint32(to, uint32(as[c])*0x11111111)
			continue
		}
		binary.LittleEndian.PutUint32(to, uint32(as[v&0xff])<<4|uint32(as[v>>8&0xff])|
			uint32(as[v>>16&0xff])<<12|uint32(as[v>>24&0xff])<<8|
			uint32(as[v>>32&0xff])<<20|uint32(as[v>>40&0xff])<<16|
			uint32(as[v>>48&0xff])<<28|uint32(as[v>>56])<<24)
	}
	for ; len(row) > 1; row, to = row[2:], to[1:] {
		to[0] = as[row[0]]<<4 | as[row[1]]
	}
	if len(row) > 0 {
		to[0] = as[row[0]] << 4
	}
}

// chunk writes a part of the file.
func (f *pngFile) chunk(name string, data []byte) {
	f.out = binary.BigEndian.AppendUint32(f.out, uint32(len(data)))
	from := len(f.out)
	f.out = append(append(f.out, name...), data...)
	f.out = binary.BigEndian.AppendUint32(f.out, crc32.ChecksumIEEE(f.out[from:]))
}
