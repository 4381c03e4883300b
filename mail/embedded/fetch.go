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
			return &imap.BodyStructureSinglePart{Type: "text", Subtype: "plain", Text: &imap.BodyStructureText{},
				Extended: &imap.BodyStructureSinglePartExt{}}
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

const (
	// mostKeys is how many criteria a SEARCH may have: each costs a look at every message.
	mostKeys = 100
	// mostNested is how deep parts are looked into.
	mostNested = 20
)

func (s *session) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, opts *imap.SearchOptions) (*imap.SearchData, error) {
	if keys(criteria) > mostKeys {
		return nil, refuse(imap.ResponseCodeLimit, "Too many search keys")
	}
	hits := s.hits(imap.SeqSet{{Start: 1}})
	each(criteria, func(k *imap.SearchCriteria) { s.fix(k, hits) })
	var seqs imap.SeqSet
	var uids imap.UIDSet
	var first, last hit
	var n uint32
	for i := range hits {
		c := candidate{hit: &hits[i]}
		ok, err := s.match(&c, criteria)
		if err != nil {
			return nil, s.fail("search", err)
		}
		if !ok {
			continue
		}
		uids.AddNum(c.uid)
		seqs.AddNum(c.seq)
		last, n = *c.hit, n+1
		if n == 1 {
			first = last
		}
	}
	data := &imap.SearchData{All: seqs, Min: first.seq, Max: last.seq, Count: n}
	if kind == imapserver.NumKindUID {
		data.All, data.Min, data.Max = uids, uint32(first.uid), uint32(last.uid)
	}
	if opts.ReturnSave {
		s.saved = uids
	}
	return data, nil
}

// each calls f for criteria and all that they are made of.
func each(k *imap.SearchCriteria, f func(*imap.SearchCriteria)) {
	f(k)
	for i := range k.Not {
		each(&k.Not[i], f)
	}
	for i := range k.Or {
		each(&k.Or[i][0], f)
		each(&k.Or[i][1], f)
	}
}

// keys counts what is to be looked at for each message.
func keys(k *imap.SearchCriteria) (n int) {
	each(k, func(k *imap.SearchCriteria) {
		n += 1 + len(k.SeqNum) + len(k.UID) + len(k.Flag) + len(k.NotFlag) + len(k.Header) + len(k.Text) + len(k.Body)
	})
	return n
}

// fix replaces what sets leave open, once for all messages, and lowers patterns.
func (s *session) fix(k *imap.SearchCriteria, hits []hit) {
	var top imap.UID
	if len(hits) > 0 {
		top = hits[len(hits)-1].uid
	}
	for i, set := range k.SeqNum {
		k.SeqNum[i] = staticSeqSet(set, uint32(len(hits)))
	}
	for i, set := range k.UID {
		if imap.IsSearchRes(set) {
			set = s.saved
		}
		k.UID[i] = staticUIDSet(set, top)
	}
	for _, patterns := range [][]string{k.Text, k.Body} {
		for i, p := range patterns {
			patterns[i] = strings.ToLower(p)
		}
	}
}

// match looks at what is known without the message first.
func (s *session) match(c *candidate, k *imap.SearchCriteria) (bool, error) {
	if !c.listed(k) {
		return false, nil
	}
	if len(k.Header)+len(k.Text)+len(k.Body) > 0 || !k.SentSince.IsZero() || !k.SentBefore.IsZero() {
		if err := c.load(s); err != nil || !c.says(k) {
			return false, err
		}
	}
	for i := range k.Not {
		if ok, err := s.match(c, &k.Not[i]); ok || err != nil {
			return false, err
		}
	}
	for i := range k.Or {
		ok, err := s.match(c, &k.Or[i][0])
		if err == nil && !ok {
			ok, err = s.match(c, &k.Or[i][1])
		}
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// candidate reads its message once, and only when a criterion needs it.
type candidate struct {
	*hit
	header mail.Header
	// text is all that can be searched, body is the end of it that is no header; both
	// in lower case.
	text, body string
	loaded     bool
}

// listed reports whether what is known without the message is as the criteria want it.
func (c *candidate) listed(k *imap.SearchCriteria) bool {
	return !slices.ContainsFunc(k.SeqNum, func(set imap.SeqSet) bool { return !set.Contains(c.seq) }) &&
		!slices.ContainsFunc(k.UID, func(set imap.UIDSet) bool { return !set.Contains(c.uid) }) &&
		!slices.ContainsFunc(k.Flag, func(f imap.Flag) bool { return !hasFlag(c.flags, f) }) &&
		!slices.ContainsFunc(k.NotFlag, func(f imap.Flag) bool { return hasFlag(c.flags, f) }) &&
		inDays(c.at, k.Since, k.Before) && (k.Larger == 0 || c.size > k.Larger) && (k.Smaller == 0 || c.size < k.Smaller)
}

func (c *candidate) load(s *session) error {
	if c.loaded {
		return nil
	}
	if s.server.closing() {
		return net.ErrClosed
	}
	raw, err := s.account.body(c.message, 0, c.size)
	if err != nil {
		return err
	}
	e, _ := gomessage.Read(bytes.NewReader(raw))
	if e == nil {
		e, _ = gomessage.New(gomessage.Header{}, bytes.NewReader(raw))
	}
	var headers, bodies strings.Builder
	// What cannot be read ends the walk; what was read counts.
	_ = e.Walk(func(path []int, part *gomessage.Entity, _ error) error {
		if part == nil || len(path) > mostNested {
			return errors.New("too deep")
		}
		for f := part.Header.Fields(); f.Next(); {
			headers.WriteString(decoded(f) + "\n")
		}
		kind, _, _ := part.Header.ContentType()
		if strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "message/") {
			_, _ = io.Copy(&bodies, part.Body)
			bodies.WriteString("\n")
		}
		return nil
	})
	c.header, c.loaded = mail.Header{Header: e.Header}, true
	c.body = strings.ToLower(bodies.String())
	c.text = strings.ToLower(headers.String()) + c.body
	return nil
}

// says looks for what criteria want to see in the message.
func (c *candidate) says(k *imap.SearchCriteria) bool {
	if !k.SentSince.IsZero() || !k.SentBefore.IsZero() {
		if t, err := c.header.Date(); err != nil || !inDays(t, k.SentSince, k.SentBefore) {
			return false
		}
	}
	return !slices.ContainsFunc(k.Header, func(f imap.SearchCriteriaHeaderField) bool {
		return !inFields(c.header.FieldsByKey(f.Key),
			f.Value)
	}) &&
		!slices.ContainsFunc(k.Text, func(p string) bool { return !strings.Contains(c.text, p) }) &&
		!slices.ContainsFunc(k.Body, func(p string) bool { return !strings.Contains(c.body, p) })
}

// inDays compares days, without regard to time zones (RFC 9051 section 6.4.4).
func inDays(t, since, before time.Time) bool {
	t = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return (since.IsZero() || !t.Before(since)) && (before.IsZero() || t.Before(before))
}

func inFields(f gomessage.HeaderFields, pattern string) bool {
	for f.Next() {
		if strings.Contains(strings.ToLower(decoded(f)), strings.ToLower(pattern)) {
			return true
		}
	}
	return false
}

func decoded(f gomessage.HeaderFields) string {
	if v, err := f.Text(); err == nil {
		return v
	}
	return f.Value()
}
