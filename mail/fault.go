package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/emersion/go-imap/v2"
)

// Database faults. If the Handler returns a database fault, the letter stays in the inbox. Until another letter is
// handled, the fault counts as ongoing: one letter at a time is tried, in turn, and the first success ends the fault.
// If other letters can be handled, e.g. because only one match is locked, only the failed letter waits, with growing
// pauses. Letters with a common key keep their order.

// The pause between two tries during a fault doubles from minFaultPause to maxFaultPause.
const (
	minFaultPause = time.Second
	maxFaultPause = 5 * time.Second
	// maxSinglePause is the longest pause before the next try of a letter with a fault, while other letters are handled.
	maxSinglePause = time.Minute
)

type faultState struct {
	trouble troubleState
	// isOngoing is set from the fault of a letter until another letter is handled.
	isOngoing   bool
	nextTry     time.Time
	delay       *backoff.ExponentialBackOff
	lastSuccess time.Time
}

// faultDelay is the delay of a letter that met a fault, for example a locked database, or of a later letter that shares
// a key with it.
type faultDelay struct {
	// since is the time of the fault, or zero if the letter is not delayed.
	since time.Time
	keys  []string
	// pause is the delay while other letters are handled.
	pause time.Duration
}

func (state *letterState) isDelayedByFault() bool { return !state.faultDelay.since.IsZero() }

func (p *Poller) databaseFault(err error) (reason string, ok bool) {
	if p.cfg.Fault == nil {
		return "", false
	}
	return p.cfg.Fault(err)
}

func (p *Poller) delayForFault(uid uint32, keys []string, reason string, err error) {
	f, state, now := &p.faults, p.letters.stateOf(uid), p.now()
	pause := time.Duration(0)
	if state.isDelayedByFault() && f.lastSuccess.After(state.faultDelay.since) {
		pause = min(max(2*state.faultDelay.pause, minFaultPause), maxSinglePause)
	}
	state.faultDelay, state.nextTry = faultDelay{now, keys, pause}, now.Add(pause)
	f.trouble.record(now, errors.New(reason), "")
	if !f.isOngoing {
		p.log.Warn("the database is not available; letters stay in the inbox", "reason", reason, "uid", uid, "error", err)
	}
	f.isOngoing, f.nextTry = true, now.Add(f.delay.NextBackOff())
}

func (f *faultState) recordSuccess(now time.Time, log *slog.Logger) {
	f.lastSuccess = now
	if f.isOngoing {
		log.Info("the database is available again", "after", now.Sub(f.trouble.get().Since).Round(time.Millisecond))
		f.end()
	}
}

func (f *faultState) end() {
	f.isOngoing = false
	f.delay.Reset()
	f.trouble.clear()
}

// selectDue returns the letters to try. During a fault these are the handled letters, because only their move to a
// folder is left, and, if no letter is in progress, the letter that was tried longest ago.
func (f *faultState) selectDue(due []imap.UID, letters letterStates, noneInProgress bool, now time.Time) []imap.UID {
	isWaiting := func(state *letterState) bool { return state.isDelayedByFault() && !state.isHandled }
	if f.isOngoing && noneInProgress && !letters.contains(isWaiting) {
		f.end() // The letters that met the fault have left the inbox.
	}
	if !f.isOngoing {
		return due
	}
	var out []imap.UID
	var oldest imap.UID
	var oldestSince time.Time
	for _, uid := range due {
		state := letters[uint32(uid)]
		switch {
		case state == nil:
			state = &letterState{}
		case state.isHandled:
			out = append(out, uid) // Only the move is left.
			continue
		}
		if oldest == 0 || state.faultDelay.since.Before(oldestSince) {
			oldest, oldestSince = uid, state.faultDelay.since
		}
	}
	if oldest != 0 && noneInProgress && !now.Before(f.nextTry) {
		out = append(out, oldest)
	}
	return out
}

