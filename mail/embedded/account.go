package embedded

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

const (
	inbox     = "INBOX"
	delimiter = '/'
)

// account holds the mailboxes of an owner. writeLock is held while a change is written to the journal and synced;
// stateLock is never held during I/O. Memory contains only changes that are on disk. Only the method apply changes
// mailboxes.
type account struct {
	address, password string
	path              string

	writeLock sync.Mutex
	journal   *journal

	stateLock    sync.RWMutex
	mailboxes    map[string]*mailbox
	lastValidity uint32
	// liveBytes is the total size in bytes of the messages in all mailboxes. compact compares it with the size of the
	// journal.
	liveBytes int64
}

// mailbox is an IMAP mailbox (a folder). Its messages are sorted by UID.
type mailbox struct {
	name         string
	validity     uint32
	uidNext      imap.UID
	isSubscribed bool
	messages     []*message
	tracker      *imapserver.MailboxTracker
	sessions     map[*session]struct{}
}

// message is a message in a mailbox. Only its flags change, by replacing the slice, so a copy of the struct is a
// snapshot.
type message struct {
	uid          imap.UID
	offset, size int64
	received     time.Time
	flags        []imap.Flag
}

// record is a change in the journal, e.g. {"op":"add","box":"INBOX","uid":7,"size":2104} followed by the message. UID is
// the UID of the new message ("add"), of the first copy ("copy", "move") or of the next message ("create", "next").
type record struct {
	Op         string      `json:"op"`
	Box        string      `json:"box,omitempty"`
	To         string      `json:"to,omitempty"`
	Validity   uint32      `json:"validity,omitempty"`
	UID        imap.UID    `json:"uid,omitempty"`
	UIDs       []imap.UID  `json:"uids,omitempty"`
	ReceivedAt int64       `json:"at,omitempty"`
	Size       int64       `json:"size,omitempty"`
	FlagsOp    string      `json:"how,omitempty"`
	Flags      []imap.Flag `json:"flags,omitempty"`
	Subscribed bool        `json:"on,omitempty"`
}

func openAccount(dir, address, password string) (*account, error) {
	a := &account{address: address, password: password, mailboxes: map[string]*mailbox{}}
	a.path = filepath.Join(dir, url.PathEscape(address)+".mail")
	j, err := openJournal(a.path, a.applyLoaded)
	if err != nil {
		return nil, err
	}
	a.journal = j
	if a.mailboxes[inbox] == nil {
		if err := a.createMailbox(inbox); err != nil {
			return nil, errors.Join(err, j.file.Close())
		}
	}
	if err := a.compact(); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *account) close() error {
	a.writeLock.Lock()
	defer a.writeLock.Unlock()
	a.journal.isBroken = true
	return a.journal.file.Close()
}

// commit writes a change to the journal and applies it. plan reads the state and returns the change and its body; a
// record without Op has no effect. source is the session that caused the change, or nil; see apply.
func (a *account) commit(source *session, plan func() (record, []byte, error)) (record, error) {
	a.writeLock.Lock()
	defer a.writeLock.Unlock()
	// Reading needs no stateLock, because only the holder of writeLock changes the state.
	rec, body, err := plan()
	if err != nil || rec.Op == "" {
		return rec, err
	}
	offset, err := a.journal.append(rec, body)
	if err != nil {
		return rec, err
	}
	a.stateLock.Lock()
	defer a.stateLock.Unlock()
	return rec, a.apply(rec, offset, source)
}

func (a *account) mailbox(name string) (*mailbox, error) {
	b := a.mailboxes[normalizeName(name)]
	if b == nil {
		return nil, newRefusal(imap.ResponseCodeNonExistent, "No such mailbox")
	}
	return b, nil
}

func normalizeName(name string) string {
	name = strings.TrimRight(name, string(delimiter))
	if strings.EqualFold(name, inbox) {
		return inbox
	}
	return name
}

func newRefusal(code imap.ResponseCode, text string) *imap.Error {
	return &imap.Error{Type: imap.StatusResponseTypeNo, Code: code, Text: text}
}

const maxMailboxes, maxNameLength = 1000, 200

func (a *account) createMailbox(name string) error {
	name = normalizeName(name)
	if name == "" || len(name) > maxNameLength {
		return newRefusal(imap.ResponseCodeCannot, "A mailbox name must have 1 to 200 bytes")
	}
	for i, r := range name {
		if r != delimiter || i == 0 {
			continue
		}
		if err := a.createLevel(name[:i], true); err != nil {
			return err
		}
	}
	return a.createLevel(name, false)
}

