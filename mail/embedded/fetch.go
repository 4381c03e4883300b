package embedded

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	gomessage "github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-message/textproto"
)

// Fetch implements imapserver.Session. It writes snapshots of the messages and holds no lock, because the client may
// read slowly.
func (s *session) Fetch(w *imapserver.FetchWriter, set imap.NumSet, opts *imap.FetchOptions) error {
	if len(opts.BodySection)+len(opts.BinarySection)+len(opts.BinarySectionSize) > maxParts {
		return newRefusal(imap.ResponseCodeLimit, "Too many sections")
	}
	messages := s.findMessages(set)
	for _, b := range opts.BodySection {
		if b.Peek || s.readOnly {
			continue
		}
		var unseen []foundMessage
		for _, found := range messages {
			if !hasFlag(found.flags, imap.FlagSeen) {
				unseen = append(unseen, found)
			}
		}
		if err := s.changeFlags(unseen, "add", []imap.Flag{imap.FlagSeen}, nil); err != nil {
			return s.serverError("fetch", err)
		}
		break
	}
	for _, found := range messages {
		if s.server.isClosing() {
			return net.ErrClosed
		}
		// The library locks the connection until the writer is closed, so the writer is closed after an error too.
		r := w.CreateMessage(found.seq)
		if err := closeWriter(r, s.writeMessage(r, found.message, opts)); err != nil {
			return s.serverError("fetch", err)
		}
	}
	return nil
}

