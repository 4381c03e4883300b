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

// Mark is the first line of every letter of the referee. Players write above it; the text below an unquoted Mark is a
// copy of our letter. oldMark is the first line of older letters. A Mark must not begin with two dashes, which begin
// a signature.
const (
	Mark    = "=== Write above this line. Samizdat reads nothing below it. ==="
	oldMark = "=== Samizdat reads nothing below this line ==="
)

// Draft is a letter to be rendered. Message-IDs have no angle brackets.
type Draft struct {
	From, FromName string
	To             string
	ReplyTo        string
	Subject        string
	MessageID      string
	InReplyTo      string
	References     []string
	// ListID groups the letters of a match in mail programs (RFC 2919).
	ListID string
	Date   time.Time
	// AutoSubmitted is "auto-generated" or "auto-replied" (RFC 3834).
	AutoSubmitted string
	// Text is the plain-text body. Lines end with \n.
	Text string
	HTML string
	// Calendar is a calendar entry (RFC 5545, method PUBLISH), or empty.
	Calendar string
	// Picture is an inline picture, which HTML refers to as cid:ID; or nil.
	Picture *Attachment
	File    *Attachment
	// Extra are further header fields, written in alphabetical order.
	Extra map[string]string
}

// Attachment is an attached file or, with an ID, an inline picture.
type Attachment struct {
	// ID is the Content-ID of an inline picture, without angle brackets.
	ID string
	// Type is the media type, e.g. image/png.
	Name, Type string
	Data       []byte
}

// DataOffsets are the offsets at which InsertData inserts the data of the picture and of the file into a message from
// RenderWithoutData. An offset is 0 if there is no picture or file.
type DataOffsets struct{ Picture, File int }

// Render returns the RFC 5322 message with CRLF line ends. Equal drafts give equal bytes. A line break in a header
// value is an error, so that a player's text cannot add header fields.
func (d Draft) Render() ([]byte, error) {
	raw, offsets, err := d.RenderWithoutData()
	if err == nil && offsets.File > 0 {
		raw = InsertData(raw, offsets.File, d.File.Data)
	}
	if err == nil && offsets.Picture > 0 {
		raw = InsertData(raw, offsets.Picture, d.Picture.Data)
	}
	return raw, err
}

// RenderWithoutData renders the message without the data of picture and file, so that a letter can be queued
// before its picture is drawn. InsertData completes the message: insert the file first, because its offset is
// larger.
func (d Draft) RenderWithoutData() (raw []byte, offsets DataOffsets, err error) {
	var h headerWriter
	h.writeField("Date", d.Date.Format(time.RFC1123Z))
	h.writeAddress("From", d.FromName, d.From)
	h.writeAddress("To", "", d.To)
	if d.ReplyTo != "" {
		h.writeAddress("Reply-To", "", d.ReplyTo)
	}
	h.writeText("Subject", d.Subject)
	h.writeIDs("Message-ID", d.MessageID)
	h.writeIDs("In-Reply-To", d.InReplyTo)
	h.writeIDs("References", d.References...)
	if d.ListID != "" {
		h.writeField("List-Id", "<"+strings.Trim(d.ListID, "<>")+">")
	}
	if d.AutoSubmitted != "" {
		h.writeField("Auto-Submitted", d.AutoSubmitted)
		// Exchange sends no out-of-office replies to letters with this field. "All" would suppress bounces too.
		h.writeField("X-Auto-Response-Suppress", "OOF, AutoReply")
	}
	for _, k := range slices.Sorted(maps.Keys(d.Extra)) {
		h.writeText(k, d.Extra[k])
	}
	h.writeField("MIME-Version", "1.0")

	body := d.body(&offsets)
	for _, f := range body.header {
		h.writeField(f[0], f[1])
	}
	if h.err != nil {
		return nil, DataOffsets{}, fmt.Errorf("rendering letter %s: %w", d.MessageID, h.err)
	}
	h.buf.WriteString("\r\n")
	body.write(&h.buf)
	return h.buf.Bytes(), offsets, nil
}

// InsertData inserts base64-encoded data at an offset from RenderWithoutData.
func InsertData(raw []byte, at int, data []byte) []byte {
	out := append(make([]byte, 0, len(raw)+encodedLen(data)), raw[:at]...)
	return append(appendData(out, data), raw[at:]...)
}

