package embedded

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// apply carries out one record. off is the place of its body in the journal;
// src is the session that caused it, which is not told of its own flags.
func (a *account) apply(r record, off int64, src *session) error {
	if r.Op == "create" {
		a.boxes[r.Box] = &mailbox{name: r.Box, validity: r.Validity, next: r.UID, tracker: imapserver.NewMailboxTracker(0), sessions: map[*session]struct{}{}}
		a.validity = max(a.validity, r.Validity)
		return nil
	}
	if r.Op == "validity" {
		a.validity = max(a.validity, r.Validity)
		return nil
	}
	b := a.boxes[r.Box]
	if b == nil {
		return fmt.Errorf("record %q names an unknown mailbox %q", r.Op, r.Box)
	}
	var to *mailbox
	if r.Op == "copy" || r.Op == "move" {
		if to = a.boxes[r.To]; to == nil {
			return fmt.Errorf("record %q names an unknown mailbox %q", r.Op, r.To)
		}
	}
	switch r.Op {
	case "add":
		b.add(&message{uid: r.UID, off: off, size: r.Size, at: time.Unix(0, r.At), flags: r.Flags})
		a.live += r.Size
	case "copy", "move":
		uid := r.UID
		for _, i := range b.indexes(r.UIDs) {
			m := *b.messages[i]
			m.uid = uid
			uid++
			to.add(&m)
			a.live += m.size
		}
		to.signal()
		if r.Op == "move" {
			a.live -= b.remove(r.UIDs)
		}
	case "flags":
		b.setFlags(r, src)
	case "expunge":
		a.live -= b.remove(r.UIDs)
	case "next":
		b.next = max(b.next, r.UID)
	case "subscribe":
		b.subscribed = r.On
	case "delete":
		for _, m := range b.messages {
			a.live -= m.size
		}
		delete(a.boxes, r.Box)
	case "rename":
		a.rename(r.Box, r.To)
	default:
		return fmt.Errorf("unknown record %q: the mailbox was written by a newer version", r.Op)
	}
	b.signal()
	return nil
}

// rename moves a folder and all below it.
func (a *account) rename(from, to string) {
	moved := map[string]*mailbox{}
	for name, b := range a.boxes {
		if name == from || strings.HasPrefix(name, from+string(delim)) {
			b.name = to + name[len(from):]
			moved[b.name] = b
			delete(a.boxes, name)
		}
	}
	for name, b := range moved {
		a.boxes[name] = b
	}
}

func (b *mailbox) add(m *message) {
	b.messages = append(b.messages, m)
	b.next = max(b.next, m.uid+1)
	// One by one: the tracker does not handle greater steps.
	b.tracker.QueueNumMessages(uint32(len(b.messages)))
}

// index finds a message by its UID.
func (b *mailbox) index(uid imap.UID) (int, bool) {
	return slices.BinarySearchFunc(b.messages, uid, func(m *message, u imap.UID) int { return int(int64(m.uid) - int64(u)) })
}

// indexes finds messages by their UIDs, in ascending order.
func (b *mailbox) indexes(uids []imap.UID) []int {
	var out []int
	for _, u := range uids {
		if i, ok := b.index(u); ok {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// remove takes messages out and gives their size.
func (b *mailbox) remove(uids []imap.UID) (size int64) {
	gone := b.indexes(uids)
	if len(gone) == 0 {
		return 0
	}
	// From the end on, so that the numbers of the others stay right.
	for _, i := range slices.Backward(gone) {
		size += b.messages[i].size
		b.tracker.QueueExpunge(uint32(i) + 1)
	}
	kept := b.messages[:gone[0]]
	for i, n := gone[0], 0; i < len(b.messages); i++ {
		if n < len(gone) && gone[n] == i {
			n++
			continue
		}
		kept = append(kept, b.messages[i])
	}
	clear(b.messages[len(kept):])
	b.messages = kept
	return size
}

func (b *mailbox) setFlags(r record, src *session) {
	var own *imapserver.SessionTracker
	if src != nil {
		own = src.tracker
	}
	for _, i := range b.indexes(r.UIDs) {
		m := b.messages[i]
		switch r.How {
		case "set":
			m.flags = r.Flags
		case "add":
			m.flags = normalFlags(slices.Concat(m.flags, r.Flags))
		case "remove":
			m.flags = slices.DeleteFunc(slices.Clone(m.flags), func(f imap.Flag) bool { return hasFlag(r.Flags, f) })
		}
		b.tracker.QueueMessageFlags(uint32(i)+1, m.uid, m.flags, own)
	}
}

// signal wakes the sessions that lie in IDLE.
func (b *mailbox) signal() {
	for s := range b.sessions {
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}

var systemFlags = []imap.Flag{imap.FlagSeen, imap.FlagAnswered, imap.FlagFlagged, imap.FlagDeleted, imap.FlagDraft}

// normalFlags gives each flag once, system flags in their usual spelling.
func normalFlags(flags []imap.Flag) []imap.Flag {
	var out []imap.Flag
	for _, f := range flags {
		for _, s := range systemFlags {
			if strings.EqualFold(string(f), string(s)) {
				f = s
			}
		}
		if !hasFlag(out, f) && !strings.EqualFold(string(f), `\Recent`) {
			out = append(out, f)
		}
	}
	return out
}

func hasFlag(flags []imap.Flag, f imap.Flag) bool {
	return slices.ContainsFunc(flags, func(x imap.Flag) bool { return strings.EqualFold(string(x), string(f)) })
}
