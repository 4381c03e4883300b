package embedded

import (
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

func (s *session) Create(name string, _ *imap.CreateOptions) error {
	return s.serverError("create", s.account.createMailbox(name))
}

func (s *session) Delete(name string) error {
	name = normalizeName(name)
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if name == inbox {
			return record{}, nil, newRefusal(imap.ResponseCodeCannot, "INBOX cannot be deleted")
		}
		if _, err := s.account.mailbox(name); err != nil {
			return record{}, nil, err
		}
		return record{Op: "delete", Box: name}, nil, nil
	})
	return s.serverError("delete", err)
}

func (s *session) Rename(from, to string, _ *imap.RenameOptions) error {
	from, to = normalizeName(from), normalizeName(to)
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if from == inbox || to == "" || len(to) > maxNameLength || strings.HasPrefix(to, from+string(delimiter)) {
			return record{}, nil, newRefusal(imap.ResponseCodeCannot, "This rename is not possible")
		}
		if _, err := s.account.mailbox(from); err != nil {
			return record{}, nil, err
		}
		for name := range s.account.mailboxes {
			if name == to || strings.HasPrefix(name, to+string(delimiter)) {
				return record{}, nil, newRefusal(imap.ResponseCodeAlreadyExists, "Mailbox already exists")
			}
		}
		return record{Op: "rename", Box: from, To: to}, nil, nil
	})
	return s.serverError("rename", err)
}

func (s *session) Subscribe(name string) error   { return s.subscribe(name, true) }
func (s *session) Unsubscribe(name string) error { return s.subscribe(name, false) }

func (s *session) subscribe(name string, isSubscribed bool) error {
	_, err := s.account.commit(s, func() (record, []byte, error) {
		b, err := s.account.mailbox(name)
		if err != nil || b.isSubscribed == isSubscribed {
			return record{}, nil, err
		}
		return record{Op: "subscribe", Box: b.name, Subscribed: isSubscribed}, nil, nil
	})
	return s.serverError("subscribe", err)
}

func (s *session) Status(name string, _ *imap.StatusOptions) (*imap.StatusData, error) {
	s.account.stateLock.RLock()
	defer s.account.stateLock.RUnlock()
	b, err := s.account.mailbox(name)
	if err != nil {
		return nil, err
	}
	return b.status(), nil
}

func (b *mailbox) status() *imap.StatusData {
	var unseen, deleted uint32
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
	n := uint32(len(b.messages))
	return &imap.StatusData{Mailbox: b.name, UIDNext: b.uidNext, UIDValidity: b.validity,
		NumMessages: &n, NumUnseen: &unseen, NumDeleted: &deleted, NumRecent: new(uint32), Size: &size}
}

func (s *session) List(w *imapserver.ListWriter, ref string, patterns []string, opts *imap.ListOptions) error {
	if len(patterns) == 0 || len(patterns) == 1 && patterns[0] == "" {
		return w.WriteList(&imap.ListData{Attrs: []imap.MailboxAttr{imap.MailboxAttrNoSelect}, Delim: delimiter})
	}
	match, err := compilePatterns(ref, patterns)
	if err != nil {
		return err
	}
	for _, d := range s.listMailboxes(match, opts) {
		if err := w.WriteList(&d); err != nil {
			return err
		}
	}
	return nil
}

const maxPatternLength = 1000

// compilePatterns converts the patterns of a LIST to a regular expression, which matches in linear time: "*" stands
// for any text, "%" for any text without delimiter.
func compilePatterns(ref string, patterns []string) (*regexp.Regexp, error) {
	n := len(ref)
	for i, p := range patterns {
		n += len(p)
		prefix := ref
		if remaining, ok := strings.CutPrefix(p, string(delimiter)); ok {
			prefix, p = "", remaining
		}
		if prefix != "" && !strings.HasSuffix(prefix, string(delimiter)) {
			prefix += string(delimiter)
		}
		patterns[i] = regexp.QuoteMeta(prefix) + strings.NewReplacer(`\*`, `.*`, `%`, `[^`+string(delimiter)+`]*`).Replace(regexp.QuoteMeta(p))
	}
	if n > maxPatternLength {
		return nil, newRefusal(imap.ResponseCodeLimit, "The patterns are too long")
	}
	match, err := regexp.Compile(`(?s)^(?:` + strings.Join(patterns, "|") + `)$`)
	if err != nil {
		return nil, newRefusal(imap.ResponseCodeCannot, "Invalid patterns")
	}
	return match, nil
}

func (s *session) listMailboxes(match *regexp.Regexp, opts *imap.ListOptions) []imap.ListData {
	s.account.stateLock.RLock()
	defer s.account.stateLock.RUnlock()
	var out []imap.ListData
	for name, b := range s.account.mailboxes {
		if opts.SelectSubscribed && !b.isSubscribed || opts.SelectSpecialUse {
			continue
		}
		if !match.MatchString(name) {
			continue
		}
		d := imap.ListData{Mailbox: name, Delim: delimiter}
		if b.isSubscribed && (opts.SelectSubscribed || opts.ReturnSubscribed) {
			d.Attrs = append(d.Attrs, imap.MailboxAttrSubscribed)
		}
		if opts.ReturnChildren {
			d.Attrs = append(d.Attrs, s.childrenAttr(name))
		}
		if opts.ReturnStatus != nil {
			d.Status = b.status()
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b imap.ListData) int { return strings.Compare(a.Mailbox, b.Mailbox) })
	return out
}

