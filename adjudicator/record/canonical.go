package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
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
	for d := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		t, err := d.ReadToken()
		if errors.Is(err, io.EOF) && d.InputOffset() > 0 {
			break
		}
		if err == nil && t.Kind() == '0' {
			err = integer(t.String())
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

// integer refuses a number that is none, or that some readers of JSON have not exactly.
func integer(n string) error {
	if i, err := strconv.ParseInt(n, 10, 64); err != nil || i > largest || i < -largest || n == "-0" {
		return fmt.Errorf("%s is not an integer that canonical JSON can hold", n)
	}
	return nil
}
