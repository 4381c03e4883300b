package storage

import (
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/rules"
)

// inJSON is a value that its column has as JSON. NULL and an empty text leave the value
// as it is.
type inJSON struct{ v any }

// Value implements driver.Valuer.
func (j inJSON) Value() (driver.Value, error) {
	b, err := json.Marshal(j.v)
	return string(b), err
}

// Scan implements sql.Scanner.
func (j inJSON) Scan(src any) error {
	text, ok := src.([]byte)
	if !ok {
		var s sql.NullString
		if err := s.Scan(src); err != nil {
			return err
		}
		text = []byte(s.String)
	}
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, j.v)
}

// inWords is a list of words as a column holds it, with spaces between them.
type inWords struct{ v *[]string }

// Scan implements sql.Scanner.
func (w inWords) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("words are %T", src)
	}
	*w.v = strings.Fields(text)
	return nil
}

// inNumbers is a list of numbers that its column has as the differences from one to the next.
type inNumbers struct{ v *[]rules.DecisionID }

// Value implements driver.Valuer.
func (n inNumbers) Value() (driver.Value, error) {
	out, before := []byte{firstMark}, rules.DecisionID(0)
	for _, d := range *n.v {
		out, before = binary.AppendVarint(out, int64(d-before)), d
	}
	return out, nil
}

// Scan implements sql.Scanner.
func (n inNumbers) Scan(src any) error {
	text, _ := src.([]byte)
	if !marked(text) {
		return errMark
	}
	*n.v = nil
	var before rules.DecisionID
	for rest := text[1:]; len(rest) > 0; {
		d, size := binary.Varint(rest)
		if size <= 0 {
			return errMark
		}
		before += rules.DecisionID(d)
		*n.v, rest = append(*n.v, before), rest[size:]
	}
	return nil
}

// sealed is a value that its column has sealed.
type sealed struct {
	key   *key
	value any
	what  []any
}

// Value implements driver.Valuer.
func (s sealed) Value() (driver.Value, error) {
	v, err := driver.DefaultParameterConverter.ConvertValue(s.value)
	if err != nil || v == nil {
		return nil, err
	}
	stored, err := s.key.seal(v, s.what...)
	if stored == nil {
		return nil, err
	}
	return stored, err
}

// unsealed is a value whose column has it sealed.
type unsealed struct {
	to any
	// open unseals what is stored.
	open func(stored any) ([]byte, error)
}

// unsealed is where a sealed column goes: what holds the value, the column's name, and the
// row, of which pointers may be scanned before.
func (k *key) unsealed(to any, column string, row ...any) unsealed {
	return unsealed{to, func(stored any) ([]byte, error) {
		what := []any{column}
		for _, r := range row {
			switch r := r.(type) {
			case *string:
				what = append(what, *r)
			case *int64:
				what = append(what, *r)
			case *int:
				what = append(what, *r)
			default:
				what = append(what, r)
			}
		}
		return k.open(stored, what...)
	}}
}

// Scan implements sql.Scanner.
func (s unsealed) Scan(stored any) error {
	if stored == nil {
		return nil // NULL leaves what there is as it is.
	}
	plain, err := s.open(stored)
	if err != nil {
		return err
	}
	switch to := s.to.(type) {
	case sql.Scanner:
		return to.Scan(plain)
	case *[]byte:
		*to = plain
	case *string:
		*to = string(plain)
	case *int:
		*to, err = strconv.Atoi(string(plain))
	default:
		err = fmt.Errorf("a sealed column does not go into a %T", s.to)
	}
	return err
}

// micros is a time that its column has in microseconds. NULL and 0 leave it as it is.
type micros struct{ at *time.Time }

// Scan implements sql.Scanner.
func (m micros) Scan(src any) error {
	var n sql.NullInt64
	if err := n.Scan(src); err != nil || n.Int64 == 0 {
		return err
	}
	*m.at = time.UnixMicro(n.Int64).UTC()
	return nil
}
