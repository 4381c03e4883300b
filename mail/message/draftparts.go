package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime/quotedprintable"
	"slices"
	"strings"
)

// part is a MIME entity: its content headers and its encoded content.
type part struct {
	header  [][2]string
	content []byte
}

// body gives the text, or text and page as alternatives, with what is attached. The picture
// comes behind them, so that a program that shows text only still offers it.
func (m Draft) body() (p part, at Places) {
	shown, at := m.shown()
	parts := []part{shown}
	if m.Calendar != "" {
		parts = append(parts, calendarPart(m.Calendar))
	}
	if m.File != nil {
		parts = append(parts, filePart(*m.File))
	}
	if len(parts) == 1 {
		return shown, at
	}
	p = multipart("mixed", "", m.boundary()+"c", parts...)
	at = at.behind(bytes.Index(p.content, shown.content))
	if m.File != nil {
		at.File = len(p.content) - len("\r\n"+endOf(m.boundary()+"c"))
	}
	return p, at
}

// shown is what is shown of a message when it is opened.
func (m Draft) shown() (p part, at Places) {
	p = textPart("text/plain", m.Text)
	if m.HTML == "" && m.Picture == nil {
		return p, at
	}
	b := m.boundary()
	kind := "mixed"
	if m.HTML != "" {
		p = multipart("alternative", "", b+"a", p, textPart("text/html", m.HTML))
		kind = "related"
	}
	if m.Picture == nil {
		return p, at
	}
	first := ""
	if kind == "related" {
		// RFC 2387 wants to know what the other parts belong to.
		first = `; type="multipart/alternative"`
	}
	b += kind[:1]
	p = multipart(kind, first, b, p, picturePart(*m.Picture))
	at.Picture = len(p.content) - len("\r\n"+endOf(b))
	return p, at
}

// boundary is a hash, so that a letter rendered twice is the same letter, and no text can
// contain it by accident.
func (m Draft) boundary() string {
	h, some := sha256.New(), make([]byte, 1<<10)
	for i, s := range []string{m.MessageID, m.Text, m.HTML} {
		if i > 0 {
			h.Write([]byte{0})
		}
		for len(s) > 0 {
			n := copy(some, s)
			h.Write(some[:n])
			s = s[n:]
		}
	}
	return "=_" + hex.EncodeToString(h.Sum(nil)[:12])
}

func multipart(kind, params, boundary string, parts ...part) part {
	var b bytes.Buffer
	room := len(boundary) + 8
	for _, p := range parts {
		room += len(p.content) + 512
	}
	b.Grow(room)
	for _, p := range parts {
		fmt.Fprintf(&b, "--%s\r\n", boundary)
		for _, f := range p.header {
			if len(f[0])+len(f[1]) > 76 {
				f[1] = strings.ReplaceAll(f[1], "; ", ";\r\n ")
			}
			fmt.Fprintf(&b, "%s: %s\r\n", f[0], f[1])
		}
		b.WriteString("\r\n")
		b.Write(p.content)
		b.WriteString("\r\n")
	}
	b.WriteString(endOf(boundary))
	return part{
		header:  [][2]string{{"Content-Type", "multipart/" + kind + "; boundary=\"" + boundary + "\"" + params}},
		content: b.Bytes(),
	}
}

// endOf is the line that ends a multipart.
func endOf(boundary string) string { return "--" + boundary + "--\r\n" }

// textPart keeps pure ASCII with sane lines as it is, so that tables and maps
// stay readable in the raw letter; everything else is quoted-printable, which
// every mail program reads.
func textPart(kind, text string) part {
	raw := wireLines(text)
	p := part{header: [][2]string{{"Content-Type", kind + "; charset=utf-8"}}}
	if isPlainASCII(raw) {
		p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "7bit"})
		p.content = raw
		return p
	}
	var b bytes.Buffer
	b.Grow(len(raw) + len(raw)/8)
	w := quotedprintable.NewWriter(&b)
	// A bytes.Buffer never refuses a write.
	_, _ = w.Write(raw)
	_ = w.Close()
	p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "quoted-printable"})
	p.content = b.Bytes()
	return p
}

// wireLines are the lines of a text as mail has them: each ends with CRLF, the last one too.
func wireLines(text string) []byte {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	out := make([]byte, 0, len(text)+strings.Count(text, "\n")+2)
	for line := range strings.SplitAfterSeq(text, "\n") {
		if out = append(out, strings.TrimSuffix(line, "\n")...); line != "" {
			out = append(out, '\r', '\n')
		}
	}
	return out
}

// isPlainASCII says whether text may travel unencoded: RFC 5322 allows 998
// characters a line, and lines end with CRLF.
func isPlainASCII(text []byte) bool {
	line := 0
	for _, c := range text {
		switch {
		case c == '\n':
			line = 0
			continue
		case c == '\r', c == '\t':
		case c < ' ' || c >= 0x7f:
			return false
		}
		if line++; line > 990 {
			return false
		}
	}
	return true
}

// encodeData writes base64 in lines. No data gives no line.
func encodeData(data []byte) []byte {
	enc := base64.StdEncoding.EncodeToString(data)
	var b bytes.Buffer
	b.Grow(len(enc) + len(enc)/38 + 2)
	for line := range slices.Chunk([]byte(enc), 76) {
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func calendarPart(text string) part {
	p := textPart("text/calendar", text)
	p.header[0][1] += "; method=PUBLISH"
	p.header = append(p.header, [2]string{"Content-Disposition", `attachment; filename="answer.ics"`})
	return p
}

func picturePart(p Picture) part {
	return part{
		header: [][2]string{
			{"Content-Type", clean(p.Type)},
			{"Content-Transfer-Encoding", "base64"},
			{"Content-ID", "<" + clean(p.ID) + ">"},
			{"Content-Disposition", `inline; filename="` + clean(p.Name) + `"`},
		},
	}
}

func filePart(f File) part {
	return part{
		header: [][2]string{
			{"Content-Type", clean(f.Type)},
			{"Content-Transfer-Encoding", "base64"},
			{"Content-Disposition", `attachment; filename="` + clean(f.Name) + `"`},
		},
	}
}

// clean is a name that needs no quoting in a header.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\<>`, r) {
			return '_'
		}
		return r
	}, s)
}
