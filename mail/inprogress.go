package mail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/mail/message"
)

const (
	// maxInProgress is how many letters are in hand at most, with batchBytes together. Those with
	// a key in common wait there for each other.
	maxInProgress = batchLetters
	// stragglers is how long a scan waits at its end for letters that are in hand still.
	scanEndWait = 250 * time.Millisecond
)

// maxConcurrent is how many letters are handled at the same time: more than there are cores,
// since some wait for the disk, and few enough for the memory that a letter takes.
func (c IMAPConfig) maxConcurrent() int {
	if c.Enqueue != nil {
		return maxInProgress // They are handled elsewhere.
	}
	return min(max(8, 4*runtime.GOMAXPROCS(0)), maxInProgress)
}

// recording are the letters that are being handled, or wait for others. All methods are for one goroutine.
type inProgress struct {
	letters map[inboxUID]progressEntry
	// bytes is how long they are together.
	bytes int
}

// progressEntry is a letter in hand: how long it is, and a time after which it came.
type progressEntry struct {
	bytes        int
	arrivedAfter time.Time
}

// handleResult is what came of a letter.
type handleResult struct {
	letter  Received
	keys    []string
	folder  Folder
	crashed bool
	err     error
}

// remove lets a letter be handled as soon as those before it that share a key with it are, and
// there is a place. There must be room for it.
func (p *Poller) enqueueLetter(ctx context.Context, r Received, keys []string) {
	o := handleResult{letter: r, keys: keys}
	if p.cfg.Enqueue != nil {
		p.cfg.Enqueue(r, keys)
		keys = nil
	}
	p.inProgress.letters[inboxUID{r.UIDValidity, r.UID}] = progressEntry{len(r.Raw), p.lastFullScan}
	p.inProgress.bytes += len(r.Raw)
	p.queue.Add(keys, func() {
		if o.err = context.Cause(ctx); o.err == nil {
			o.folder, o.crashed, o.err = p.runHandler(ctx, r)
		}
		p.results <- o
	})
}

// remove forgets a letter that is not in hand any more.
func (h *inProgress) remove(r Received) {
	id := inboxUID{r.UIDValidity, r.UID}
	h.bytes -= h.letters[id].bytes
	delete(h.letters, id)
}

// hasRoom reports whether one more letter of a length may be taken.
func (h *inProgress) hasRoom(length int) bool {
	return h.isEmpty() || len(h.letters) < maxInProgress && h.bytes+length <= batchBytes
}

func (h *inProgress) isEmpty() bool { return len(h.letters) == 0 }

func (h *inProgress) has(id inboxUID) bool { _, in := h.letters[id]; return in }

// arrivedAfter is a time after which all that is in hand came; zero where that is not known.
func (h *inProgress) arrivedAfter() time.Time {
	var first time.Time
	for _, l := range h.letters {
		if l.arrivedAfter.IsZero() {
			return l.arrivedAfter
		}
		if first.IsZero() || l.arrivedAfter.Before(first) {
			first = l.arrivedAfter
		}
	}
	return first
}

// waitForHandlers lets all that is in hand end.
func (p *Poller) waitForHandlers() {
	p.queue.Wait()
	for !p.inProgress.isEmpty() {
		p.inProgress.remove((<-p.results).letter)
	}
}

// noTimeout is the timeout of who waits for as long as it takes.
const noTimeout time.Duration = math.MaxInt64

// collectResults takes in what came of letters in hand, until there is enough of it or the timeout is over.
func (p *Poller) collectResults(ctx context.Context, enough func() bool, timeout time.Duration, filed map[Folder][]imap.UID) {
	if enough() {
		return
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	for !enough() {
		select {
		case o := <-p.results:
			p.recordResult(ctx, o, filed)
			continue
		default:
		}
		select {
		case o := <-p.results:
			p.recordResult(ctx, o, filed)
		case <-t.C:
			return
		}
	}
}

// recordSent notes what came of a letter.
func (p *Poller) recordResult(ctx context.Context, o handleResult, filed map[Folder][]imap.UID) {
	r := o.letter
	p.inProgress.remove(r)
	switch {
	case r.UIDValidity != p.validity:
		// Its number is another letter's. It is known when it is read again.
	case o.err == nil:
		s := p.letters.state(r.UID)
		s.handled, s.folder = true, o.folder
		filed[o.folder] = append(filed[o.folder], imap.UID(r.UID))
		p.faults.recordSuccess(p.now(), p.log)
	case ctx.Err() != nil:
		// Stopped in the middle: no fault of anybody.
	case errors.Is(o.err, message.ErrLater):
		// The letter is not to blame, and will be told to be good or bad.
		p.scheduleRetry(r.UID, "letter has to wait and stays in the inbox", o.err)
	default:
		if reason, is := p.databaseFault(o.err); is {
			p.delayForFault(r.UID, o.keys, reason, o.err)
			return
		}
		p.recordFailure(ctx, r, o.err, o.crashed, filed)
	}
}

// handleLetter lets a letter be handled, once there is room. One with which a process has died is
// alone in hand, so that no other is blamed for it, nor it for another. Who kills a process again and again may well
// do so while it has the same letter in hand: so the last try is that of a process which has lived for a while, and what came
// behind the letter waits for that.
func (p *Poller) handleLetter(ctx context.Context, r Received, filed map[Folder][]imap.UID) {
	id := inboxUID{r.UIDValidity, r.UID}
	died, suspect := p.inFlight.deathsWith(id)
	if proven := p.started.Add(p.cfg.ProvenAfter); p.now().Before(proven) && p.inFlight.isLastTry(id) {
		p.letters.state(r.UID).next = proven
		return
	}
	if died > maxFailures {
		s := p.letters.state(r.UID)
		s.crashed = true
		p.inFlight.begin(id) // What is read of it to tell its writer may be what it dies of.
		p.quarantine(ctx, r, s, died, errDied(died), filed)
		p.inFlight.end(id, s.handled)
		return
	}
	enough := func() bool { return p.inProgress.hasRoom(len(r.Raw)) }
	if suspect {
		enough = p.inProgress.isEmpty
	}
	p.collectResults(ctx, enough, noTimeout, filed)
	keys := p.letterKeys(r)
	if p.letters.isBehindDelayed(r.UID, keys, p.now()) {
		return
	}
	p.enqueueLetter(ctx, r, keys)
	if suspect {
		p.collectResults(ctx, enough, noTimeout, filed)
	}
}

// letterKeys names what a letter concerns. What cannot be found out is handled like what concerns
// the same as all others of that sort.
func (p *Poller) letterKeys(r Received) (keys []string) {
	unknown := []string{""}
	if p.cfg.Keys == nil {
		return unknown
	}
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.begin(id)
	defer func() {
		if v := recover(); v != nil {
			p.log.Error("what a letter concerns cannot be found out", "uid", r.UID, "panic", v, "stack", string(debug.Stack()))
			keys = unknown
		}
		p.inFlight.end(id, false)
	}()
	return p.cfg.Keys(r)
}

// runHandler handles a letter, which stands in the file of those in flight meanwhile.
func (p *Poller) runHandler(ctx context.Context, r Received) (f Folder, crashed bool, err error) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.begin(id)
	defer func() { p.inFlight.end(id, err == nil) }()
	return HandleSafely(ctx, p.handler, r, p.cfg.HandleTimeout)
}

