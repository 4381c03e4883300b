package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Record is the content of a record file.
type Record struct {
	Header Header
	Steps  []Step
}

// Step is a line after the header: an entry, or an expected part of the position.
type Step struct {
	// Line is the line number, from 1.
	Line   int
	Entry  *Entry
	Expect json.RawMessage
	// raw is the entry's line in canonical form. The chain requires that the line has no other
	// members than the entry.
	raw []byte
}

// Add appends an entry as the next line.
func (r *Record) Add(e Entry) {
	r.Steps = append(r.Steps, Step{Line: len(r.Steps) + 2, Entry: &e})
}

// Entries lists the entries.
func (r *Record) Entries() []*Entry {
	var out []*Entry
	for _, s := range r.Steps {
		if s.Entry != nil {
			out = append(out, s.Entry)
		}
	}
	return out
}

// Outcomes lists the outcomes of chance of all entries, in order.
func (r *Record) Outcomes() []Outcome {
	out := []Outcome{}
	for _, e := range r.Entries() {
		out = append(out, e.Chance...)
	}
	return out
}

// Public returns the public form of the record, without hidden fields, secret and expectations.
func (r *Record) Public() *Record {
	p := &Record{Header: r.Header}
	p.Header.Secret = ""
	for _, e := range r.Entries() {
		p.Add(e.Public())
	}
	return p
}

// Write writes the record as JSON Lines.
func (r *Record) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.Header); err != nil {
		return fmt.Errorf("write a record: %w", err)
	}
	for _, s := range r.Steps {
		var v any = s.Entry
		if s.Entry == nil {
			v = map[string]json.RawMessage{"expect": s.Expect}
		}
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("write a record: line %d: %w", s.Line, err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write a record: %w", err)
	}
	return nil
}

// WriteFile writes the record to a file that only its owner may read, because it may have hidden
// facts.
func (r *Record) WriteFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(makePrivate(f), r.Write(f), f.Close()); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	return nil
}

// makePrivate removes the rights of other users from an existing file.
func makePrivate(f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return f.Chmod(0o600)
}

// ReadFile reads the record in a file.
func ReadFile(path string) (*Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

const maxLine = 16 << 20

// Read parses a record, optionally compressed by gzip. Errors have the line number.
func Read(r io.Reader) (*Record, error) {
	plain, err := decompress(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(plain)
	in.Buffer(nil, maxLine)
	rec := new(Record)
	headed, seq := false, -1
	line := 0
	for in.Scan() {
		line++
		data := bytes.TrimSpace(in.Bytes())
		if len(data) == 0 {
			continue
		}
		// Canonical form, and so a file, has no duplicate members and no fractions.
		raw, err := CanonicalJSON(data)
		if err != nil && !headed {
			return nil, fmt.Errorf("this is no record of a match: line %d: %w", line, err)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if !headed {
			if rec.Header, err = decodeHeader(data); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			headed = true
			continue
		}
		s, err := decodeStep(data)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		s.Line = line
		if s.Entry != nil {
			s.raw = raw
			if s.Entry.Seq <= seq && rec.Header.Chance == ChanceRecorded { // Others have a chain.
				return nil, fmt.Errorf("line %d: entry %d stands behind entry %d", line, s.Entry.Seq, seq)
			}
			seq = s.Entry.Seq
		}
		rec.Steps = append(rec.Steps, s)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", line+1, err)
	}
	if !headed {
		return nil, errors.New("the record is empty")
	}
	return rec, nil
}

// decompress decompresses the file if it is compressed.
func decompress(r *bufio.Reader) (io.Reader, error) {
	if magic, err := r.Peek(2); err != nil || !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return r, nil // An error comes again, and is told with its line.
	}
	plain, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("unpack it: %w", err)
	}
	return plain, nil
}

func decodeStep(data []byte) (Step, error) {
	e, err := decodeEntry(data)
	if err == nil {
		return Step{Entry: e}, nil
	}
	var x map[string]json.RawMessage
	if err := json.Unmarshal(data, &x); err != nil {
		return Step{}, err
	}
	if expect, ok := x["expect"]; ok && len(x) == 1 {
		return Step{Expect: bytes.Clone(expect)}, nil
	}
	return Step{Entry: e}, err
}
