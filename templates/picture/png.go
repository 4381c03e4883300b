package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"io"

	"github.com/klauspost/compress/zlib"
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

// compression makes files a twentieth larger than the standard library does, in a third of
// its time; better levels take much longer for little.
const compression = 6

// pngFile writes images with palettes as PNG files (RFC 2083). The standard library's encoder
// spends half of the time that a picture takes in its zlib.
type pngFile struct {
	out, data bytes.Buffer
	zip       *zlib.Writer
	row       []byte
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
	f.out.Reset()
	f.out.WriteString("\x89PNG\r\n\x1a\n")
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
	if err := f.pixels(img, &as.of, depth == 4); err != nil {
		return nil, err
	}
	f.chunk("IDAT", f.data.Bytes())
	f.chunk("IEND", nil)
	return f.out.Bytes(), nil
}

// pixels packs the image's rows, none of which has a filter: the standard says that those
// make images with palettes larger.
func (f *pngFile) pixels(img *image.Paletted, as *[256]uint8, halves bool) (err error) {
	f.data.Reset()
	if f.zip == nil {
		if f.zip, err = zlib.NewWriterLevel(&f.data, compression); err != nil {
			return err
		}
	}
	f.zip.Reset(&f.data)
	w := img.Rect.Dx()
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:w]
		f.row = append(f.row[:0], 0) // no filter
		if halves {
			for ; len(row) > 1; row = row[2:] {
				f.row = append(f.row, as[row[0]]<<4|as[row[1]])
			}
			if len(row) > 0 {
				f.row = append(f.row, as[row[0]]<<4)
			}
			row = nil
		}
		for _, c := range row {
			f.row = append(f.row, as[c])
		}
		if _, err := f.zip.Write(f.row); err != nil {
			return err
		}
	}
	return f.zip.Close()
}

// chunk writes a part of the file.
func (f *pngFile) chunk(name string, data []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(data)))
	f.out.Write(n[:])
	from := f.out.Len()
	f.out.WriteString(name)
	f.out.Write(data)
	binary.BigEndian.PutUint32(n[:], crc32.ChecksumIEEE(f.out.Bytes()[from:]))
	f.out.Write(n[:])
}
