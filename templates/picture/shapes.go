package picture

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/s2"
)

// The outbox stores the list of items of a picture (Pack), which is drawn only when its letter is sent.

// packedMark is the first byte of Pack's output. The former format, gob compressed by flate, never starts with it.
const packedMark = 0x07

const (
	kindPath = iota
	kindCircle
	kindText
)

// Pack returns the picture with its items, compressed.
func (p *Picture) Pack() []byte {
	return append([]byte{packedMark}, s2.Encode(nil, p.encode())...)
}

// Hash returns a hash of the picture.
func (p *Picture) Hash() [sha256.Size]byte { return sha256.Sum256(p.encode()) }

func (p *Picture) encode() []byte {
	b := make([]byte, 0, 32<<10)
	b = binary.AppendUvarint(b, uint64(p.Width))
	b = binary.AppendUvarint(b, uint64(p.Height))
	b = binary.AppendUvarint(b, uint64(p.Back))
	b = appendText(b, p.Title)
	b = appendText(b, p.Words)
	for _, i := range p.Items {
		b = i.pack(b)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendNumber appends a multiple of a half, the usual case, as an even integer: 1.5 as 6. It appends any other number
// as the integer 1 and eight bytes.
func appendNumber(b []byte, f float64) []byte {
	if n := int64(f * 2); float64(n)/2 == f && -1<<40 < n && n < 1<<40 {
		return binary.AppendVarint(b, 2*n)
	}
	return binary.LittleEndian.AppendUint64(binary.AppendVarint(b, 1), math.Float64bits(f))
}

func appendFlag(b []byte, f bool) []byte {
	if f {
		return append(b, 1)
	}
	return append(b, 0)
}

func (s Style) pack(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.Fill)), uint64(s.Stroke))
	return appendNumber(b, s.Width)
}

func (q Point) pack(b []byte) []byte { return appendNumber(appendNumber(b, q.X), q.Y) }

func (p Path) pack(b []byte) []byte {
	b = binary.AppendUvarint(append(b, kindPath), uint64(len(p.Points)))
	for _, q := range p.Points {
		b = q.pack(b)
	}
	return p.Style.pack(appendNumber(appendFlag(b, p.Closed), p.Round))
}

func (o Circle) pack(b []byte) []byte {
	return o.Style.pack(appendNumber(o.Centre.pack(append(b, kindCircle)), o.Radius))
}

func (t Text) pack(b []byte) []byte {
	b = appendText(t.At.pack(append(b, kindText)), t.Words)
	b = append(appendFlag(appendNumber(b, t.Size), t.Bold), byte(t.Anchor))
	return binary.AppendUvarint(b, uint64(t.Colour))
}

// maxUnpackedBytes limits the size of an unpacked picture, as a protection against corrupt data.
const maxUnpackedBytes = 8 << 20

// bytesOfItem is less than the size of most packed items. Unpack estimates the number of items with it.
const bytesOfItem = 20

// Unpack reads a picture that Pack wrote.
func Unpack(data []byte) (*Picture, error) {
	p, err := unpack(data)
	if err != nil {
		return nil, fmt.Errorf("unpack picture: %w", err)
	}
	return p, nil
}

func unpack(data []byte) (*Picture, error) {
	p := &Picture{}
	if len(data) == 0 || data[0] != packedMark {
		return p, unpackGob(data, p)
	}
	if n, err := s2.DecodedLen(data[1:]); err != nil || n > maxUnpackedBytes {
		return nil, errors.Join(err, errCorrupt)
	}
	plain, err := s2.Decode(nil, data[1:])
	if err != nil {
		return nil, err
	}
	r := &decoder{remaining: plain}
	p.Width, p.Height, p.Back = int(r.count()), int(r.count()), Colour(r.count())
	p.Title, p.Words = r.text(), r.text()
	p.Items = make([]Item, 0, len(r.remaining)/bytesOfItem)
	for len(r.remaining) > 0 {
		p.Items = append(p.Items, r.item())
	}
	return p, r.err
}

// unpackGob reads the former format, which queued letters may still contain.
func unpackGob(data []byte, p *Picture) error {
	gobNames()
	return gob.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxUnpackedBytes)).Decode(p)
}

var gobNames = sync.OnceFunc(func() {
	gob.RegisterName("p", Path{})
	gob.RegisterName("c", Circle{})
	gob.RegisterName("t", Text{})
})

var errCorrupt = errors.New("corrupt data")

// decoder reads the parts of a packed picture. After an error it returns zero values.
type decoder struct {
	remaining   []byte
	err         error
	pointBuffer []Point
}

// take returns the next n bytes; a negative n is an error.
func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.remaining) {
		d.remaining, d.err = nil, errCorrupt
		return make([]byte, 8)
	}
	out := d.remaining[:n]
	d.remaining = d.remaining[n:]
	return out
}

func (d *decoder) count() uint64 {
	n, size := binary.Uvarint(d.remaining)
	if d.take(size); size == 0 {
		d.take(1) // The data are too short.
	}
	return n
}

func (d *decoder) number() float64 {
	n, size := binary.Varint(d.remaining)
	if d.take(size); size == 0 {
		d.take(1)
	}
	if n == 1 {
		return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8)))
	}
	return float64(n/2) / 2
}

func (d *decoder) text() string { return string(d.take(int(min(d.count(), maxUnpackedBytes)))) }

func (d *decoder) flag() bool { return d.take(1)[0] > 0 }

func (d *decoder) point() Point { return Point{d.number(), d.number()} }

// points allocates from pointBuffer, which saves an allocation for each path.
func (d *decoder) points(n int) []Point {
	if n > len(d.pointBuffer) {
		d.pointBuffer = make([]Point, max(n, 256))
	}
	out := d.pointBuffer[:n:n]
	d.pointBuffer = d.pointBuffer[n:]
	return out
}

func (d *decoder) style() Style {
	return Style{Colour(d.count()), Colour(d.count()), d.number()}
}

func (d *decoder) item() Item {
	switch kind := d.take(1)[0]; kind {
	case kindPath:
		p := Path{Points: d.points(int(min(d.count(), uint64(len(d.remaining)))))}
		for i := range p.Points {
			p.Points[i] = d.point()
		}
		p.Closed, p.Round, p.Style = d.flag(), d.number(), d.style()
		return p
	case kindCircle:
		return Circle{d.point(), d.number(), d.style()}
	case kindText:
		t := Text{At: d.point(), Words: d.text(), Size: d.number(), Bold: d.flag()}
		t.Anchor, t.Colour = Anchor(d.take(1)[0]), Colour(d.count())
		return t
	}
	d.take(-1) // an error
	return Circle{}
}