func closeWriter(w io.Closer, err error) error {
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (s *session) writeMessage(w *imapserver.FetchResponseWriter, m message, opts *imap.FetchOptions) error {
	w.WriteUID(m.uid)
	if opts.Flags {
		w.WriteFlags(m.flags)
	}
	if opts.InternalDate {
		w.WriteInternalDate(m.received)
	}
	if opts.RFC822Size {
		w.WriteRFC822Size(m.size)
	}
	for _, b := range opts.BodySection {
		data, err := s.readSection(m, b)
		if err != nil {
			return err
		}
		if err := writeLiteral(w.WriteBodySection(b, int64(len(data))), data); err != nil {
			return err
		}
	}
	if opts.Envelope || opts.BodyStructure != nil || len(opts.BinarySection)+len(opts.BinarySectionSize) > 0 {
		raw, err := s.account.readBody(m, 0, m.size)
		if err != nil {
			return err
		}
		return writeParsed(w, raw, opts)
	}
	return nil
}

func writeLiteral(w io.WriteCloser, data []byte) error {
	_, err := w.Write(data)
	return closeWriter(w, err)
}

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
	raw = emptyIfTooManyParts(raw)
	if opts.BodyStructure != nil {
		w.WriteBodyStructure(fillEmptyMultiparts(imapserver.ExtractBodyStructure(bytes.NewReader(raw))))
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

// fillEmptyMultiparts replaces multiparts without parts, on which go-imap panics.
func fillEmptyMultiparts(s imap.BodyStructure) imap.BodyStructure {
	switch b := s.(type) {
	case *imap.BodyStructureMultiPart:
		if len(b.Children) == 0 {
			return &imap.BodyStructureSinglePart{Type: "text", Subtype: "plain", Text: &imap.BodyStructureText{},
				Extended: &imap.BodyStructureSinglePartExt{}}
		}
		for i := range b.Children {
			b.Children[i] = fillEmptyMultiparts(b.Children[i])
		}
	case *imap.BodyStructureSinglePart:
		if b.MessageRFC822 != nil {
			b.MessageRFC822.BodyStructure = fillEmptyMultiparts(b.MessageRFC822.BodyStructure)
		}
	}
	return s
}

// readSection reads a section of a body. A complete message is returned as received, even if its header is damaged.
func (s *session) readSection(m message, b *imap.FetchItemBodySection) ([]byte, error) {
	if len(b.Part) == 0 && b.Specifier == imap.PartSpecifierNone {
		offset, n := int64(0), int64(math.MaxInt64)
		if b.Partial != nil {
			offset, n = b.Partial.Offset, b.Partial.Size
		}
		return s.account.readBody(m, offset, n)
	}
	raw, err := s.account.readBody(m, 0, m.size)
	if err != nil {
		return nil, err
	}
	if len(b.Part) > 0 {
		raw = emptyIfTooManyParts(raw)
	}
	return imapserver.ExtractBodySection(bytes.NewReader(raw), b), nil
}

// maxParts is the maximum number of multipart and message parts; a message with more is parsed as an empty message. It
// is also the maximum number of sections in a FETCH.
const maxParts = 100

var partTypePattern = regexp.MustCompile(`(?i)content-type:\s*(multipart|message)/`)

// emptyIfTooManyParts returns raw, or an empty message if raw has too many parts, because go-imap's time and memory
// increase with size and depth.
func emptyIfTooManyParts(raw []byte) []byte {
	if len(partTypePattern.FindAllIndex(raw, maxParts+1)) <= maxParts {
		return raw
	}
	return []byte("\r\n")
}

const (
	// maxSearchKeys limits the criteria of a SEARCH, because each is checked for every message.
	maxSearchKeys = 100
	maxPartDepth  = 20
)

func (s *session) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, opts *imap.SearchOptions) (*imap.SearchData, error) {
	if countSearchKeys(criteria) > maxSearchKeys {
		return nil, newRefusal(imap.ResponseCodeLimit, "Too many search keys")
	}
	messages := s.findMessages(imap.SeqSet{{Start: 1}})
	walkCriteria(criteria, func(k *imap.SearchCriteria) { s.resolveCriteria(k, messages) })
	var seqs imap.SeqSet
	var uids imap.UIDSet
	var first, last foundMessage
	var n uint32
	for i := range messages {
		c := candidate{foundMessage: &messages[i]}
		ok, err := s.matches(&c, criteria)
		if err != nil {
			return nil, s.serverError("search", err)
		}
		if !ok {
			continue
		}
		uids.AddNum(c.uid)
		seqs.AddNum(c.seq)
		last, n = *c.foundMessage, n+1
		if n == 1 {
			first = last
		}
	}
	data := &imap.SearchData{All: seqs, Min: first.seq, Max: last.seq, Count: n}
	if kind == imapserver.NumKindUID {
		data.All, data.Min, data.Max = uids, uint32(first.uid), uint32(last.uid)
	}
	if opts.ReturnSave {
		s.savedUIDs = uids
	}
	return data, nil
}

func walkCriteria(k *imap.SearchCriteria, visit func(*imap.SearchCriteria)) {
	visit(k)
	for i := range k.Not {
		walkCriteria(&k.Not[i], visit)
	}
	for i := range k.Or {
		walkCriteria(&k.Or[i][0], visit)
		walkCriteria(&k.Or[i][1], visit)
	}
}

func countSearchKeys(k *imap.SearchCriteria) (n int) {
	walkCriteria(k, func(k *imap.SearchCriteria) {
		n += 1 + len(k.SeqNum) + len(k.UID) + len(k.Flag) + len(k.NotFlag) + len(k.Header) + len(k.Text) + len(k.Body)
	})
	return n
}

// resolveCriteria replaces "*" and saved results in sets by numbers, and converts patterns to lower case.
func (s *session) resolveCriteria(k *imap.SearchCriteria, messages []foundMessage) {
	var highest imap.UID
	if len(messages) > 0 {
		highest = messages[len(messages)-1].uid
	}
	for i, set := range k.SeqNum {
		k.SeqNum[i] = resolveSeqSet(set, uint32(len(messages)))
	}
	for i, set := range k.UID {
		if imap.IsSearchRes(set) {
			set = s.savedUIDs
		}
		k.UID[i] = resolveUIDSet(set, highest)
	}
	for _, patterns := range [][]string{k.Text, k.Body} {
		for i, p := range patterns {
			patterns[i] = strings.ToLower(p)
		}
	}
}

// matches reports whether a message meets the criteria. It first checks the criteria that need no body.
func (s *session) matches(c *candidate, k *imap.SearchCriteria) (bool, error) {
	if !c.matchesMetadata(k) {
		return false, nil
	}
	if len(k.Header)+len(k.Text)+len(k.Body) > 0 || !k.SentSince.IsZero() || !k.SentBefore.IsZero() {
		if err := c.load(s); err != nil || !c.matchesContent(k) {
			return false, err
		}
	}
	for i := range k.Not {
		if ok, err := s.matches(c, &k.Not[i]); ok || err != nil {
			return false, err
		}
	}
	for i := range k.Or {
		ok, err := s.matches(c, &k.Or[i][0])
		if err == nil && !ok {
			ok, err = s.matches(c, &k.Or[i][1])
		}
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// candidate is a message in a SEARCH. Its body is loaded when a criterion needs it.
type candidate struct {
	*foundMessage
	header mail.Header
	// text is the searchable text, and body its part outside headers, both in lower case.
	text, body string
	isLoaded   bool
}

func (c *candidate) matchesMetadata(k *imap.SearchCriteria) bool {
	return !slices.ContainsFunc(k.SeqNum, func(set imap.SeqSet) bool { return !set.Contains(c.seq) }) &&
		!slices.ContainsFunc(k.UID, func(set imap.UIDSet) bool { return !set.Contains(c.uid) }) &&
		!slices.ContainsFunc(k.Flag, func(f imap.Flag) bool { return !hasFlag(c.flags, f) }) &&
		!slices.ContainsFunc(k.NotFlag, func(f imap.Flag) bool { return hasFlag(c.flags, f) }) &&
		isBetweenDays(c.received, k.Since, k.Before) && (k.Larger == 0 || c.size > k.Larger) && (k.Smaller == 0 || c.size < k.Smaller)
}

func (c *candidate) load(s *session) error {
	if c.isLoaded {
		return nil
	}
	if s.server.isClosing() {
		return net.ErrClosed
	}
	raw, err := s.account.readBody(c.message, 0, c.size)
	if err != nil {
		return err
	}
	e, _ := gomessage.Read(bytes.NewReader(raw))
	if e == nil {
		e, _ = gomessage.New(gomessage.Header{}, bytes.NewReader(raw))
	}
	var headers, bodies strings.Builder
	// An unreadable part ends the walk; the text before it is still searched.
	_ = e.Walk(func(path []int, part *gomessage.Entity, _ error) error {
		if part == nil || len(path) > maxPartDepth {
			return errors.New("too deep")
		}
		for f := part.Header.Fields(); f.Next(); {
			headers.WriteString(decodeField(f) + "\n")
		}
		contentType, _, _ := part.Header.ContentType()
		if strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "message/") {
			_, _ = io.Copy(&bodies, part.Body)
			bodies.WriteString("\n")
		}
		return nil
	})
	c.header, c.isLoaded = mail.Header{Header: e.Header}, true
	c.body = strings.ToLower(bodies.String())
	c.text = strings.ToLower(headers.String()) + c.body
	return nil
}

func (c *candidate) matchesContent(k *imap.SearchCriteria) bool {
	if !k.SentSince.IsZero() || !k.SentBefore.IsZero() {
		if date, err := c.header.Date(); err != nil || !isBetweenDays(date, k.SentSince, k.SentBefore) {
			return false
		}
	}
	return !slices.ContainsFunc(k.Header, func(f imap.SearchCriteriaHeaderField) bool {
		return !containsInField(c.header.FieldsByKey(f.Key), f.Value)
	}) &&
		!slices.ContainsFunc(k.Text, func(p string) bool { return !strings.Contains(c.text, p) }) &&
		!slices.ContainsFunc(k.Body, func(p string) bool { return !strings.Contains(c.body, p) })
}

// isBetweenDays reports whether first <= date < end, compared by days without time of day and time zone (RFC 9051,
// section 6.4.4). A zero first or end is no limit.
func isBetweenDays(date, first, end time.Time) bool {
	date = time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, time.UTC)
	return (first.IsZero() || !date.Before(first)) && (end.IsZero() || date.Before(end))
}

func containsInField(f gomessage.HeaderFields, pattern string) bool {
	for f.Next() {
		if strings.Contains(strings.ToLower(decodeField(f)), strings.ToLower(pattern)) {
			return true
		}
	}
	return false
}

func decodeField(f gomessage.HeaderFields) string {
	if v, err := f.Text(); err == nil {
		return v
	}
	return f.Value()
}
