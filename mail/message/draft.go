package message

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"mime"
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
	// Name is the file name shown to the reader.
	Name string
	// Type is the media type, such as image/png.
	Type string
	Data []byte
}

// File is what is attached to a letter.
type File struct {
	// Name is the file name shown to the reader, Type the media type.
	Name, Type string
	Data       []byte
}

// Places say where in a message that RenderOpen gave data are missing; 0 where none are.
type Places struct{ Picture, File int }

// Render gives the complete RFC 5322 message with CRLF line ends. The same
// Draft always gives the same bytes. A line break in any header value is an
// error, so that nothing a player wrote can add a header.
func (m Draft) Render() ([]byte, error) {
	raw, at, err := m.RenderOpen()
	if err == nil && at.File > 0 {
		raw = Insert(raw, at.File, m.File.Data)
	}
	if err == nil && at.Picture > 0 {
		raw = Insert(raw, at.Picture, m.Picture.Data)
	}
	return raw, err
}

// RenderOpen gives the message without the data of its picture and its file, and the places
// in it where Insert puts them. So a letter can be written at once, and be completed when it
// is sent. The file stands behind the picture: it is put in first, and moves nothing.
func (m Draft) RenderOpen() (raw []byte, at Places, err error) {
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
		return nil, Places{}, fmt.Errorf("rendering letter %s: %w", m.MessageID, h.err)
	}
	h.buf.WriteString("\r\n")
	h.buf.Grow(body.size())
	body.write(&h.buf)
	return h.buf.Bytes(), at, nil
}

// Insert puts data into a message that RenderOpen gave, at one of its places.
func Insert(raw []byte, at int, data []byte) []byte {
	out := append(make([]byte, 0, len(raw)+encodedLen(data)), raw[:at]...)
	return append(appendData(out, data), raw[at:]...)
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
	if name == "" && isSimple(addr) {
		h.field(key, addr)
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

// isSimple tells of an address of words, dots and one "@" that it is a bare one, as nearly all are: to parse it
// would give the same. Of others it says nothing.
func isSimple(addr string) bool {
	local, domain, ok := strings.Cut(addr, "@")
	return ok && isWords(local) && isWords(domain)
}

// isWords reports whether a text is words with single dots between them.
func isWords(s string) bool {
	before := byte('.')
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '+', c == '=':
		case c == '.' && before != '.':
		default:
			return false
		}
		before = c
	}
	return before != '.'
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
