package record

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// specialBytes marks the bytes of a string that need a check: its end, escapes, control characters and non-ASCII bytes.
var specialBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	}
	return t
}()

// canonicalParser converts JSON text to canonical form in one pass: {"b": 1, "a": 2} -> {"a":2,"b":1}. It handles the
// usual content of records: integers of at most fifteen digits, strings with canonical escapes, and ASCII names. For
// other input its methods return false, and the caller uses a library. The methods append to out.
type canonicalParser struct {
	input  []byte
	offset int
	depth  int
	*scratch
}

type scratch struct {
	// members are the members of all open objects.
	members []member
	sorted  []byte
}

// member holds the offsets of a member in the output: of the start of its name, of its colon and of its end.
type member struct{ start, colon, end int }

const maxDepth = 200

const maxDigits = 15

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// canonicalizeFast appends the canonical form of JSON text to dst. For invalid JSON, and for input that it does not handle, it returns dst
// unchanged and false.
func canonicalizeFast(dst, data []byte) ([]byte, bool) {
	if !utf8.Valid(data) {
		return dst, false
	}
	p := canonicalParser{input: data, scratch: scratchPool.Get().(*scratch)}
	p.members = p.members[:0]
	defer scratchPool.Put(p.scratch)
	out, ok := p.parseValue(dst)
	p.skipSpace()
	if !ok || p.offset < len(p.input) {
		return dst, false
	}
	return out, true
}

// skipSpace skips white space and returns the next byte, or 0 at the end.
func (p *canonicalParser) skipSpace() byte {
	for ; p.offset < len(p.input); p.offset++ {
		switch c := p.input[p.offset]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (p *canonicalParser) parseValue(out []byte) ([]byte, bool) {
	switch p.skipSpace() {
	case '{':
		return p.parseObject(out)
	case '[':
		return p.parseMembers(out, ']')
	case '"':
		out, _, ok := p.parseString(out)
		return out, ok
	case 't':
		return p.parseWord(out, "true")
	case 'f':
		return p.parseWord(out, "false")
	case 'n':
		return p.parseWord(out, "null")
	}
	return p.parseNumber(out)
}

func (p *canonicalParser) parseWord(out []byte, w string) ([]byte, bool) {
	if !bytes.HasPrefix(p.input[p.offset:], []byte(w)) {
		return out, false
	}
	p.offset += len(w)
	return append(out, w...), true
}

// parseNumber copies an integer. It stops before a fraction or an exponent, which the caller then refuses as an unexpected byte.
func (p *canonicalParser) parseNumber(out []byte) ([]byte, bool) {
	from := p.offset
	if p.offset < len(p.input) && p.input[p.offset] == '-' {
		p.offset++
	}
	digits := p.offset
	for p.offset < len(p.input) && '0' <= p.input[p.offset] && p.input[p.offset] <= '9' {
		p.offset++
	}
	n := p.offset - digits
	if n == 0 || n > maxDigits || p.input[digits] == '0' && p.offset-from > 1 {
		return out, false
	}
	return append(out, p.input[from:p.offset]...), true
}

// parseString copies a string. isPlain reports whether it is ASCII without escapes.
func (p *canonicalParser) parseString(out []byte) (_ []byte, isPlain, ok bool) {
	from := p.offset
	isPlain = true
	for p.offset++; p.offset < len(p.input); p.offset++ {
		c := p.input[p.offset]
		if !specialBytes[c] {
			continue
		}
		switch {
		case c == '"':
			p.offset++
			return append(out, p.input[from:p.offset]...), isPlain, true
		case c == '\\':
			isPlain = false
			p.offset++
			// All two-character escapes are canonical except the escape of the slash.
			if p.offset == len(p.input) || strings.IndexByte(`"\bfnrt`, p.input[p.offset]) < 0 {
				return out, false, false
			}
		case c < ' ':
			return out, false, false
		default:
			isPlain = false
		}
	}
	return out, false, false
}

func (p *canonicalParser) parseMembers(out []byte, closing byte) ([]byte, bool) {
	if p.depth++; p.depth > maxDepth {
		return out, false
	}
	out = append(out, p.input[p.offset])
	p.offset++
	for isEmpty := true; ; isEmpty = false {
		switch c := p.skipSpace(); {
		case c == closing:
			p.offset++
			p.depth--
			return append(out, c), true
		case isEmpty:
		case c == ',':
			out = append(out, c)
			p.offset++
		default:
			return out, false
		}
		ok := false
		if closing == '}' {
			out, ok = p.parseMember(out)
		} else {
			out, ok = p.parseValue(out)
		}
		if !ok {
			return out, false
		}
	}
}

func (p *canonicalParser) parseObject(out []byte) ([]byte, bool) {
	firstMember, start := len(p.members), len(out)+1
	out, ok := p.parseMembers(out, '}')
	if !ok || !p.sortMembers(out, start, p.members[firstMember:]) {
		return out, false
	}
	p.members = p.members[:firstMember]
	return out, true
}

func (p *canonicalParser) parseMember(out []byte) ([]byte, bool) {
	if p.skipSpace() != '"' {
		return out, false
	}
	m := member{start: len(out)}
	out, isPlain, ok := p.parseString(out)
	if !ok || !isPlain || p.skipSpace() != ':' {
		return out, false
	}
	p.offset++
	m.colon = len(out)
	if out, ok = p.parseValue(append(out, ':')); !ok {
		return out, false
	}
	m.end = len(out)
	p.members = append(p.members, m)
	return out, true
}

// sortMembers sorts the members of an object. The first member begins at out[start]. It returns false for duplicate names.
func (p *canonicalParser) sortMembers(out []byte, start int, members []member) bool {
	byName := func(a, b member) int { return bytes.Compare(a.name(out), b.name(out)) }
	isSorted := true
	for i := 1; i < len(members) && isSorted; i++ {
		isSorted = byName(members[i-1], members[i]) < 0
	}
	if isSorted {
		return true
	}
	if len(members) == 2 { // a fast path: positions contain many objects with one number for each side
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
		rest = append(rest, out[m.start:m.end]...)
	}
	copy(out[start:], rest)
	p.sorted = rest
	return true
}

func (m member) name(out []byte) []byte { return out[m.start+1 : m.colon-1] }
