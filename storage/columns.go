package storage

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"time"
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
	var text sql.NullString
	if err := text.Scan(src); err != nil || text.String == "" {
		return err
	}
	return json.Unmarshal([]byte(text.String), j.v)
}

// unsealed is a value whose column is unsealed here: of many rows that takes half the time
// that it takes the function in SQL.
type unsealed struct {
	sql.Scanner
	open func(stored any) (any, error)
}

// Scan implements sql.Scanner.
func (s unsealed) Scan(src any) error {
	plain, err := s.open(src)
	if err != nil {
		return err
	}
	return s.Scanner.Scan(plain)
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
