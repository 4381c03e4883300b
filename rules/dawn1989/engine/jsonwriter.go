package engine

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// writer writes JSON: with the members of objects in the order in which they come, or in that
// of their names, which is the canonical one (RFC 8785).
type writer struct {
	out []byte
	// In the canonical form members are those of the objects that are open, one object behind
	// the other, and open says where the members of each begin.
	canonical bool
	members   []member
	open      []int
	sorted    []byte
}

// member is a member of an object that is being written: its name, and where it stands.
type member struct {
	name      string
	from, end int
}

// Writers are kept for their memory: those of JSON as it comes, and of canonical JSON.
var (
	writers          = sync.Pool{New: func() any { return new(writer) }}
	canonicalWriters = sync.Pool{New: func() any { return &writer{canonical: true} }}
)

// wrote takes what has been appended to out. As long as that has room, only its length changes:
// whoever changes a pointer has to tell the collector of garbage.
func (w *writer) wrote(out []byte) {
	if cap(out) != cap(w.out) {
		w.out = out
		return
	}
	w.out = w.out[:len(out)]
}

// next separates what follows from what stands before it.
func (w *writer) next() { w.wrote(apart(w.out)) }

func apart(out []byte) []byte {
	switch out[len(out)-1] {
	case '{', '[', ':':
		return out
	}
	return append(out, ',')
}

// closed puts a bracket behind what was appended with a comma behind each.
func closed(out []byte, bracket byte) []byte {
	if last := len(out) - 1; out[last] == ',' {
		out[last] = bracket
		return out
	}
	return append(out, bracket)
}

// text writes a string. It is one of the game's own words, as names of members are, in which
// nothing has to be escaped.
func (w *writer) text(s string) { w.wrote(quoted(apart(w.out), s)) }

func quoted(out []byte, s string) []byte {
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// integer appends a number. Most are small.
func integer(out []byte, n int) []byte {
	switch {
	case n < 0 || n >= 100:
		return strconv.AppendInt(out, int64(n), 10)
	case n >= 10:
		return append(out, '0'+byte(n/10), '0'+byte(n%10))
	}
	return append(out, '0'+byte(n))
}

// name writes the name of a member.
func (w *writer) name(s string) {
	out := apart(w.out)
	if w.canonical {
		w.members = append(w.members, member{name: s, from: len(out)})
	}
	w.wrote(append(quoted(out, s), ':'))
}

func (w *writer) begin(name string, bracket byte) {
	w.name(name)
	if bracket == '{' {
		w.object()
		return
	}
	w.out = append(w.out, bracket)
}

// object begins an object.
func (w *writer) object() {
	w.out = append(w.out, '{')
	if w.canonical {
		w.open = append(w.open, len(w.members))
	}
}

func (w *writer) end(bracket byte) {
	if bracket == '}' && w.canonical {
		w.sort()
	}
	w.out = append(w.out, bracket)
}

// sort puts the members of the object that ends into the order of their names.
func (w *writer) sort() {
	last := len(w.open) - 1
	own := w.members[w.open[last]:]
	w.open, w.members = w.open[:last], w.members[:w.open[last]]
	byName := func(a, b member) int { return strings.Compare(a.name, b.name) }
	if slices.IsSortedFunc(own, byName) {
		return
	}
	begin, end := own[0].from, len(w.out)
	for i := len(own) - 1; i >= 0; i-- {
		own[i].end, end = end, own[i].from-1
	}
	slices.SortFunc(own, byName)
	w.sorted = w.sorted[:0]
	for i, m := range own {
		if i > 0 {
			w.sorted = append(w.sorted, ',')
		}
		w.sorted = append(w.sorted, w.out[m.from:m.end]...)
	}
	copy(w.out[begin:], w.sorted)
}

func (w *writer) number(name string, n int) {
	w.name(name)
	w.wrote(integer(w.out, n))
}

func (w *writer) word(name, s string) {
	w.name(name)
	w.text(s)
}

// count writes a number, and nothing of 0; called and flag do the same of a name and of what
// is so or not.
func (w *writer) count(name string, n int) {
	if n != 0 {
		w.number(name, n)
	}
}

func (w *writer) called(name, s string) {
	if s != "" {
		w.word(name, s)
	}
}

func (w *writer) flag(name string, on bool) {
	if on {
		w.name(name)
		w.wrote(append(w.out, "true"...))
	}
}
