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
