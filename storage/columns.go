package storage

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	_ "embed" // for the dictionaries
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"samizdat/rules"
)

// asJSON stores a value as JSON, e.g. {"bidding":"yes"}. Scanning NULL or an empty text leaves the value unchanged.
type asJSON struct{ v any }

func (j asJSON) Value() (driver.Value, error) {
	b, err := json.Marshal(j.v)
	return string(b), err
}

func (j asJSON) Scan(src any) error {
	text, ok := src.([]byte)
	if !ok {
		var s sql.NullString
		if err := s.Scan(src); err != nil {
			return err
		}
		text = []byte(s.String)
	}
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, j.v)
}

// wordsList scans a list of words separated by spaces: "a1 b2" gives [a1 b2].
type wordsList struct{ v *[]string }

func (w wordsList) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("scan a list of words: expected a string, got %T", src)
	}
	*w.v = strings.Fields(text)
	return nil
}

// deltaColumn stores numbers as formatMark and then their differences in varint encoding: 7, 8, 10 is stored as 7, 1, 2.
type deltaColumn struct{ v *[]rules.DecisionID }

func (c deltaColumn) Value() (driver.Value, error) {
	out, previous := []byte{formatMark}, rules.DecisionID(0)
	for _, d := range *c.v {
		out, previous = binary.AppendVarint(out, int64(d-previous)), d
	}
	return out, nil
}

func (c deltaColumn) Scan(src any) error {
	text, _ := src.([]byte)
	if !hasMark(text) {
		return errMark
	}
	*c.v = nil
	var previous rules.DecisionID
	for remaining := text[1:]; len(remaining) > 0; {
		d, size := binary.Varint(remaining)
		if size <= 0 {
			return errMark
		}
		previous += rules.DecisionID(d)
		*c.v, remaining = append(*c.v, previous), remaining[size:]
	}
	return nil
}

// sealed is a value that is encrypted when it is stored. identity holds the column name and the values that identify
// the row. They are authenticated, so that a sealed value cannot be moved to another row.
type sealed struct {
	key      *key
	value    any
	identity []any
}

func (s sealed) Value() (driver.Value, error) {
	v, err := driver.DefaultParameterConverter.ConvertValue(s.value)
	if err != nil || v == nil {
		return nil, err
	}
	stored, err := s.key.seal(v, s.identity...)
	if stored == nil {
		return nil, err
	}
	return stored, err
}

// unsealed is a scan destination that decrypts a sealed column, see unsealInto.
type unsealed struct {
	target any
	open   func(stored any) ([]byte, error)
}

// unsealInto returns a scan destination that decrypts a sealed column into target. row holds the values that identify
// the row. A value that the same query scans before target is given as a pointer.
func (k *key) unsealInto(target any, column string, row ...any) unsealed {
	return unsealed{target, func(stored any) ([]byte, error) {
		identity := []any{column}
		for _, r := range row {
			switch r := r.(type) {
			case *string:
				identity = append(identity, *r)
			case *int64:
				identity = append(identity, *r)
			case *int:
				identity = append(identity, *r)
			default:
				identity = append(identity, r)
			}
		}
		return k.unseal(stored, identity...)
	}}
}

func (s unsealed) Scan(stored any) error {
	if stored == nil {
		return nil // NULL leaves the value unchanged.
	}
	plain, err := s.open(stored)
	if err != nil {
		return err
	}
	switch target := s.target.(type) {
	case sql.Scanner:
		return target.Scan(plain)
	case *[]byte:
		*target = plain
	case *string:
		*target = string(plain)
	case *int:
		*target, err = strconv.Atoi(string(plain))
	default:
		err = fmt.Errorf("cannot scan a sealed column into a %T", s.target)
	}
	return err
}

// micros scans a time in microseconds since 1970. NULL and 0 leave it unchanged.
type micros struct{ at *time.Time }

func (m micros) Scan(src any) error {
	var n sql.NullInt64
	if err := n.Scan(src); err != nil || n.Int64 == 0 {
		return err
	}
	*m.at = time.UnixMicro(n.Int64).UTC()
	return nil
}

// Values are small, so each is compressed with a dictionary of typical texts of its column. A dictionary must never
// change, because stored values need it. A better dictionary would need another first byte than formatMark.
var (
	//go:embed dictionaries/entry1.txt
	entryText []byte
	//go:embed dictionaries/letter1.txt
	letterText []byte

	entryCodec  = newDictionaryCodec(entryText)
	letterCodec = newDictionaryCodec(letterText)
)

// formatMark is the first byte of compressed values and of deltaColumn. A new format or dictionary would get another
// byte.
const formatMark = 0b110

var errMark = errors.New("unknown compression mark: the value was stored by another program")

func hasMark(v []byte) bool { return len(v) > 0 && v[0] == formatMark }

type dictionaryCodec struct {
	dictionary []byte
	readers    sync.Pool
}

func newDictionaryCodec(dictionary []byte) *dictionaryCodec {
	return &dictionaryCodec{dictionary: dictionary, readers: sync.Pool{New: func() any { return flate.NewReaderDict(nil, dictionary) }}}
}

