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

// One writer: write is held over a journal write and its sync. state is held
// for moments only, never during I/O. What is not on disk is not in memory.
// apply is the only place that changes mailboxes, live and when loading.

const (
	inbox = "INBOX"
	delim = '/'
)

// account is the mailboxes of one address.
type account struct {
	address, password string
	path              string

	write   sync.Mutex
	journal *journal

	state    sync.RWMutex
	boxes    map[string]*mailbox
	validity uint32
	live     int64
}

// mailbox is one folder. Its messages are sorted by UID.
type mailbox struct {
	name       string
	validity   uint32
	next       imap.UID
	subscribed bool
	messages   []*message
	tracker    *imapserver.MailboxTracker
	sessions   map[*session]struct{}
}

// message is one message in one folder. Only flags change, and the slice is
// replaced as a whole, so a copy of the struct is a safe snapshot.
type message struct {
	uid       imap.UID
	off, size int64
	at        time.Time
	flags     []imap.Flag
}

// record is one change.
type record struct {
	Op       string      `json:"op"`
	Box      string      `json:"box,omitempty"`
	To       string      `json:"to,omitempty"`
	Validity uint32      `json:"validity,omitempty"`
	UID      imap.UID    `json:"uid,omitempty"`
	UIDs     []imap.UID  `json:"uids,omitempty"`
	At       int64       `json:"at,omitempty"`
	Size     int64       `json:"size,omitempty"`
	How      string      `json:"how,omitempty"`
	Flags    []imap.Flag `json:"flags,omitempty"`
	On       bool        `json:"on,omitempty"`
}

func openAccount(dir, address, password string) (*account, error) {
	a := &account{address: address, password: password, boxes: map[string]*mailbox{}}
	a.path = filepath.Join(dir, url.PathEscape(address)+".mail")
	j, err := openJournal(a.path, a.applyLoaded)
	if err != nil {
		return nil, err
	}
	a.journal = j
	if a.boxes[inbox] == nil {
		if err := a.create(inbox); err != nil {
			return nil, errors.Join(err, j.file.Close())
		}
	}
	if err := a.compact(); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *account) close() error {
	a.write.Lock()
	defer a.write.Unlock()
	a.journal.broken = true
	return a.journal.file.Close()
}

// commit writes one change. plan looks at the state and may refuse; a record
// without Op means there is nothing to do.
func (a *account) commit(src *session, plan func() (record, []byte, error)) (record, error) {
	a.write.Lock()
	defer a.write.Unlock()
	// No lock for reading: only a holder of write changes the state.
	rec, body, err := plan()
	if err != nil || rec.Op == "" {
		return rec, err
	}
	off, err := a.journal.append(rec, body)
	if err != nil {
		return rec, err
	}
	a.state.Lock()
	defer a.state.Unlock()
	return rec, a.apply(rec, off, src)
}

func (a *account) box(name string) (*mailbox, error) {
	b := a.boxes[boxName(name)]
	if b == nil {
		return nil, refuse(imap.ResponseCodeNonExistent, "No such mailbox")
	}
	return b, nil
}

func boxName(name string) string {
	name = strings.TrimRight(name, string(delim))
	if strings.EqualFold(name, inbox) {
		return inbox
	}
	return name
}

func refuse(code imap.ResponseCode, text string) *imap.Error {
	return &imap.Error{Type: imap.StatusResponseTypeNo, Code: code, Text: text}
}

// How many folders there may be, and how long their names.
const mostBoxes, mostName = 1000, 200

// create makes a folder, and the folders above it.
func (a *account) create(name string) error {
	name = boxName(name)
	if name == "" || len(name) > mostName {
		return refuse(imap.ResponseCodeCannot, "A mailbox needs a name, and not too long a one")
	}
	for i, r := range name {
		if r != delim || i == 0 {
			continue
		}
		if err := a.createOne(name[:i], true); err != nil {
			return err
		}
	}
	return a.createOne(name, false)
}

