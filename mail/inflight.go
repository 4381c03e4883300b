package mail

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A panic of the Handler is caught. A stack that grows without end, or memory
// that runs out, is not: the process dies, is started again, and takes up the same
// letters. So the letters in flight stand in a small file. It is not synced:
// it has to outlive the process, not the machine.
//
// Where there were several, any may have been the one. They are counted only when they are
// in flight alone, as they are from then on.

// inboxUID names a letter as it lies in the inbox; what names a letter of ours is a
// LetterID.
type inboxUID struct {
	Validity uint32 `json:"uidvalidity"`
	UID      uint32 `json:"uid"`
}

// inFlight counts for each letter the times it was in flight alone and the process
// did not live to put it down.
type inFlight struct {
	mu    sync.Mutex
	file  *os.File
	width int
	// counts are those of earlier processes. A letter that was in flight with others has one too,
	// which may be 0.
	counts map[inboxUID]int
	flying map[inboxUID]bool
}

func newInFlight() *inFlight {
	return &inFlight{counts: map[inboxUID]int{}, flying: map[inboxUID]bool{}}
}

// openInFlight reads what an earlier process left. Without a path it counts for
// nothing but itself.
func openInFlight(path string) (*inFlight, error) {
	h := newInFlight()
	if path == "" {
		return h, nil
	}
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("reading which letter was in flight: %w", err)
	}
	var left []letterInFlight
	// A file that cannot be read was cut off by the machine's own end. The
	// worst that follows is one more try.
	if json.Unmarshal(b, &left) == nil {
		for _, l := range left {
			h.counts[l.inboxUID] = l.Times
		}
	}
	if h.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
		return h, fmt.Errorf("noting which letter is in flight: %w", err)
	}
	h.width = len(b)
	return h, nil
}

type letterInFlight struct {
	inboxUID
	Times int `json:"times"`
}

// left tells how often a process has died with a letter alone in flight, and whether one has
// died with it in flight at all.
func (h *inFlight) left(id inboxUID) (died int, suspect bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	died, suspect = h.counts[id]
	return died, suspect
}

// lastTry reports whether a letter is tried for the last time, or behind one that is.
func (h *inFlight) lastTry(id inboxUID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other, died := range h.counts {
		if died == maxFailures && other.Validity == id.Validity && other.UID <= id.UID {
			return true
		}
	}
	return false
}

// begin notes that a letter is in flight.
func (h *inFlight) begin(id inboxUID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flying[id] = true
	return h.write()
}

// end notes that the letter was put down. What stays is how often it was in
// flight when a process died, unless it was handled.
func (h *inFlight) end(id inboxUID, handled bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if delete(h.flying, id); handled || h.counts[id] == 0 {
		delete(h.counts, id)
	}
	return h.write()
}

// none reports whether no earlier process has left a letter.
func (h *inFlight) none() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.counts) == 0
}

// keep forgets letters that are not in the inbox any more.
func (h *inFlight) keep(validity uint32, here func(uid uint32) bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.counts)
	for id := range h.counts {
		if id.Validity == validity && !here(id.UID) || id.Validity != validity {
			delete(h.counts, id)
		}
	}
	if n == len(h.counts) {
		return nil
	}
	return h.write()
}

// write puts the counts over the old ones, with blanks up to their end: a file
// that is cut first is empty when the process dies in between.
func (h *inFlight) write() error {
	if h.file == nil {
		return nil
	}
	left := make([]letterInFlight, 0, len(h.counts)+len(h.flying))
	for id, n := range h.counts {
		if !h.flying[id] {
			left = append(left, letterInFlight{id, n})
		}
	}
	for id := range h.flying {
		n := h.counts[id]
		if len(h.flying) == 1 {
			n++
		}
		left = append(left, letterInFlight{id, n})
	}
	b, err := json.Marshal(left)
	if err != nil {
		return err
	}
	n := len(b)
	for len(b) < h.width {
		b = append(b, ' ')
	}
	h.width = n
	if _, err := h.file.WriteAt(b, 0); err != nil {
		return fmt.Errorf("noting which letter is in flight: %w", err)
	}
	return nil
}

func (h *inFlight) close() {
	if h.file != nil {
		_ = h.file.Close()
	}
}
