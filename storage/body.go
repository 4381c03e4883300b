package storage

import (
	"bytes"
	"database/sql/driver"
	_ "embed" // for the dictionary
	"fmt"

	"github.com/klauspost/compress/s2"
)

// A letter that waits to be sent is written, read once and overwritten, within a second mostly. What
// compresses it must cost less than the pages that it saves: s2 takes a third of the time of deflate, and with a
// dictionary leaves a third of a letter with text and page.
var (
	//go:embed dictionaries/body1.txt
	bodyText []byte

	// bodyRows is how letters out are stored: see compact.go on dictionaries.
	bodyRows = s2.MakeDict(bytes.ReplaceAll(bodyText, []byte("\n"), []byte("\r\n")), nil)
)

// inBody is a letter out as its column has it: firstMark, and what s2 makes of it with the dictionary.
type inBody struct{ raw *[]byte }

// Value implements driver.Valuer.
func (b inBody) Value() (driver.Value, error) {
	if *b.raw == nil {
		return nil, nil
	}
	out := make([]byte, 1, 1+s2.MaxEncodedLen(len(*b.raw)))
	out[0] = firstMark
	return out[:1+len(bodyRows.Encode(out[1:cap(out)], *b.raw))], nil
}

// Scan implements sql.Scanner.
func (b inBody) Scan(src any) (err error) {
	stored, _ := src.([]byte)
	if !marked(stored) {
		return errMark
	}
	if *b.raw, err = bodyRows.Decode(nil, stored[1:]); err != nil {
		return fmt.Errorf("decompress a letter: %w", err)
	}
	return nil
}
