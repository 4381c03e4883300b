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

// Canonical returns v as canonical JSON (RFC 8785, integers only). Members are sorted by name in UTF-16 code units. The
// JSON has no white space and as few escapes as possible. Integers are from -(2^53-1) to 2^53-1. Other values and
// duplicate members are errors. For example, map[string]any{"b": 1, "a": nil} becomes {"a":null,"b":1}.
func Canonical(v any) ([]byte, error) { return appendCanonical(nil, v) }

// CanonicalJSON converts JSON text to canonical form.
func CanonicalJSON(data []byte) ([]byte, error) {
	return appendCanonicalJSON(make([]byte, 0, len(data)), data)
}

// appendCanonical appends v as canonical JSON. It has a fast path for lists of numbers and strings, e.g. of a Place, and for entries.
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

// appendCanonicalJSON appends the canonical form of JSON text. It uses a library for the rare texts that canonicalizeFast does not handle,
// and to get the error for invalid JSON.
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

// checkInteger returns an error for "-0", for fractions, and for integers that some JSON readers round.
func checkInteger(n string) error {
	if i, err := strconv.ParseInt(n, 10, 64); err != nil || i > maxInteger || i < -maxInteger || n == "-0" {
		return fmt.Errorf("%s is not an integer from -(2^53-1) to 2^53-1", n)
	}
	return nil
}

// entryWriter writes an entry directly in canonical form, because the canonical form of entries takes most of the time
// of a replay. The caller writes the members sorted by name. Rare members use appendCanonical.
type entryWriter struct {
	out []byte
	err error
}

func (w *entryWriter) writeName(n string) {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(append(append(w.out, '"'), n...), '"', ':')
}

func (w *entryWriter) writeValue(n string, v any) {
	w.writeName(n)
	var err error
	w.out, err = appendCanonical(w.out, v)
	w.err = errors.Join(w.err, err)
}

// writeText, writeNumber, writeFlag, writeTexts and writeObjects omit empty values.
func (w *entryWriter) writeText(n, s string) {
	if s != "" {
		w.writeName(n)
		w.writeQuoted(s)
	}
}

func (w *entryWriter) writeQuoted(s string) {
	var err error
	w.out, err = appendString(w.out, s)
	w.err = errors.Join(w.err, err)
}

func (w *entryWriter) writeNumber(n string, i int) {
	if i != 0 {
		w.writeInteger(n, i)
	}
}

// writeInteger writes a number, even 0.
func (w *entryWriter) writeInteger(n string, i int) {
	if i > maxInteger || i < -maxInteger {
		w.err = errors.Join(w.err, fmt.Errorf("canonical JSON: %w", checkInteger(strconv.Itoa(i))))
	}
	w.writeName(n)
	w.out = strconv.AppendInt(w.out, int64(i), 10)
}

func (w *entryWriter) writeFlag(n string, on bool) {
	if on {
		w.writeName(n)
		w.out = append(w.out, "true"...)
	}
}

func (w *entryWriter) writeTexts(n string, list []string) {
	if len(list) == 0 {
		return
	}
	w.writeName(n)
	w.out = append(w.out, '[')
	for i, s := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.writeQuoted(s)
	}
	w.out = append(w.out, ']')
}

func (w *entryWriter) writeSeat(s SeatName) {
	if s == "" {
		w.writeName("seat")
		w.out = append(w.out, "null"...)
		return
	}
	w.writeText("seat", string(s))
}

func writeObjects[T any](w *entryWriter, n string, list []T, writeMembers func(*entryWriter, *T)) {
	if len(list) == 0 {
		return
	}
	w.writeName(n)
	w.out = append(w.out, '[')
	for i := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, '{')
		writeMembers(w, &list[i])
		w.out = append(w.out, '}')
	}
	w.out = append(w.out, ']')
}

func appendEntry(dst []byte, e *Entry) ([]byte, error) {
	w := entryWriter{out: append(dst, '{')}
	if e.Act != nil {
		w.writeValue("act", e.Act)
	}
	writeObjects(&w, "answers", e.Answers, (*entryWriter).writeAnswer)
	if !e.At.IsZero() {
		at, err := e.At.MarshalJSON()
		w.err = errors.Join(w.err, err)
		w.writeName("at")
		w.out = append(w.out, at...)
	}
	writeObjects(&w, "chance", e.Chance, (*entryWriter).writeOutcome)
	w.writeNumber("epoch", e.Epoch)
	w.writeFlag("forced", e.Forced)
	w.writeText("hash", e.Hash)
	w.writeText("letter", e.Letter)
	w.writeText("note", e.Note)
	w.writeTexts("orders", e.Orders)
	w.writeText("player", e.Player)
	w.writeText("prev", e.Prev)
	w.writeFlag("private", e.Private)
	w.writeText("sealed", e.Sealed)
	w.writeSeat(e.Seat)
	w.writeInteger("seq", e.Seq)
	w.writeText("setup", e.Setup)
	w.writeText("silence", e.Silence)
	if e.Source != nil {
		w.writeValue("source", e.Source)
	}
	w.writeText("state", e.State)
	w.writeNumber("takeback", e.FirstTakenBack)
	if e.Tally != nil {
		w.writeValue("tally", e.Tally)
	}
	if w.err != nil {
		return dst, fmt.Errorf("canonical JSON: entry %d: %w", e.Seq, w.err)
	}
	return append(w.out, '}'), nil
}

func (w *entryWriter) writeAnswer(a *Answer) {
	w.writeText("letter", a.Letter)
	w.writeTexts("orders", a.Orders)
	w.writeFlag("private", a.Private)
	w.writeSeat(a.Seat)
	w.writeText("silence", a.Silence)
}

func (w *entryWriter) writeOutcome(c *Outcome) {
	if c.Draw != nil {
		w.writeValue("draw", c.Draw)
	}
	w.writeText("for", c.For)
	w.writeText("from", c.From)
	w.writeText("hand", c.Hand)
	w.writeFlag("hidden", c.Hidden)
	if c.I != nil {
		w.writeInteger("i", *c.I)
	}
	if c.N != nil {
		w.writeInteger("n", *c.N)
	}
	w.writeNumber("roll", c.Roll)
	w.writeText("to", c.To)
}
