package embedded

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

const (
	journalMagic    = "samizdat mail 1\n"
	frameHeaderSize = 12
	maxRecordBytes  = 64 << 20
)

var crcTable = crc32.MakeTable(crc32.Castagnoli)

var errJournalBroken = errors.New("the journal could not be written; restart the server")

// journal is a file of frames. A frame contains the length of its record, the length of its body, a checksum of both,
// the record (JSON), and the body (the message). Each frame is synced before it is acknowledged, so only the last frame
// can be incomplete. Messages are read from their frames.
type journal struct {
	file     *os.File
	size     int64
	isBroken bool // no more frames can be written
}

// openJournal opens or creates a journal. It calls apply for every record in order, with the offset of its body, and
// removes an incomplete last frame.
func openJournal(path string, apply func(record, int64) error) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f}
	if err := j.load(apply); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		_ = f.Close()
		return nil, err
	}
	return j, nil
}

func (j *journal) load(apply func(record, int64) error) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < int64(len(journalMagic)) {
		// The file is new, or the process died while it created the file.
		if err := j.file.Truncate(0); err != nil {
			return err
		}
		if _, err := j.file.WriteAt([]byte(journalMagic), 0); err != nil {
			return err
		}
		j.size = int64(len(journalMagic))
		return j.file.Sync()
	}
	r := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, info.Size()), 1<<20)
	magic := make([]byte, len(journalMagic))
	if _, err := io.ReadFull(r, magic); err != nil {
		return err
	}
	if string(magic) != journalMagic {
		return errors.New("not a mail journal of this version")
	}
	j.size = int64(len(journalMagic))
	for j.size < info.Size() {
		rec, body, n, err := readFrame(r, info.Size()-j.size)
		if err != nil {
			if n != 0 && j.size+n < info.Size() {
				return fmt.Errorf("at byte %d: %w", j.size, err)
			}
			// The last frame was never acknowledged.
			if err := j.saveTail(info.Size()); err != nil {
				return err
			}
			return j.truncateTo(j.size)
		}
		if err := apply(rec, j.size+n-body); err != nil {
			return fmt.Errorf("at byte %d: %w", j.size, err)
		}
		j.size += n
	}
	return nil
}

// readFrame returns a record, and the lengths of its body and of the frame. The length of the frame is 0 if it does
// not fit into the remaining bytes.
func readFrame(r io.Reader, remaining int64) (rec record, body, n int64, err error) {
	if remaining < frameHeaderSize {
		return rec, 0, 0, io.ErrUnexpectedEOF
	}
	var h [frameHeaderSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return rec, 0, 0, err
	}
	recordLen, bodyLen := int64(binary.BigEndian.Uint32(h[0:])), int64(binary.BigEndian.Uint32(h[4:]))
	n = frameHeaderSize + recordLen + bodyLen
	if n > remaining || recordLen > maxRecordBytes || recordLen == 0 {
		// The frame or its length is incomplete, so the next frame cannot be found.
		return rec, 0, 0, io.ErrUnexpectedEOF
	}
	buf := make([]byte, recordLen+bodyLen)
	if _, err := io.ReadFull(r, buf); err != nil {
		return rec, 0, 0, err
	}
	if crc32.Checksum(buf, crcTable) != binary.BigEndian.Uint32(h[8:]) {
		return rec, 0, n, errors.New("a record is damaged")
	}
	if err := json.Unmarshal(buf[:recordLen], &rec); err != nil {
		return rec, 0, n, err
	}
	return rec, bodyLen, n, nil
}

func encodeFrame(rec record, body []byte) ([]byte, error) {
	data, err := json.Marshal(rec)
	if err != nil {
		return nil, err
	}
	b := make([]byte, frameHeaderSize, frameHeaderSize+len(data)+len(body))
	binary.BigEndian.PutUint32(b[0:], uint32(len(data)))
	binary.BigEndian.PutUint32(b[4:], uint32(len(body)))
	b = append(append(b, data...), body...)
	binary.BigEndian.PutUint32(b[8:], crc32.Checksum(b[frameHeaderSize:], crcTable))
	return b, nil
}

// append writes a frame to the disk and returns the offset of its body.
func (j *journal) append(rec record, body []byte) (int64, error) {
	if j.isBroken {
		return 0, errJournalBroken
	}
	b, err := encodeFrame(rec, body)
	if err != nil {
		return 0, err
	}
	if _, err = j.file.WriteAt(b, j.size); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		// After a failed sync the contents of the disk are not known, unless truncating succeeds.
		if truncateErr := j.truncateTo(j.size); truncateErr != nil {
			j.isBroken = true
		}
		return 0, fmt.Errorf("writing the mail journal: %w", err)
	}
	j.size += int64(len(b))
	return j.size - int64(len(body)), nil
}

// saveTail copies the incomplete end of the journal, before load removes it, to a file with the suffix ".torn". The
// file is for an analysis of disk damage.
func (j *journal) saveTail(size int64) error {
	f, err := os.OpenFile(j.file.Name()+".torn", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.NewSectionReader(j.file, j.size, size-j.size))
	return errors.Join(err, f.Close())
}

