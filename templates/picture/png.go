package picture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/maphash"
	"image"
	"image/color"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
)

// PNG writes the picture as a PNG with a palette, at a scale: 1 is the picture's own size.
func (p *Picture) PNG(w io.Writer, scale float64) error {
	img, err := p.Image(scale)
	if err != nil {
		return err
	}
	var f pngFile
	data, err := f.encode(img, identityMapping(img.Palette))
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return fmt.Errorf("write PNG: %w", err)
	}
	return nil
}

// fewColours is the maximum number of colours with 4 bits for each pixel.
const fewColours = 16

// pngFile writes PNG files (RFC 2083). It caches bands of rows, because most images resemble an earlier one.
type pngFile struct {
	out, rows []byte
	bands     bandCompressor
}

// colourMapping is the palette of a file. indexes maps the palette entries of an image to entries of the file.
type colourMapping struct {
	colours color.Palette
	indexes [256]uint8
}

func identityMapping(p color.Palette) colourMapping {
	out := colourMapping{colours: p}
	for i := range out.indexes {
		out.indexes[i] = uint8(i)
	}
	return out
}

// encode returns the image as a PNG file. The result is valid until the next call.
func (f *pngFile) encode(img *image.Paletted, mapping colourMapping) ([]byte, error) {
	f.out = append(f.out[:0], "\x89PNG\r\n\x1a\n"...)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	depth := byte(8)
	if len(mapping.colours) <= fewColours {
		depth = 4
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	f.writeChunk("IHDR", append(head, depth, 3, 0, 0, 0)) // 3 is a palette
	var colours []byte
	for _, c := range mapping.colours {
		r, g, b, _ := c.RGBA()
		colours = append(colours, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	f.writeChunk("PLTE", colours)
	data, err := f.packPixels(img, &mapping.indexes, depth == 4)
	if err != nil {
		return nil, err
	}
	f.writeChunk("IDAT", data)
	f.writeChunk("IEND", nil)
	return f.out, nil
}

// packPixels packs the rows without filters, which is best for paletted images (RFC 2083, section 9.6).
func (f *pngFile) packPixels(img *image.Paletted, indexes *[256]uint8, nibbles bool) ([]byte, error) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	stride := 1 + w
	if nibbles {
		stride = 1 + (w+1)/2
	}
	size := stride * h
	f.rows = slices.Grow(f.rows[:0], size)[:size]
	for y := range h {
		to := f.rows[y*stride:][:stride]
		to[0] = 0 // no filter
		if row := img.Pix[y*img.Stride:][:w]; nibbles {
			packNibbles(to[1:], row, indexes)
		} else {
			for x, c := range row {
				to[1+x] = indexes[c]
			}
		}
	}
	return f.bands.compress(f.rows, stride)
}

// packNibbles packs pixels into 4 bits each. Eight pixels of the same colour take a fast path.
func packNibbles(to, row []byte, indexes *[256]uint8) {
	for ; len(row) >= 8; row, to = row[8:], to[4:] {
		v := binary.LittleEndian.Uint64(row)
		if c := v & 0xff; v == c*everyByte {
			binary.LittleEndian.PutUint32(to, uint32(indexes[c])*0x11111111)
			continue
		}
		binary.LittleEndian.PutUint32(to, uint32(indexes[v&0xff])<<4|uint32(indexes[v>>8&0xff])|
			uint32(indexes[v>>16&0xff])<<12|uint32(indexes[v>>24&0xff])<<8|
			uint32(indexes[v>>32&0xff])<<20|uint32(indexes[v>>40&0xff])<<16|
			uint32(indexes[v>>48&0xff])<<28|uint32(indexes[v>>56])<<24)
	}
	for ; len(row) > 1; row, to = row[2:], to[1:] {
		to[0] = indexes[row[0]]<<4 | indexes[row[1]]
	}
	if len(row) > 0 {
		to[0] = indexes[row[0]] << 4
	}
}

func (f *pngFile) writeChunk(name string, data []byte) {
	f.out = binary.BigEndian.AppendUint32(f.out, uint32(len(data)))
	from := len(f.out)
	f.out = append(append(f.out, name...), data...)
	f.out = binary.BigEndian.AppendUint32(f.out, crc32.ChecksumIEEE(f.out[from:]))
}

const (
	// maxColours limits the palette of a letter's picture, so that a pixel needs 4 bits. Only the mixtures at edges are
	// reduced: a picture with more than maxColours colours of its own keeps all of them.
	maxColours = fewColours
	// maxBytes is the intended size of a picture; base64 adds a third.
	maxBytes = 40_000
)

// scales are tried until the file is small enough. At the first scale, lines at even coordinates lie exactly between
// pixels, which makes them sharp and the file a fifth smaller.
var scales = [...]float64{0.5, 0.48, 0.44}

// LetterPNG paints a picture as a PNG for letters.
func (t *Painter) LetterPNG(p *Picture) ([]byte, error) {
	var data []byte
	for _, scale := range scales {
		img, ownColours, err := t.paint(p, scale)
		if err != nil {
			return nil, fmt.Errorf("draw a picture: %w", err)
		}
		if data, err = t.file.encode(img, reduceColours(img, ownColours)); err != nil {
			return nil, fmt.Errorf("write a picture: %w", err)
		}
		if len(data) <= maxBytes {
			break
		}
	}
	return bytes.Clone(data), nil
}

// reduceColours keeps the colours of the picture itself, which come first in the palette (first is their number), and
// the most frequent others. It maps every other colour to the nearest kept colour. The picture's own colours are kept,
// because a mark at a single space is small but important.
func reduceColours(img *image.Paletted, first int) colourMapping {
	n := max(first, maxColours)
	if len(img.Palette) <= n {
		return identityMapping(img.Palette)
	}
	counts := countColours(img.Pix, first)
	byFrequency := make([]int, len(img.Palette))
	for i := range byFrequency {
		byFrequency[i] = i
	}
	slices.SortStableFunc(byFrequency[first:], func(a, b int) int { return counts[b] - counts[a] })
	kept := make(color.Palette, n)
	for i := range kept {
		kept[i] = img.Palette[byFrequency[i]]
	}
	out := colourMapping{colours: slices.Clone(kept)}
	// Frequencies vary between images. Sorting gives the same colours the same indexes, so that unchanged rows are
	// equal byte for byte.
	slices.SortFunc(out.colours, func(a, b color.Color) int { return cmp.Compare(rgbOf(a), rgbOf(b)) })
	for i, c := range img.Palette {
		out.indexes[i] = uint8(slices.Index(out.colours, kept[kept.Index(c)]))
	}
	return out
}

func rgbOf(c color.Color) Colour {
	r, g, b, _ := c.RGBA()
	return RGB(r>>8<<16 | g>>8<<8 | b>>8)
}

// everyByte times a byte repeats the byte eight times.
const everyByte = 0x0101010101010101

// countColours counts the pixels of each colour with a palette index of first or more; the counts of other colours are
// too low. Eight pixels without these colours, or of one colour, take a fast path. Neighbouring pixels use two counters,
// so that the processor need not wait for its last write.
func countColours(pix []uint8, first int) (counts [256]int) {
	var others [256]int
	const highest = 0x80 * everyByte
	below := uint64(max(0, 0x80-first)) * everyByte
	for ; len(pix) >= 8; pix = pix[8:] {
		v := binary.LittleEndian.Uint64(pix)
		if (v|(v&^highest+below))&highest == 0 {
			continue
		}
		if v == v&0xff*everyByte {
			counts[v&0xff] += 8
			continue
		}
		for range 4 {
			counts[v&0xff]++
			others[v>>8&0xff]++
			v >>= 16
		}
	}
	for _, c := range pix {
		counts[c]++
	}
	for i, n := range others {
		counts[i] += n
	}
	return counts
}

const (
	// bandRows is the number of rows in a band. Smaller bands are found in the cache more often but make larger files.
	bandRows = 64
	// compression is the zlib level: the next level saves 2.5 percent and takes 20 percent longer.
	compression        = 5
	maxImageCacheBytes = 16 << 20
)

// bandCompressor compresses images as zlib (RFC 1950), one band of rows after another. Bands are independent, so that a
// repeated band is taken from the cache; dependent bands would be 7 percent smaller but take 50 percent longer. The
// zero value is ready to use.
type bandCompressor struct {
	cache       map[uint64]cachedBand
	seed        maphash.Seed
	cachedBytes int
	zip         *flate.Writer
	out         []byte
}

type cachedBand struct{ rows, compressed []byte }

// compress compresses rows of stride bytes. The result is valid until the next call.
func (b *bandCompressor) compress(rows []byte, stride int) ([]byte, error) {
	b.out = append(b.out[:0], 0x78, 0x9c) // zlib's header
	for from := 0; from < len(rows); from += bandRows * stride {
		band, err := b.compressBand(rows[from:min(from+bandRows*stride, len(rows))])
		if err != nil {
			return nil, err
		}
		b.out = append(b.out, band...)
	}
	b.out = append(b.out, 3, 0) // the last block, which is empty
	return binary.BigEndian.AppendUint32(b.out, adler32.Checksum(rows)), nil
}

func (b *bandCompressor) compressBand(rows []byte) ([]byte, error) {
	if b.cache == nil {
		b.cache, b.seed = map[uint64]cachedBand{}, maphash.MakeSeed()
	}
	sum := maphash.Bytes(b.seed, rows)
	if s, ok := b.cache[sum]; ok && bytes.Equal(s.rows, rows) {
		return s.compressed, nil
	}
	compressed, err := b.deflate(rows)
	if err != nil {
		return nil, fmt.Errorf("compress an image: %w", err)
	}
	size := len(rows) + len(compressed)
	if b.cachedBytes += size; b.cachedBytes > maxImageCacheBytes {
		clear(b.cache)
		b.cachedBytes = size
	}
	b.cache[sum] = cachedBand{bytes.Clone(rows), compressed}
	return compressed, nil
}

// deflate compresses rows to complete blocks (RFC 1951), so that results can be concatenated.
func (b *bandCompressor) deflate(rows []byte) ([]byte, error) {
	var out bytes.Buffer
	if b.zip == nil {
		zip, err := flate.NewWriter(&out, compression)
		if err != nil {
			return nil, err
		}
		b.zip = zip
	} else {
		b.zip.Reset(&out)
	}
	if _, err := b.zip.Write(rows); err != nil {
		return nil, err
	}
	if err := b.zip.Flush(); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}
