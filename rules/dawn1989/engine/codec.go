package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"samizdat/rules"
)

// codec encodes a position as JSON, or decodes it. Each function can do both, so the code names each JSON member only
// once. For example, number(c, "turn", &p.Turn, 1, Turns) writes "turn":3 or reads it.
//
// Positions are written without encoding/json for speed, because verification writes a position for each entry of a
// history. The output is the same, byte for byte, and takes an eighth of the time.
type codec struct {
	// w is the writer, or nil if the codec reads.
	w *writer
	// members are the members of the current object that have not been read yet.
	members    map[string]any
	objectName string
	// err is the first error. The error for an unknown member replaces it, because a misspelt name usually causes the
	// others.
	err error
}

func (c *codec) isReading() bool { return c.w == nil }

func (c *codec) setError(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: "+format, slices.Concat([]any{c.objectName}, args)...)
	}
}

// takeMember removes a member from the current object and returns its value, or the zero value if there is no such
// member.
func takeMember[T any](c *codec, name string) (value T) {
	switch v := c.members[name].(type) {
	case T:
		value = v
	case nil:
	default:
		c.setError("%s is %v, not of type %T", name, v, value)
	}
	delete(c.members, name)
	return value
}

// hasMember reports whether an optional member is to be read or written: a codec that reads looks whether the object
// has it, and a codec that writes returns the argument write.
func (c *codec) hasMember(name string, write bool) bool {
	if c.isReading() {
		return c.members[name] != nil
	}
	return write
}

// object writes or reads a member that is an object. It calls fields, which writes or reads the members of this
// object.
func (c *codec) object(name string, fields func()) {
	if !c.isReading() {
		c.w.begin(name, '{')
		fields()
		c.w.end('}')
		return
	}
	c.readObject(takeMember[map[string]any](c, name), name, fields)
}

func (c *codec) readObject(object map[string]any, name string, fields func()) {
	outerName, outerMembers := c.objectName, c.members
	c.objectName, c.members = name, object
	fields()
	if unknown := slices.Sorted(maps.Keys(c.members)); len(unknown) > 0 {
		c.err = fmt.Errorf("%s: unknown field %q", name, unknown)
	}
	c.objectName, c.members = outerName, outerMembers
}

// objects writes a member that is a list of n objects, or reads a list of at most n objects. It calls fields for each
// object, and returns the length of the list.
func (c *codec) objects(name string, n int, fields func(i int)) int {
	if !c.isReading() {
		c.w.begin(name, '[')
		for i := range n {
			c.w.separate()
			c.w.object()
			fields(i)
			c.w.end('}')
		}
		c.w.end(']')
		return n
	}
	list := takeMember[[]any](c, name)
	if len(list) > n {
		c.setError("%s has %d entries; at most %d are allowed", name, len(list), n)
		return 0
	}
	for i, v := range list {
		object, _ := v.(map[string]any)
		c.readObject(object, name, func() { fields(i) })
	}
	return len(list)
}

type integral interface {
	~int | ~int8 | ~int16 | ~uint8 | ~uint32
}

// number writes or reads a member that is a number from least to most.
func number[T integral](c *codec, name string, n *T, least, most int64) {
	if !c.isReading() {
		c.w.name(name)
		c.w.setOutput(appendInt(c.w.out, int(*n)))
		return
	}
	v := takeMember[float64](c, name)
	if v != math.Trunc(v) || v < float64(least) || v > float64(most) {
		c.setError("%s %v is out of range %d to %d", name, v, least, most)
		return
	}
	*n = T(v)
}

// optionalNumber writes or reads a number from 0 to most; JSON leaves it out if it is 0.
func optionalNumber[T integral](c *codec, name string, n *T, most int64) {
	if c.hasMember(name, *n != 0) {
		number(c, name, n, 0, most)
	}
}

// enum writes or reads a member that is a string in names; *i is the index of that string.
func enum[T ~int8 | ~uint8](c *codec, name string, i *T, names []string) {
	if !c.isReading() {
		c.w.name(name)
		c.w.text(names[*i])
		return
	}
	text := takeMember[string](c, name)
	at := slices.Index(names, text)
	if at < 0 {
		c.setError("unknown %s %q", name, text)
		return
	}
	*i = T(at)
}

// optionalEnum writes or reads a member that is a string in names, as enum does; JSON leaves it out if the index is
// 0.
func optionalEnum[T ~int8 | ~uint8](c *codec, name string, i *T, names []string) {
	if c.hasMember(name, *i != 0) {
		enum(c, name, i, names)
	}
}

// optionalFlag writes or reads a Boolean member; JSON leaves it out if it is false.
func (c *codec) optionalFlag(name string, on *bool) {
	if c.isReading() {
		*on = takeMember[bool](c, name)
	} else if *on {
		c.w.name(name)
		c.w.setOutput(append(c.w.out, "true"...))
	}
}

// bothSides writes or reads a number from 0 to most for each side, for example {"democrat":2,"communist":0}.
func bothSides[T integral](c *codec, name string, democrat, communist *T, most int) {
	if c.isReading() {
		c.object(name, func() {
			number(c, "democrat", democrat, 0, int64(most))
			number(c, "communist", communist, 0, int64(most))
		})
		return
	}
	c.w.name(name)
	c.w.setOutput(c.w.appendPair(c.w.out, int(*democrat), int(*communist)))
}

