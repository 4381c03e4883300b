package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"slices"
	"strings"
	"time"
)

// Mark is the line every letter of ours begins with. What a player writes
// above it counts; what stands below an unmarked copy of it does not. It must
// not begin with two dashes: mail programs would take the rest for a signature.
const Mark = "=== Samizdat reads nothing below this line ==="

// Draft is a letter to be rendered. Message-IDs carry no angle brackets.
type Draft struct {
	From, FromName string
	To             string
	ReplyTo        string
	Subject        string
	MessageID      string
	InReplyTo      string
	References     []string
	// ListID groups the letters of one match in mail programs.
	ListID string
	Date   time.Time
	// AutoSubmitted is "auto-generated" or "auto-replied" (RFC 3834).
	AutoSubmitted string
	// Text is the plain-text body. Lines end with \n.
	Text string
	// HTML is an alternative body with the same content; it may be empty.
	HTML string
	// Calendar is an entry for a calendar (RFC 5545), published; it may be empty.
	Calendar string
	// Picture is shown in line; HTML refers to it as cid:ID. Nil is none.
	Picture *Picture
	// Extra are further header fields, written in the order of their names.
	Extra map[string]string
}

// Picture is the in-line picture of a letter.
type Picture struct {
	// ID is the content id, without angle brackets.
	ID string
	// Name is the file name shown to the reader.
	Name string
	// Type is the media type, such as image/png.
	Type string
	Data []byte
}

// Render gives the complete RFC 5322 message with CRLF line ends. The same
// Draft always gives the same bytes. A line break in any header value is an
// error, so that nothing a player wrote can add a header.
func (m Draft) Render() ([]byte, error) {
	raw, at, err := m.RenderOpen()
	if err != nil || at == 0 {
		return raw, err
	}
	return Insert(raw, at, m.Picture.Data), nil
}

// RenderOpen gives the message without the data of its picture, and the place in it
// where Insert puts them; 0 when there is no picture. So a letter can be written at
// once, and its picture be drawn when it is sent.
func (m Draft) RenderOpen() (raw []byte, at int, err error) {
	var h headerWriter
	h.field("Date", m.Date.Format(time.RFC1123Z))
	h.address("From", m.FromName, m.From)
	h.address("To", "", m.To)
	if m.ReplyTo != "" {
		h.address("Reply-To", "", m.ReplyTo)
	}
	h.text("Subject", m.Subject)
	h.ids("Message-ID", m.MessageID)
	h.ids("In-Reply-To", m.InReplyTo)
	h.ids("References", m.References...)
	if m.ListID != "" {
		h.field("List-Id", "<"+strings.Trim(m.ListID, "<>")+">")
	}
	if m.AutoSubmitted != "" {
		h.field("Auto-Submitted", m.AutoSubmitted)
		// Exchange asks for this one before it sends notes of absence. It must go on
		// to report what does not arrive, so not "All".
		h.field("X-Auto-Response-Suppress", "OOF, AutoReply")
	}
	for _, k := range slices.Sorted(maps.Keys(m.Extra)) {
		h.text(k, m.Extra[k])
	}
	h.field("MIME-Version", "1.0")

	body, behind := m.body()
	for _, f := range body.header {
		h.field(f[0], f[1])
	}
	if h.err != nil {
		return nil, 0, fmt.Errorf("rendering letter %s: %w", m.MessageID, h.err)
	}
	h.buf.WriteString("\r\n")
	h.buf.Write(body.content)
	if m.Picture != nil {
		at = h.buf.Len() - behind
	}
	return h.buf.Bytes(), at, nil
}

// Insert puts the data of the picture into a message that RenderOpen gave.
func Insert(raw []byte, at int, data []byte) []byte {
	return slices.Concat(raw[:at], encodePicture(data), raw[at:])
}

// part is a MIME entity: its content headers and its encoded content.
type part struct {
	header  [][2]string
	content []byte
}

// body gives the text, or text and page as alternatives. The picture comes last, so
// that a program that shows text only still offers it; behind is how many bytes stand
// behind its data.
func (m Draft) body() (p part, behind int) {
	if m.Calendar == "" {
		return m.shown()
	}
	shown, behind := m.shown()
	p = multipart("mixed", "", m.boundary()+"c", shown, calendarPart(m.Calendar))
	if behind > 0 {
		behind += len(p.content) - bytes.Index(p.content, shown.content) - len(shown.content)
	}
	return p, behind
}