func (a *account) createOne(name string, parent bool) error {
	_, err := a.commit(nil, func() (record, []byte, error) {
		if len(a.boxes) >= mostBoxes {
			return record{}, nil, refuse(imap.ResponseCodeLimit, "There are too many mailboxes")
		}
		if a.boxes[name] != nil {
			if parent {
				return record{}, nil, nil
			}
			return record{}, nil, refuse(imap.ResponseCodeAlreadyExists, "Mailbox already exists")
		}
		// A folder made again must not have an old UIDVALIDITY.
		v := max(uint32(time.Now().Unix()), a.validity+1)
		return record{Op: "create", Box: name, Validity: v, UID: 1}, nil, nil
	})
	return err
}

// deliver appends a message to a folder.
func (a *account) deliver(name string, raw []byte, at time.Time, flags []imap.Flag) (validity uint32, uid imap.UID, err error) {
	rec, err := a.commit(nil, func() (record, []byte, error) {
		b, err := a.box(name)
		if err != nil {
			return record{}, nil, refuse(imap.ResponseCodeTryCreate, "No such mailbox")
		}
		validity = b.validity
		return record{Op: "add", Box: b.name, UID: b.next, At: at.UnixNano(), Size: int64(len(raw)), Flags: normalFlags(flags)}, raw, nil
	})
	return validity, rec.UID, err
}

// body reads n bytes of a message from byte off on.
func (a *account) body(m message, off, n int64) ([]byte, error) {
	off = min(off, m.size)
	return a.journal.read(m.off+off, max(min(n, m.size-off), 0))
}

const (
	compactMin  = 4 << 20
	compactTemp = ".new"
)

// compact writes the journal anew when more than half of it is of no use any
// more. The old one is replaced only when the new one is on disk.
func (a *account) compact() error {
	if a.journal.size < compactMin || a.live*2 > a.journal.size {
		return nil
	}
	temp := a.path + compactTemp
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	j, err := openJournal(temp, func(record, int64) error { return nil })
	if err != nil {
		return err
	}
	if err := a.copyTo(j); err != nil {
		return errors.Join(fmt.Errorf("compacting %s: %w", a.path, err), j.file.Close())
	}
	if err := errors.Join(j.file.Sync(), j.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, a.path); err != nil {
		return err
	}
	old := a.journal
	a.boxes, a.live, a.validity = map[string]*mailbox{}, 0, 0
	a.journal, err = openJournal(a.path, a.applyLoaded)
	if err != nil {
		a.journal = old
		return err
	}
	return old.file.Close()
}

func (a *account) applyLoaded(r record, off int64) error { return a.apply(r, off, nil) }

// copyTo writes what is alive. One sync at the end is enough: nobody uses the
// new file before.
func (a *account) copyTo(j *journal) error {
	put := func(rec record, body []byte) error {
		b, err := frame(rec, body)
		if err != nil {
			return err
		}
		if _, err := j.file.WriteAt(b, j.size); err != nil {
			return err
		}
		j.size += int64(len(b))
		return nil
	}
	if err := put(record{Op: "validity", Validity: a.validity}, nil); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(a.boxes)) {
		b := a.boxes[name]
		if err := put(record{Op: "create", Box: name, Validity: b.validity, UID: 1}, nil); err != nil {
			return err
		}
		for _, m := range b.messages {
			raw, err := a.body(*m, 0, m.size)
			if err != nil {
				return err
			}
			if err := put(record{Op: "add", Box: name, UID: m.uid, At: m.at.UnixNano(), Size: m.size, Flags: m.flags}, raw); err != nil {
				return err
			}
		}
		if err := put(record{Op: "next", Box: name, UID: b.next}, nil); err != nil {
			return err
		}
		if b.subscribed {
			if err := put(record{Op: "subscribe", Box: name, On: true}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// lockDir keeps two processes from writing the same journals. The lock goes
// away with the process.
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
