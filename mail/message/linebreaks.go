package message

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

// Mail programs make the plain text of a letter from HTML. They wrap lines, and some drop line breaks. The HTML
// therefore shows where the writer's lines end.

// restoreLineBreaks restores the line breaks of the writer in a plain text, by comparison with the HTML alternative.
func restoreLineBreaks(plain string, page func() string) string {
	hasBroken, hasJoined := mayHaveBrokenLines(plain), mayHaveJoinedLines(plain)
	if !hasBroken && !hasJoined {
		return plain
	}
	pageText := page()
	if hasBroken {
		plain = joinBrokenLines(plain, pageText)
	}
	if hasJoined {
		plain = splitJoinedLines(plain, pageText)
	}
	return plain
}

// minBrokenLength is the smallest length in bytes of a line that may have been wrapped. maxJoinedLength is the largest
// length in bytes of a line after joining.
const (
	minBrokenLength = 50
	maxJoinedLength = 2000
)

func mayHaveBrokenLines(text string) bool {
	lines := strings.Split(text, "\n")
	for i, l := range lines[:min(len(lines), maxComparedLines)] {
		if len(l) >= minBrokenLength && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !isQuoted(l) {
			return true
		}
	}
	return false
}

// joinBrokenLines removes line breaks that the HTML does not have. Short lines stay, because the HTML may have lost
// their breaks.
func joinBrokenLines(plain, page string) string {
	var folded strings.Builder
	for line := range strings.Lines(page) {
		folded.WriteString(foldSpaceAndCase(line) + "\n")
	}
	foldedPage := folded.String()
	var out []string
	lastPlain := "" // the last line of plain that was appended to out
	for i, line := range strings.Split(plain, "\n") {
		n := len(out) - 1
		if i > 0 && i < maxComparedLines && len(lastPlain) >= minBrokenLength && mayContinueSentence(line) && !isQuoted(lastPlain) &&
			len(out[n])+len(line) < maxJoinedLength {
			if joined := strings.TrimRight(out[n], " \r") + " " + strings.TrimSpace(line); strings.Contains(foldedPage, foldSpaceAndCase(joined)) {
				out[n], lastPlain = joined, line
				continue
			}
		}
		out, lastPlain = append(out, line), line
	}
	return strings.Join(out, "\n")
}

// mayHaveJoinedLines reports whether an unquoted line has several words, so that it may be several lines of the writer.
func mayHaveJoinedLines(text string) bool {
	for i, line := range strings.Split(text, "\n") {
		if i == maxComparedLines {
			break
		}
		if !isQuoted(line) && len(strings.Fields(line)) > 1 {
			return true
		}
	}
	return false
}

// htmlLine is a line of the HTML: its text without spaces, and its length in bytes with spaces.
type htmlLine struct {
	text  string
	width int
}