func (w *writer) appendPair(out []byte, democrat, communist int) []byte {
	first, second := `{"democrat":`, `,"communist":`
	if w.canonical { // The members of canonical JSON are sorted.
		first, second, democrat, communist = `{"communist":`, `,"democrat":`, communist, democrat
	}
	out = appendInt(append(out, first...), democrat)
	out = appendInt(append(out, second...), communist)
	return append(out, '}')
}

func (c *codec) cards(name string, set *CardSet) {
	if c.isReading() {
		for _, v := range takeMember[[]any](c, name) {
			n, isNumber := v.(float64)
			if !isNumber || n < 1 || n >= Cards {
				c.setError("invalid card number %v", v)
				return
			}
			set.Add(Card(n))
		}
		return
	}
	c.w.name(name)
	out := append(c.w.out, '[')
	remaining := *set
	for n := remaining.Next(); n != 0; n = remaining.Next() {
		out = append(appendInt(out, int(n)), ',')
	}
	c.w.setOutput(closeBracket(out, ']'))
}

// names writes or reads a member that is a list of names. It calls write once, which writes all names, or it calls
// read with each name.
func (c *codec) names(name string, write func(), read func(name string)) {
	if !c.isReading() {
		c.w.begin(name, '[')
		write()
		c.w.end(']')
		return
	}
	for _, v := range takeMember[[]any](c, name) {
		text, _ := v.(string)
		read(text)
	}
}

// hand writes or reads a member that is a list of power struggle cards. Two equal cards are listed twice.
func (c *codec) hand(name string, hand *StruggleCards) {
	c.names(name, func() {
		for _, k := range struggleCardsByName() {
			for range hand[k] {
				c.w.text(k.String())
			}
		}
	}, func(text string) {
		k, ok := struggleCardByName[text]
		if hand[k]++; !ok {
			c.setError("unknown power struggle card %q", text)
		}
	})
}

// All spaces, countries and kinds of power struggle cards, in alphabetical order.
var (
	spacesByName        = sync.OnceValue(func() []Space { return sortByName[Space](1, Spaces) })
	countriesByName     = sync.OnceValue(func() []Country { return sortByName(EastGermany, Countries) })
	struggleCardsByName = sync.OnceValue(func() []StruggleCard { return sortByName[StruggleCard](0, StruggleKinds) })
)

func sortByName[T interface {
	~uint8
	String() string
}](from, end T) []T {
	var numbers []T
	for v := from; v < end; v++ {
		numbers = append(numbers, v)
	}
	slices.SortStableFunc(numbers, func(a, b T) int { return strings.Compare(a.String(), b.String()) })
	return numbers
}

var (
	spaceNames    = sync.OnceValue(func() []string { return listNames[Space](Spaces) })
	struggleNames = sync.OnceValue(func() []string { return listNames[StruggleCard](StruggleKinds) })
)

func listNames[T interface {
	~uint8
	String() string
}](end T) []string {
	var out []string
	for v := range end {
		out = append(out, v.String())
	}
	return out
}

// AppendCanonical implements rules.Game.Canonical: it appends a position as canonical JSON (RFC 8785).
func AppendCanonical(dst []byte, p rules.Position) []byte {
	w := canonicalWriters.Get().(*writer)
	defer canonicalWriters.Put(w)
	w.out, w.members, w.openObjects = dst, w.members[:0], w.openObjects[:0]
	w.object()
	(&codec{w: w}).position(p.(*Position))
	w.end('}')
	out := w.out
	w.out = nil
	return out
}

func encodeObject(fields func(c *codec)) ([]byte, error) {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.out = w.out[:0]
	w.object()
	fields(&codec{w: w})
	w.end('}')
	return slices.Clone(w.out), nil
}

func decodeObject(data []byte, fields func(c *codec)) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	c := &codec{}
	c.readObject(object, "object", func() { fields(c) })
	return c.err
}

// MarshalJSON implements rules.Position.
func (p *Position) MarshalJSON() ([]byte, error) {
	return encodeObject(func(c *codec) { c.position(p) })
}

// MarshalJSON implements rules.View.
func (v *View) MarshalJSON() ([]byte, error) { return encodeObject(func(c *codec) { c.view(v) }) }

// Decode implements rules.Engine. It refuses unknown values, and positions where a card is missing or occurs twice.
func (Rules) Decode(data []byte) (rules.Position, error) {
	p := &Position{}
	err := decodeObject(data, func(c *codec) { c.position(p) })
	if err == nil {
		err = p.checkPiles()
	}
	if err != nil {
		return nil, fmt.Errorf("decode position of 1989: %w", err)
	}
	return p, nil
}

func (p *Position) checkPiles() error {
	var seen CardSet
	n := 0
	for _, pile := range p.Piles {
		seen = seen.Or(pile)
		n += pile.Len()
	}
	if n != Cards-1 || seen.Len() != Cards-1 {
		return errors.New("a card is missing or in two piles")
	}
	return nil
}
