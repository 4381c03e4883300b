package picture

import (
	"encoding/binary"
	"math/bits"
)

// The rows of an image are compressed by bands. What a band becomes depends on its place, on itself
// and on the two bands above it, and on nothing else: so one that was there before, below the same
// two, needs no work, whatever else has changed, and gives the same bytes as if it were new.

const (
	// bandRows is how many rows a band has, if three such bands are within reach of a match.
	bandRows = 24
	// reach is how far back a match may be.
	reach = 32 << 10
	// shortest and longest are what a match may be of.
	shortest, longest = 4, 258
	// good is a match so long that no better one is looked for.
	good = 32
	// mostBands bounds the bytes of bands that are remembered.
	mostBands = 8 << 20
)

// band is a band that was seen: its number, and its sum.
type band struct {
	number uint32
	sum    adler
}

// finder makes tokens of an image's rows. The zero value is ready.
type finder struct {
	// bands are those that were seen, by their bytes, and found is what they became, by where they
	// begin, the numbers of the two above and their own; 0 is none. They belong to rows of a size.
	bands  map[string]band
	found  map[[4]uint32][]token
	stride int
	held   int

	// b are the rows that are being compressed, with some bytes behind them, and start is
	// where the window of the band begins.
	b     []byte
	start int
	// seen has the last two places at which four bytes were, by their hash. They count from base
	// on: so they need not be cleared for each image.
	seen [1 << hashBits][2]int32
	base int32
	// done is up to where places are in seen, a multiple of eight as start is: what is in seen of a
	// window must not depend on where it was begun.
	done   int
	tokens []token
}

const hashBits = 13

// room is how many bytes have to be behind what is compressed.
const room = 8

// compress makes tokens of rows, band by band, and gives each to take. Room follows the rows.
func (f *finder) compress(b []byte, size, stride int, take func([]token)) adler {
	if f.stride != stride || f.held > mostBands || f.bands == nil {
		f.bands, f.found, f.stride, f.held = map[string]band{}, map[[4]uint32][]token{}, stride, 0
	}
	if f.base == 0 || f.base > 1<<30 {
		clear(f.seen[:])
		f.base = reach
	}
	f.b, f.done = b, 0
	rows := min(bandRows, max(1, reach/stride/3)) * stride
	sum := adler{1, 0}
	var key [4]uint32
	for from := 0; from < size; from += rows {
		to := min(from+rows, size)
		k, ok := f.bands[string(b[from:to])]
		if !ok {
			k = band{uint32(len(f.bands) + 1), adlerOf(b[from:to])}
			f.bands[string(b[from:to])] = k
			f.held += to - from + 100
		}
		sum = sum.join(k.sum, to-from)
		key = [4]uint32{uint32(from), key[2], key[3], k.number}
		tokens, ok := f.found[key]
		if !ok {
			// What is looked for begins in the window's second row: the first one tells what is new in it.
			f.start = (max(0, from-2*rows+stride) + 7) &^ 7
			tokens = append(tokens, f.find(from, to)...)
			f.found[key] = tokens
			f.held += 4*len(tokens) + 100
		}
		take(tokens)
	}
	f.base += int32(size) + reach // The next image sees none of this one.
	return sum
}

func hash(v uint64) uint64 { return uint64(uint32(v)*0x9E3779B1) >> (32 - hashBits) }

// see notes the places before i. Where a row is as the one above it nothing is new.
func (f *finder) see(i int) {
	if f.done < f.start {
		f.done = f.start
	}
	for f.done+8 <= i {
		at := f.done
		f.done += 8
		v := binary.LittleEndian.Uint64(f.b[at:])
		if at >= f.stride && v == binary.LittleEndian.Uint64(f.b[at-f.stride:]) {
			continue
		}
		v2 := uint64(binary.LittleEndian.Uint32(f.b[at+8:]))
		for k := range 8 {
			h := hash(v)
			f.seen[h][1], f.seen[h][0] = f.seen[h][0], f.base+int32(at+k)
			v = v>>8 | v2<<56
			v2 >>= 8
		}
	}
}

// alike is how many bytes at i are as those at j, up to most.
func (f *finder) alike(i, j, most int) int {
	for n := 0; n < most; n += 8 {
		if x := binary.LittleEndian.Uint64(f.b[i+n:]) ^ binary.LittleEndian.Uint64(f.b[j+n:]); x != 0 {
			return min(most, n+bits.TrailingZeros64(x)/8)
		}
	}
	return most
}

// match finds the longest match at i, if it is longer than best.
func (f *finder) match(i, to, best int) (length, distance int) {
	most := min(longest, to-i)
	if most <= best {
		return 0, 0
	}
	b, v := f.b, binary.LittleEndian.Uint32(f.b[i:])
	try := func(j int) bool {
		if binary.LittleEndian.Uint32(b[j:]) == v && b[j+best] == b[i+best] {
			if n := f.alike(i, j, most); n > best {
				best, length, distance = n, n, i-j
			}
		}
		return best >= good || best == most
	}
	if i > f.stride && try(i-f.stride) || i > 0 && try(i-1) {
		return length, distance
	}
	f.see(i)
	for _, at := range f.seen[hash(uint64(v))] {
		if j := int(at - f.base); j < f.start || try(j) {
			break
		}
	}
	return length, distance
}

// find makes the tokens of a band. They are good until the next.
func (f *finder) find(from, to int) []token {
	out := f.tokens[:0]
	length, distance := 0, 0
	for i := from; i < to; {
		if length == 0 {
			length, distance = f.match(i, to, shortest-1)
		}
		if length == 0 {
			out = append(out, literal(f.b[i]))
			i++
			continue
		}
		if length < good {
			// The next byte may begin a longer one.
			if l, d := f.match(i+1, to, length); l > 0 {
				out = append(out, literal(f.b[i]))
				i++
				length, distance = l, d
				continue
			}
		}
		out = append(out, copied(length, distance))
		i += length
		length = 0
	}
	f.tokens = out
	return out
}
