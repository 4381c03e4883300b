package message

import (
	"bytes"
	"slices"
	"strings"
)

const (
	// maxHeader and maxFields bound the header of a letter. Real ones stay below
	// a tenth of it, with all that servers on the way add.
	maxHeader = 256 << 10
	maxFields = 2000
)

// field is one header field, unfolded, as it was written.
type field struct{ key, value string }

// header is the header of a letter or of a part, from top to bottom.
type header []field

// all gives the values of every field of a name.
func (h header) all(key string) []string {
	var out []string
	for _, f := range h {
		if strings.EqualFold(f.key, key) {
			out = append(out, f.value)
		}
	}
	return out
}

// get gives the topmost field of a name; empty when there is none.
func (h header) get(key string) string {
	if i := h.index(key); i >= 0 {
		return h[i].value
	}
	return ""
}

func (h header) has(key string) bool { return h.index(key) >= 0 }

func (h header) index(key string) int {
	return slices.IndexFunc(h, func(f field) bool { return strings.EqualFold(f.key, key) })
}

// damage is what is wrong with a header; 0 is nothing.
type damage int

const (
	// damaged: lines that are no header lines were left out.
	damaged damage = iota + 1
	// endless: the header is longer than any; nothing behind the limit is known.
	endless
)

// splitHeader cuts a letter, or a part of one, at the first blank line. Lines
// that are no header lines are left out; a text that begins with one has no
// header and is all body. Where such lines stand last, the blank line is missing
// and they are the beginning of the body. It never fails: mail programs read such
// letters too.
func splitHeader(raw []byte) (h header, body []byte, state damage) {
	var value []byte // of the last field, which may go on
	var stray []byte // what follows the last field and is none
	end := func() {
		if len(h) > 0 {
			h[len(h)-1].value = string(bytes.TrimSpace(value))
		}
	}
	rest := raw
	for first := true; len(rest) > 0; first = false {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			end()
			if stray != nil {
				return h, stray, state
			}
			return h, after, state
		}
		if len(raw)-len(after) > maxHeader || len(h) > maxFields {
			end()
			return h, nil, endless
		}
		key, begin, ok := bytes.Cut(line, []byte(":"))
		name := string(bytes.TrimRight(key, " \t"))
		switch {
		case (line[0] == ' ' || line[0] == '\t') && len(h) > 0:
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		case ok && isFieldName(name):
			end()
			stray = nil
			h, value = append(h, field{key: name}), bytes.Clone(bytes.TrimSpace(begin))
		case first && bytes.HasPrefix(bytes.TrimPrefix(line, []byte(">")), []byte("From ")):
			// The line that mailbox files put above each letter.
		case len(h) == 0:
			return nil, rest, damaged
		default:
			if stray == nil {
				stray = rest
			}
			state = damaged
		}
		rest = after
	}
	end()
	return h, stray, state
}
