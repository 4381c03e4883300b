package record

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"samizdat/rules"
)

// Record is the content of a record file.
type Record struct {
	Header Header
	Steps  []Step
}

// Step is a line after the header: an entry, or an expectation, which is a part of the position after the entry before it, e.g.
// {"expect":{"vp":-1}}.
type Step struct {
	Line   int
	Entry  *Entry
	Expect json.RawMessage
	// raw is the entry's line in canonical form, to check that the hash covers all its members.
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

// WriteFile writes the record to a file that only its owner may read, because it may contain hidden information.
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

const maxLineBytes = 16 << 20

// Read parses a record, optionally compressed by gzip. Errors include the line number.
func Read(r io.Reader) (*Record, error) {
	plain, err := decompress(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(plain)
	in.Buffer(nil, maxLineBytes)
	rec := new(Record)
	hasHeader, seq := false, -1
	line := 0
	for in.Scan() {
		line++
		data := bytes.TrimSpace(in.Bytes())
		if len(data) == 0 {
			continue
		}
		// CanonicalJSON refuses duplicate members and fractions.
		raw, err := CanonicalJSON(data)
		if err != nil && !hasHeader {
			return nil, fmt.Errorf("not a record of a match: line %d: %w", line, err)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if !hasHeader {
			if rec.Header, err = decodeHeader(data); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			hasHeader = true
			continue
		}
		s, err := decodeStep(data)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		s.Line = line
		if s.Entry != nil {
			s.raw = raw
			if s.Entry.Seq <= seq && rec.Header.Chance == ChanceRecorded { // the order of other records is checked by their hash chain
				return nil, fmt.Errorf("line %d: entry %d follows entry %d: entries must be in order", line, s.Entry.Seq, seq)
			}
			seq = s.Entry.Seq
		}
		rec.Steps = append(rec.Steps, s)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", line+1, err)
	}
	if !hasHeader {
		return nil, errors.New("the record is empty")
	}
	return rec, nil
}

func decompress(r *bufio.Reader) (io.Reader, error) {
	if magic, err := r.Peek(2); err != nil || !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return r, nil // the scanner returns the same error with its line
	}
	plain, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("decompress the record: %w", err)
	}
	return plain, nil
}

func decodeStep(data []byte) (Step, error) {
	e, err := decodeEntry(data)
	if err == nil {
		return Step{Entry: e}, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return Step{}, err
	}
	if expect, ok := members["expect"]; ok && len(members) == 1 {
		return Step{Expect: bytes.Clone(expect)}, nil
	}
	return Step{Entry: e}, err
}

// Format and Version of the header.
const (
	Format  = "samizdat-record"
	Version = 1
)

// ChanceRecorded means that the outcomes are not from a sealed stream, e.g. because the players rolled real dice at a table.
const ChanceRecorded = "recorded"

// Header is the first line of a record.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Game is the short name of the game, Rules the revision.
	Game    string            `json:"game"`
	Rules   int               `json:"rules"`
	Match   string            `json:"match,omitempty"`
	Options map[string]string `json:"options"`
	// Seats holds the players by seat name.
	Seats      map[string]string `json:"seats"`
	Commitment string            `json:"commitment,omitempty"`
	// Words are the players' words in the order of seats.
	Words []string `json:"words,omitempty"`
	// Seals are hashes of Words; players sent them before any words were shown. They are in the order of seats.
	Seals  []string `json:"seals,omitempty"`
	Beacon *Beacon  `json:"beacon,omitempty"`
	// Secret is published when the match is over.
	Secret string `json:"secret,omitempty"`
	// Chance is ChanceRecorded or empty.
	Chance string `json:"chance,omitempty"`
}

// Digest returns the SHA-256 of the canonical JSON of the header without Secret and Seats. Secret is added only after the match, and
// without Seats a record can be published without names. Empty Seals and a missing Beacon are left out; other empty members are included.
func (h Header) Digest() (string, error) {
	options, words := h.Options, h.Words
	if options == nil {
		options = map[string]string{}
	}
	if words == nil {
		words = []string{}
	}
	agreed := map[string]any{"format": h.Format, "version": h.Version, "game": h.Game, "rules": h.Rules, "match": h.Match,
		"options": options, "commitment": h.Commitment, "words": words, "chance": h.Chance}
	if len(h.Seals) > 0 {
		agreed["seals"] = h.Seals
	}
	if h.Beacon != nil {
		agreed["beacon"] = h.Beacon
	}
	data, err := Canonical(agreed)
	if err != nil {
		return "", fmt.Errorf("digest of the header: %w", err)
	}
	return sha256Hex(data), nil
}

// Setup returns the game's set-up.
func (h Header) Setup(g *rules.Game) rules.Setup {
	minimum, _ := g.Seats()
	return rules.Setup{Seats: cmp.Or(len(h.Seats), minimum), Options: h.Options, Revision: h.Rules}
}

// publishedSecret returns the secret in the header, or an error if it does not match the commitment.
func (h Header) publishedSecret() (Secret, error) {
	s, err := ParseSecret(h.Secret)
	if err != nil {
		return s, fmt.Errorf("line 1: %w", err)
	}
	if s.Commitment() != h.Commitment {
		return s, errors.New("line 1: the secret does not match the commitment")
	}
	return s, nil
}

// decodeHeader decodes and checks a header. It ignores unknown members: they may be remarks.
func decodeHeader(data []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(data, &h); err != nil {
		return h, err
	}
	switch {
	case h.Format != Format:
		return h, fmt.Errorf("not a record: expected a header with the format %q, got %q", Format, h.Format)
	case h.Version != Version:
		return h, fmt.Errorf("expected version %d of the format, got %d", Version, h.Version)
	case h.Chance != "" && h.Chance != ChanceRecorded:
		return h, fmt.Errorf("chance must be %q or absent, got %q", ChanceRecorded, h.Chance)
	}
	return h, checkKnownMembers(data, h)
}

// checkKnownMembers returns an error for members that other programs could read differently: a known name in other
// capitals, for example "Game", or a value that Header cannot represent.
func checkKnownMembers(data []byte, h Header) error {
	written, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var members, writtenMembers map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, &members), json.Unmarshal(written, &writtenMembers)); err != nil {
		return err
	}
	header := reflect.TypeFor[Header]()
	for name, value := range members {
		for i := range header.NumField() {
			known, _, _ := strings.Cut(header.Field(i).Tag.Get("json"), ",")
			if name != known && strings.EqualFold(name, known) {
				return fmt.Errorf("unknown member %q; did you mean %q?", name, known)
			}
		}
		writtenValue, isKnown := writtenMembers[name]
		if !isKnown {
			continue
		}
		canonicalValue, err := CanonicalJSON(value)
		if err != nil {
			return err
		}
		if canonicalWritten, err := CanonicalJSON(writtenValue); err != nil || !bytes.Equal(canonicalValue, canonicalWritten) {
			return fmt.Errorf("the member %q has an invalid value: %s", name, canonicalValue)
		}
	}
	return nil
}
