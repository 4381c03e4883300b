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
	// File is attached; nil is none.
	File *File
	// Extra are further header fields, written in the order of their names.
	Extra map[string]string
}

// Picture is the in-line picture of a letter.
type Picture struct {
	// ID is the content id, without angle brackets.
	ID string
	// LetterName is the file name shown to the reader.
	Name string
	// Type is the media type, such as image/png.
	Type string
	Data []byte
}

// File is what is attached to a letter.
type File struct {
	// LetterName is the file name shown to the reader, Type the media type.
	Name, Type string
	Data       []byte
}

// DataOffsets say where in a message that RenderWithoutData gave data are missing; 0 where none are.
type DataOffsets struct{ Picture, File int }

// Render gives the complete RFC 5322 message with CRLF line ends. The same
// Draft always gives the same bytes. A line break in any header value is an
// error, so that nothing a player wrote can add a header.
func (m Draft) Render() ([]byte, error) {
	raw, at, err := m.RenderWithoutData()
	if err == nil && at.File > 0 {
		raw = InsertData(raw, at.File, m.File.Data)
	}
	if err == nil && at.Picture > 0 {
		raw = InsertData(raw, at.Picture, m.Picture.Data)
	}
	return raw, err
}

// RenderWithoutData gives the message without the data of its picture and its file, and the places
// in it where Insert puts them. So a letter can be written at once, and be completed when it
// is sent. The file stands behind the picture: it is put in first, and moves nothing.
func (m Draft) RenderWithoutData() (raw []byte, at DataOffsets, err error) {
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

	body := m.body(&at)
	for _, f := range body.header {
		h.field(f[0], f[1])
	}
	if h.err != nil {
		return nil, DataOffsets{}, fmt.Errorf("rendering letter %s: %w", m.MessageID, h.err)
	}
	h.buf.WriteString("\r\n")
	body.write(&h.buf)
	return h.buf.Bytes(), at, nil
}

// InsertData puts data into a message that RenderWithoutData gave, at one of its places.
func InsertData(raw []byte, at int, data []byte) []byte {
	out := append(make([]byte, 0, len(raw)+encodedLen(data)), raw[:at]...)
	return append(appendData(out, data), raw[at:]...)
}

// headerWriter writes folded header fields and keeps the first error.
type headerWriter struct {
	buf bytes.Buffer
	err error
}

var errControlCharacter = errors.New("a header value holds a line break or a control character")

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
		h.fail(key, errControlCharacter)
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

// checkText writes free text, encoded by RFC 2047 where it is not ASCII.
func (h *headerWriter) text(key, value string) {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		h.fail(key, errControlCharacter)
		return
	}
	h.field(key, mime.QEncoding.Encode("utf-8", strings.ToValidUTF8(value, "?")))
}

