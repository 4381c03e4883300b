package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// hashSize is the size of a hash. Hashes cannot be compressed, and written in hexadecimal digits
// among words they make those worse to compress.
const hashSize = sha256.Size

// inPlace stands in a text in the place of a hash. JSON has no such byte.
const inPlace = 0

// squeeze compresses a text of JSON: the length of the rest of it, the rest of it, and its
// hashes one behind the other.
func squeeze(z *zstd.Encoder, text []byte) []byte {
	rest, hashes := withoutHashes(text)
	small := z.EncodeAll(rest, nil)
	return append(append(binary.AppendUvarint(nil, uint64(len(small))), small...), hashes...)
}

var errSqueezed = errors.New("it was not compressed by this program")

// unsqueeze undoes squeeze.
func unsqueeze(data []byte) ([]byte, error) {
	z, err := decoder()
	if err != nil {
		return nil, err
	}
	length, n := binary.Uvarint(data)
	if n <= 0 || length > uint64(len(data)-n) {
		return nil, errSqueezed
	}
	hashes := data[n+int(length):]
	rest, err := z.DecodeAll(data[n:n+int(length)], nil)
	if err != nil {
		return nil, err
	}
	return withHashes(rest, hashes)
}

// withoutHashes takes the hashes out of a text.
func withoutHashes(text []byte) (rest, hashes []byte) {
	digits := 0
	for _, b := range text {
		rest = append(rest, b)
		if '0' <= b && b <= '9' || 'a' <= b && b <= 'f' {
			digits++
		} else {
			digits = 0
		}
		if digits == 2*hashSize {
			at := len(rest) - digits
			hashes, _ = hex.AppendDecode(hashes, rest[at:]) // they are digits
			rest, digits = append(rest[:at], inPlace), 0
		}
	}
	return rest, hashes
}

// withHashes puts them back.
func withHashes(rest, hashes []byte) ([]byte, error) {
	if bytes.Count(rest, []byte{inPlace})*hashSize != len(hashes) {
		return nil, errSqueezed
	}
	out := make([]byte, 0, len(rest)+2*len(hashes))
	for part := range bytes.SplitSeq(rest, []byte{inPlace}) {
		out = append(out, part...)
		if len(hashes) > 0 {
			out = hex.AppendEncode(out, hashes[:hashSize])
			hashes = hashes[hashSize:]
		}
	}
	return out, nil
}

// decoder decompresses. It is made when the first archive is read.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true))
})
