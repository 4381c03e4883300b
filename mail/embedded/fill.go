package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// fillAtOnce is how many bytes are gathered for one write.
const fillAtOnce = 4 << 20

// Fill puts n copies of a message into the inbox of an account, with flags, while
// no server runs: one by one, each synced, a large mailbox takes minutes.
func Fill(dir string, who Account, n int, raw []byte, flags ...string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("filling a mailbox: %w", err)
	}
	lock, err := lockDir(filepath.Join(dir, "lock"))
	if err != nil {
		return fmt.Errorf("filling a mailbox: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	a, err := openAccount(dir, strings.ToLower(who.Address), who.Password)
	if err != nil {
		return fmt.Errorf("filling a mailbox: %w", err)
	}
	defer func() { err = errors.Join(err, a.close()) }()
	var marks []imap.Flag
	for _, f := range flags {
		marks = append(marks, imap.Flag(f))
	}
	next := a.boxes[inbox].next
	var buf bytes.Buffer
	for i := range n {
		b, err := frame(record{Op: "add", Box: inbox, UID: next + imap.UID(i), At: time.Now().UnixNano(), Size: int64(len(raw)), Flags: normalFlags(marks)}, raw)
		if err != nil {
			return fmt.Errorf("filling a mailbox: %w", err)
		}
		buf.Write(b)
		if buf.Len() < fillAtOnce && i < n-1 {
			continue
		}
		if _, err := a.journal.file.WriteAt(buf.Bytes(), a.journal.size); err != nil {
			return fmt.Errorf("filling a mailbox: %w", err)
		}
		a.journal.size += int64(buf.Len())
		buf.Reset()
	}
	if err := a.journal.file.Sync(); err != nil {
		return fmt.Errorf("filling a mailbox: %w", err)
	}
	return nil
}