func (j *journal) truncateTo(size int64) error {
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) read(offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := j.file.ReadAt(b, offset); err != nil {
		return nil, fmt.Errorf("reading the mail journal: %w", err)
	}
	return b, nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// apply changes the mailboxes as a record says. offset is the offset of the record's body in the journal. source is the
// session that caused the change, or nil; this session gets no update about flags that it has changed itself.
func (a *account) apply(r record, offset int64, source *session) error {
	if r.Op == "create" {
		a.mailboxes[r.Box] = &mailbox{name: r.Box, validity: r.Validity, uidNext: r.UID, tracker: imapserver.NewMailboxTracker(0),
			sessions: map[*session]struct{}{}}
		a.lastValidity = max(a.lastValidity, r.Validity)
		return nil
	}
	if r.Op == "validity" {
		a.lastValidity = max(a.lastValidity, r.Validity)
		return nil
	}
	b := a.mailboxes[r.Box]
	if b == nil {
		return fmt.Errorf("record %q names an unknown mailbox %q", r.Op, r.Box)
	}
	var destination *mailbox
	if r.Op == "copy" || r.Op == "move" {
		if destination = a.mailboxes[r.To]; destination == nil {
			return fmt.Errorf("record %q names an unknown mailbox %q", r.Op, r.To)
		}
	}
	switch r.Op {
	case "add":
		b.add(&message{uid: r.UID, offset: offset, size: r.Size, received: time.Unix(0, r.ReceivedAt), flags: r.Flags})
		a.liveBytes += r.Size
	case "copy", "move":
		uid := r.UID
		for _, i := range b.indexesOf(r.UIDs) {
			m := *b.messages[i]
			m.uid = uid
			uid++
			destination.add(&m)
			a.liveBytes += m.size
		}
		destination.notifySessions()
		if r.Op == "move" {
			a.liveBytes -= b.remove(r.UIDs)
		}
	case "flags":
		b.setFlags(r, source)
	case "expunge":
		a.liveBytes -= b.remove(r.UIDs)
	case "next":
		b.uidNext = max(b.uidNext, r.UID)
	case "subscribe":
		b.isSubscribed = r.Subscribed
	case "delete":
		for _, m := range b.messages {
			a.liveBytes -= m.size
		}
		delete(a.mailboxes, r.Box)
	case "rename":
		a.rename(r.Box, r.To)
	default:
		return fmt.Errorf("unknown record %q: the mailbox was written by a newer version", r.Op)
	}
	b.notifySessions()
	return nil
}

func (a *account) rename(from, to string) {
	moved := map[string]*mailbox{}
	for name, b := range a.mailboxes {
		if name == from || strings.HasPrefix(name, from+string(delimiter)) {
			b.name = to + name[len(from):]
			moved[b.name] = b
			delete(a.mailboxes, name)
		}
	}
	for name, b := range moved {
		a.mailboxes[name] = b
	}
}

func (b *mailbox) add(m *message) {
	b.messages = append(b.messages, m)
	b.uidNext = max(b.uidNext, m.uid+1)
	// The tracker accepts only one new message at a time.
	b.tracker.QueueNumMessages(uint32(len(b.messages)))
}

func (b *mailbox) indexOf(uid imap.UID) (int, bool) {
	return slices.BinarySearchFunc(b.messages, uid, func(m *message, u imap.UID) int { return int(int64(m.uid) - int64(u)) })
}

// indexesOf returns the indexes of messages with these UIDs, in ascending order.
func (b *mailbox) indexesOf(uids []imap.UID) []int {
	var out []int
	for _, u := range uids {
		if i, ok := b.indexOf(u); ok {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (b *mailbox) remove(uids []imap.UID) (size int64) {
	indexes := b.indexesOf(uids)
	if len(indexes) == 0 {
		return 0
	}
	// The order is descending, so that the sequence numbers of the remaining messages stay valid.
	for _, i := range slices.Backward(indexes) {
		size += b.messages[i].size
		b.tracker.QueueExpunge(uint32(i) + 1)
	}
	remaining := b.messages[:indexes[0]]
	for i, n := indexes[0], 0; i < len(b.messages); i++ {
		if n < len(indexes) && indexes[n] == i {
			n++
			continue
		}
		remaining = append(remaining, b.messages[i])
	}
	clear(b.messages[len(remaining):])
	b.messages = remaining
	return size
}

func (b *mailbox) setFlags(r record, source *session) {
	var sourceTracker *imapserver.SessionTracker
	if source != nil {
		sourceTracker = source.tracker
	}
	for _, i := range b.indexesOf(r.UIDs) {
		m := b.messages[i]
		switch r.FlagsOp {
		case "set":
			m.flags = r.Flags
		case "add":
			m.flags = normalFlags(slices.Concat(m.flags, r.Flags))
		case "remove":
			m.flags = slices.DeleteFunc(slices.Clone(m.flags), func(f imap.Flag) bool { return hasFlag(r.Flags, f) })
		}
		b.tracker.QueueMessageFlags(uint32(i)+1, m.uid, m.flags, sourceTracker)
	}
}

func (b *mailbox) notifySessions() {
	for s := range b.sessions {
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

var systemFlags = []imap.Flag{imap.FlagSeen, imap.FlagAnswered, imap.FlagFlagged, imap.FlagDeleted, imap.FlagDraft}

// normalFlags returns each flag once, system flags in standard spelling.
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
