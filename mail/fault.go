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

// A letter that meets a fault of the database stays in the inbox. While no other has been handled since, the fault lasts:
// one letter at a time is tried, in turn. The first that is handled ends it, and lets all others be tried at once. A letter
// that meets a fault while others are handled, as when one match is locked, waits for itself, and is tried less often.
// Letters with a key in common keep their order.

// The pause between two tries while a fault lasts doubles from the first to the most.
const (
	minFaultPause = time.Second
	maxFaultPause = 5 * time.Second
	// maxSinglePause is the longest pause of a letter that meets a fault while others are handled.
	maxSinglePause = time.Minute
)

// faultState are those of the database that a poller meets.
type faultState struct {
	trouble troubleState
	// isOngoing: a letter has met one, and none was handled since. next is when one is tried.
	isOngoing bool
	next      time.Time
	delay     *backoff.ExponentialBackOff
	// lastSuccess is when a letter was handled last.
	lastSuccess time.Time
}

// delayForFault is what is known of a letter that has met a fault, or waits behind one that has.
type faultDelay struct {
	// at is when it met the fault, keys is what it concerns.
	at   time.Time
	keys []string
	// pause is its pause where others are handled.
	pause time.Duration
}

// isDelayedByFault reports whether the letter was put off.
func (s *letterState) isDelayedByFault() bool { return !s.faultDelay.at.IsZero() }

// outboxTrouble tells whether the database is to blame for an error.
func (p *Poller) databaseFault(err error) (reason string, is bool) {
	if p.cfg.Fault == nil {
		return "", false
	}
	return p.cfg.Fault(err)
}

// delayForFault keeps a letter in the inbox that has met a fault.
func (p *Poller) delayForFault(uid uint32, keys []string, reason string, err error) {
	f, s, now := &p.faults, p.letters.state(uid), p.now()
	lone := time.Duration(0)
	if s.isDelayedByFault() && f.lastSuccess.After(s.faultDelay.at) {
		lone = min(max(2*s.faultDelay.pause, minFaultPause), maxSinglePause)
	}
	s.faultDelay, s.next = faultDelay{now, keys, lone}, now.Add(lone)
	f.trouble.record(now, errors.New(reason), "")
	if !f.isOngoing {
		p.log.Warn("the database cannot be used: letters stay in the inbox", "reason", reason, "uid", uid, "error", err)
	}
	f.isOngoing, f.next = true, now.Add(f.delay.NextBackOff())
}

// recordSuccess ends a fault: a letter was handled.
func (f *faultState) recordSuccess(now time.Time, log *slog.Logger) {
	f.lastSuccess = now
	if f.isOngoing {
		log.Info("the database can be used again", "after", now.Sub(f.trouble.get().Since).Round(time.Millisecond))
		f.end()
	}
}

func (f *faultState) end() {
	f.isOngoing = false
	f.delay.Reset()
	f.trouble.clear()
}