// pack returns the mark, the number of hashes, the hashes, and the compressed text without hashes.
func (c *dictionaryCodec) pack(text []byte) ([]byte, error) {
	var hashes []byte
	// If a letter contains the placeholder byte, its hashes stay in the text.
	if bytes.IndexByte(text, hashPlaceholder) < 0 {
		text, hashes = extractHashes(text)
	}
	out := bytes.NewBuffer(append(binary.AppendUvarint([]byte{formatMark}, uint64(len(hashes)/hashSize)), hashes...))
	// Stateless deflate is twice as fast for small values, and its output is nearly as small.
	if err := flate.StatelessDeflate(out, text, true, c.dictionary); err != nil {
		return nil, fmt.Errorf("compress a value: %w", err)
	}
	return out.Bytes(), nil
}

func (c *dictionaryCodec) unpack(data []byte) ([]byte, error) {
	if !hasMark(data) {
		return nil, errMark
	}
	count, n := binary.Uvarint(data[1:])
	if n <= 0 || count > uint64(len(data)-1-n)/hashSize {
		return nil, errNotCompressed
	}
	hashes, compressed := data[1+n:1+n+int(count)*hashSize], data[1+n+int(count)*hashSize:]
	z := c.readers.Get().(io.Reader)
	defer c.readers.Put(z)
	err := z.(flate.Resetter).Reset(bytes.NewReader(compressed), c.dictionary)
	text := bytes.NewBuffer(make([]byte, 0, 4*len(compressed)+bytes.MinRead))
	if err == nil {
		_, err = text.ReadFrom(z)
	}
	if err != nil {
		return nil, fmt.Errorf("decompress a value: %w", err)
	}
	if count == 0 {
		return text.Bytes(), nil
	}
	return insertHashes(text.Bytes(), hashes)
}

// Hashes are stored apart, because they do not compress, and their digits disturb the compression of words.
const hashSize = sha256.Size

// hashPlaceholder replaces a hash in a text. JSON does not contain this byte.
const hashPlaceholder = 0

// compressArchive returns one value of three parts: the length of the compressed text, that text, and its hashes, which are not
// compressed.
func compressArchive(z *zstd.Encoder, text []byte) []byte {
	remaining, hashes := extractHashes(text)
	compressed := z.EncodeAll(remaining, nil)
	return append(append(binary.AppendUvarint(nil, uint64(len(compressed))), compressed...), hashes...)
}

var errNotCompressed = errors.New("the value was not compressed by this program")

func decompressArchive(data []byte) ([]byte, error) {
	z, err := archiveDecoder()
	if err != nil {
		return nil, err
	}
	length, n := binary.Uvarint(data)
	if n <= 0 || length > uint64(len(data)-n) {
		return nil, errNotCompressed
	}
	hashes := data[n+int(length):]
	remaining, err := z.DecodeAll(data[n:n+int(length)], nil)
	if err != nil {
		return nil, err
	}
	return insertHashes(remaining, hashes)
}

func extractHashes(text []byte) (remaining, hashes []byte) {
	digits := 0
	for _, b := range text {
		remaining = append(remaining, b)
		if '0' <= b && b <= '9' || 'a' <= b && b <= 'f' {
			digits++
		} else {
			digits = 0
		}
		if digits == 2*hashSize {
			at := len(remaining) - digits
			hashes, _ = hex.AppendDecode(hashes, remaining[at:]) // valid digits
			remaining, digits = append(remaining[:at], hashPlaceholder), 0
		}
	}
	return remaining, hashes
}

func insertHashes(remaining, hashes []byte) ([]byte, error) {
	if bytes.Count(remaining, []byte{hashPlaceholder})*hashSize != len(hashes) {
		return nil, errNotCompressed
	}
	out := make([]byte, 0, len(remaining)+2*len(hashes))
	for part := range bytes.SplitSeq(remaining, []byte{hashPlaceholder}) {
		out = append(out, part...)
		if len(hashes) > 0 {
			out = hex.AppendEncode(out, hashes[:hashSize])
			hashes = hashes[hashSize:]
		}
	}
	return out, nil
}

var archiveDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true))
})

// An outgoing letter is written, read once and overwritten, usually within a second, so compression must be cheap: s2
// takes a third of the time of deflate and, with a dictionary, compresses a letter to a third of its size.
var (
	//go:embed dictionaries/body1.txt
	bodyText       []byte
	bodyDictionary = s2.MakeDict(bytes.ReplaceAll(bodyText, []byte("\n"), []byte("\r\n")), nil)
)

// bodyColumn stores an outgoing letter: formatMark, then the output of s2.
type bodyColumn struct{ raw *[]byte }

func (b bodyColumn) Value() (driver.Value, error) {
	if *b.raw == nil {
		return nil, nil
	}
	out := make([]byte, 1, 1+s2.MaxEncodedLen(len(*b.raw)))
	out[0] = formatMark
	return out[:1+len(bodyDictionary.Encode(out[1:cap(out)], *b.raw))], nil
}

func (b bodyColumn) Scan(src any) (err error) {
	stored, _ := src.([]byte)
	if !hasMark(stored) {
		return errMark
	}
	if *b.raw, err = bodyDictionary.Decode(nil, stored[1:]); err != nil {
		return fmt.Errorf("decompress a letter: %w", err)
	}
	return nil
}
