package embedded

import (
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	gomessage "github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

func (s *session) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, opts *imap.SearchOptions) (*imap.SearchData, error) {
	var all imap.SeqSet
	all.AddRange(1, 0)
	hits := s.hits(all)
	var top imap.UID
	if len(hits) > 0 {
		top = hits[len(hits)-1].uid
	}
	q := &search{session: s, highest: uint32(len(hits)), top: top}
	var data imap.SearchData
	var seqs imap.SeqSet
	var uids imap.UIDSet
	for i := range hits {
		h := &hits[i]
		ok, err := q.match(&candidate{hit: h}, criteria)
		if err != nil {
			return nil, s.fail("search", err)
		}
		if !ok {
			continue
		}
		uids.AddNum(h.uid)
		seqs.AddNum(h.seq)
		num := h.seq
		if kind == imapserver.NumKindUID {
			num = uint32(h.uid)
		}
		if data.Min == 0 || num < data.Min {
			data.Min = num
		}
		data.Max = max(data.Max, num)
		data.Count++
	}
	if kind == imapserver.NumKindUID {
		data.All = uids
	} else {
		data.All = seqs
	}
	if opts.ReturnSave {
		s.saved = uids
	}
	return &data, nil
}

type search struct {
	session *session
	highest uint32
	top     imap.UID
}

// candidate reads its message only when a criterion needs it.
type candidate struct {
	*hit
	raw []byte
}

func (q *search) load(c *candidate) (*gomessage.Entity, error) {
	if c.raw == nil {
		raw, err := q.session.account.body(c.message, 0, c.size)
		if err != nil {
			return nil, err
		}
		c.raw = raw
	}
	e, _ := gomessage.Read(bytes.NewReader(c.raw))
	if e == nil {
		e, _ = gomessage.New(gomessage.Header{}, bytes.NewReader(c.raw))
	}
	return e, nil
}

func (q *search) match(c *candidate, k *imap.SearchCriteria) (bool, error) {
	if !q.matchFacts(c, k) {
		return false, nil
	}
	if ok, err := q.matchContent(c, k); !ok || err != nil {
		return false, err
	}
	for i := range k.Not {
		if ok, err := q.match(c, &k.Not[i]); ok || err != nil {
			return false, err
		}
	}
	for i := range k.Or {
		ok, err := q.match(c, &k.Or[i][0])
		if err == nil && !ok {
			ok, err = q.match(c, &k.Or[i][1])
		}
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// matchFacts needs no look into the message.
func (q *search) matchFacts(c *candidate, k *imap.SearchCriteria) bool {
	for _, set := range k.SeqNum {
		static := staticSeqSet(set, q.highest)
		if !static.Contains(c.seq) {
			return false
		}
	}
	for _, set := range k.UID {
		if imap.IsSearchRes(set) {
			set = q.session.saved
		}
		if !staticUIDSet(set, q.top).Contains(c.uid) {
			return false
		}
	}
	for _, f := range k.Flag {
		if !hasFlag(c.flags, f) {
			return false
		}
	}
	for _, f := range k.NotFlag {
		if hasFlag(c.flags, f) {
			return false
		}
	}
	return inDays(c.at, k.Since, k.Before) &&
		(k.Larger == 0 || c.size > k.Larger) && (k.Smaller == 0 || c.size < k.Smaller)
}

func (q *search) matchContent(c *candidate, k *imap.SearchCriteria) (bool, error) {
	if len(k.Header)+len(k.Text)+len(k.Body) == 0 && k.SentSince.IsZero() && k.SentBefore.IsZero() {
		return true, nil
	}
	e, err := q.load(c)
	if err != nil {
		return false, err
	}
	for _, f := range k.Header {
		if !inFields(e.Header.FieldsByKey(f.Key), f.Value) {
			return false, nil
		}
	}
	if !k.SentSince.IsZero() || !k.SentBefore.IsZero() {
		h := mail.Header{Header: e.Header}
		if t, err := h.Date(); err != nil || !inDays(t, k.SentSince, k.SentBefore) {
			return false, nil
		}
	}
	for header, patterns := range map[bool][]string{true: k.Text, false: k.Body} {
		for _, p := range patterns {
			e, err := q.load(c)
			if err != nil {
				return false, err
			}
			if !inEntity(e, strings.ToLower(p), header, 0) {
				return false, nil
			}
		}
	}
	return true, nil
}

// inDays compares days, without regard to time zones (RFC 9051 section 6.4.4).
func inDays(t, since, before time.Time) bool {
	t = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return (since.IsZero() || !t.Before(since)) && (before.IsZero() || t.Before(before))
}

func inFields(f gomessage.HeaderFields, pattern string) bool {
	for f.Next() {
		v, err := f.Text()
		if err != nil {
			v = f.Value()
		}
		if strings.Contains(strings.ToLower(v), strings.ToLower(pattern)) {
			return true
		}
	}
	return false
}

func inEntity(e *gomessage.Entity, pattern string, header bool, depth int) bool {
	if pattern == "" || header && inFields(e.Header.Fields(), pattern) {
		return true
	}
	if depth > 20 {
		return false
	}
	if mr := e.MultipartReader(); mr != nil {
		for {
			p, _ := mr.NextPart()
			if p == nil {
				return false
			}
			if inEntity(p, pattern, header, depth+1) {
				return true
			}
		}
	}
	kind, _, _ := e.Header.ContentType()
	if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "message/") {
		return false
	}
	b, _ := io.ReadAll(e.Body)
	return strings.Contains(strings.ToLower(string(b)), pattern)
}
