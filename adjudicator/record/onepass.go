package record

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// pass writes JSON text in canonical form while it reads it. It knows what records are
// mostly made of: integers that have at most fifteen digits, strings without escapes but
// those that canonical form has, and members with names of plain ASCII. At anything else it
// stops, and somebody else has to do it.
type pass struct {
	in  []byte
	at  int
	out []byte
	// members are those of the objects that are open, one object behind the other.
	members []member
	sorted  []byte
	depth   int
}

// member is where a member of an object stands in what was written: its name, the colon, and
// its value.
type member struct{ from, colon, end int }

// deepest is how deep values may stand in each other.
const deepest = 200

// mostDigits is how many digits an integer may have so that no limit has to be thought of.
const mostDigits = 15

var passes = sync.Pool{New: func() any { return new(pass) }}

// onePass appends JSON text in canonical form. It returns false, and dst as it was, if
// the text is no JSON or has anything that is not known here.
func onePass(dst, data []byte) ([]byte, bool) {
	if !utf8.Valid(data) {
		return dst, false
	}
	p := passes.Get().(*pass)
	p.in, p.at, p.out, p.members, p.depth = data, 0, dst, p.members[:0], 0
	ok := p.value()
	p.space()
	ok = ok && p.at == len(p.in)
	if ok {
		dst = p.out
	}
	p.in, p.out = nil, nil
	passes.Put(p)
	return dst, ok
}

// space passes over white space, and returns the byte behind it, 0 at the end.
func (p *pass) space() byte {
	for ; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (p *pass) value() bool {
	switch p.space() {
	case '{':
		return p.object()
	case '[':
		return p.list(']', (*pass).value)
	case '"':
		_, ok := p.text()
		return ok
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	}
	return p.number()
}

func (p *pass) word(w string) bool {
	if !bytes.HasPrefix(p.in[p.at:], []byte(w)) {
		return false
	}
	p.at += len(w)
	p.out = append(p.out, w...)
	return true
}

// number is an integer. A fraction or an exponent behind it is nothing that may follow.
func (p *pass) number() bool {
	from := p.at
	if p.at < len(p.in) && p.in[p.at] == '-' {
		p.at++
	}
	digits := p.at
	for p.at < len(p.in) && '0' <= p.in[p.at] && p.in[p.at] <= '9' {
		p.at++
	}
	n := p.at - digits
	if n == 0 || n > mostDigits || p.in[digits] == '0' && p.at-from > 1 {
		return false
	}
	p.out = append(p.out, p.in[from:p.at]...)
	return true
}

// text is a string. It reports whether that is of ASCII without escapes.
func (p *pass) text() (plain, ok bool) {
	from := p.at
	plain = true
	for p.at++; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; {
		case c == '"':
			p.at++
			p.out = append(p.out, p.in[from:p.at]...)
			return plain, true
		case c == '\\':
			plain = false
			p.at++
			// Of the escapes of two characters all are canonical but that of the slash.
			if p.at == len(p.in) || strings.IndexByte(`"\bfnrt`, p.in[p.at]) < 0 {
				return false, false
			}
		case c < ' ':
			return false, false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return false, false
}

// list is what stands between an opening bracket and a closing one.
func (p *pass) list(closing byte, item func(*pass) bool) bool {
	if p.depth++; p.depth > deepest {
		return false
	}
	p.out = append(p.out, p.in[p.at])
	p.at++
	for empty := true; ; empty = false {
		switch c := p.space(); {
		case c == closing:
			p.out = append(p.out, c)
			p.at++
			p.depth--
			return true
		case empty:
		case c == ',':
			p.out = append(p.out, c)
			p.at++
		default:
			return false
		}
		if !item(p) {
			return false
		}
	}
}

func (p *pass) object() bool {
	begin := len(p.members)
	at := len(p.out) + 1
	if !p.list('}', (*pass).member) {
		return false
	}
	ok := p.sort(at, p.members[begin:])
	p.members = p.members[:begin]
	return ok
}

func (p *pass) member() bool {
	if p.space() != '"' {
		return false
	}
	m := member{from: len(p.out)}
	if plain, ok := p.text(); !ok || !plain {
		return false
	}
	m.colon = len(p.out)
	if p.space() != ':' {
		return false
	}
	p.at++
	p.out = append(p.out, ':')
	if !p.value() {
		return false
	}
	m.end = len(p.out)
	p.members = append(p.members, m)
	return true
}

// sort puts the members of an object, the first of which begins at a place of what was
// written, into the order of their names. It returns false if two have the same.
func (p *pass) sort(at int, members []member) bool {
	byName := func(a, b member) int { return bytes.Compare(p.name(a), p.name(b)) }
	sorted := true
	for i := 1; i < len(members) && sorted; i++ {
		sorted = byName(members[i-1], members[i]) < 0
	}
	if sorted {
		return true
	}
	slices.SortFunc(members, byName)
	p.sorted = p.sorted[:0]
	for i, m := range members {
		if i > 0 {
			if byName(members[i-1], m) == 0 {
				return false
			}
			p.sorted = append(p.sorted, ',')
		}
		p.sorted = append(p.sorted, p.out[m.from:m.end]...)
	}
	copy(p.out[at:], p.sorted)
	return true
}

// name is a member's name, without quotation marks.
func (p *pass) name(m member) []byte { return p.out[m.from+1 : m.colon-1] }
