package mail

import (
	"context"
	"errors"
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
	firstFault = time.Second
	mostFault  = 5 * time.Second
	// mostLone is the longest pause of a letter that meets a fault while others are handled.
	mostLone = time.Minute
)

// faults are those of the database that a poller meets.
type faults struct {
	note troubleNote
	// lasts: a letter has met one, and none was handled since. next is when one is tried.
	lasts bool
	next  time.Time
	delay *backoff.ExponentialBackOff
	// wentWell is when a letter was handled last.
	wentWell time.Time
}

// putOff is what is known of a letter that has met a fault, or waits behind one that has.
type putOff struct {
	// at is when it met the fault, keys is what it concerns.
	at   time.Time
	keys []string
	// lone is its pause where others are handled.
	lone time.Duration
}

// isOff reports whether the letter was put off.
func (s *letterState) isOff() bool { return !s.off.at.IsZero() }

// Fault tells why the database cannot be used, as far as letters of the inbox show that.
func (p *Poller) Fault() Trouble {
	is, _ := p.faults.note.read()
	return is
}

// fault tells whether the database is to blame for an error.
func (p *Poller) fault(err error) (reason string, is bool) {
	if p.cfg.Fault == nil {
		return "", false
	}
	return p.cfg.Fault(err)
}

// putOff keeps a letter in the inbox that has met a fault.
func (p *Poller) putOff(uid uint32, keys []string, reason string, err error) {
	f, s, now := &p.faults, p.state(uid), p.now()
	lone := time.Duration(0)
	if s.isOff() && f.wentWell.After(s.off.at) {
		lone = min(max(2*s.off.lone, firstFault), mostLone)
	}
	s.off, s.next = putOff{now, keys, lone}, now.Add(lone)
	f.note.met(now, errors.New(reason), "")
	if !f.lasts {
		p.log.Warn("the database cannot be used: letters stay in the inbox", "reason", reason, "uid", uid, "error", err)
	}
	f.lasts, f.next = true, now.Add(f.delay.NextBackOff())
}

// handledOne ends a fault: a letter was handled.
func (p *Poller) handledOne() {
	f := &p.faults
	f.wentWell = p.now()
	if !f.lasts {
		return
	}
	is, _ := f.note.read()
	p.log.Info("the database can be used again", "after", f.wentWell.Sub(is.Since).Round(time.Millisecond))
	p.noFault()
}

func (p *Poller) noFault() {
	p.faults.lasts = false
	p.faults.delay.Reset()
	p.faults.note.over()
}

// tryable leaves out the letters that are not tried while a fault lasts: all but the one that was tried longest ago.
func (p *Poller) tryable(due []imap.UID) []imap.UID {
	f := &p.faults
	if f.lasts && !p.anyPutOff() && p.workers.idle() {
		p.noFault() // Those that met it have left the inbox.
	}
	if !f.lasts {
		return due
	}
	var out []imap.UID
	var one imap.UID
	var at time.Time
	for _, uid := range due {
		s := p.letters[uint32(uid)]
		switch {
		case s == nil:
			s = &letterState{}
		case s.handled:
			out = append(out, uid) // Only the move is left.
			continue
		}
		if one == 0 || s.off.at.Before(at) {
			one, at = uid, s.off.at
		}
	}
	if one != 0 && p.workers.idle() && !p.now().Before(f.next) {
		out = append(out, one)
	}
	return out
}

func (p *Poller) anyPutOff() bool {
	for _, s := range p.letters {
		if s.isOff() && !s.handled {
			return true
		}
	}
	return false
}

// behind lets a letter wait behind an older one with a key in common that was put off.
func (p *Poller) behind(uid uint32, keys []string) bool {
	for other, s := range p.letters {
		if other >= uid || s.handled || !slices.ContainsFunc(s.off.keys, func(k string) bool { return slices.Contains(keys, k) }) {
			continue
		}
		l := p.state(uid)
		l.off, l.next = putOff{at: p.now(), keys: keys}, s.next
		return true
	}
	return false
}

// untilNext is how long nothing in the inbox is tried again, at most for a time.
func (p *Poller) untilNext(most time.Duration) time.Duration {
	now, f := p.now(), &p.faults
	if f.lasts {
		most = min(most, max(f.next.Sub(now), 0))
	}
	for _, s := range p.letters {
		at := s.next
		if f.lasts && !s.handled && at.Before(f.next) {
			at = f.next
		}
		most = min(most, max(at.Sub(now), 0))
	}
	return most
}

// errOutbox is of errors of the outbox, and so of the database: no server is to blame for them.
var errOutbox = errors.New("the outbox cannot be used")

// Fault tells why the database cannot be used, as far as the outbox shows that.
func (s *Sender) Fault() Trouble {
	is, _ := s.fault.read()
	return is
}

// noOutbox waits a moment after an error of the outbox, and reports whether it came to the end of that.
func (s *Sender) noOutbox(ctx context.Context, err error) bool {
	reason := errOutbox
	if s.cfg.Fault != nil {
		if is, ok := s.cfg.Fault(err); ok {
			reason = errors.New(is)
		}
	}
	if is, _ := s.fault.read(); is.Since.IsZero() {
		s.log.Error("letters are waiting", "error", err)
	}
	s.fault.met(s.now(), reason, "")
	return sleep(ctx, s.outboxPause.NextBackOff())
}

// outboxWell notes that the outbox can be used.
func (s *Sender) outboxWell() {
	s.outboxPause.Reset()
	s.fault.over()
}
