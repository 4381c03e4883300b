package record

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// isSpecial marks the bytes of a string that need a check: its end, escapes, control characters and
// non-ASCII bytes.
var isSpecial = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	}
	return t
}()

// canonicalParser converts JSON text to canonical form in one pass. It handles the usual content of
// records: integers of at most fifteen digits, strings with canonical escapes, and ASCII names. For
// other input its methods return false, and the caller uses a library. The methods append to out.
type canonicalParser struct {
	in    []byte
	at    int
	depth int
	*scratch
}

type scratch struct {
	// members are the members of all open objects.
	members []member
	sorted  []byte
}

// member is the position of a member in the output: its name, colon and end.
type member struct{ from, colon, end int }

const maxDepth = 200

const maxDigits = 15

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// canonicalizeFast appends JSON text in canonical form. It returns false, and dst unchanged, for
// invalid JSON and for input that it does not handle.
func canonicalizeFast(dst, data []byte) ([]byte, bool) {
	if !utf8.Valid(data) {
		return dst, false
	}
	p := canonicalParser{in: data, scratch: scratchPool.Get().(*scratch)}
	p.members = p.members[:0]
	defer scratchPool.Put(p.scratch)
	out, ok := p.value(dst)
	p.space()
	if !ok || p.at < len(p.in) {
		return dst, false
	}
	return out, true
}

// space skips white space and returns the next byte, or 0 at the end.
func (p *canonicalParser) space() byte {
	for ; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (p *canonicalParser) value(out []byte) ([]byte, bool) {
	switch p.space() {
	case '{':
		return p.object(out)
	case '[':
		return p.list(out, ']')
	case '"':
		out, _, ok := p.text(out)
		return out, ok
	case 't':
		return p.word(out, "true")
	case 'f':
		return p.word(out, "false")
	case 'n':
		return p.word(out, "null")
	}
	return p.number(out)
}

func (p *canonicalParser) word(out []byte, w string) ([]byte, bool) {
	if !bytes.HasPrefix(p.in[p.at:], []byte(w)) {
		return out, false
	}
	p.at += len(w)
	return append(out, w...), true
}

// number copies an integer. Fractions and exponents fail at the next byte.
func (p *canonicalParser) number(out []byte) ([]byte, bool) {
	from := p.at
	if p.at < len(p.in) && p.in[p.at] == '-' {
		p.at++
	}
	digits := p.at
	for p.at < len(p.in) && '0' <= p.in[p.at] && p.in[p.at] <= '9' {
		p.at++
	}
	n := p.at - digits
	if n == 0 || n > maxDigits || p.in[digits] == '0' && p.at-from > 1 {
		return out, false
	}
	return append(out, p.in[from:p.at]...), true
}

// text copies a string. plain reports whether it is ASCII without escapes.
func (p *canonicalParser) text(out []byte) (_ []byte, plain, ok bool) {
	from := p.at
	plain = true
	for p.at++; p.at < len(p.in); p.at++ {
		c := p.in[p.at]
		if !isSpecial[c] {
			continue
		}
		switch {
		case c == '"':
			p.at++
			return append(out, p.in[from:p.at]...), plain, true
		case c == '\\':
			plain = false
			p.at++
			// All two-character escapes are canonical except that of the slash.
			if p.at == len(p.in) || strings.IndexByte(`"\bfnrt`, p.in[p.at]) < 0 {
				return out, false, false
			}
		case c < ' ':
			return out, false, false
		default:
			plain = false
		}
	}
	return out, false, false
}

// list copies the content between brackets.
func (p *canonicalParser) list(out []byte, closing byte) ([]byte, bool) {
	if p.depth++; p.depth > maxDepth {
		return out, false
	}
	out = append(out, p.in[p.at])
	p.at++
	for empty := true; ; empty = false {
		switch c := p.space(); {
		case c == closing:
			p.at++
			p.depth--
			return append(out, c), true
		case empty:
		case c == ',':
			out = append(out, c)
			p.at++
		default:
			return out, false
		}
		ok := false
		if closing == '}' {
			out, ok = p.member(out)
		} else {
			out, ok = p.value(out)
		}
		if !ok {
			return out, false
		}
	}
}

func (p *canonicalParser) object(out []byte) ([]byte, bool) {
	begin, at := len(p.members), len(out)+1
	out, ok := p.list(out, '}')
	if !ok || !p.sort(out, at, p.members[begin:]) {
		return out, false
	}
	p.members = p.members[:begin]
	return out, true
}

func (p *canonicalParser) member(out []byte) ([]byte, bool) {
	if p.space() != '"' {
		return out, false
	}
	m := member{from: len(out)}
	out, plain, ok := p.text(out)
	if !ok || !plain || p.space() != ':' {
		return out, false
	}
	p.at++
	m.colon = len(out)
	if out, ok = p.value(append(out, ':')); !ok {
		return out, false
	}
	m.end = len(out)
	p.members = append(p.members, m)
	return out, true
}

// sort sorts the members of an object, which starts at index at of the output. It returns false for
// duplicate names.
func (p *canonicalParser) sort(out []byte, at int, members []member) bool {
	byName := func(a, b member) int { return bytes.Compare(a.name(out), b.name(out)) }
	sorted := true
	for i := 1; i < len(members) && sorted; i++ {
		sorted = byName(members[i-1], members[i]) < 0
	}
	if sorted {
		return true
	}
	if len(members) == 2 { // the numbers of two sides, of which positions are full
		members[0], members[1] = members[1], members[0]
	} else {
		slices.SortFunc(members, byName)
	}
	rest := p.sorted[:0]
	for i, m := range members {
		if i > 0 {
			if byName(members[i-1], m) == 0 {
				return false
			}
			rest = append(rest, ',')
		}
		rest = append(rest, out[m.from:m.end]...)
	}
	copy(out[at:], rest)
	p.sorted = rest
	return true
}

// name returns the name of a member without quotation marks.
func (m member) name(out []byte) []byte { return out[m.from+1 : m.colon-1] }
