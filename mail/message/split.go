package message

import (
	"bytes"

	"samizdat/internal/lazyregexp"
)

// splitParts cuts a multipart body at its boundary lines. The parts are slices
// of the body: an attachment costs nothing. closed tells whether the end
// boundary was there, cut that there were more than most parts.
func splitParts(body []byte, boundary string, most int) (parts [][]byte, closed, cut bool) {
	delimiter := []byte("--" + boundary)
	from := -1
	for at := 0; at < len(body); {
		line, next := body[at:], len(body)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		trimmed := bytes.TrimRight(line, " \t\r")
		tail, ok := bytes.CutPrefix(trimmed, delimiter)
		end := ok && string(tail) == "--"
		if ok && (end || len(tail) == 0) {
			if from >= 0 {
				parts = append(parts, withoutLastBreak(body[from:at]))
			}
			from = next
			switch {
			case end:
				return parts, true, false
			case len(parts) >= most:
				return parts, false, true
			}
		}
		at = next
	}
	if from >= 0 {
		parts = append(parts, body[from:])
	}
	return parts, false, false
}

// withoutLastBreak drops the line break that belongs to the boundary below it.
func withoutLastBreak(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

var contentField = lazyregexp.New(`(?i)^content-[a-z-]+[ \t]*:`)

// guessBoundary finds the boundary that a body really uses: a line of dashes
// above a content field. Letters lose theirs when a program rewrites the header.
func guessBoundary(body []byte) string {
	for len(body) > 0 {
		line, after, _ := bytes.Cut(body, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r")
		if bytes.HasPrefix(line, []byte("--")) && len(line) > 2 && len(line) < 200 && contentField.Match(after) {
			return string(line[2:])
		}
		body = after
	}
	return ""
}
