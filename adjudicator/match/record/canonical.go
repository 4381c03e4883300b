package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxInteger is the largest integer in canonical JSON; every JSON reader reads it exactly.
const maxInteger = 1<<53 - 1

// Canonical returns v as canonical JSON (RFC 8785, integers only). Members are sorted by name in
// UTF-16 code units, without white space, with minimal escapes; integers are from -(2^53-1) to
// 2^53-1. Other values and duplicate members are errors. For example, map[string]any{"b": 1, "a":
// nil} is {"a":null,"b":1}.
func Canonical(v any) ([]byte, error) { return appendCanonical(nil, v) }

// CanonicalJSON converts JSON text to canonical form.
func CanonicalJSON(data []byte) ([]byte, error) {
	return appendCanonicalJSON(make([]byte, 0, len(data)), data)
}

// appendCanonical appends v as canonical JSON. Lists of numbers and strings, e.g. places and
// keys, take a fast path.
func appendCanonical(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return appendString(dst, v)
	case int:
		if v <= maxInteger && v >= -maxInteger {
			return strconv.AppendInt(dst, int64(v), 10), nil
		}
	case []any:
		if v != nil {
			return appendList(dst, v)
		}
	case *Entry:
		return appendEntry(dst, v)
	case Entry:
		return appendEntry(dst, &v)
	}
	return appendMarshalled(dst, v)
}

func appendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return appendMarshalled(dst, s)
	}
	return jsontext.AppendQuote(dst, s)
}

func appendMarshalled(dst []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return dst, fmt.Errorf("canonical JSON: %w", err)
	}
	return appendCanonicalJSON(dst, data)
}

func appendList(dst []byte, list []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendCanonical(dst, v); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// appendCanonicalJSON appends JSON text in canonical form. canonicalizeFast handles nearly all
// records; a library handles the rest and reports errors.
func appendCanonicalJSON(dst, data []byte) ([]byte, error) {
	if out, ok := canonicalizeFast(dst, data); ok {
		return out, nil
	}
	out, err := canonicalByLibrary(data)
	return append(dst, out...), err
}

func canonicalByLibrary(data []byte) ([]byte, error) {
	for d := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		t, err := d.ReadToken()
		if errors.Is(err, io.EOF) && d.InputOffset() > 0 {
			break
		}
		if err == nil && t.Kind() == '0' {
			err = checkInteger(t.String())
		}
		if err != nil {
			return nil, fmt.Errorf("canonical JSON: %w", err)
		}
	}
	out := jsontext.Value(bytes.Clone(data))
	if err := out.Canonicalize(); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return out, nil
}

// checkInteger refuses numbers that are no integers, or that some JSON readers round.
func checkInteger(n string) error {
	if i, err := strconv.ParseInt(n, 10, 64); err != nil || i > maxInteger || i < -maxInteger || n == "-0" {
		return fmt.Errorf("%s is not an integer that canonical JSON can hold", n)
	}
	return nil
}

// Entries are written directly in canonical form, because hashing and sealing them dominates. Rare
// members use appendCanonical.

// entryWriter writes an object in canonical form; the caller writes the members sorted by name.
type entryWriter struct {
	out []byte
	err error
}

func (o *entryWriter) name(n string) {
	if o.out[len(o.out)-1] != '{' {
		o.out = append(o.out, ',')
	}
	o.out = append(append(append(o.out, '"'), n...), '"', ':')
}

func (o *entryWriter) value(n string, v any) {
	o.name(n)
	var err error
	o.out, err = appendCanonical(o.out, v)
	o.err = errors.Join(o.err, err)
}

// text, number, flag and texts omit empty values.
func (o *entryWriter) text(n, s string) {
	if s != "" {
		o.name(n)
		o.quote(s)
	}
}

func (o *entryWriter) quote(s string) {
	var err error
	o.out, err = appendString(o.out, s)
	o.err = errors.Join(o.err, err)
}

func (o *entryWriter) number(n string, i int) {
	if i != 0 {
		o.integer(n, i)
	}
}

// integer writes a number, even 0.
func (o *entryWriter) integer(n string, i int) {
	if i > maxInteger || i < -maxInteger {
		o.err = errors.Join(o.err, fmt.Errorf("canonical JSON: %w", checkInteger(strconv.Itoa(i))))
	}
	o.name(n)
	o.out = strconv.AppendInt(o.out, int64(i), 10)
}

func (o *entryWriter) flag(n string, on bool) {
	if on {
		o.name(n)
		o.out = append(o.out, "true"...)
	}
}

func (o *entryWriter) texts(n string, list []string) {
	if len(list) == 0 {
		return
	}
	o.name(n)
	o.out = append(o.out, '[')
	for i, s := range list {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.quote(s)
	}
	o.out = append(o.out, ']')
}

func (o *entryWriter) seat(s SeatName) {
	if s == "" {
		o.name("seat")
		o.out = append(o.out, "null"...)
		return
	}
	o.text("seat", string(s))
}

func each[T any](o *entryWriter, n string, list []T, member func(*entryWriter, *T)) {
	if len(list) == 0 {
		return
	}
	o.name(n)
	o.out = append(o.out, '[')
	for i := range list {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.out = append(o.out, '{')
		member(o, &list[i])
		o.out = append(o.out, '}')
	}
	o.out = append(o.out, ']')
}

// appendEntry appends an entry in canonical form.
func appendEntry(dst []byte, e *Entry) ([]byte, error) {
	o := entryWriter{out: append(dst, '{')}
	if e.Act != nil {
		o.value("act", e.Act)
	}
	each(&o, "answers", e.Answers, (*entryWriter).answer)
	if !e.At.IsZero() {
		at, err := e.At.MarshalJSON()
		o.err = errors.Join(o.err, err)
		o.name("at")
		o.out = append(o.out, at...)
	}
	each(&o, "chance", e.Chance, (*entryWriter).outcome)
	o.number("epoch", e.Epoch)
	o.flag("forced", e.Forced)
	o.text("hash", e.Hash)
	o.text("letter", e.Letter)
	o.text("note", e.Note)
	o.texts("orders", e.Orders)
	o.text("player", e.Player)
	o.text("prev", e.Prev)
	o.flag("private", e.Private)
	o.text("sealed", e.Sealed)
	o.seat(e.Seat)
	o.integer("seq", e.Seq)
	o.text("setup", e.Setup)
	o.text("silence", e.Silence)
	if e.Source != nil {
		o.value("source", e.Source)
	}
	o.text("state", e.State)
	o.number("takeback", e.Takeback)
	if e.Tally != nil {
		o.value("tally", e.Tally)
	}
	if o.err != nil {
		return dst, fmt.Errorf("canonical JSON: entry %d: %w", e.Seq, o.err)
	}
	return append(o.out, '}'), nil
}

func (o *entryWriter) answer(a *Answer) {
	o.text("letter", a.Letter)
	o.texts("orders", a.Orders)
	o.flag("private", a.Private)
	o.seat(a.Seat)
	o.text("silence", a.Silence)
}

func (o *entryWriter) outcome(c *Outcome) {
	if c.Draw != nil {
		o.value("draw", c.Draw)
	}
	o.text("for", c.For)
	o.text("from", c.From)
	o.text("hand", c.Hand)
	o.flag("hidden", c.Hidden)
	if c.I != nil {
		o.integer("i", *c.I)
	}
	if c.N != nil {
		o.integer("n", *c.N)
	}
	o.number("roll", c.Roll)
	o.text("to", c.To)
}
