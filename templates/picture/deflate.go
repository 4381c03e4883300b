package picture

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
	"slices"
)

// token is a part of what is compressed (RFC 1951): a byte as it is, or a copy of what was before.
// It has the symbol of the byte or the length in 9 bits, and for a copy then the length's extra bits in 5, the
// distance's symbol in 5 and its extra bits in 13.
type token uint32

func literal(b byte) token { return token(b) }

const (
	endOfBlock  = 256
	firstLength = 257
	lengths     = firstLength + 29
	distances   = 30
	// longestCode is that of a symbol, longestOfLengths that of the lengths of codes.
	longestCode, longestOfLengths = 15, 7
)

// extra are how many bits follow a symbol, by symbol.
var extra = func() (out [lengths + distances]uint8) {
	for i := 8; i < 28; i++ {
		out[firstLength+i] = uint8(i/4 - 1)
	}
	for i := 4; i < distances; i++ {
		out[lengths+i] = uint8(i/2 - 1)
	}
	return out
}()

// lengthTokens are the lower 14 bits of a token that copies, by length.
var lengthTokens = func() (out [longest + 1]token) {
	n := 3
	for s := firstLength; s < lengths-1; s++ {
		for k := range 1 << extra[s] {
			out[min(n, longest)] = token(s | k<<9)
			n++
		}
	}
	out[longest] = lengths - 1
	return out
}()

// copied is a copy of a length of what was at a distance.
func copied(length, distance int) token {
	d := uint32(distance - 1)
	if d < 4 {
		return lengthTokens[length] | token(d)<<14
	}
	n := uint32(bits.Len32(d)) - 2
	return lengthTokens[length] | token(2*n+d>>n)<<14 | token(d&(1<<n-1))<<19
}

// adler is the sum of RFC 1950, section 8.
type adler struct{ a, b uint32 }

const adlerBase = 65521

func adlerOf(b []byte) adler {
	n := adler32.Checksum(b)
	return adler{n & 0xffff, n >> 16}
}

// join is the sum of what s is of, and then what t is of, which are n bytes.
func (s adler) join(t adler, n int) adler {
	return adler{(s.a + t.a + adlerBase - 1) % adlerBase, (s.b + t.b + uint32(uint64(s.a+adlerBase-1)*uint64(n)%adlerBase)) % adlerBase}
}

// deflater writes blocks of tokens. The zero value is ready.
type deflater struct {
	out  []byte
	bits uint64
	size uint
	// codes are those of a block's symbols: of bytes and lengths, and of distances from lengths on.
	counts [lengths + distances]uint32
	codes  [lengths + distances]code
	// sorted and order are kept from one code to the next.
	sorted []uint64
	order  []node
}

// code is a symbol's code, its bits in the order in which they are written.
type code struct {
	bits uint16
	size uint8
}

func (d *deflater) put(v uint64, n uint) {
	d.bits |= v << d.size
	d.size += n
	for d.size >= 8 {
		d.out = append(d.out, byte(d.bits))
		d.bits >>= 8
		d.size -= 8
	}
}

// flush fills the last byte up.
func (d *deflater) flush() {
	if d.size > 0 {
		d.out = append(d.out, byte(d.bits))
	}
	d.bits, d.size = 0, 0
}

// block writes a block with codes of its own.
func (d *deflater) block(parts [][]token, last bool) {
	clear(d.counts[:])
	d.counts[endOfBlock] = 1
	n := 0
	for _, tokens := range parts {
		n += len(tokens)
		for _, t := range tokens {
			s := t & 0x1ff
			d.counts[s]++
			if s > endOfBlock {
				d.counts[lengths+t>>14&31]++
			}
		}
	}
	d.assign(d.codes[:lengths], d.counts[:lengths], longestCode)
	d.assign(d.codes[lengths:], d.counts[lengths:], longestCode)
	const ownCodes = 2 << 1
	if last {
		d.put(ownCodes|1, 3)
	} else {
		d.put(ownCodes, 3)
	}
	d.head()
	// A token takes at most 48 bits.
	d.out = slices.Grow(d.out, 6*n+16)
	for _, tokens := range parts {
		d.tokens(tokens)
	}
	end := d.codes[endOfBlock]
	d.put(uint64(end.bits), uint(end.size))
}

// tokens writes tokens, for which there is room.
func (d *deflater) tokens(tokens []token) {
	out, at := d.out[:cap(d.out)], len(d.out)
	acc, size := d.bits, d.size
	for _, t := range tokens {
		s := t & 0x1ff
		c := d.codes[s]
		acc |= uint64(c.bits) << size
		size += uint(c.size)
		if s > endOfBlock {
			acc |= uint64(t>>9&31) << size
			size += uint(extra[s])
			o := lengths + t>>14&31
			c = d.codes[o]
			acc |= uint64(c.bits) << size
			size += uint(c.size)
			acc |= uint64(t>>19) << size
			size += uint(extra[o])
		}
		binary.LittleEndian.PutUint64(out[at:], acc)
		at += int(size >> 3)
		acc >>= size &^ 7
		size &= 7
	}
	d.out, d.bits, d.size = out[:at], acc, size
}

// codeOrder is the order in which the lengths of the codes of lengths are written.
var codeOrder = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// head writes the lengths of a block's codes.
func (d *deflater) head() {
	used := func(codes []code, least int) int {
		n := len(codes)
		for n > least && codes[n-1].size == 0 {
			n--
		}
		return n
	}
	a, b := used(d.codes[:lengths], firstLength), used(d.codes[lengths:], 1)
	signs := signsOf(append(slices.Clone(d.codes[:a]), d.codes[lengths:lengths+b]...))
	var counts [len(codeOrder)]uint32
	var codes [len(codeOrder)]code
	for _, s := range signs {
		counts[s.symbol]++
	}
	d.assign(codes[:], counts[:], longestOfLengths)
	n := len(codeOrder)
	for n > 4 && codes[codeOrder[n-1]].size == 0 {
		n--
	}
	d.put(uint64(a-firstLength), 5)
	d.put(uint64(b-1), 5)
	d.put(uint64(n-4), 4)
	for _, s := range codeOrder[:n] {
		d.put(uint64(codes[s].size), 3)
	}
	for _, s := range signs {
		d.put(uint64(codes[s.symbol].bits), uint(codes[s.symbol].size))
		if s.symbol > longestCode {
			d.put(uint64(s.count), [...]uint{2, 3, 7}[s.symbol-longestCode-1])
		}
	}
}

// sign is the length of a code, or says how often one comes again, or 0 comes.
type sign struct{ symbol, count uint8 }

// signsOf writes the lengths of codes.
func signsOf(codes []code) (signs []sign) {
	for i := 0; i < len(codes); {
		n, size := 1, codes[i].size
		for i+n < len(codes) && codes[i+n].size == size {
			n++
		}
		i += n
		if size > 0 {
			signs = append(signs, sign{size, 0})
			n--
		}
		for n > 0 {
			k := 1
			switch {
			case size == 0 && n > 10:
				k = min(n, 138)
				signs = append(signs, sign{18, uint8(k - 11)})
			case size == 0 && n > 2:
				k = n
				signs = append(signs, sign{17, uint8(k - 3)})
			case size > 0 && n > 2:
				k = min(n, 6)
				signs = append(signs, sign{16, uint8(k - 3)})
			default:
				signs = append(signs, sign{size, 0})
			}
			n -= k
		}
	}
	return signs
}
