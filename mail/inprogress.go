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
	// maxInProgress is the largest number of letters in progress; together they have at most maxBatchBytes. Letters that
	// wait for an earlier letter with a common key are also in progress.
	maxInProgress = maxBatchLetters
	// scanEndWait is how long a scan waits at its end for letters in progress.
	scanEndWait = 250 * time.Millisecond
)

// maxConcurrent returns the largest number of simultaneous Handler calls. It is larger than the number of cores,
// because some calls wait for the disk, and limited because each letter needs memory.
func (c IMAPConfig) maxConcurrent() int {
	if c.Enqueue != nil {
		return maxInProgress // The queue behind Enqueue limits the calls of the Handler.
	}
	return min(max(8, 4*runtime.GOMAXPROCS(0)), maxInProgress)
}

// inProgress holds the letters that are being handled, or wait for another letter with a common key. Only the goroutine
// of Run uses it.
type inProgress struct {
	letters map[inboxUID]letterInProgress
	bytes   int
}

// letterInProgress describes a letter in progress: its size in bytes, and the time of a scan before it arrived (zero if
// unknown).
type letterInProgress struct {
	bytes        int
	arrivedAfter time.Time
}

type handleResult struct {
	letter     Received
	keys       []string
	folder     Folder
	hasCrashed bool
	err        error
}

// enqueueLetter runs the Handler for a letter after earlier letters with a common key. The caller has checked
// hasRoom.
func (p *Poller) enqueueLetter(ctx context.Context, r Received, keys []string) {
	result := handleResult{letter: r, keys: keys}
	if p.cfg.Enqueue != nil {
		p.cfg.Enqueue(r, keys)
		keys = nil
	}
	p.inProgress.letters[inboxUID{r.UIDValidity, r.UID}] = letterInProgress{len(r.Raw), p.lastFullScan}
	p.inProgress.bytes += len(r.Raw)
	p.queue.Add(keys, func() {
		if result.err = context.Cause(ctx); result.err == nil {
			result.folder, result.hasCrashed, result.err = p.runHandler(ctx, r)
		}
		p.results <- result
	})
}

func (p *inProgress) remove(r Received) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.bytes -= p.letters[id].bytes
	delete(p.letters, id)
}

// hasRoom reports whether a letter of this length in bytes may be added. If no letter is in progress, any length is
// accepted.
func (p *inProgress) hasRoom(length int) bool {
	return p.isEmpty() || len(p.letters) < maxInProgress && p.bytes+length <= maxBatchBytes
}

func (p *inProgress) isEmpty() bool { return len(p.letters) == 0 }

func (p *inProgress) contains(id inboxUID) bool { _, in := p.letters[id]; return in }

// arrivedAfter returns a time before all letters in progress arrived, or zero if there is no letter or the time is
// unknown.
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