// splitJoinedLines inserts line breaks that the plain text has lost. The HTML may be wrapped too, so a long line is
// not split if its sentence continues.
func splitJoinedLines(plain, page string) string {
	var rows []htmlLine
	for line := range strings.Lines(page) {
		if len(rows) == 2*maxComparedLines {
			break
		}
		if isQuoted(line) {
			rows = append(rows, htmlLine{text: ">\n"}) // Matches no line of the plain text.
			continue
		}
		rows = append(rows, htmlLine{strings.Join(strings.Fields(line), ""), len(strings.TrimSpace(line))})
	}
	var out []string
	for i, line := range strings.Split(plain, "\n") {
		if i < maxComparedLines && !isQuoted(line) && len(line) < maxJoinedLength {
			out = append(out, splitAtEnds(line, findLineEnds(strings.Join(strings.Fields(line), ""), rows))...)
		} else {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// lineEnd is the end of a line of HTML inside a plain-text line. offset is the offset in the plain-text line without
// spaces, width is the length of the HTML line, and isParagraphEnd is set if a blank line follows.
type lineEnd struct {
	offset         int
	width          int
	isParagraphEnd bool
}

// findLineEnds returns the line ends inside a plain-text line that is several lines of HTML, or nil. line has no
// spaces.
func findLineEnds(line string, rows []htmlLine) []lineEnd {
	if line == "" || slices.ContainsFunc(rows, func(r htmlLine) bool { return r.text == line }) {
		return nil
	}
	for i := range rows {
		if found := matchHTMLLines(line, rows[i:]); found != nil {
			return found
		}
	}
	return nil
}

// matchHTMLLines returns the line ends inside a line that consists of the first lines in rows, or nil if line consists
// of other text.
func matchHTMLLines(line string, rows []htmlLine) (found []lineEnd) {
	offset := 0
	for _, r := range rows {
		switch {
		case r.text == "" && offset > 0:
			found[len(found)-1].isParagraphEnd = true
			continue
		case r.text == "" || !strings.HasPrefix(line[offset:], r.text):
			return nil
		}
		if offset += len(r.text); offset == len(line) {
			return found
		}
		found = append(found, lineEnd{offset: offset, width: r.width})
	}
	return nil
}

// splitAtEnds splits a line at line ends of the HTML, and inserts a blank line after the end of a paragraph.
func splitAtEnds(line string, ends []lineEnd) (out []string) {
	n, from := 0, 0
	for i, r := range line {
		if unicode.IsSpace(r) {
			continue
		}
		if len(ends) > 0 && n == ends[0].offset {
			if ends[0].isParagraphEnd || ends[0].width < minBrokenLength || !mayContinueSentence(line[i:]) {
				out, from = append(out, strings.TrimSpace(line[from:i])), i
				if ends[0].isParagraphEnd {
					out = append(out, "")
				}
			}
			ends = ends[1:]
		}
		n += utf8.RuneLen(r)
	}
	return append(out, line[from:])
}

// mayContinueSentence reports whether a line may continue the line above: it begins with a letter or digit, unlike
// quotes and drawings.
func mayContinueSentence(line string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return unicode.IsLetter(first) || unicode.IsDigit(first)
}

// unflow joins the soft line breaks of format=flowed (RFC 3676): "PLACE Lodz 2, \nGdansk" becomes "PLACE Lodz 2,
// Gdansk". Quoted lines are joined with lines of the same depth. With delsp, the space before a soft break is
// removed.
func unflow(s string, delsp bool) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var out strings.Builder
	inFlow, flowDepth := false, 0
	for line := range strings.SplitSeq(s, "\n") {
		depth := 0
		for depth < len(line) && line[depth] == '>' {
			depth++
		}
		// Space-stuffing (RFC 3676, section 4.4).
		body := strings.TrimPrefix(line[depth:], " ")
		if inFlow && (depth != flowDepth || body == "-- ") {
			out.WriteByte('\n')
			inFlow = false
		}
		if !inFlow && depth > 0 {
			out.WriteString(strings.Repeat(">", depth) + " ")
		}
		if strings.HasSuffix(body, " ") && body != "-- " {
			if delsp {
				body = strings.TrimSuffix(body, " ")
			}
			out.WriteString(body)
			inFlow, flowDepth = true, depth
			continue
		}
		out.WriteString(body)
		out.WriteByte('\n')
		inFlow = false
	}
	if inFlow {
		out.WriteByte('\n')
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// splitParts splits a multipart body at its boundary lines. The parts are slices of body. isClosed is set if the
// end boundary was found; isCut is set if the body has more than limit parts.
func splitParts(body []byte, boundary string, limit int) (parts [][]byte, isClosed, isCut bool) {
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
			case len(parts) >= limit:
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

// withoutLastBreak removes the line break that belongs to the boundary below it.
func withoutLastBreak(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

var contentFieldPattern = lazyregexp.New(`(?i)^content-[a-z-]+[ \t]*:`)

// guessBoundary returns the boundary that a body uses: a line with two dashes above a Content- field. The header
// may name another boundary after a program has rewritten the header.
func guessBoundary(body []byte) string {
	for len(body) > 0 {
		line, after, _ := bytes.Cut(body, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r")
		if bytes.HasPrefix(line, []byte("--")) && len(line) > 2 && len(line) < 200 && contentFieldPattern.Match(after) {
			return string(line[2:])
		}
		body = after
	}
	return ""
}

// normalizeText normalizes line ends to \n, removes control and zero-width characters, and replaces no-break spaces by
// spaces.
func normalizeText(s string) string {
	unchanged := 0
	for unchanged < len(s) && (s[unchanged] >= ' ' && s[unchanged] < 0x7f || s[unchanged] == '\n' || s[unchanged] == '\t') {
		unchanged++
	}
	if unchanged == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:unchanged]...)
	s = strings.ToValidUTF8(s[unchanged:], "?")
	for i, r := range s {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t':
			b = append(b, byte(r))
			continue
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			continue
		case r == '\r', r == '\v', r == '\f', r == '\u2028', r == '\u2029', r == '\u0085':
			r = '\n'
		default:
			r = normalizeRune(r)
		}
		if r >= 0 {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// OneLine makes a header value or a server's answer safe to log: one line without control characters.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return normalizeRune(r)
	}, strings.ToValidUTF8(s, "?"))
	return strings.TrimSpace(s)
}

func normalizeRune(r rune) rune {
	switch {
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
		return -1
	case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
		return ' '
	case r == '\u00ad', r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2060' && r <= '\u206f', r == '\ufeff':
		return -1
	}
	return r
}
