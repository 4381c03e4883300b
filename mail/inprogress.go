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
	// maxInProgress is the number of letters in progress, which also have at most batchBytes together. Letters
	// that wait for a common key count too.
	maxInProgress = batchLetters
	// scanEndWait is the time that a scan waits at its end for letters in progress.
	scanEndWait = 250 * time.Millisecond
)

// maxConcurrent returns the number of Handler calls at the same time: more than cores, because some wait for the
// disk, but limited by the memory for letters.
func (c IMAPConfig) maxConcurrent() int {
	if c.Enqueue != nil {
		return maxInProgress // Another queue limits the handlers.
	}
	return min(max(8, 4*runtime.GOMAXPROCS(0)), maxInProgress)
}

// inProgress holds the letters that are being handled or wait for a common key. It belongs to Run's goroutine.
type inProgress struct {
	letters map[inboxUID]progressEntry
	// bytes is the total size of the letters.
	bytes int
}

// progressEntry is the size of a letter in progress, and a time before its arrival.
type progressEntry struct {
	bytes        int
	arrivedAfter time.Time
}

type handleResult struct {
	letter  Received
	keys    []string
	folder  Folder
	crashed bool
	err     error
}

// enqueueLetter runs the Handler for a letter after earlier letters with a common key. The caller has checked
// hasRoom.
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

func (p *inProgress) remove(r Received) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.bytes -= p.letters[id].bytes
	delete(p.letters, id)
}

// hasRoom reports whether a letter of some length may be added.
func (p *inProgress) hasRoom(length int) bool {
	return p.isEmpty() || len(p.letters) < maxInProgress && p.bytes+length <= batchBytes
}

func (p *inProgress) isEmpty() bool { return len(p.letters) == 0 }

func (p *inProgress) has(id inboxUID) bool { _, in := p.letters[id]; return in }

// arrivedAfter returns a time before the arrival of every letter in progress, or zero if unknown.
func (p *inProgress) arrivedAfter() time.Time {
	var first time.Time
	for _, l := range p.letters {
		if l.arrivedAfter.IsZero() {
			return l.arrivedAfter
		}
		if first.IsZero() || l.arrivedAfter.Before(first) {
			first = l.arrivedAfter
		}
	}
	return first
}

func (p *Poller) waitForHandlers() {
	p.queue.Wait()
	for !p.inProgress.isEmpty() {
		p.inProgress.remove((<-p.results).letter)
	}
}

const noTimeout time.Duration = math.MaxInt64

func (p *Poller) collectResults(ctx context.Context, enough func() bool, timeout time.Duration, toMove map[Folder][]imap.UID) {
	if enough() {
		return
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	for !enough() {
		select {
		case o := <-p.results:
			p.recordResult(ctx, o, toMove)
			continue
		default:
		}
		select {
		case o := <-p.results:
			p.recordResult(ctx, o, toMove)
		case <-t.C:
			return
		}
	}
}

func (p *Poller) recordResult(ctx context.Context, o handleResult, toMove map[Folder][]imap.UID) {
	r := o.letter
	p.inProgress.remove(r)
	switch {
	case r.UIDValidity != p.validity:
		// The UID may name another letter now. This letter will be recognised when it is handled again.
	case o.err == nil:
		s := p.letters.state(r.UID)
		s.handled, s.folder = true, o.folder
		toMove[o.folder] = append(toMove[o.folder], imap.UID(r.UID))
		p.faults.recordSuccess(p.now(), p.log)
	case ctx.Err() != nil:
		// The daemon is stopping.
	case errors.Is(o.err, message.ErrLater):
		// The letter can be checked later.
		p.scheduleRetry(r.UID, "letter cannot be checked yet and stays in the inbox", o.err)
	default:
		if reason, ok := p.databaseFault(o.err); ok {
			p.delayForFault(r.UID, o.keys, reason, o.err)
			return
		}
		p.recordFailure(ctx, r, o.err, o.crashed, toMove)
	}
}

// handleLetter passes a letter to the Handler when there is room. A letter with which a process has died is
// handled alone, so that the cause of another death is certain. If a supervisor kills the process repeatedly, the
// same letter may be in progress each time: therefore the last try needs a process older than ProvenAfter, and
// later letters wait for it.
func (p *Poller) handleLetter(ctx context.Context, r Received, toMove map[Folder][]imap.UID) {
	id := inboxUID{r.UIDValidity, r.UID}
	died, suspect := p.inFlight.deathsWith(id)
	if proven := p.started.Add(p.cfg.ProvenAfter); p.now().Before(proven) && p.inFlight.isLastTry(id) {
		p.letters.state(r.UID).next = proven
		return
	}
	if died > maxFailures {
		s := p.letters.state(r.UID)
		s.crashed = true
		p.inFlight.begin(id) // Telling the writer reads the header, which may kill the process too.
		p.quarantine(ctx, r, s, died, diedError(died), toMove)
		p.inFlight.end(id, s.handled)
		return
	}
	enough := func() bool { return p.inProgress.hasRoom(len(r.Raw)) }
	if suspect {
		enough = p.inProgress.isEmpty
	}
	p.collectResults(ctx, enough, noTimeout, toMove)
	keys := p.letterKeys(r)
	if p.letters.isBehindDelayed(r.UID, keys, p.now()) {
		return
	}
	p.enqueueLetter(ctx, r, keys)
	if suspect {
		p.collectResults(ctx, enough, noTimeout, toMove)
	}
}

// letterKeys returns the keys of a letter. Letters with unreadable keys share the key "".
func (p *Poller) letterKeys(r Received) (keys []string) {
	unknown := []string{""}
	if p.cfg.Keys == nil {
		return unknown
	}
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.begin(id)
	defer func() {
		if v := recover(); v != nil {
			p.log.Error("reading the keys of a letter failed", "uid", r.UID, "panic", v, "stack", string(debug.Stack()))
			keys = unknown
		}
		p.inFlight.end(id, false)
	}()
	return p.cfg.Keys(r)
}

func (p *Poller) runHandler(ctx context.Context, r Received) (f Folder, crashed bool, err error) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.begin(id)
	defer func() { p.inFlight.end(id, err == nil) }()
	return HandleSafely(ctx, p.handler, r, p.cfg.HandleTimeout)
}