// headerWriter writes header fields, folded and encoded. After an error it goes on, and err is the first error.
type headerWriter struct {
	buf bytes.Buffer
	err error
}

var errControlCharacter = errors.New("a header value contains a line break or a control character")

func (h *headerWriter) setError(key string, err error) {
	if h.err == nil {
		h.err = fmt.Errorf("header %s: %w", key, err)
	}
}

func (h *headerWriter) writeField(key, value string) {
	if !isFieldName(key) {
		h.setError(key, errors.New("not a header name"))
		return
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		h.setError(key, errControlCharacter)
		return
	}
	h.buf.WriteString(key + ":")
	col := len(key) + 1
	for _, word := range strings.Fields(value) {
		// RFC 2047, section 2, limits a line with an encoded word to 76 characters, so even the first word may start a
		// new line.
		if col+1+len(word) > 78 && (col > len(key)+1 || strings.HasPrefix(word, "=?")) {
			h.buf.WriteString("\r\n")
			col = 0
		}
		h.buf.WriteString(" " + word)
		col += 1 + len(word)
	}
	h.buf.WriteString("\r\n")
}

func (h *headerWriter) writeText(key, value string) {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		h.setError(key, errControlCharacter)
		return
	}
	h.writeField(key, mime.QEncoding.Encode("utf-8", strings.ToValidUTF8(value, "?")))
}

func (h *headerWriter) writeAddress(key, name, addr string) {
	if strings.ContainsAny(name+addr, "\r\n\x00") {
		h.setError(key, errControlCharacter)
		return
	}
	a, err := netmail.ParseAddress(addr)
	if err != nil || a.Name != "" {
		h.setError(key, fmt.Errorf("%q is not a bare address", addr))
		return
	}
	a.Name = name
	if name == "" {
		h.writeField(key, strings.Trim(a.String(), "<>"))
		return
	}
	h.writeField(key, a.String())
}

func (h *headerWriter) writeIDs(key string, ids ...string) {
	var out []string
	for _, id := range ids {
		if id = strings.Trim(id, "<>"); id == "" {
			continue
		}
		if strings.ContainsAny(id, " \t\r\n<>") {
			h.setError(key, errControlCharacter)
			return
		}
		out = append(out, "<"+id+">")
	}
	if len(out) > 0 {
		h.writeField(key, strings.Join(out, " "))
	}
}

func isFieldName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == ':' })
}

// draftPart is a MIME entity: header fields, and either content or child parts. The content is written directly into
// the message, to avoid copies of the size of the letter.
type draftPart struct {
	header [][2]string
	// text is unencoded content with \n line ends; encoded is already encoded content.
	text     string
	encoded  []byte
	boundary string
	parts    []draftPart
	// offset receives the offset of content that InsertData inserts later.
	offset *int
}