// shown is what is shown of a message when it is opened.
func (m Draft) shown() (p part, behind int) {
	p = textPart("text/plain", m.Text)
	if m.HTML == "" && m.Picture == nil {
		return p, 0
	}
	b := m.boundary()
	kind := "mixed"
	if m.HTML != "" {
		p = multipart("alternative", "", b+"a", p, textPart("text/html", m.HTML))
		kind = "related"
	}
	if m.Picture == nil {
		return p, 0
	}
	first := ""
	if kind == "related" {
		// RFC 2387 wants to know what the other parts belong to.
		first = `; type="multipart/alternative"`
	}
	b += kind[:1]
	return multipart(kind, first, b, p, picturePart(*m.Picture)), len("\r\n" + endOf(b))
}

// boundary is a hash, so that a letter rendered twice is the same letter, and no text can
// contain it by accident.
func (m Draft) boundary() string {
	sum := sha256.Sum256([]byte(m.MessageID + "\x00" + m.Text + "\x00" + m.HTML))
	return "=_" + hex.EncodeToString(sum[:12])
}

func multipart(kind, params, boundary string, parts ...part) part {
	var b bytes.Buffer
	for _, p := range parts {
		fmt.Fprintf(&b, "--%s\r\n", boundary)
		for _, f := range p.header {
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
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text = strings.ReplaceAll(text, "\n", "\r\n")
	p := part{header: [][2]string{{"Content-Type", kind + "; charset=utf-8"}}}
	if isPlainASCII(text) {
		p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "7bit"})
		p.content = []byte(text)
		return p
	}
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	// A bytes.Buffer never refuses a write.
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "quoted-printable"})
	p.content = b.Bytes()
	return p
}

// isPlainASCII says whether text may travel unencoded: RFC 5322 allows 998
// characters a line, and lines end with CRLF.
func isPlainASCII(text string) bool {
	line := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
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

// encodePicture writes base64 in lines. No data gives no line.
func encodePicture(data []byte) []byte {
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
	clean := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' || strings.ContainsRune(`"\<>`, r) {
				return '_'
			}
			return r
		}, s)
	}
	return part{
		header: [][2]string{
			{"Content-Type", clean(p.Type)},
			{"Content-Transfer-Encoding", "base64"},
			{"Content-ID", "<" + clean(p.ID) + ">"},
			{"Content-Disposition", `inline; filename="` + clean(p.Name) + `"`},
		},
	}
}

// headerWriter writes folded header fields and keeps the first error.
type headerWriter struct {
	buf bytes.Buffer
	err error
}

var errLineBreak = errors.New("a header value holds a line break or a control character")

func (h *headerWriter) fail(key string, err error) {
	if h.err == nil {
		h.err = fmt.Errorf("header %s: %w", key, err)
	}
}

// field writes a value that is already encoded.
func (h *headerWriter) field(key, value string) {
	if !isFieldName(key) {
		h.fail(key, errors.New("not a header name"))
		return
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		h.fail(key, errLineBreak)
		return
	}
	h.buf.WriteString(key + ":")
	col := len(key) + 1
	for _, word := range strings.Fields(value) {
		// The first word stays beside the name, save an encoded one: RFC 2047
		// section 2 wants those on short lines.
		if col+1+len(word) > 78 && (col > len(key)+1 || strings.HasPrefix(word, "=?")) {
			h.buf.WriteString("\r\n")
			col = 0
		}
		h.buf.WriteString(" " + word)
		col += 1 + len(word)
	}
	h.buf.WriteString("\r\n")
}

// text writes free text, encoded by RFC 2047 where it is not ASCII.
func (h *headerWriter) text(key, value string) {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		h.fail(key, errLineBreak)
		return
	}
	h.field(key, mime.QEncoding.Encode("utf-8", strings.ToValidUTF8(value, "?")))
}

func (h *headerWriter) address(key, name, addr string) {
	if strings.ContainsAny(name+addr, "\r\n\x00") {
		h.fail(key, errLineBreak)
		return
	}
	a, err := netmail.ParseAddress(addr)
	if err != nil || a.Name != "" {
		h.fail(key, fmt.Errorf("%q is not a bare address", addr))
		return
	}
	a.Name = name
	if name == "" {
		h.field(key, strings.Trim(a.String(), "<>"))
		return
	}
	h.field(key, a.String())
}

func (h *headerWriter) ids(key string, ids ...string) {
	var out []string
	for _, id := range ids {
		if id = strings.Trim(id, "<>"); id == "" {
			continue
		}
		if strings.ContainsAny(id, " \t\r\n<>") {
			h.fail(key, errLineBreak)
			return
		}
		out = append(out, "<"+id+">")
	}
	if len(out) > 0 {
		h.field(key, strings.Join(out, " "))
	}
}

func isFieldName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == ':' })
}
