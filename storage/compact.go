package storage

import (
	"bytes"
	_ "embed" // for the dictionaries
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// Rows are small, so each is compressed with a dictionary: a text with what values of its column
// usually say. A dictionary of which rows were made is never changed. One that is better gets a
// mark of its own, and both are read.
var (
	//go:embed dictionaries/entry1.txt
	entryText []byte
	//go:embed dictionaries/letter1.txt
	letterText []byte

	// entryRows is how entries are stored, letterRows how letters that came in are.
	entryRows  = newCompact(entryText)
	letterRows = newCompact(letterText)
)

// firstMark begins a value that is compressed with a dictionary. A second dictionary would have another.
const firstMark = 0b110

var errMark = errors.New("it was stored by another program")

// marked tells whether a value is compressed with a dictionary of this program.
func marked(v []byte) bool { return len(v) > 0 && v[0] == firstMark }

// compact compresses and decompresses the values of a column.
type compact struct {
	dictionary []byte
	readers    sync.Pool
}

func newCompact(dictionary []byte) *compact {
	return &compact{dictionary: dictionary, readers: sync.Pool{New: func() any { return flate.NewReaderDict(nil, dictionary) }}}
}

// pack compresses a value: the mark, how many hashes were taken out of the rest, these, and the
// rest.
func (c *compact) pack(text []byte) ([]byte, error) {
	var hashes []byte
	// A letter may have the byte that stands for a hash.
	if bytes.IndexByte(text, inPlace) < 0 {
		text, hashes = withoutHashes(text)
	}
	out := bytes.NewBuffer(append(binary.AppendUvarint([]byte{firstMark}, uint64(len(hashes)/hashSize)), hashes...))
	// What keeps nothing from one value to the next takes half the time for small ones, and hardly more room.
	if err := flate.StatelessDeflate(out, text, true, c.dictionary); err != nil {
		return nil, fmt.Errorf("compress a value: %w", err)
	}
	return out.Bytes(), nil
}

// unpack undoes pack.
func (c *compact) unpack(data []byte) ([]byte, error) {
	if !marked(data) {
		return nil, errMark
	}
	count, n := binary.Uvarint(data[1:])
	if n <= 0 || count > uint64(len(data)-1-n)/hashSize {
		return nil, errSqueezed
	}
	hashes, small := data[1+n:1+n+int(count)*hashSize], data[1+n+int(count)*hashSize:]
	z := c.readers.Get().(io.Reader)
	defer c.readers.Put(z)
	err := z.(flate.Resetter).Reset(bytes.NewReader(small), c.dictionary)
	rest := bytes.NewBuffer(make([]byte, 0, 4*len(small)+bytes.MinRead))
	if err == nil {
		_, err = rest.ReadFrom(z)
	}
	if err != nil {
		return nil, fmt.Errorf("decompress a value: %w", err)
	}
	if count == 0 {
		return rest.Bytes(), nil
	}
	return withHashes(rest.Bytes(), hashes)
}
