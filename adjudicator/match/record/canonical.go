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

func (o *entryWriter) writeName(n string) {
	if o.out[len(o.out)-1] != '{' {
		o.out = append(o.out, ',')
	}
	o.out = append(append(append(o.out, '"'), n...), '"', ':')
}

func (o *entryWriter) writeValue(n string, v any) {
	o.writeName(n)
	var err error
	o.out, err = appendCanonical(o.out, v)
	o.err = errors.Join(o.err, err)
}

// writeText, writeNumber, writeFlag and writeTexts omit empty values.
func (o *entryWriter) writeText(n, s string) {
	if s != "" {
		o.writeName(n)
		o.writeQuoted(s)
	}
}

func (o *entryWriter) writeQuoted(s string) {
	var err error
	o.out, err = appendString(o.out, s)
	o.err = errors.Join(o.err, err)
}

func (o *entryWriter) writeNumber(n string, i int) {
	if i != 0 {
		o.writeInteger(n, i)
	}
}

// writeInteger writes a number, even 0.
func (o *entryWriter) writeInteger(n string, i int) {
	if i > maxInteger || i < -maxInteger {
		o.err = errors.Join(o.err, fmt.Errorf("canonical JSON: %w", checkInteger(strconv.Itoa(i))))
	}
	o.writeName(n)
	o.out = strconv.AppendInt(o.out, int64(i), 10)
}

func (o *entryWriter) writeFlag(n string, on bool) {
	if on {
		o.writeName(n)
		o.out = append(o.out, "true"...)
	}
}

func (o *entryWriter) writeTexts(n string, list []string) {
	if len(list) == 0 {
		return
	}
	o.writeName(n)
	o.out = append(o.out, '[')
	for i, s := range list {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.writeQuoted(s)
	}
	o.out = append(o.out, ']')
}

func (o *entryWriter) writeSeat(s SeatName) {
	if s == "" {
		o.writeName("seat")
		o.out = append(o.out, "null"...)
		return
	}
	o.writeText("seat", string(s))
}

// writeObjects writes a list of objects; it omits an empty list.
func writeObjects[T any](o *entryWriter, n string, list []T, member func(*entryWriter, *T)) {
	if len(list) == 0 {
		return
	}
	o.writeName(n)
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
		o.writeValue("act", e.Act)
	}
	writeObjects(&o, "answers", e.Answers, (*entryWriter).writeAnswer)
	if !e.At.IsZero() {
		at, err := e.At.MarshalJSON()
		o.err = errors.Join(o.err, err)
		o.writeName("at")
		o.out = append(o.out, at...)
	}
	writeObjects(&o, "chance", e.Chance, (*entryWriter).writeOutcome)
	o.writeNumber("epoch", e.Epoch)
	o.writeFlag("forced", e.Forced)
	o.writeText("hash", e.Hash)
	o.writeText("letter", e.Letter)
	o.writeText("note", e.Note)
	o.writeTexts("orders", e.Orders)
	o.writeText("player", e.Player)
	o.writeText("prev", e.Prev)
	o.writeFlag("private", e.Private)
	o.writeText("sealed", e.Sealed)
	o.writeSeat(e.Seat)
	o.writeInteger("seq", e.Seq)
	o.writeText("setup", e.Setup)
	o.writeText("silence", e.Silence)
	if e.Source != nil {
		o.writeValue("source", e.Source)
	}
	o.writeText("state", e.State)
	o.writeNumber("takeback", e.Takeback)
	if e.Tally != nil {
		o.writeValue("tally", e.Tally)
	}
	if o.err != nil {
		return dst, fmt.Errorf("canonical JSON: entry %d: %w", e.Seq, o.err)
	}
	return append(o.out, '}'), nil
}

func (o *entryWriter) writeAnswer(a *Answer) {
	o.writeText("letter", a.Letter)
	o.writeTexts("orders", a.Orders)
	o.writeFlag("private", a.Private)
	o.writeSeat(a.Seat)
	o.writeText("silence", a.Silence)
}

func (o *entryWriter) writeOutcome(c *Outcome) {
	if c.Draw != nil {
		o.writeValue("draw", c.Draw)
	}
	o.writeText("for", c.For)
	o.writeText("from", c.From)
	o.writeText("hand", c.Hand)
	o.writeFlag("hidden", c.Hidden)
	if c.I != nil {
		o.writeInteger("i", *c.I)
	}
	if c.N != nil {
		o.writeInteger("n", *c.N)
	}
	o.writeNumber("roll", c.Roll)
	o.writeText("to", c.To)
}