// body returns the body: the text, or text and HTML as alternatives, and the attachments. The picture comes after the
// text, so that mail programs without HTML offer it as an attachment.
func (d Draft) body(offsets *DataOffsets) draftPart {
	b := ""
	if d.HTML != "" || d.Picture != nil || d.Calendar != "" || d.File != nil {
		b = d.boundary()
	}
	parts := []draftPart{d.displayedPart(b, offsets)}
	if d.Calendar != "" {
		parts = append(parts, calendarPart(d.Calendar))
	}
	if d.File != nil {
		parts = append(parts, attachmentPart(*d.File, &offsets.File))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return multipart("mixed", "", b+"c", parts...)
}

func (d Draft) displayedPart(boundary string, offsets *DataOffsets) draftPart {
	p := textPart("text/plain", d.Text)
	subtype, params := "mixed", ""
	if d.HTML != "" {
		p = multipart("alternative", "", boundary+"a", p, textPart("text/html", d.HTML))
		// RFC 2387 requires the type of the root part.
		subtype, params = "related", `; type="multipart/alternative"`
	}
	if d.Picture == nil {
		return p
	}
	return multipart(subtype, params, boundary+subtype[:1], p, attachmentPart(*d.Picture, &offsets.Picture))
}

// boundary returns a hash of the contents: rendering stays deterministic, and no text contains it by accident.
func (d Draft) boundary() string {
	sum := sha256.Sum256([]byte(d.MessageID + "\x00" + d.Text + "\x00" + d.HTML))
	return "=_" + hex.EncodeToString(sum[:12])
}

func multipart(subtype, params, boundary string, parts ...draftPart) draftPart {
	return draftPart{
		header:   [][2]string{{"Content-Type", "multipart/" + subtype + "; boundary=\"" + boundary + "\"" + params}},
		boundary: boundary, parts: parts,
	}
}

func (p *draftPart) write(b *bytes.Buffer) {
	if p.offset != nil {
		*p.offset = b.Len()
	}
	b.Write(appendCRLFLines(b.AvailableBuffer(), p.text))
	b.Write(p.encoded)
	for i := range p.parts {
		b.WriteString("--" + p.boundary + "\r\n")
		for _, f := range p.parts[i].header {
			if len(f[0])+len(f[1]) > 76 {
				f[1] = strings.ReplaceAll(f[1], "; ", ";\r\n ")
			}
			b.WriteString(f[0] + ": " + f[1] + "\r\n")
		}
		b.WriteString("\r\n")
		p.parts[i].write(b)
		b.WriteString("\r\n")
	}
	if p.boundary != "" {
		b.WriteString("--" + p.boundary + "--\r\n")
	}
}

// textPart encodes short ASCII lines as 7bit, so that tables are readable in the raw letter, and other text as
// quoted-printable.
func textPart(mediaType, text string) draftPart {
	p := draftPart{header: [][2]string{{"Content-Type", mediaType + "; charset=utf-8"}}}
	if isPlainASCII(text) {
		p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "7bit"})
		p.text = text
		return p
	}
	raw := appendCRLFLines(nil, text)
	var b bytes.Buffer
	b.Grow(len(raw) + len(raw)/8)
	w := quotedprintable.NewWriter(&b)
	// bytes.Buffer never returns a write error.
	_, _ = w.Write(raw)
	_ = w.Close()
	p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "quoted-printable"})
	p.encoded = b.Bytes()
	return p
}

// appendCRLFLines appends text with CRLF line ends, including the last line.
func appendCRLFLines(out []byte, text string) []byte {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	out = slices.Grow(out, len(text)+strings.Count(text, "\n")+2)
	for line := range strings.SplitAfterSeq(text, "\n") {
		if out = append(out, strings.TrimSuffix(line, "\n")...); line != "" {
			out = append(out, '\r', '\n')
		}
	}
	return out
}

// maxPlainLine is the length in bytes of the longest unencoded line. RFC 5322 allows 998.
const maxPlainLine = 989

func isPlainASCII(text string) bool {
	line := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n', c == '\r':
			line = 0
			continue
		case c < ' ' && c != '\t', c >= 0x7f:
			return false
		}
		if line++; line > maxPlainLine {
			return false
		}
	}
	return true
}

// dataPerLine bytes give a base64 line of encodedPerLine bytes.
const (
	dataPerLine    = 57
	encodedPerLine = dataPerLine/3*4 + len("\r\n")
)

func encodedLen(data []byte) int { return (len(data) + dataPerLine - 1) / dataPerLine * encodedPerLine }

func appendData(out, data []byte) []byte {
	for line := range slices.Chunk(data, dataPerLine) {
		out = append(base64.StdEncoding.AppendEncode(out, line), "\r\n"...)
	}
	return out
}

func calendarPart(text string) draftPart {
	p := textPart("text/calendar", text)
	p.header[0][1] += "; method=PUBLISH"
	p.header = append(p.header, [2]string{"Content-Disposition", `attachment; filename="answer.ics"`})
	return p
}

func attachmentPart(a Attachment, offset *int) draftPart {
	p := draftPart{offset: offset, header: [][2]string{{"Content-Type", sanitizeParameter(a.Type)}, {"Content-Transfer-Encoding", "base64"}}}
	disposition := "attachment"
	if a.ID != "" {
		p.header = append(p.header, [2]string{"Content-ID", "<" + sanitizeParameter(a.ID) + ">"})
		disposition = "inline"
	}
	p.header = append(p.header, [2]string{"Content-Disposition", disposition + `; filename="` + sanitizeParameter(a.Name) + `"`})
	return p
}

// sanitizeParameter replaces characters that need quoting in a header parameter.
func sanitizeParameter(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\<>`, r) {
			return '_'
		}
		return r
	}, s)
}