// pauseUntilNext returns the time until a letter is tried again, at most limit.
func (f *faultState) pauseUntilNext(limit time.Duration, letters letterStates, now time.Time) time.Duration {
	if f.isOngoing {
		limit = min(limit, max(f.nextTry.Sub(now), 0))
	}
	for _, state := range letters {
		at := state.nextTry
		if f.isOngoing && !state.isHandled && at.Before(f.nextTry) {
			at = f.nextTry
		}
		limit = min(limit, max(at.Sub(now), 0))
	}
	return limit
}

// delayBehindOlder delays a letter if an older letter with a common key is delayed, and reports whether it did.
func (k letterStates) delayBehindOlder(uid uint32, keys []string, now time.Time) bool {
	for other, state := range k {
		if other >= uid || state.isHandled || !slices.ContainsFunc(state.faultDelay.keys,
			func(key string) bool { return slices.Contains(keys, key) }) {
			continue
		}
		behind := k.stateOf(uid)
		behind.faultDelay, behind.nextTry = faultDelay{since: now, keys: keys}, state.nextTry
		return true
	}
	return false
}

// errOutbox is wrapped by errors of the outbox: these come from the database and not from a mail server.
var errOutbox = errors.New("the outbox cannot be used")

// waitAfterOutboxError records an error of the outbox as trouble, logs the first, and waits for a pause. It returns
// false if ctx is done.
func (s *Sender) waitAfterOutboxError(ctx context.Context, err error) bool {
	reason := errOutbox
	if s.cfg.Fault != nil {
		if text, ok := s.cfg.Fault(err); ok {
			reason = errors.New(text)
		}
	}
	if s.outboxTrouble.get().Since.IsZero() {
		s.log.Error("the outbox cannot be read; letters wait", "error", err)
	}
	s.outboxTrouble.record(s.now(), reason, "")
	return sleep(ctx, s.outboxPause.NextBackOff())
}

func (s *Sender) clearOutboxTrouble() {
	s.outboxPause.Reset()
	s.outboxTrouble.clear()
}

// maxFailures is the number of failures after which a letter is quarantined. A letter that kills the process gets one
// more try.
const maxFailures = 3

// Quarantine is the folder for letters that made the program fail. A Handler cannot return it.
const Quarantine Folder = "Samizdat/Quarantine"

// BadLetter describes a quarantined letter for the operator.
type BadLetter struct {
	// Letter may be truncated.
	Letter   Received
	Failures int
	// KilledProcess is set if a process died while it read the letter for the report to the operator. Then the letter
	// must not be parsed.
	KilledProcess bool
	// Reason is the last error. It may contain hidden cards: log it, but do not send it by mail.
	Reason error
}

// mustQuarantine reports whether a failing letter must be quarantined. Until another letter is handled, the database
// may be the cause, so only a letter that crashed the Handler is quarantined.
func (p *Poller) mustQuarantine(state *letterState) bool {
	if state.failures < maxFailures {
		return false
	}
	return state.hasCrashed || p.now().Sub(state.firstFailure) >= p.cfg.QuarantineAfter && p.faults.lastSuccess.After(state.firstFailure)
}

// diedError is the error for a letter that killed the process. Its value is the number of deaths.
type diedError int

func (n diedError) Error() string {
	return fmt.Sprintf("the process died %d times while it handled this letter", int(n))
}

func (p *Poller) recordFailure(ctx context.Context, r Received, err error, hasCrashed bool, toMove map[Folder][]imap.UID) {
	state := p.letters.stateOf(r.UID)
	state.faultDelay = faultDelay{}
	if state.failures == 0 {
		state.firstFailure = p.now()
	}
	state.failures++
	state.hasCrashed = hasCrashed
	if !p.mustQuarantine(state) && !errors.Is(err, ErrDied) {
		p.scheduleRetry(r.UID, "letter was not handled and stays in the inbox", err)
		return
	}
	p.quarantine(ctx, r, state, state.failures, err, toMove)
}

