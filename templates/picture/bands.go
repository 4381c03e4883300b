package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/maphash"

	"github.com/klauspost/compress/flate"
)

const (
	// bandRows is how many rows of an image are compressed together. Fewer would be found again more
	// often, and make files larger.
	bandRows = 64
	// compression is the library's level: the next makes files a fortieth smaller and takes a fifth longer.
	compression = 5
	// mostRemembered bounds the bytes that are remembered.
	mostRemembered = 16 << 20
)

// bands compress images as zlib does (RFC 1950), a band of rows after the other. What a band becomes
// depends on itself and on nothing else: to copy from the rows above it as well would take half as much time
// again, and make files a fifteenth smaller. One that was seen before is taken as it became then. The zero
// value is ready.
type bands struct {
	// seen has the last band of each hash.
	seen map[uint64]seenBand
	seed maphash.Seed
	held int
	zip  *flate.Writer
	out  []byte
}

// seenBand is what rows became.
type seenBand struct{ rows, became []byte }

// compress compresses rows of so many bytes each. The result is good until the next.
func (b *bands) compress(rows []byte, stride int) ([]byte, error) {
	b.out = append(b.out[:0], 0x78, 0x9c) // zlib's header
	for from := 0; from < len(rows); from += bandRows * stride {
		band, err := b.band(rows[from:min(from+bandRows*stride, len(rows))])
		if err != nil {
			return nil, err
		}
		b.out = append(b.out, band...)
	}
	b.out = append(b.out, 3, 0) // the last block, which is empty
	return binary.BigEndian.AppendUint32(b.out, adler32.Checksum(rows)), nil
}

// band compresses rows.
func (b *bands) band(rows []byte) ([]byte, error) {
	if b.seen == nil {
		b.seen, b.seed = map[uint64]seenBand{}, maphash.MakeSeed()
	}
	sum := maphash.Bytes(b.seed, rows)
	if s, ok := b.seen[sum]; ok && bytes.Equal(s.rows, rows) {
		return s.became, nil
	}
	became, err := b.deflate(rows)
	if err != nil {
		return nil, fmt.Errorf("compress an image: %w", err)
	}
	size := len(rows) + len(became)
	if b.held += size; b.held > mostRemembered {
		clear(b.seen)
		b.held = size
	}
	b.seen[sum] = seenBand{bytes.Clone(rows), became}
	return became, nil
}

// deflate compresses rows to whole blocks (RFC 1951), to which others can be added.
func (b *bands) deflate(rows []byte) ([]byte, error) {
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
