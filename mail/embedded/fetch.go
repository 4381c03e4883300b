package embedded

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"net"
	"regexp"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-message/textproto"
)

// Fetch writes from snapshots, with no lock held: the peer may read as slowly
// as it likes.
func (s *session) Fetch(w *imapserver.FetchWriter, set imap.NumSet, opts *imap.FetchOptions) error {
	if len(opts.BodySection)+len(opts.BinarySection)+len(opts.BinarySectionSize) > mostParts {
		return refuse(imap.ResponseCodeLimit, "Too many sections")
	}
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
		if s.server.closing() {
			return net.ErrClosed
		}
		// The writer holds the connection's lock until it is closed.
		r := w.CreateMessage(h.seq)
		if err := closed(r, s.write(r, h.message, opts)); err != nil {
			return s.fail("fetch", err)
		}
	}
	return nil
}

// closed closes a writer, and gives the first error.
func closed(w io.Closer, err error) error {
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}

// write writes what was asked for of one message.
func (s *session) write(w *imapserver.FetchResponseWriter, m message, opts *imap.FetchOptions) error {
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
	if opts.BodyStructure == nil && len(opts.BinarySection)+len(opts.BinarySectionSize) == 0 {
		return nil
	}
	raw = flat(raw)
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

// section reads a body section. The whole message is the bytes as they came, also of one
// with a damaged header.
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
		raw = flat(raw)
	}
	return imapserver.ExtractBodySection(bytes.NewReader(raw), b), nil
}

// mostParts is how many parts a message may have that is taken apart.
const mostParts = 100

var aPart = regexp.MustCompile(`(?i)content-type:\s*(multipart|message)/`)

// flat gives a message without parts for one that has too many: what the library needs
// grows with size and depth.
func flat(raw []byte) []byte {
	if len(aPart.FindAllIndex(raw, mostParts+1)) <= mostParts {
		return raw
	}
	return []byte("\r\n")
}