// quarantine reports the letter to the operator and marks it to be moved. If the report fails, the letter stays in the
// inbox, because the database may be the cause.
func (p *Poller) quarantine(ctx context.Context, r Received, state *letterState, times int, reason error, toMove map[Folder][]imap.UID) {
	if notify := p.cfg.OnQuarantine; notify != nil {
		notifyCtx, cancel := context.WithTimeout(ctx, p.cfg.HandleTimeout)
		defer cancel()
		err := notify(notifyCtx, BadLetter{Letter: r, Failures: times, KilledProcess: times > maxFailures+1 &&
			errors.As(reason, new(diedError)), Reason: reason})
		if cause, ok := p.databaseFault(err); ok {
			p.delayForFault(r.UID, nil, cause, err)
			return
		}
		if err != nil {
			p.scheduleRetry(r.UID, "letter stays in the inbox: it must be quarantined, but the report to the operator failed",
				fmt.Errorf("%w; %w", reason, err))
			return
		}
	}
	p.log.Error("letter is moved to quarantine because it cannot be handled or fetched", "uidvalidity", r.UIDValidity, "uid", r.UID,
		"times", times, "folder", string(Quarantine), "size", r.Size, "error", reason, "hint",
		"when the cause is removed, move the letter back to the inbox")
	state.isHandled, state.folder, state.nextTry = true, Quarantine, time.Time{}
	toMove[Quarantine] = append(toMove[Quarantine], imap.UID(r.UID))
}

func (p *Poller) countQuarantine(ctx context.Context, c *imapConn) error {
	return ignoreRefusal(c.run(ctx, "status", c.timeout, func() error {
		status, err := c.client.Status(c.folderName(Quarantine), &imap.StatusOptions{NumMessages: true}).Wait()
		if err == nil && status.NumMessages != nil {
			p.inQuarantine.Store(int32(min(*status.NumMessages, math.MaxInt32)))
		}
		return err
	}))
}

// recordConnectionLoss marks the letters that were being fetched when the connection was lost, because one letter may
// break the server or the library. Each of these letters is then fetched alone, after the other letters.
func (p *Poller) recordConnectionLoss(ctx context.Context, listed []listedLetter, err error, toMove map[Folder][]imap.UID) {
	if _, isThrottled := throttlePause(err); isThrottled || ctx.Err() != nil {
		return
	}
	for _, letter := range listed {
		p.letters.stateOf(uint32(letter.uid)).mustFetchAlone = true
	}
	if len(listed) == 1 {
		p.recordFetchFailure(ctx, listed[0], err, toMove)
	}
}

// recordMissing records a failed fetch for each letter that was listed but not fetched. If another program has moved a
// letter, the next scan forgets its failures.
func (p *Poller) recordMissing(ctx context.Context, listed []listedLetter, delivered []Received, toMove map[Folder][]imap.UID) {
	if len(delivered) == len(listed) {
		return
	}
	isDelivered := make(map[uint32]bool, len(delivered))
	for _, r := range delivered {
		isDelivered[r.UID] = true
	}
	for _, letter := range listed {
		if !isDelivered[uint32(letter.uid)] {
			p.recordFetchFailure(ctx, letter, errNoContent, toMove)
		}
	}
}

var errNoContent = errors.New("no content in the answer")

// recordFetchFailure records that the server did not return a letter to FETCH; Exchange permanently refuses messages
// that it cannot convert. If the fetch of this letter fails for UnreadableAfter, although another letter is fetched,
// the letter is quarantined unread, because it blocks deadlines.
func (p *Poller) recordFetchFailure(ctx context.Context, letter listedLetter, reason error, toMove map[Folder][]imap.UID) {
	state := p.letters.stateOf(uint32(letter.uid))
	if state.fetchFailures == 0 {
		state.firstFetchFailure = p.now()
	}
	state.fetchFailures++
	if state.fetchFailures < maxFailures || p.now().Sub(state.firstFetchFailure) < p.cfg.UnreadableAfter ||
		!p.lastFetched.After(state.firstFetchFailure) {
		p.scheduleRetry(uint32(letter.uid), "the server did not return a letter", reason)
		return
	}
	r := Received{UIDValidity: p.validity, UID: uint32(letter.uid), Arrived: state.firstFetchFailure, Size: letter.size}
	p.quarantine(ctx, r, state, state.fetchFailures, fmt.Errorf("the server does not return the letter: %w", reason), toMove)
}