// createLevel creates one mailbox in an existing parent. An existing mailbox is no error if it is only a parent of the
// requested mailbox.
func (a *account) createLevel(name string, isParent bool) error {
	_, err := a.commit(nil, func() (record, []byte, error) {
		if len(a.mailboxes) >= maxMailboxes {
			return record{}, nil, newRefusal(imap.ResponseCodeLimit, "There are too many mailboxes")
		}
		if a.mailboxes[name] != nil {
			if isParent {
				return record{}, nil, nil
			}
			return record{}, nil, newRefusal(imap.ResponseCodeAlreadyExists, "Mailbox already exists")
		}
		// A mailbox that was deleted and created again needs a new UIDVALIDITY.
		v := max(uint32(time.Now().Unix()), a.lastValidity+1)
		return record{Op: "create", Box: name, Validity: v, UID: 1}, nil, nil
	})
	return err
}

func (a *account) deliver(name string, raw []byte, at time.Time, flags []imap.Flag) (validity uint32, uid imap.UID, err error) {
	rec, err := a.commit(nil, func() (record, []byte, error) {
		b, err := a.mailbox(name)
		if err != nil {
			return record{}, nil, newRefusal(imap.ResponseCodeTryCreate, "No such mailbox")
		}
		validity = b.validity
		return record{Op: "add", Box: b.name, UID: b.uidNext, ReceivedAt: at.UnixNano(), Size: int64(len(raw)),
			Flags: normalFlags(flags)}, raw, nil
	})
	return validity, rec.UID, err
}

func (a *account) readBody(m message, offset, n int64) ([]byte, error) {
	offset = min(offset, m.size)
	return a.journal.read(m.offset+offset, max(min(n, m.size-offset), 0))
}

const (
	minCompactSize   = 4 << 20
	newJournalSuffix = ".new"
)

// compact rewrites a journal if more than half of it is unused. When the new journal is on disk, a rename puts it in
// the place of the old journal.
func (a *account) compact() error {
	if a.journal.size < minCompactSize || a.liveBytes*2 > a.journal.size {
		return nil
	}
	temp := a.path + newJournalSuffix
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	j, err := openJournal(temp, func(record, int64) error { return nil })
	if err != nil {
		return err
	}
	if err := a.copyState(j); err != nil {
		return errors.Join(fmt.Errorf("compacting %s: %w", a.path, err), j.file.Close())
	}
	if err := errors.Join(j.file.Sync(), j.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, a.path); err != nil {
		return err
	}
	old := a.journal
	a.mailboxes, a.liveBytes, a.lastValidity = map[string]*mailbox{}, 0, 0
	a.journal, err = openJournal(a.path, a.applyLoaded)
	if err != nil {
		a.journal = old
		return err
	}
	return old.file.Close()
}

func (a *account) applyLoaded(r record, offset int64) error { return a.apply(r, offset, nil) }

// copyState writes all mailboxes to a new journal. The caller syncs the file.
func (a *account) copyState(j *journal) error {
	write := func(rec record, body []byte) error {
		b, err := encodeFrame(rec, body)
		if err != nil {
			return err
		}
		if _, err := j.file.WriteAt(b, j.size); err != nil {
			return err
		}
		j.size += int64(len(b))
		return nil
	}
	if err := write(record{Op: "validity", Validity: a.lastValidity}, nil); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(a.mailboxes)) {
		b := a.mailboxes[name]
		if err := write(record{Op: "create", Box: name, Validity: b.validity, UID: 1}, nil); err != nil {
			return err
		}
		for _, m := range b.messages {
			raw, err := a.readBody(*m, 0, m.size)
			if err != nil {
				return err
			}
			if err := write(record{Op: "add", Box: name, UID: m.uid, ReceivedAt: m.received.UnixNano(), Size: m.size,
				Flags: m.flags}, raw); err != nil {
				return err
			}
		}
		if err := write(record{Op: "next", Box: name, UID: b.uidNext}, nil); err != nil {
			return err
		}
		if b.isSubscribed {
			if err := write(record{Op: "subscribe", Box: name, Subscribed: true}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// lockDir prevents two processes from using a directory. The lock ends with the process.
func lockDir(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s is in use by another process: %w", path, err)
	}
	return f, nil
}
