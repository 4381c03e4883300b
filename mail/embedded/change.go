package embedded

import (
	"slices"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

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
