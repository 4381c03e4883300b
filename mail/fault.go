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

// Database faults. A letter whose Handler meets a database fault stays in the inbox. Until another letter is
// handled, the fault counts as ongoing: one letter at a time is tried, in turn, and the first success ends the
// fault. If other letters are handled at the same time, e.g. because one match is locked, only the letter itself waits,
// with growing pauses. Letters with a common key keep their order.

// The pause between two tries during a fault doubles from minimum to maximum.
const (
	minFaultPause = time.Second
	maxFaultPause = 5 * time.Second
	// maxSinglePause is the longest pause of a letter that meets a fault while others are handled.
	maxSinglePause = time.Minute
)

type faultState struct {
	trouble troubleState
	// isOngoing reports whether a letter has met a fault, and no letter was handled since. next is the time of the
	// next try.
	isOngoing   bool
	next        time.Time
	delay       *backoff.ExponentialBackOff
	lastSuccess time.Time
}

// faultDelay is the delay of a letter that met a fault, or waits behind such a letter.
type faultDelay struct {
	// at is the time of the fault; keys are the keys of the letter.
	at   time.Time
	keys []string
	// pause is the delay while other letters are handled.
	pause time.Duration
}

func (s *letterState) isDelayedByFault() bool { return !s.faultDelay.at.IsZero() }

func (p *Poller) databaseFault(err error) (reason string, ok bool) {
	if p.cfg.Fault == nil {
		return "", false
	}
	return p.cfg.Fault(err)
}

