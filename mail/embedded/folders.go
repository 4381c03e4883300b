package embedded

import (
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// Create makes a folder and those above it.
func (s *session) Create(name string, _ *imap.CreateOptions) error {
	return s.fail("create", s.account.create(name))
}

func (s *session) Delete(name string) error {
	name = boxName(name)
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if name == inbox {
			return record{}, nil, refuse(imap.ResponseCodeCannot, "INBOX cannot be deleted")
		}
		if _, err := s.account.box(name); err != nil {
			return record{}, nil, err
		}
		return record{Op: "delete", Box: name}, nil, nil
	})
	return s.fail("delete", err)
}

func (s *session) Rename(from, to string, _ *imap.RenameOptions) error {
	from, to = boxName(from), boxName(to)
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if from == inbox || to == "" || len(to) > mostName || strings.HasPrefix(to, from+string(delim)) {
			return record{}, nil, refuse(imap.ResponseCodeCannot, "This rename is not possible")
		}
		if _, err := s.account.box(from); err != nil {
			return record{}, nil, err
		}
		for name := range s.account.boxes {
			if name == to || strings.HasPrefix(name, to+string(delim)) {
				return record{}, nil, refuse(imap.ResponseCodeAlreadyExists, "Mailbox already exists")
			}
		}
		return record{Op: "rename", Box: from, To: to}, nil, nil
	})
	return s.fail("rename", err)
}

func (s *session) Subscribe(name string) error   { return s.subscribe(name, true) }
func (s *session) Unsubscribe(name string) error { return s.subscribe(name, false) }

func (s *session) subscribe(name string, on bool) error {
	_, err := s.account.commit(s, func() (record, []byte, error) {
		b, err := s.account.box(name)
		if err != nil || b.subscribed == on {
			return record{}, nil, err
		}
		return record{Op: "subscribe", Box: b.name, On: on}, nil, nil
	})
	return s.fail("subscribe", err)
}

func (s *session) Status(name string, opts *imap.StatusOptions) (*imap.StatusData, error) {
	s.account.state.RLock()
	defer s.account.state.RUnlock()
	b, err := s.account.box(name)
	if err != nil {
		return nil, err
	}
	return b.status(opts), nil
}

func (b *mailbox) status(opts *imap.StatusOptions) *imap.StatusData {
	d := &imap.StatusData{Mailbox: b.name}
	var unseen, deleted, recent uint32
	var size int64
	for _, m := range b.messages {
		if !hasFlag(m.flags, imap.FlagSeen) {
			unseen++
		}
		if hasFlag(m.flags, imap.FlagDeleted) {
			deleted++
		}
		size += m.size
	}
	if opts.NumMessages {
		n := uint32(len(b.messages))
		d.NumMessages = &n
	}
	if opts.UIDNext {
		d.UIDNext = b.next
	}
	if opts.UIDValidity {
		d.UIDValidity = b.validity
	}
	if opts.NumUnseen {
		d.NumUnseen = &unseen
	}
	if opts.NumDeleted {
		d.NumDeleted = &deleted
	}
	if opts.NumRecent {
		d.NumRecent = &recent
	}
	if opts.Size {
		d.Size = &size
	}
	return d
}

func (s *session) List(w *imapserver.ListWriter, ref string, patterns []string, opts *imap.ListOptions) error {
	if len(patterns) == 0 || len(patterns) == 1 && patterns[0] == "" {
		return w.WriteList(&imap.ListData{Attrs: []imap.MailboxAttr{imap.MailboxAttrNoSelect}, Delim: delim})
	}
	match, err := listed(ref, patterns)
	if err != nil {
		return err
	}
	for _, d := range s.list(match, opts) {
		if err := w.WriteList(&d); err != nil {
			return err
		}
	}
	return nil
}

// mostPattern is how long the patterns of a LIST may be together.
const mostPattern = 1000

// listed matches the names of folders in linear time: "*" is anything, "%" is anything
// within one level.
func listed(ref string, patterns []string) (*regexp.Regexp, error) {
	n := len(ref)
	for i, p := range patterns {
		n += len(p)
		from := ref
		if rooted, ok := strings.CutPrefix(p, string(delim)); ok {
			from, p = "", rooted
		}
		if from != "" && !strings.HasSuffix(from, string(delim)) {
			from += string(delim)
		}
		patterns[i] = regexp.QuoteMeta(from) + strings.NewReplacer(`\*`, `.*`, `%`, `[^`+string(delim)+`]*`).Replace(regexp.QuoteMeta(p))
	}
	if n > mostPattern {
		return nil, refuse(imap.ResponseCodeLimit, "The patterns are too long")
	}
	match, err := regexp.Compile(`(?s)^(?:` + strings.Join(patterns, "|") + `)$`)
	if err != nil {
		return nil, refuse(imap.ResponseCodeCannot, "The patterns cannot be read")
	}
	return match, nil
}

func (s *session) list(match *regexp.Regexp, opts *imap.ListOptions) []imap.ListData {
	s.account.state.RLock()
	defer s.account.state.RUnlock()
	var out []imap.ListData
	for name, b := range s.account.boxes {
		if opts.SelectSubscribed && !b.subscribed || opts.SelectSpecialUse {
			continue
		}
		if !match.MatchString(name) {
			continue
		}
		d := imap.ListData{Mailbox: name, Delim: delim}
		if b.subscribed && (opts.SelectSubscribed || opts.ReturnSubscribed) {
			d.Attrs = append(d.Attrs, imap.MailboxAttrSubscribed)
		}
		if opts.ReturnChildren {
			d.Attrs = append(d.Attrs, s.children(name))
		}
		if opts.ReturnStatus != nil {
			d.Status = b.status(opts.ReturnStatus)
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b imap.ListData) int { return strings.Compare(a.Mailbox, b.Mailbox) })
	return out
}

func (s *session) children(name string) imap.MailboxAttr {
	for other := range s.account.boxes {
		if strings.HasPrefix(other, name+string(delim)) {
			return imap.MailboxAttrHasChildren
		}
	}
	return imap.MailboxAttrHasNoChildren
}
