package embedded

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-message/textproto"
)

// Fetch writes from snapshots, with no lock held: the peer may read as slowly
// as it likes.
func (s *session) Fetch(w *imapserver.FetchWriter, set imap.NumSet, opts *imap.FetchOptions) error {
	hits := s.hits(set)
	for _, b := range opts.BodySection {
		if b.Peek || s.readOnly {
			continue
		}
		var unseen []hit
		for _, h := range hits {
			if !hasFlag(h.flags, imap.FlagSeen) {
				unseen = append(unseen, h)
			}
		}
		if err := s.flag(unseen, "add", []imap.Flag{imap.FlagSeen}, nil); err != nil {
			return s.fail("fetch", err)
		}
		break
	}
	for _, h := range hits {
		if err := s.write(w.CreateMessage(h.seq), h.message, opts); err != nil {
			return s.fail("fetch", err)
		}
	}
	return nil
}

// write writes one message. The writer holds the connection's lock until it is
// closed, so it is closed whatever happens.
func (s *session) write(w *imapserver.FetchResponseWriter, m message, opts *imap.FetchOptions) error {
	return closed(w, s.writeItems(w, m, opts))
}

// closed closes a writer, and gives the first error.
func closed(w io.Closer, err error) error {
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}

func (s *session) writeItems(w *imapserver.FetchResponseWriter, m message, opts *imap.FetchOptions) error {
	w.WriteUID(m.uid)
	if opts.Flags {
		w.WriteFlags(m.flags)
	}
	if opts.InternalDate {
		w.WriteInternalDate(m.at)
	}
	if opts.RFC822Size {
		w.WriteRFC822Size(m.size)
	}
	for _, b := range opts.BodySection {
		data, err := s.section(m, b)
		if err != nil {
			return err
		}
		if err := writeLiteral(w.WriteBodySection(b, int64(len(data))), data); err != nil {
			return err
		}
	}
	if opts.Envelope || opts.BodyStructure != nil || len(opts.BinarySection)+len(opts.BinarySectionSize) > 0 {
		raw, err := s.account.body(m, 0, m.size)
		if err != nil {
			return err
		}
		return writeParsed(w, raw, opts)
	}
	return nil
}

func writeLiteral(w io.WriteCloser, data []byte) error {
	_, err := w.Write(data)
	return closed(w, err)
}

// writeParsed writes the items that need the message taken apart.
func writeParsed(w *imapserver.FetchResponseWriter, raw []byte, opts *imap.FetchOptions) error {
	if opts.Envelope {
		env := &imap.Envelope{}
		if h, err := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(raw))); err == nil {
			env = imapserver.ExtractEnvelope(h)
		}
		w.WriteEnvelope(env)
	}
	if opts.BodyStructure != nil {
		w.WriteBodyStructure(whole(imapserver.ExtractBodyStructure(bytes.NewReader(raw))))
	}
	for _, b := range opts.BinarySection {
		data := imapserver.ExtractBinarySection(bytes.NewReader(raw), b)
		if err := writeLiteral(w.WriteBinarySection(b, int64(len(data))), data); err != nil {
			return err
		}
	}
	for _, b := range opts.BinarySectionSize {
		w.WriteBinarySectionSize(b, imapserver.ExtractBinarySectionSize(bytes.NewReader(raw), b))
	}
	return nil
}

// whole replaces multiparts without parts, on which the library panics.
func whole(s imap.BodyStructure) imap.BodyStructure {
	switch b := s.(type) {
	case *imap.BodyStructureMultiPart:
		if len(b.Children) == 0 {
			return &imap.BodyStructureSinglePart{Type: "text", Subtype: "plain", Text: &imap.BodyStructureText{}, Extended: &imap.BodyStructureSinglePartExt{}}
		}
		for i := range b.Children {
			b.Children[i] = whole(b.Children[i])
		}
	case *imap.BodyStructureSinglePart:
		if b.MessageRFC822 != nil {
			b.MessageRFC822.BodyStructure = whole(b.MessageRFC822.BodyStructure)
		}
	}
	return s
}

// section reads a body section. Sections of the whole message are cut out of
// the bytes as they came, so that a message with a damaged header is whole too.
func (s *session) section(m message, b *imap.FetchItemBodySection) ([]byte, error) {
	if len(b.Part) == 0 && b.Specifier == imap.PartSpecifierNone {
		off, n := int64(0), int64(math.MaxInt64)
		if b.Partial != nil {
			off, n = b.Partial.Offset, b.Partial.Size
		}
		return s.account.body(m, off, n)
	}
	raw, err := s.account.body(m, 0, m.size)
	if err != nil {
		return nil, err
	}
	if len(b.Part) > 0 {
		return imapserver.ExtractBodySection(bytes.NewReader(raw), b), nil
	}
	header, text := splitHeader(raw)
	switch {
	case b.Specifier == imap.PartSpecifierText:
		raw = text
	case len(b.HeaderFields) > 0:
		raw = pickFields(header, b.HeaderFields, true)
	case len(b.HeaderFieldsNot) > 0:
		raw = pickFields(header, b.HeaderFieldsNot, false)
	default:
		raw = header
	}
	if p := b.Partial; p != nil {
		raw = raw[min(max(p.Offset, 0), int64(len(raw))):]
		raw = raw[:min(max(p.Size, 0), int64(len(raw)))]
	}
	return raw, nil
}

// splitHeader cuts behind the first blank line.
func splitHeader(raw []byte) (header, text []byte) {
	n := 0
	for line := range bytes.Lines(raw) {
		if n += len(line); isBlank(line) {
			return raw[:n], raw[n:]
		}
	}
	return raw, nil
}

func isBlank(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }

// pickFields gives the named fields, or all others, and a blank line.
func pickFields(header []byte, names []string, wanted bool) []byte {
	var out []byte
	keep := false
	for line := range bytes.Lines(header) {
		if isBlank(line) {
			break
		}
		if line[0] != ' ' && line[0] != '\t' {
			key, _, _ := bytes.Cut(line, []byte(":"))
			keep = slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, string(bytes.TrimSpace(key))) }) == wanted
		}
		if keep {
			out = append(out, line...)
		}
	}
	return append(out, "\r\n"...)
}
