package picture

import (
	"math/bits"
	"slices"
)

// node is a symbol, or two nodes below it, with how often they come and how deep it lies.
type node struct {
	count  uint32
	symbol int16
	below  [2]int16
	depth  int
}

// assign gives symbols codes by how often they come (Huffman's), none longer than most. Symbols that do not
// come have none. A single one gets a code of one bit, and none at all one for the first: not all
// programs read anything else.
func (d *deflater) assign(codes []code, counts []uint32, most int) {
	clear(codes)
	d.sorted = d.sorted[:0]
	for s, n := range counts {
		if n > 0 {
			d.sorted = append(d.sorted, uint64(n)<<16|uint64(s))
		}
	}
	leaves := len(d.sorted)
	if leaves < 2 {
		s := 0
		if leaves == 1 {
			s = int(uint16(d.sorted[0]))
		}
		codes[s].size = 1
		return
	}
	slices.Sort(d.sorted)
	d.order = d.order[:0]
	for _, x := range d.sorted {
		d.order = append(d.order, node{count: uint32(x >> 16), symbol: int16(uint16(x))})
	}
	for !d.deep(codes, most) {
		// The rare ones come oftener, which keeps their order.
		d.order = d.order[:leaves]
		for i := range d.order {
			d.order[i].count = d.order[i].count/2 + 1
		}
	}
	canonical(codes)
}

// deep joins the rarest nodes again and again, and tells how long the codes are; false if one is too long.
func (d *deflater) deep(codes []code, most int) bool {
	leaves := len(d.order)
	leaf, joined := 0, leaves
	rarest := func() int16 {
		if leaf < leaves && (joined == len(d.order) || d.order[leaf].count <= d.order[joined].count) {
			leaf++
			return int16(leaf - 1)
		}
		joined++
		return int16(joined - 1)
	}
	for len(d.order) < 2*leaves-1 {
		a := rarest()
		b := rarest()
		d.order = append(d.order, node{count: d.order[a].count + d.order[b].count, symbol: -1, below: [2]int16{a, b}})
	}
	// Nodes stand behind those below them, the root last.
	for i := len(d.order) - 1; i >= 0; i-- {
		n := d.order[i]
		if n.symbol < 0 {
			d.order[n.below[0]].depth, d.order[n.below[1]].depth = n.depth+1, n.depth+1
			continue
		}
		if n.depth > most {
			return false
		}
		codes[n.symbol].size = uint8(n.depth)
	}
	return true
}

// canonical gives the codes of RFC 1951, section 3.2.2, to the sizes that they have.
func canonical(codes []code) {
	var next [longestCode + 2]uint16
	for _, c := range codes {
		if c.size > 0 {
			next[c.size+1]++
		}
	}
	for i := 1; i < len(next); i++ {
		next[i] = (next[i] + next[i-1]) << 1
	}
	for i, c := range codes {
		if c.size > 0 {
			codes[i].bits = bits.Reverse16(next[c.size]) >> (16 - c.size)
			next[c.size]++
		}
	}
}
