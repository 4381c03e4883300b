package desklink

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// A packed JSON value is a byte, and what the byte asks for. The list of words is known to both
// sides. With the words "turn" and "discard", {"turn":3,"discard":[5,9]} is
//
//	06 80 13 81 09 02 05 04 07
const (
	codeNull   = 0x00
	codeFalse  = 0x01
	codeTrue   = 0x02
	codeInt    = 0x03 // and a signed varint
	codeText   = 0x04 // and a length, and the bytes of a string that is no word
	codeNumber = 0x05 // and a length, and the number as JSON has it
	codeObject = 0x06 // and keys and values, up to codeEnd
	codeEnd    = 0x07
	codeArray  = 0x08 // and values, up to codeEnd
	codeRising = 0x09 // and a count, the first number, and what each further one has more
	codeSmall  = 0x10 // and up: the numbers from 0
	codeWord   = 0x80 // and up: the first words
	codeFar    = 0xf0 // and up, and a byte: the further words

	nearWords = codeFar - codeWord
	farWords  = (0x100 - codeFar) << 8
)

// Bounds for the size of values in forged links.
const (
	maxBytes = 32 << 10
	maxDepth = 12
)

// errLink: the link holds a value that no letter writes.
var errLink = errors.New("the link is damaged")

func pack(words []string, value []byte) ([]byte, error) {
	places := make(map[string]int, len(words))
	for i, w := range words {
		if _, twice := places[w]; !twice && i < nearWords+farWords {
			places[w] = i
		}
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	p := packer{words: places, in: d}
	if err := p.value(); err != nil {
		return nil, fmt.Errorf("pack a view: %w", err)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(p.out)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// packer packs the tokens of a value.
type packer struct {
	words map[string]int
	in    *json.Decoder
	out   []byte
}

func (p *packer) value() error {
	t, err := p.in.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case nil:
		p.out = append(p.out, codeNull)
	case bool:
		p.out = append(p.out, codeFalse)
		if t {
			p.out[len(p.out)-1] = codeTrue
		}
	case string:
		p.text(t)
	case json.Number:
		p.number(t)
	case json.Delim:
		if t == '{' {
			return p.members()
		}
		return p.elements()
	}
	return nil
}

func (p *packer) text(s string) {
	i, known := p.words[s]
	switch {
	case !known:
		p.out = append(binary.AppendUvarint(append(p.out, codeText), uint64(len(s))), s...)
	case i < nearWords:
		p.out = append(p.out, byte(codeWord+i))
	default:
		i -= nearWords
		p.out = append(p.out, byte(codeFar+i>>8), byte(i))
	}
}

func (p *packer) number(n json.Number) {
	i, err := strconv.ParseInt(string(n), 10, 64)
	switch {
	case err != nil || strconv.FormatInt(i, 10) != string(n):
		p.out = append(binary.AppendUvarint(append(p.out, codeNumber), uint64(len(n))), n...)
	case i >= 0 && i < codeWord-codeSmall:
		p.out = append(p.out, byte(codeSmall+i))
	default:
		p.out = binary.AppendVarint(append(p.out, codeInt), i)
	}
}

func (p *packer) members() error {
	p.out = append(p.out, codeObject)
	for p.in.More() {
		if err := p.value(); err != nil { // the key
			return err
		}
		if err := p.value(); err != nil {
			return err
		}
	}
	_, err := p.in.Token()
	p.out = append(p.out, codeEnd)
	return err
}

func (p *packer) elements() error {
	begun := len(p.out)
	p.out = append(p.out, codeArray)
	var rising []uint64
	is := true
	for p.in.More() {
		from := len(p.out)
		if err := p.value(); err != nil {
			return err
		}
		n, ok := natural(p.out[from:])
		is = is && ok && (len(rising) == 0 || n > rising[len(rising)-1])
		rising = append(rising, n)
	}
	_, err := p.in.Token()
	if !is || len(rising) < 2 {
		p.out = append(p.out, codeEnd)
		return err
	}
	p.out = binary.AppendUvarint(append(p.out[:begun], codeRising), uint64(len(rising)))
	last := uint64(0)
	for _, n := range rising {
		p.out, last = binary.AppendUvarint(p.out, n-last), n
	}
	return err
}

// natural is the number of a packed value, if it is a number and not negative.
func natural(packed []byte) (uint64, bool) {
	switch c := packed[0]; {
	case c >= codeSmall && c < codeWord:
		return uint64(c - codeSmall), true
	case c == codeInt:
		n, _ := binary.Varint(packed[1:])
		return uint64(n), n >= 0
	}
	return 0, false
}

// unpack reverses pack.
func unpack(words []string, packed []byte) ([]byte, error) {
	in, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxBytes+1))
	if err != nil || len(in) > maxBytes {
		return nil, errLink
	}
	u := unpacker{words: words, in: in}
	if err := u.value(0); err != nil || len(u.in) > 0 {
		return nil, errLink
	}
	return u.out, nil
}