func (s *session) childrenAttr(name string) imap.MailboxAttr {
	for other := range s.account.mailboxes {
		if strings.HasPrefix(other, name+string(delimiter)) {
			return imap.MailboxAttrHasChildren
		}
	}
	return imap.MailboxAttrHasNoChildren
}

// checkSelected returns an error if the selected mailbox was deleted or, for a change, is read-only. It must be called
// in the plan of account.commit.
func (s *session) checkSelected(isChange bool) error {
	if isChange && s.readOnly {
		return newRefusal("READ-ONLY", "Mailbox is read-only")
	}
	if s.account.mailboxes[s.box.name] != s.box {
		return newRefusal(imap.ResponseCodeNonExistent, "Mailbox was deleted")
	}
	return nil
}

func (s *session) Store(w *imapserver.FetchWriter, set imap.NumSet, flags *imap.StoreFlags, _ *imap.StoreOptions) error {
	messages := s.findMessages(set)
	op := map[imap.StoreFlagsOp]string{imap.StoreFlagsSet: "set", imap.StoreFlagsAdd: "add", imap.StoreFlagsDel: "remove"}[flags.Op]
	// The FETCH answer already contains the change, so no update is queued for this client.
	if err := s.changeFlags(messages, op, flags.Flags, s); err != nil {
		return s.serverError("store", err)
	}
	if flags.Silent || len(messages) == 0 {
		return nil
	}
	uids := imap.UIDSetNum(uidsOf(messages)...)
	_, bySeqNum := set.(imap.SeqSet)
	for _, found := range s.findMessages(uids) {
		r := w.CreateMessage(found.seq)
		if !bySeqNum {
			r.WriteUID(found.uid)
		}
		r.WriteFlags(found.flags)
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) changeFlags(messages []foundMessage, op string, flags []imap.Flag, source *session) error {
	_, err := s.account.commit(source, func() (record, []byte, error) {
		if err := s.checkSelected(true); err != nil || len(messages) == 0 {
			return record{}, nil, err
		}
		return record{Op: "flags", Box: s.box.name, UIDs: uidsOf(messages), FlagsOp: op, Flags: normalFlags(flags)}, nil, nil
	})
	return err
}

// Expunge removes messages flagged \Deleted. The poll after the command sends the updates.
func (s *session) Expunge(_ *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	if s.readOnly {
		// CLOSE after EXAMINE has no effect.
		return nil
	}
	_, err := s.account.commit(s, func() (record, []byte, error) {
		if err := s.checkSelected(true); err != nil {
			return record{}, nil, err
		}
		var expunged []imap.UID
		var expungeUIDs imap.UIDSet
		if uids != nil && len(s.box.messages) > 0 {
			expungeUIDs = resolveUIDSet(*uids, s.box.messages[len(s.box.messages)-1].uid)
		}
		for _, m := range s.box.messages {
			if hasFlag(m.flags, imap.FlagDeleted) && (uids == nil || expungeUIDs.Contains(m.uid)) {
				expunged = append(expunged, m.uid)
			}
		}
		if len(expunged) == 0 {
			return record{}, nil, nil
		}
		return record{Op: "expunge", Box: s.box.name, UIDs: expunged}, nil, nil
	})
	return s.serverError("expunge", err)
}

func (s *session) Copy(set imap.NumSet, dest string) (*imap.CopyData, error) {
	d, err := s.copyOrMove("copy", set, dest)
	return d, s.serverError("copy", err)
}

func (s *session) Move(w *imapserver.MoveWriter, set imap.NumSet, dest string) error {
	d, err := s.copyOrMove("move", set, dest)
	if err != nil || d == nil {
		return s.serverError("move", err)
	}
	// The poll before the tagged answer sends the EXPUNGE updates.
	return w.WriteCopyData(d)
}

// copyOrMove copies or moves the messages in set; op is "copy" or "move". It returns nil data if there is no such
// message.
func (s *session) copyOrMove(op string, set imap.NumSet, dest string) (*imap.CopyData, error) {
	messages := s.findMessages(set)
	var validity uint32
	rec, err := s.account.commit(s, func() (record, []byte, error) {
		destination := s.account.mailboxes[normalizeName(dest)]
		if destination == nil {
			return record{}, nil, newRefusal(imap.ResponseCodeTryCreate, "No such mailbox")
		}
		if destination == s.box {
			return record{}, nil, newRefusal(imap.ResponseCodeCannot, "Source and destination are the same")
		}
		if err := s.checkSelected(op == "move"); err != nil {
			return record{}, nil, err
		}
		// Another session may have removed some messages.
		messages = slices.DeleteFunc(messages, func(found foundMessage) bool { _, ok := s.box.indexOf(found.uid); return !ok })
		if len(messages) == 0 {
			return record{}, nil, nil
		}
		validity = destination.validity
		return record{Op: op, Box: s.box.name, To: destination.name, UIDs: uidsOf(messages), UID: destination.uidNext}, nil, nil
	})
	if err != nil || rec.Op == "" {
		return nil, err
	}
	copied := &imap.CopyData{UIDValidity: validity, SourceUIDs: imap.UIDSetNum(rec.UIDs...)}
	copied.DestUIDs.AddRange(rec.UID, rec.UID+imap.UID(len(rec.UIDs))-1)
	return copied, nil
}
