package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// largest is the greatest integer that canonical JSON may hold: every reader of
// JSON has it exactly.
const largest = 1<<53 - 1

// Canonical returns v as canonical JSON: RFC 8785 for the values that records
// are made of. Members are sorted by name (in UTF-16 code units), there is no
// white space, strings escape only what they must, and numbers are integers
// from -(2^53-1) to 2^53-1 without fraction or exponent. Anything else, and a
// member that appears twice, is an error.
func Canonical(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return CanonicalJSON(data)
}

// CanonicalJSON returns JSON text in canonical form.
func CanonicalJSON(data []byte) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("canonical JSON: not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	out, err := canonical(make([]byte, 0, len(data)), d, 0)
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("canonical JSON: more than one value")
	}
	return out, nil
}

// deepest bounds how far values nest.
const deepest = 100

// canonical appends the next value of d.
func canonical(dst []byte, d *json.Decoder, depth int) ([]byte, error) {
	if depth > deepest {
		return nil, errors.New("nested too deeply")
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return canonicalObject(dst, d, depth)
		}
		return canonicalArray(dst, d, depth)
	case json.Number:
		return canonicalNumber(dst, t)
	case string:
		return canonicalString(dst, t), nil
	case bool:
		return fmt.Appendf(dst, "%t", t), nil
	default:
		return append(dst, "null"...), nil
	}
}

func canonicalArray(dst []byte, d *json.Decoder, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for first := true; d.More(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = canonical(dst, d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return append(dst, ']'), err
}

func canonicalObject(dst []byte, d *json.Decoder, depth int) ([]byte, error) {
	type member struct {
		name  string
		units []uint16
		value []byte
	}
	var members []member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name := t.(string)
		value, err := canonical(nil, d, depth+1)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, utf16.Encode([]rune(name)), value})
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.units, b.units) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			if members[i-1].name == m.name {
				return nil, fmt.Errorf("member %q twice", m.name)
			}
			dst = append(dst, ',')
		}
		dst = append(canonicalString(dst, m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}'), nil
}

func canonicalNumber(dst []byte, n json.Number) ([]byte, error) {
	i, err := n.Int64()
	if err != nil || i > largest || i < -largest || n == "-0" {
		return nil, fmt.Errorf("%s is not an integer that canonical JSON can hold", n)
	}
	return append(dst, n...), nil
}

// escapes are the short escapes of RFC 8785.
const escapes = "\b\t\n\f\r\"\\"

func canonicalString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch i := strings.IndexRune(escapes, r); {
		case i >= 0:
			dst = append(dst, '\\', `btnfr"\`[i])
		case r < 0x20:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
