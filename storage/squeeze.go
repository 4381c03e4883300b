package storage

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"regexp"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// hash finds the hashes in a text of JSON. They cannot be compressed, and written in hexadecimal
// digits among words they make those worse to compress.
var hash = regexp.MustCompile(`[0-9a-f]{64}`)

// inPlace stands in a text in the place of a hash. JSON has no such byte.
const inPlace = 0

// squeeze compresses a text of JSON: the length of the rest of it, the rest of it, and its
// hashes one behind the other.
func squeeze(z *zstd.Encoder, text []byte) []byte {
	var hashes []byte
	rest := hash.ReplaceAllFunc(text, func(digits []byte) []byte {
		hashes, _ = hex.AppendDecode(hashes, digits) // they are digits
		return []byte{inPlace}
	})
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
	if bytes.Count(rest, []byte{inPlace})*32 != len(hashes) {
		return nil, errSqueezed
	}
	out := make([]byte, 0, len(rest)+2*len(hashes))
	for part := range bytes.SplitSeq(rest, []byte{inPlace}) {
		out = append(out, part...)
		if len(hashes) > 0 {
			out = hex.AppendEncode(out, hashes[:32])
			hashes = hashes[32:]
		}
	}
	return out, nil
}

// decoder decompresses. It is made when the first archive is read.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true))
})