// unpacker writes JSON; in is the unread input.
type unpacker struct {
	words   []string
	in, out []byte
}

func (u *unpacker) next() (byte, error) {
	if len(u.in) == 0 || len(u.out) > 4*maxBytes {
		return 0, errLink
	}
	c := u.in[0]
	u.in = u.in[1:]
	return c, nil
}

func (u *unpacker) value(deep int) error {
	c, err := u.next()
	if err != nil || deep > maxDepth {
		return errLink
	}
	switch {
	case c >= codeWord || c == codeText:
		return u.text(c)
	case c >= codeSmall:
		u.out = strconv.AppendInt(u.out, int64(c-codeSmall), 10)
		return nil
	}
	switch c {
	case codeNull, codeFalse, codeTrue:
		u.out = append(u.out, [...]string{"null", "false", "true"}[c]...)
	case codeInt:
		n, size := binary.Varint(u.in)
		if size <= 0 {
			return errLink
		}
		u.in, u.out = u.in[size:], strconv.AppendInt(u.out, n, 10)
	case codeNumber:
		return u.number()
	case codeObject:
		return u.list('{', '}', func(int) error {
			c, err := u.next()
			if err == nil {
				err = u.text(c)
			}
			if err != nil {
				return err
			}
			u.out = append(u.out, ':')
			return u.value(deep + 1)
		})
	case codeArray:
		return u.list('[', ']', func(int) error { return u.value(deep + 1) })
	case codeRising:
		return u.rising()
	default:
		return errLink
	}
	return nil
}

// text writes the string that begins with a byte.
func (u *unpacker) text(c byte) error {
	var s string
	switch i := int(c) - codeWord; {
	case c == codeText:
		b, err := u.bytes()
		if err != nil {
			return err
		}
		s = string(b)
	case i >= nearWords:
		low, err := u.next()
		if err != nil {
			return err
		}
		if i = (i-nearWords)<<8 + int(low) + nearWords; i >= len(u.words) {
			return errLink
		}
		s = u.words[i]
	case i < 0 || i >= len(u.words):
		return errLink
	default:
		s = u.words[i]
	}
	quoted, err := json.Marshal(s)
	u.out = append(u.out, quoted...)
	return err
}

// bytes reads a length and that number of bytes.
func (u *unpacker) bytes() ([]byte, error) {
	n, size := binary.Uvarint(u.in)
	if size <= 0 || n > uint64(len(u.in)-size) {
		return nil, errLink
	}
	b := u.in[size:][:n]
	u.in = u.in[size+int(n):]
	return b, nil
}

// number writes a number as JSON has it.
func (u *unpacker) number() error {
	n, err := u.bytes()
	if err != nil || len(n) == 0 || n[0] != '-' && (n[0] < '0' || n[0] > '9') || !json.Valid(n) {
		return errLink
	}
	u.out = append(u.out, n...)
	return nil
}

// list writes the values up to codeEnd between two brackets.
func (u *unpacker) list(open, end byte, each func(n int) error) error {
	u.out = append(u.out, open)
	for n := 0; ; n++ {
		if len(u.in) > 0 && u.in[0] == codeEnd {
			u.in, u.out = u.in[1:], append(u.out, end)
			return nil
		}
		if n > 0 {
			u.out = append(u.out, ',')
		}
		if err := each(n); err != nil {
			return err
		}
	}
}

func (u *unpacker) rising() error {
	count, size := binary.Uvarint(u.in)
	if size <= 0 || count > uint64(len(u.in)-size) {
		return errLink
	}
	u.in, u.out = u.in[size:], append(u.out, '[')
	last := uint64(0)
	for i := range count {
		n, size := binary.Uvarint(u.in)
		if size <= 0 || n > math.MaxInt32 {
			return errLink
		}
		if i > 0 {
			u.out = append(u.out, ',')
		}
		last += n
		u.in, u.out = u.in[size:], strconv.AppendUint(u.out, last, 10)
	}
	u.out = append(u.out, ']')
	return nil
}