func (h *headerWriter) address(key, name, addr string) {
	if strings.ContainsAny(name+addr, "\r\n\x00") {
		h.fail(key, errControlCharacter)
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
			h.fail(key, errControlCharacter)
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

// draftPart is a MIME entity: its content headers, and its content or its parts. It is written into the message at
// once, for every copy on the way there would be as large as the letter.
type draftPart struct {
	header [][2]string
	// checkText is content that stays as it is but for the ends of its lines, encoded what is encoded.
	text    string
	encoded []byte
	// boundary stands between parts.
	boundary string
	parts    []draftPart
	// offset gets where in the message the content goes, which is put in later.
	offset *int
}

// body gives the text, or text and page as alternatives, with what is attached. The picture
// comes behind them, so that a program that shows text only still offers it.
func (m Draft) body(at *DataOffsets) draftPart {
	b := ""
	if m.HTML != "" || m.Picture != nil || m.Calendar != "" || m.File != nil {
		b = m.boundary()
	}
	parts := []draftPart{m.shownPart(b, at)}
	if m.Calendar != "" {
		parts = append(parts, calendarPart(m.Calendar))
	}
	if m.File != nil {
		parts = append(parts, filePart(*m.File, &at.File))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return multipart("mixed", "", b+"c", parts...)
}

// shownPart is what is shown of a message when it is opened.
func (m Draft) shownPart(b string, at *DataOffsets) draftPart {
	p := textPart("text/plain", m.Text)
	kind, first := "mixed", ""
	if m.HTML != "" {
		p = multipart("alternative", "", b+"a", p, textPart("text/html", m.HTML))
		// RFC 2387 wants to know what the other parts belong to.
		kind, first = "related", `; type="multipart/alternative"`
	}
	if m.Picture == nil {
		return p
	}
	return multipart(kind, first, b+kind[:1], p, picturePart(*m.Picture, &at.Picture))
}

// boundary is a hash, so that a letter rendered twice is the same letter, and no text can
// contain it by accident.
func (m Draft) boundary() string {
	sum := sha256.Sum256([]byte(m.MessageID + "\x00" + m.Text + "\x00" + m.HTML))
	return "=_" + hex.EncodeToString(sum[:12])
}

func multipart(kind, params, boundary string, parts ...draftPart) draftPart {
	return draftPart{
		header:   [][2]string{{"Content-Type", "multipart/" + kind + "; boundary=\"" + boundary + "\"" + params}},
		boundary: boundary, parts: parts,
	}
}

// write writes the content of a part.
func (p *draftPart) write(b *bytes.Buffer) {
	if p.offset != nil {
		*p.offset = b.Len()
	}
	b.Write(wireLines(b.AvailableBuffer(), p.text))
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

// textPart keeps pure ASCII with sane lines as it is, so that tables and maps
// stay readable in the raw letter; everything else is quoted-printable, which
// every mail program reads.
func textPart(kind, text string) draftPart {
	p := draftPart{header: [][2]string{{"Content-Type", kind + "; charset=utf-8"}}}
	if isPlainASCII(text) {
		p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "7bit"})
		p.text = text
		return p
	}
	raw := wireLines(nil, text)
	var b bytes.Buffer
	b.Grow(len(raw) + len(raw)/8)
	w := quotedprintable.NewWriter(&b)
	// A bytes.Buffer never refuses a write.
	_, _ = w.Write(raw)
	_ = w.Close()
	p.header = append(p.header, [2]string{"Content-Transfer-Encoding", "quoted-printable"})
	p.encoded = b.Bytes()
	return p
}

// wireLines appends the lines of a text as mail has them: each ends with CRLF, the last one too.
func wireLines(out []byte, text string) []byte {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	out = slices.Grow(out, len(text)+strings.Count(text, "\n")+2)
	for line := range strings.SplitAfterSeq(text, "\n") {
		if out = append(out, strings.TrimSuffix(line, "\n")...); line != "" {
			out = append(out, '\r', '\n')
		}
	}
	return out
}

// maxPlainLine is how long a line may be that travels unencoded: RFC 5322 allows 998 characters.
const maxPlainLine = 989

// isPlainASCII says whether text may travel unencoded.
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

// dataPerLine is how many bytes of data a line of base64 has, and encodedPerLine what it takes.
const (
	dataPerLine    = 57
	encodedPerLine = dataPerLine/3*4 + len("\r\n")
)

// encodedLen is at most what data take.
func encodedLen(data []byte) int { return (len(data) + dataPerLine - 1) / dataPerLine * encodedPerLine }

// appendData writes base64 in lines. No data gives no line.
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

func picturePart(p Picture, place *int) draftPart {
	return draftPart{
		offset: place,
		header: [][2]string{
			{"Content-Type", headerSafe(p.Type)},
			{"Content-Transfer-Encoding", "base64"},
			{"Content-ID", "<" + headerSafe(p.ID) + ">"},
			{"Content-Disposition", `inline; filename="` + headerSafe(p.Name) + `"`},
		},
	}
}

func filePart(f File, place *int) draftPart {
	return draftPart{
		offset: place,
		header: [][2]string{
			{"Content-Type", headerSafe(f.Type)},
			{"Content-Transfer-Encoding", "base64"},
			{"Content-Disposition", `attachment; filename="` + headerSafe(f.Name) + `"`},
		},
	}
}

// headerSafe is a name that needs no quoting in a header.
func headerSafe(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\<>`, r) {
			return '_'
		}
		return r
	}, s)
}
