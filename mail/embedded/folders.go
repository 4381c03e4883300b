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

// selected refuses changes to a mailbox opened read-only or gone meanwhile.
// It is called within a plan.
func (s *session) selected() error {
	if s.readOnly {
		return refuse("READ-ONLY", "Mailbox is open for reading only")
	}
	if s.account.boxes[s.box.name] != s.box {
		return refuse(imap.ResponseCodeNonExistent, "Mailbox was deleted")
	}
	return nil
}

func (s *session) Store(w *imapserver.FetchWriter, set imap.NumSet, flags *imap.StoreFlags, _ *imap.StoreOptions) error {
	hits := s.hits(set)
	how := map[imap.StoreFlagsOp]string{imap.StoreFlagsSet: "set", imap.StoreFlagsAdd: "add", imap.StoreFlagsDel: "remove"}[flags.Op]
	// The FETCH below tells this client; the queue must not tell it again.
	if err := s.flag(hits, how, flags.Flags, s); err != nil {
		return s.fail("store", err)
	}
	if flags.Silent || len(hits) == 0 {
		return nil
	}
	uids := imap.UIDSetNum(uidsOf(hits)...)
	_, seqs := set.(imap.SeqSet)
	for _, h := range s.hits(uids) {
		r := w.CreateMessage(h.seq)
		if !seqs {
			r.WriteUID(h.uid)
		}
		r.WriteFlags(h.flags)
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) flag(hits []hit, how string, flags []imap.Flag, src *session) error {
	_, err := s.account.commit(src, func() (record, []byte, error) {
		if err := s.selected(); err != nil || len(hits) == 0 {
			return record{}, nil, err
		}
		return record{Op: "flags", Box: s.box.name, UIDs: uidsOf(hits), How: how, Flags: normalFlags(flags)}, nil, nil
	})
	return err
}

// Expunge removes what is flagged \Deleted. The updates go out with the poll
// that follows the command.
func (s *session) Expunge(_ *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	if s.readOnly {
		// CLOSE of a mailbox opened by EXAMINE removes nothing.
		return nil
	}
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if err := s.selected(); err != nil {
			return record{}, nil, err
		}
		var gone []imap.UID
		var only imap.UIDSet
		if uids != nil && len(s.box.messages) > 0 {
			only = staticUIDSet(*uids, s.box.messages[len(s.box.messages)-1].uid)
		}
		for _, m := range s.box.messages {
			if hasFlag(m.flags, imap.FlagDeleted) && (uids == nil || only.Contains(m.uid)) {
				gone = append(gone, m.uid)
			}
		}
		if len(gone) == 0 {
			return record{}, nil, nil
		}
		return record{Op: "expunge", Box: s.box.name, UIDs: gone}, nil, nil
	})
	return s.fail("expunge", err)
}

func (s *session) Copy(set imap.NumSet, dest string) (*imap.CopyData, error) {
	d, err := s.transfer("copy", set, dest)
	return d, s.fail("copy", err)
}

func (s *session) Move(w *imapserver.MoveWriter, set imap.NumSet, dest string) error {
	d, err := s.transfer("move", set, dest)
	if err != nil || d == nil {
		return s.fail("move", err)
	}
	// The EXPUNGEs follow with the poll before the tagged answer.
	return w.WriteCopyData(d)
}

// transfer gives nil when there was nothing to transfer.
func (s *session) transfer(op string, set imap.NumSet, dest string) (*imap.CopyData, error) {
	hits := s.hits(set)
	var validity uint32
	rec, err := s.account.commit(s, func() (record, []byte, error) {
		to := s.account.boxes[boxName(dest)]
		if to == nil {
			return record{}, nil, refuse(imap.ResponseCodeTryCreate, "No such mailbox")
		}
		if op == "move" {
			if err := s.selected(); err != nil {
				return record{}, nil, err
			}
		}
		if to == s.box {
			return record{}, nil, refuse(imap.ResponseCodeCannot, "Source and destination are the same")
		}
		if s.account.boxes[s.box.name] != s.box {
			return record{}, nil, refuse(imap.ResponseCodeNonExistent, "Mailbox was deleted")
		}
		// Another session may have taken some away meanwhile.
		hits = slices.DeleteFunc(hits, func(h hit) bool { _, ok := s.box.index(h.uid); return !ok })
		if len(hits) == 0 {
			return record{}, nil, nil
		}
		validity = to.validity
		return record{Op: op, Box: s.box.name, To: to.name, UIDs: uidsOf(hits), UID: to.next}, nil, nil
	})
	if err != nil || rec.Op == "" {
		return nil, err
	}
	d := &imap.CopyData{UIDValidity: validity, SourceUIDs: imap.UIDSetNum(rec.UIDs...)}
	d.DestUIDs.AddRange(rec.UID, rec.UID+imap.UID(len(rec.UIDs))-1)
	return d, nil
}