// collectResults records results of the Handler until isDone returns true or the time-out expires.
func (p *Poller) collectResults(ctx context.Context, isDone func() bool, timeout time.Duration, toMove map[Folder][]imap.UID) {
	if isDone() {
		return
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	for !isDone() {
		select {
		case result := <-p.results:
			p.recordResult(ctx, result, toMove)
			continue
		default:
		}
		select {
		case result := <-p.results:
			p.recordResult(ctx, result, toMove)
		case <-t.C:
			return
		}
	}
}

func (p *Poller) recordResult(ctx context.Context, result handleResult, toMove map[Folder][]imap.UID) {
	r := result.letter
	p.inProgress.remove(r)
	switch {
	case r.UIDValidity != p.validity:
		// The UID may belong to another letter now. The Handler recognises this letter when it is handled again.
	case result.err == nil:
		state := p.letters.stateOf(r.UID)
		state.isHandled, state.folder = true, result.folder
		toMove[result.folder] = append(toMove[result.folder], imap.UID(r.UID))
		p.faults.recordSuccess(p.now(), p.log)
	case ctx.Err() != nil:
		// The daemon is stopping.
	case errors.Is(result.err, message.ErrTemporary):
		p.scheduleRetry(r.UID, "letter cannot be checked yet and stays in the inbox", result.err)
	default:
		if reason, ok := p.databaseFault(result.err); ok {
			p.delayForFault(r.UID, result.keys, reason, result.err)
			return
		}
		p.recordFailure(ctx, r, result.err, result.hasCrashed, toMove)
	}
}

// handleLetter passes a letter to the Handler when there is room. If a process has died with a letter in progress, the
// letter is handled alone, so that the cause of another death is certain. But a supervisor that kills the process
// repeatedly may do so each time with the same harmless letter in progress. Therefore only a process older than
// ProvenAfter makes the last try, and later letters wait for this try.
func (p *Poller) handleLetter(ctx context.Context, r Received, toMove map[Folder][]imap.UID) {
	id := inboxUID{r.UIDValidity, r.UID}
	deaths, isSuspect := p.inFlight.countDeaths(id)
	if provenAt := p.started.Add(p.cfg.ProvenAfter); p.now().Before(provenAt) && p.inFlight.isLastTry(id) {
		p.letters.stateOf(r.UID).nextTry = provenAt
		return
	}
	if deaths > maxFailures {
		state := p.letters.stateOf(r.UID)
		state.hasCrashed = true
		p.inFlight.add(id) // OnQuarantine reads the header, which may kill the process too.
		p.quarantine(ctx, r, state, deaths, diedError(deaths), toMove)
		p.inFlight.remove(id, state.isHandled)
		return
	}
	isDone := func() bool { return p.inProgress.hasRoom(len(r.Raw)) }
	if isSuspect {
		isDone = p.inProgress.isEmpty
	}
	p.collectResults(ctx, isDone, noTimeout, toMove)
	keys := p.letterKeys(r)
	if p.letters.delayBehindOlder(r.UID, keys, p.now()) {
		return
	}
	p.enqueueLetter(ctx, r, keys)
	if isSuspect {
		p.collectResults(ctx, isDone, noTimeout, toMove)
	}
}

// letterKeys returns the keys of a letter, or only the key "" if IMAPConfig.Keys is nil or panics.
func (p *Poller) letterKeys(r Received) (keys []string) {
	unknown := []string{""}
	if p.cfg.Keys == nil {
		return unknown
	}
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.add(id)
	defer func() {
		if v := recover(); v != nil {
			p.log.Error("reading the keys of a letter failed", "uid", r.UID, "panic", v, "stack", string(debug.Stack()))
			keys = unknown
		}
		p.inFlight.remove(id, false)
	}()
	return p.cfg.Keys(r)
}

func (p *Poller) runHandler(ctx context.Context, r Received) (f Folder, hasCrashed bool, err error) {
	id := inboxUID{r.UIDValidity, r.UID}
	p.inFlight.add(id)
	defer func() { p.inFlight.remove(id, err == nil) }()
	return HandleSafely(ctx, p.handler, r, p.cfg.HandleTimeout)
}

var (
	// ErrCrashed means that the Handler panicked in another process.
	ErrCrashed = errors.New("handling the letter crashed")
	// ErrDied means that maxFailures or more processes died while they handled the letter.
	ErrDied = fmt.Errorf("at least %d processes died while they handled this letter", maxFailures)
)

// HandleSafely calls a Handler with a time-out. It recovers a panic, which would stop the daemon for all letters.
func HandleSafely(ctx context.Context, h Handler, r Received, timeout time.Duration) (f Folder, hasCrashed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			hasCrashed, err = true, fmt.Errorf("handling letter %d: panic: %v\n%s", r.UID, v, debug.Stack())
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

// A stack overflow or exhausted memory kills the process, and the next process handles the same letters again.
// Therefore the letters that are being read or handled (in flight) are recorded in a small file, e.g.
// [{"uidvalidity":1,"uid":7,"times":2}]. The file is not synced, because it must survive the process but not the
// machine.
//
// If several letters were in flight when a process died, each is handled alone from then on, and only deaths with a
// single letter in flight are counted.

type inboxUID struct {
	Validity uint32 `json:"uidvalidity"`
	UID      uint32 `json:"uid"`
}

// inFlight holds the letters in flight and writes them to the file.
type inFlight struct {
	log *slog.Logger

	mu         sync.Mutex
	file       *os.File
	fileLength int
	// deaths holds for each letter how many earlier processes died while only this letter was in flight. A letter that was
	// in flight with other letters has a value too, possibly 0. current are the letters in flight now.
	deaths  map[inboxUID]int
	current map[inboxUID]bool
}

// openInFlight reads the file of an earlier process. Without a usable file deaths are not counted; letters are
// handled anyway.
func openInFlight(path string, log *slog.Logger) *inFlight {
	f := &inFlight{log: log, deaths: map[inboxUID]int{}, current: map[inboxUID]bool{}}
	if path == "" {
		return f
	}
	b, err := os.ReadFile(path)
	var remaining []letterInFlight
	// An unreadable file was truncated when the machine stopped. The consequence is one more try.
	if json.Unmarshal(b, &remaining) == nil {
		for _, l := range remaining {
			f.deaths[l.inboxUID] = l.Deaths
		}
	}
	if f.fileLength = len(b); err == nil || errors.Is(err, fs.ErrNotExist) {
		f.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	if err != nil {
		log.Error("the file of letters in flight cannot be used; if a letter kills the process, the next process cannot find this letter",
			"error", err)
	}
	return f
}

type letterInFlight struct {
	inboxUID
	Deaths int `json:"times"`
}

// countDeaths returns the number of processes that died with only this letter in flight. isSuspect is set if a process
// died with the letter in flight, alone or with other letters.
func (f *inFlight) countDeaths(id inboxUID) (deaths int, isSuspect bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	deaths, isSuspect = f.deaths[id]
	return deaths, isSuspect
}

// isLastTry reports whether the next try of the letter, or of an earlier letter in the inbox, is the last before
// quarantine.
func (f *inFlight) isLastTry(id inboxUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for other, deaths := range f.deaths {
		if deaths == maxFailures && other.Validity == id.Validity && other.UID <= id.UID {
			return true
		}
	}
	return false
}

func (f *inFlight) add(id inboxUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current[id] = true
	f.writeFile()
}

// remove records that a letter is no longer in flight. Its number of deaths stays in the file until the letter has been
// handled.
func (f *inFlight) remove(id inboxUID, isHandled bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.current, id); isHandled || f.deaths[id] == 0 {
		delete(f.deaths, id)
	}
	f.writeFile()
}

// hasNoSuspects reports whether no letter was in flight when an earlier process died.
func (f *inFlight) hasNoSuspects() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.deaths) == 0
}

func (f *inFlight) keepOnly(validity uint32, isInInbox func(uid uint32) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.deaths)
	maps.DeleteFunc(f.deaths, func(id inboxUID, _ int) bool { return id.Validity != validity || !isInInbox(id.UID) })
	if n > len(f.deaths) {
		f.writeFile()
	}
}

// writeFile overwrites the file in place, padded with blanks. It does not truncate the file first: the file would stay
// empty if the process died before the write.
func (f *inFlight) writeFile() {
	if f.file == nil {
		return
	}
	remaining := make([]letterInFlight, 0, len(f.deaths)+len(f.current))
	for id, n := range f.deaths {
		if !f.current[id] {
			remaining = append(remaining, letterInFlight{id, n})
		}
	}
	for id := range f.current {
		n := f.deaths[id]
		if len(f.current) == 1 {
			n++
		}
		remaining = append(remaining, letterInFlight{id, n})
	}
	b, err := json.Marshal(remaining)
	if err == nil {
		f.fileLength = max(f.fileLength, len(b))
		_, err = f.file.WriteAt(append(b, bytes.Repeat([]byte(" "), f.fileLength-len(b))...), 0)
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