// selectDue leaves out the letters that are not tried while a fault lasts: all but the one that was tried longest ago, and
// that only where no letter is in hand.
func (f *faultState) selectDue(due []imap.UID, letters letterStates, idle bool, now time.Time) []imap.UID {
	if f.isOngoing && idle && !letters.any(func(s *letterState) bool { return s.isDelayedByFault() && !s.handled }) {
		f.end() // Those that met it have left the inbox.
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

// pauseUntilNext is how long nothing in the inbox is tried again, at most for a time.
func (f *faultState) pauseUntilNext(most time.Duration, letters letterStates, now time.Time) time.Duration {
	if f.isOngoing {
		most = min(most, max(f.next.Sub(now), 0))
	}
	for _, s := range letters {
		at := s.next
		if f.isOngoing && !s.handled && at.Before(f.next) {
			at = f.next
		}
		most = min(most, max(at.Sub(now), 0))
	}
	return most
}

// isBehindDelayed lets a letter wait behind an older one with a key in common that was put off.
func (k letterStates) isBehindDelayed(uid uint32, keys []string, now time.Time) bool {
	for other, s := range k {
		if other >= uid || s.handled || !slices.ContainsFunc(s.faultDelay.keys, func(key string) bool { return slices.Contains(keys, key) }) {
			continue
		}
		l := k.state(uid)
		l.faultDelay, l.next = faultDelay{at: now, keys: keys}, s.next
		return true
	}
	return false
}

// errOutbox is of errors of the outbox, and so of the database: no server is to blame for them.
var errOutbox = errors.New("the outbox cannot be used")

// waitAfterOutboxError waits a moment after an error of the outbox, and reports whether it came to the end of that.
func (s *Sender) waitAfterOutboxError(ctx context.Context, err error) bool {
	reason := errOutbox
	if s.cfg.Fault != nil {
		if is, ok := s.cfg.Fault(err); ok {
			reason = errors.New(is)
		}
	}
	if s.outboxTrouble.get().Since.IsZero() {
		s.log.Error("letters are waiting", "error", err)
	}
	s.outboxTrouble.record(s.now(), reason, "")
	return sleep(ctx, s.outboxPause.NextBackOff())
}

// clearOutboxTrouble notes that the outbox can be used.
func (s *Sender) clearOutboxTrouble() {
	s.outboxPause.Reset()
	s.outboxTrouble.clear()
}

// maxFailures is how often a letter may make the program fail. A process that dies gives it one try more.
const maxFailures = 3

// Quarantine holds letters that made the program fail, with all
// their bytes. A Handler cannot choose it.
const Quarantine Folder = "Samizdat/Quarantine"

// BadLetter is a letter that is put in quarantine, as the operator is told of it.
type BadLetter struct {
	// Letter has the raw bytes, or the first of them when the letter is too long.
	Letter Received
	// Times is how often the letter was tried.
	Times int
	// Deadly: a process has died while it was told of the letter. Nothing is to be read of it.
	Deadly bool
	// Reason is what went wrong the last time. It may tell hidden things: it is
	// for the log and not for a letter.
	Reason error
}

// isHopeless reports whether a letter that failed goes into quarantine. An error that is not known as a fault of the
// database may be one all the same: then no other letter is handled meanwhile.
func (p *Poller) isHopeless(s *letterState) bool {
	if s.failures < maxFailures {
		return false
	}
	return s.crashed || p.now().Sub(s.firstFailure) >= p.cfg.QuarantineAfter && p.faults.lastSuccess.After(s.firstFailure)
}

// errDied is the reason of a letter that ended the whole process.
type errDied int

func (n errDied) Error() string {
	return fmt.Sprintf("the process died %d times with this letter in hand", int(n))
}

// recordFailed notes that the Handler did not get through with a letter.
func (p *Poller) recordFailure(ctx context.Context, r Received, err error, crashed bool, filed map[Folder][]imap.UID) {
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
	p.quarantine(ctx, r, s, s.failures, err, filed)
}

// quarantine tells the operator and gives the letter free to be moved. When he
// cannot be told, because the database is away, then the letter may not be what
// is wrong: it stays.
func (p *Poller) quarantine(ctx context.Context, r Received, s *letterState, times int, reason error, filed map[Folder][]imap.UID) {
	if tell := p.cfg.Quarantined; tell != nil {
		tctx, cancel := context.WithTimeout(ctx, p.cfg.HandleTimeout)
		defer cancel()
		err := tell(tctx, BadLetter{Letter: r, Times: times, Deadly: times > maxFailures+1 && errors.As(reason, new(errDied)), Reason: reason})
		if why, is := p.databaseFault(err); is {
			p.delayForFault(r.UID, nil, why, err)
			return
		}
		if err != nil {
			p.scheduleRetry(r.UID, "letter was not handled, and the operator could not be told", fmt.Errorf("%w; %w", reason, err))
			return
		}
	}
	p.log.Error("letter is put in quarantine: it made the program fail", "uidvalidity", r.UIDValidity, "uid", r.UID,
		"times", times, "folder", string(Quarantine), "size", r.Size, "error", reason, "hint",
		"when it is mended, move the letter back to the inbox")
	s.handled, s.folder, s.next = true, Quarantine, time.Time{}
	filed[Quarantine] = append(filed[Quarantine], imap.UID(r.UID))
}

// countQuarantine asks how many there are. A server that does not say so hinders nothing.
func (p *Poller) countQuarantine(ctx context.Context, c *imapConn) error {
	return ignoreRefusal(c.run(ctx, "status", c.timeout, func() error {
		d, err := c.client.Status(c.folderName(Quarantine), &imap.StatusOptions{NumMessages: true}).Wait()
		if err == nil && d.NumMessages != nil {
			p.inQuarantine.Store(int32(min(*d.NumMessages, math.MaxInt32)))
		}
		return err
	}))
}

// recordConnectionLoss notes the letters at which the connection was lost: the server, or the
// library, may not get over one of them. Each is fetched alone from now on, behind
// the others. One that ends the connection alone as well counts as kept back.
func (p *Poller) recordConnectionLoss(ctx context.Context, list []listedLetter, err error, filed map[Folder][]imap.UID) {
	if _, busy := throttlePause(err); busy || ctx.Err() != nil {
		return
	}
	for _, e := range list {
		p.letters.state(uint32(e.uid)).fetchAlone = true
	}
	if len(list) == 1 {
		p.recordKeptBack(ctx, list[0], err, filed)
	}
}

// recordMissing notes letters that are listed and yet not handed out. One that was
// moved away meanwhile is forgotten again at the next scan.
func (p *Poller) recordMissing(ctx context.Context, list []listedLetter, got []Received, filed map[Folder][]imap.UID) {
	if len(got) == len(list) {
		return
	}
	have := make(map[uint32]bool, len(got))
	for _, r := range got {
		have[r.UID] = true
	}
	for _, e := range list {
		if !have[uint32(e.uid)] {
			p.recordKeptBack(ctx, e, errNoContent, filed)
		}
	}
}

var errNoContent = errors.New("no content in the answer")

// recordKeptBack notes that the server did not hand out a letter. Exchange refuses for
// ever what it cannot write as a message. When the server gave others since, for
// long enough, then it is the letter: it goes into quarantine unread, for while it
// lies in the inbox deadlines wait.
func (p *Poller) recordKeptBack(ctx context.Context, e listedLetter, reason error, filed map[Folder][]imap.UID) {
	s := p.letters.state(uint32(e.uid))
	if s.keptBack == 0 {
		s.firstKept = p.now()
	}
	s.keptBack++
	if s.keptBack < maxFailures || p.now().Sub(s.firstKept) < p.cfg.UnreadableAfter || !p.lastFetched.After(s.firstKept) {
		p.scheduleRetry(uint32(e.uid), "letter was not handed out by the server", reason)
		return
	}
	r := Received{UIDValidity: p.validity, UID: uint32(e.uid), Arrived: s.firstKept, Size: e.size}
	p.quarantine(ctx, r, s, s.keptBack, fmt.Errorf("the server does not hand out the letter: %w", reason), filed)
}
