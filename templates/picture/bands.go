package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/adler32"

	"github.com/klauspost/compress/flate"
)

const (
	// bandRows is how many rows of an image are compressed together, with what can be copied from the
	// same number above. Fewer would be found again more often, and make files larger.
	bandRows = 64
	// compression makes files a twentieth larger than the standard library does, in a third of
	// its time; better levels take much longer for little.
	compression = 6
	// mostRemembered bounds the bytes that are remembered.
	mostRemembered = 16 << 20
)

// bands compress images as zlib does (RFC 1950), a band of rows after the other. What a band becomes
// depends on itself and on the one above, and on nothing else: one that was
// seen before is taken as it became then. The zero value is ready.
type bands struct {
	seen map[seenBand][]byte
	held int
	zip  *flate.Writer
	out  []byte
}

// seenBand is a band, of so many bytes, behind what it may be copied from.
type seenBand struct {
	rows string
	size int
}

// compress compresses rows of so many bytes each. The result is good until the next.
func (b *bands) compress(rows []byte, stride int) ([]byte, error) {
	b.out = append(b.out[:0], 0x78, 0x9c) // zlib's header
	for from := 0; from < len(rows); from += bandRows * stride {
		to := min(from+bandRows*stride, len(rows))
		band, err := b.band(rows[max(0, from-bandRows*stride):to], to-from)
		if err != nil {
			return nil, err
		}
		b.out = append(b.out, band...)
	}
	b.out = append(b.out, 3, 0) // the last block, which is empty
	return binary.BigEndian.AppendUint32(b.out, adler32.Checksum(rows)), nil
}

// band compresses the last n bytes of rows, which may be copied from those before.
func (b *bands) band(rows []byte, n int) ([]byte, error) {
	if band, ok := b.seen[seenBand{string(rows), n}]; ok {
		return band, nil
	}
	var out bytes.Buffer
	above := rows[:len(rows)-n]
	if b.zip == nil {
		zip, err := flate.NewWriter(&out, compression)
		if err != nil {
			return nil, fmt.Errorf("compress an image: %w", err)
		}
		b.zip = zip
	}
	b.zip.ResetDict(&out, above)
	if _, err := b.zip.Write(rows[len(above):]); err != nil {
		return nil, fmt.Errorf("compress an image: %w", err)
	}
	if err := b.zip.Flush(); err != nil {
		return nil, fmt.Errorf("compress an image: %w", err)
	}
	if b.held += len(rows) + out.Len(); b.held > mostRemembered || b.seen == nil {
		b.seen, b.held = map[seenBand][]byte{}, len(rows)+out.Len()
	}
	band := bytes.Clone(out.Bytes())
	b.seen[seenBand{string(rows), n}] = band
	return band, nil
}