// ErrCrashed is of a Handler that has crashed in another process, ErrDied of one whose process
// has died again and again.
var (
	ErrCrashed = errors.New("handling the letter crashed")
	ErrDied    = fmt.Errorf("processes died with this letter in hand, at least %d times", maxFailures)
)

// HandleSafely lets a Handler handle a letter, for so long at most. A panic in there is our fault and
// must not take the daemon, and with it everybody's letters, down.
func HandleSafely(ctx context.Context, h Handler, r Received, most time.Duration) (f Folder, crashed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			crashed, err = true, fmt.Errorf("handling letter %d: panic: %v\n%s", r.UID, v, debug.Stack())
		}
	}()
	f, err = h.Handle(ctx, r)
	if err != nil {
		return "", errors.Is(err, ErrCrashed), fmt.Errorf("handling letter %d: %w", r.UID, err)
	}
	switch f {
	case Done, Refused, Ignored, Questions:
		return f, false, nil
	}
	return "", false, fmt.Errorf("handling letter %d: unknown folder %q", r.UID, f)
}

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
	log *slog.Logger

	mu    sync.Mutex
	file  *os.File
	width int
	// counts are those of earlier processes. A letter that was in flight with others has one too,
	// which may be 0.
	counts map[inboxUID]int
	flying map[inboxUID]bool
}

// openInFlight reads what an earlier process left. Without a path it counts for
// nothing but itself; so it does where the file cannot be used, for a letter matters more than the note.
func openInFlight(path string, log *slog.Logger) *inFlight {
	h := &inFlight{log: log, counts: map[inboxUID]int{}, flying: map[inboxUID]bool{}}
	if path == "" {
		return h
	}
	b, err := os.ReadFile(path)
	var left []letterInFlight
	// A file that cannot be read was cut off by the machine's own end. The
	// worst that follows is one more try.
	if json.Unmarshal(b, &left) == nil {
		for _, l := range left {
			h.counts[l.inboxUID] = l.Times
		}
	}
	if h.width = len(b); err == nil || errors.Is(err, fs.ErrNotExist) {
		h.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	if err != nil {
		log.Error("a letter that ends the process would not be found out", "error", err)
	}
	return h
}

type letterInFlight struct {
	inboxUID
	Times int `json:"times"`
}

// firstUnhandled tells how often a process has died with a letter alone in flight, and whether one has
// died with it in flight at all.
func (h *inFlight) deathsWith(id inboxUID) (died int, suspect bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	died, suspect = h.counts[id]
	return died, suspect
}

// isLastTry reports whether a letter is tried for the last time, or behind one that is.
func (h *inFlight) isLastTry(id inboxUID) bool {
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
func (h *inFlight) begin(id inboxUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flying[id] = true
	h.write()
}

// end notes that the letter was put down. What stays is how often it was in
// flight when a process died, unless it was handled.
func (h *inFlight) end(id inboxUID, handled bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if delete(h.flying, id); handled || h.counts[id] == 0 {
		delete(h.counts, id)
	}
	h.write()
}

// isEmpty reports whether no earlier process has left a letter.
func (h *inFlight) isEmpty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.counts) == 0
}

// keepOnly forgets letters that are not in the inbox any more.
func (h *inFlight) keepOnly(validity uint32, here func(uid uint32) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.counts)
	maps.DeleteFunc(h.counts, func(id inboxUID, _ int) bool { return id.Validity != validity || !here(id.UID) })
	if n > len(h.counts) {
		h.write()
	}
}

// write puts the counts over the old ones, with blanks up to their end: a file
// that is cut first is empty when the process dies in between.
func (h *inFlight) write() {
	if h.file == nil {
		return
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
	if err == nil {
		h.width = max(h.width, len(b))
		_, err = h.file.WriteAt(append(b, bytes.Repeat([]byte(" "), h.width-len(b))...), 0)
	}
	if err != nil {
		h.log.Error("letter in hand is not noted", "error", err)
	}
}

func (h *inFlight) close() {
	if h.file != nil {
		_ = h.file.Close()
	}
}