// ErrCrashed means that the Handler panicked in another process, ErrDied that processes died repeatedly while
// they handled the letter.
var (
	ErrCrashed = errors.New("handling the letter crashed")
	ErrDied    = fmt.Errorf("processes died with this letter in hand, at least %d times", maxFailures)
)

// HandleSafely calls a Handler with a time-out. It recovers a panic, which would stop the daemon for all letters.
func HandleSafely(ctx context.Context, h Handler, r Received, maximum time.Duration) (f Folder, crashed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, maximum)
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

// A stack overflow or exhausted memory kills the process, and the next process handles the same letters. The
// letters in flight are therefore recorded in a small file, e.g. [{"uidvalidity":1,"uid":7,"times":2}]. The file
// is not synced, because it must survive the process but not the machine.
//
// If several letters were in flight, each is handled alone from then on, and only deaths with a single letter in
// flight are counted.

type inboxUID struct {
	Validity uint32 `json:"uidvalidity"`
	UID      uint32 `json:"uid"`
}

// inFlight counts, for each letter, the processes that died with only this letter in flight.
type inFlight struct {
	log *slog.Logger

	mu    sync.Mutex
	file  *os.File
	width int
	// counts holds the deaths of earlier processes. A letter that was in flight with others has an entry, possibly
	// 0.
	counts map[inboxUID]int
	flying map[inboxUID]bool
}

// openInFlight reads the file of an earlier process. Without a usable file deaths are not counted; letters are
// handled anyway.
func openInFlight(path string, log *slog.Logger) *inFlight {
	h := &inFlight{log: log, counts: map[inboxUID]int{}, flying: map[inboxUID]bool{}}
	if path == "" {
		return h
	}
	b, err := os.ReadFile(path)
	var remaining []letterInFlight
	// An unreadable file was truncated when the machine stopped. The consequence is one more try.
	if json.Unmarshal(b, &remaining) == nil {
		for _, l := range remaining {
			h.counts[l.inboxUID] = l.Times
		}
	}
	if h.width = len(b); err == nil || errors.Is(err, fs.ErrNotExist) {
		h.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	if err != nil {
		log.Error("the file of letters in flight cannot be used: a letter that kills the process will not be found", "error", err)
	}
	return h
}

type letterInFlight struct {
	inboxUID
	Times int `json:"times"`
}

// deathsWith returns how many processes died with the letter alone in flight; suspect is true if one died with the
// letter in flight at all.
func (f *inFlight) deathsWith(id inboxUID) (died int, suspect bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	died, suspect = f.counts[id]
	return died, suspect
}

// isLastTry reports whether the letter, or an earlier one, is tried for the last time.
func (f *inFlight) isLastTry(id inboxUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for other, died := range f.counts {
		if died == maxFailures && other.Validity == id.Validity && other.UID <= id.UID {
			return true
		}
	}
	return false
}

func (f *inFlight) begin(id inboxUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flying[id] = true
	f.write()
}

// end removes a letter from flight. Its count stays unless it was handled.
func (f *inFlight) end(id inboxUID, handled bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.flying, id); handled || f.counts[id] == 0 {
		delete(f.counts, id)
	}
	f.write()
}

func (f *inFlight) isEmpty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.counts) == 0
}

// keepOnly forgets letters that are no longer in the inbox.
func (f *inFlight) keepOnly(validity uint32, here func(uid uint32) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.counts)
	maps.DeleteFunc(f.counts, func(id inboxUID, _ int) bool { return id.Validity != validity || !here(id.UID) })
	if n > len(f.counts) {
		f.write()
	}
}

// write overwrites the file in place, padded with blanks, because a truncated file would be empty if the process
// died.
func (f *inFlight) write() {
	if f.file == nil {
		return
	}
	remaining := make([]letterInFlight, 0, len(f.counts)+len(f.flying))
	for id, n := range f.counts {
		if !f.flying[id] {
			remaining = append(remaining, letterInFlight{id, n})
		}
	}
	for id := range f.flying {
		n := f.counts[id]
		if len(f.flying) == 1 {
			n++
		}
		remaining = append(remaining, letterInFlight{id, n})
	}
	b, err := json.Marshal(remaining)
	if err == nil {
		f.width = max(f.width, len(b))
		_, err = f.file.WriteAt(append(b, bytes.Repeat([]byte(" "), f.width-len(b))...), 0)
	}
	if err != nil {
		f.log.Error("writing the file of letters in flight failed", "error", err)
	}
}

func (f *inFlight) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}