func (p *Poller) delayForFault(uid uint32, keys []string, reason string, err error) {
	f, s, now := &p.faults, p.letters.state(uid), p.now()
	lone := time.Duration(0)
	if s.isDelayedByFault() && f.lastSuccess.After(s.faultDelay.at) {
		lone = min(max(2*s.faultDelay.pause, minFaultPause), maxSinglePause)
	}
	s.faultDelay, s.next = faultDelay{now, keys, lone}, now.Add(lone)
	f.trouble.record(now, errors.New(reason), "")
	if !f.isOngoing {
		p.log.Warn("the database is not available; letters stay in the inbox", "reason", reason, "uid", uid, "error", err)
	}
	f.isOngoing, f.next = true, now.Add(f.delay.NextBackOff())
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

// selectDue returns the letters to try. During a fault this is the letter that was tried longest ago, and only if
// none is in progress.
func (f *faultState) selectDue(due []imap.UID, letters letterStates, idle bool, now time.Time) []imap.UID {
	if f.isOngoing && idle && !letters.any(func(s *letterState) bool { return s.isDelayedByFault() && !s.handled }) {
		f.end() // The letters that met the fault have left the inbox.
	}
	if !f.isOngoing {
		return due
	}
	var out []imap.UID
	var one imap.UID
	var at time.Time
	for _, uid := range due {
		s := letters[uint32(uid)]
		switch {
		case s == nil:
			s = &letterState{}
		case s.handled:
			out = append(out, uid) // Only the move is left.
			continue
		}
		if one == 0 || s.faultDelay.at.Before(at) {
			one, at = uid, s.faultDelay.at
		}
	}
	if one != 0 && idle && !now.Before(f.next) {
		out = append(out, one)
	}
	return out
}

// pauseUntilNext returns the time until a letter is tried again, at most limit.
func (f *faultState) pauseUntilNext(limit time.Duration, letters letterStates, now time.Time) time.Duration {
	if f.isOngoing {
		limit = min(limit, max(f.next.Sub(now), 0))
	}
	for _, s := range letters {
		at := s.next
		if f.isOngoing && !s.handled && at.Before(f.next) {
			at = f.next
		}
		limit = min(limit, max(at.Sub(now), 0))
	}
	return limit
}

// isBehindDelayed delays a letter behind an older delayed letter with a common key, and reports whether it did.
func (k letterStates) isBehindDelayed(uid uint32, keys []string, now time.Time) bool {
	for other, s := range k {
		if other >= uid || s.handled || !slices.ContainsFunc(s.faultDelay.keys,
			func(key string) bool { return slices.Contains(keys, key) }) {
			continue
		}
		l := k.state(uid)
		l.faultDelay, l.next = faultDelay{at: now, keys: keys}, s.next
		return true
	}
	return false
}

// errOutbox marks errors of the outbox, i.e. of the database and not of a mail server.
var errOutbox = errors.New("the outbox cannot be used")

// waitAfterOutboxError pauses after an outbox error. It returns false if ctx is done.
func (s *Sender) waitAfterOutboxError(ctx context.Context, err error) bool {
	reason := errOutbox
	if s.cfg.Fault != nil {
		if is, ok := s.cfg.Fault(err); ok {
			reason = errors.New(is)
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

// maxFailures is the number of failures after which a letter is quarantined. If it kills the process, it gets one
// more try.
const maxFailures = 3

// Quarantine holds letters that made the program fail. A Handler cannot return it.
const Quarantine Folder = "Samizdat/Quarantine"

// BadLetter describes a quarantined letter for the operator.
type BadLetter struct {
	// Letter is the letter, possibly truncated.
	Letter Received
	Times  int
	// KilledProcess reports whether a process died while it read the letter for the report to the operator. The letter
	// must not be parsed.
	KilledProcess bool
	// Reason is the last error. It may contain hidden cards: log it, but do not send it by mail.
	Reason error
}

// isHopeless reports whether a failing letter is quarantined. An unknown error may be a database fault, and then
// no other letter is handled during the fault.
func (p *Poller) isHopeless(s *letterState) bool {
	if s.failures < maxFailures {
		return false
	}
	return s.crashed || p.now().Sub(s.firstFailure) >= p.cfg.QuarantineAfter && p.faults.lastSuccess.After(s.firstFailure)
}

// diedError is the error for a letter that killed the process several times.
type diedError int

func (n diedError) Error() string {
	return fmt.Sprintf("the process died %d times with this letter in hand", int(n))
}

func (p *Poller) recordFailure(ctx context.Context, r Received, err error, crashed bool, toMove map[Folder][]imap.UID) {
	s := p.letters.state(r.UID)
	s.faultDelay = faultDelay{}
	if s.failures == 0 {
		s.firstFailure = p.now()
	}
	s.failures++
	s.crashed = crashed
	if !p.isHopeless(s) && !errors.Is(err, ErrDied) {
		p.scheduleRetry(r.UID, "letter was not handled and stays in the inbox", err)
		return
	}
	p.quarantine(ctx, r, s, s.failures, err, toMove)
}

// quarantine tells the operator and marks the letter to be moved. If telling fails, the database may be at fault,
// and the letter stays in the inbox.
func (p *Poller) quarantine(ctx context.Context, r Received, s *letterState, times int, reason error, toMove map[Folder][]imap.UID) {
	if tell := p.cfg.Quarantined; tell != nil {
		tctx, cancel := context.WithTimeout(ctx, p.cfg.HandleTimeout)
		defer cancel()
		err := tell(tctx, BadLetter{Letter: r, Times: times, KilledProcess: times > maxFailures+1 &&
			errors.As(reason, new(diedError)), Reason: reason})
		if why, ok := p.databaseFault(err); ok {
			p.delayForFault(r.UID, nil, why, err)
			return
		}
		if err != nil {
			p.scheduleRetry(r.UID, "letter failed, and telling the operator failed too", fmt.Errorf("%w; %w", reason, err))
			return
		}
	}
	p.log.Error("letter is moved to quarantine because it made the program fail", "uidvalidity", r.UIDValidity, "uid", r.UID,
		"times", times, "folder", string(Quarantine), "size", r.Size, "error", reason, "hint",
		"after the fault is mended, move the letter back to the inbox")
	s.handled, s.folder, s.next = true, Quarantine, time.Time{}
	toMove[Quarantine] = append(toMove[Quarantine], imap.UID(r.UID))
}

func (p *Poller) countQuarantine(ctx context.Context, c *imapConn) error {
	return ignoreRefusal(c.run(ctx, "status", c.timeout, func() error {
		d, err := c.client.Status(c.folderName(Quarantine), &imap.StatusOptions{NumMessages: true}).Wait()
		if err == nil && d.NumMessages != nil {
			p.inQuarantine.Store(int32(min(*d.NumMessages, math.MaxInt32)))
		}
		return err
	}))
}

// recordConnectionLoss marks letters that were fetched when the connection was lost: one of them may break the
// server or the library. Each is fetched alone from then on, after the others.
func (p *Poller) recordConnectionLoss(ctx context.Context, list []listedLetter, err error, toMove map[Folder][]imap.UID) {
	if _, busy := throttlePause(err); busy || ctx.Err() != nil {
		return
	}
	for _, e := range list {
		p.letters.state(uint32(e.uid)).fetchAlone = true
	}
	if len(list) == 1 {
		p.recordKeptBack(ctx, list[0], err, toMove)
	}
}

// recordMissing records letters that are listed but not delivered. A letter moved by another program is forgotten
// at the next scan.
func (p *Poller) recordMissing(ctx context.Context, list []listedLetter, got []Received, toMove map[Folder][]imap.UID) {
	if len(got) == len(list) {
		return
	}
	have := make(map[uint32]bool, len(got))
	for _, r := range got {
		have[r.UID] = true
	}
	for _, e := range list {
		if !have[uint32(e.uid)] {
			p.recordKeptBack(ctx, e, errNoContent, toMove)
		}
	}
}

var errNoContent = errors.New("no content in the answer")

// recordKeptBack records that the server did not deliver a letter; Exchange permanently refuses messages that it
// cannot convert. If the server delivered other letters for UnreadableAfter, the letter is quarantined unread,
// because it blocks deadlines.
func (p *Poller) recordKeptBack(ctx context.Context, e listedLetter, reason error, toMove map[Folder][]imap.UID) {
	s := p.letters.state(uint32(e.uid))
	if s.keptBack == 0 {
		s.firstKept = p.now()
	}
	s.keptBack++
	if s.keptBack < maxFailures || p.now().Sub(s.firstKept) < p.cfg.UnreadableAfter || !p.lastFetched.After(s.firstKept) {
		p.scheduleRetry(uint32(e.uid), "the server did not deliver a letter", reason)
		return
	}
	r := Received{UIDValidity: p.validity, UID: uint32(e.uid), Arrived: s.firstKept, Size: e.size}
	p.quarantine(ctx, r, s, s.keptBack, fmt.Errorf("the server does not deliver the letter: %w", reason), toMove)
}
