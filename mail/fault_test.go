package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// errLocked stands for what the database says while it is locked.
var errLocked = errors.New("the table is locked")

// lockable is a database that some letters, or all, cannot be written to for now.
type lockable struct {
	mu     sync.Mutex
	locked func(subject string) bool
	// done are the letters that were handled, tries counts the tries of each.
	done  []string
	tries map[string]int
}

func (l *lockable) lock(locked func(subject string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.locked = locked
}

// Handle implements Handler.
func (l *lockable) Handle(_ context.Context, r Received) (Folder, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := subject(r)
	l.tries[name]++
	if l.locked != nil && l.locked(name) {
		return "", fmt.Errorf("update match mabc: %w", errLocked)
	}
	l.done = append(l.done, name)
	return Done, nil
}

func (l *lockable) handled() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.done)
}

// sum is how often letters were tried.
func (l *lockable) sum() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tries := range l.tries {
		n += tries
	}
	return n
}

// lockedPoller polls a mailbox for a database that may be locked. Letters whose subjects have the same first byte are of one match.
func lockedPoller(t *testing.T, l *lockable) (p *Poller, send func(names ...string)) {
	t.Helper()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	cfg.Keys = func(r Received) []string { return []string{subject(r)[:1]} }
	cfg.Fault = func(err error) (string, bool) { return errLocked.Error(), errors.Is(err, errLocked) }
	cfg.RetryFault = Backoff{20 * time.Millisecond, 40 * time.Millisecond}
	cfg.Retry, cfg.QuarantineAfter = Backoff{time.Millisecond, time.Millisecond}, time.Millisecond
	p = NewPoller(cfg, l, logTo(t))
	run(t, p)
	return p, func(names ...string) {
		for _, name := range names {
			if err := mailboxOf(s, referee).Deliver(mail3(name)); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() {
			if bad := subjects(t, mailboxOf(s, referee), string(Quarantine)); len(bad) > 0 {
				t.Errorf("in quarantine are %v", bad)
			}
		})
	}
}

// inOrder are the letters of a match, in the order in which they were handled.
func inOrder(all []string, match string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name[:1] != match }), " ")
}

// TestFaultOfDatabase: while a fault of the database lasts one letter at a time is tried, none is put in quarantine, and the
// poller says why they wait. When it ends all are handled at once, those of each match in their order.
func TestFaultOfDatabase(t *testing.T) {
	t.Parallel()
	l := &lockable{tries: map[string]int{}}
	p, send := lockedPoller(t, l)
	l.lock(func(string) bool { return true })
	send("a1", "b1", "a2", "b2", "c1", "a3", "b3")
	until(t, "tries", func() bool { return l.sum() > 12 })
	if is := p.Fault(); is.Since.IsZero() || is.Reason != errLocked.Error() || len(l.handled()) > 0 {
		t.Errorf("the fault is %+v, handled are %v", is, l.handled())
	}
	until(t, "a failing letter", func() bool { return p.Failing() > 0 })
	if !p.LastPoll().IsZero() {
		t.Error("deadlines do not wait for letters that a fault keeps in the inbox")
	}
	began := l.sum()
	time.Sleep(200 * time.Millisecond) // No more than one try in each pause.
	if n := l.sum() - began; n > 12 {
		t.Errorf("%d tries in 200 ms", n)
	}
	l.lock(nil)
	until(t, "all letters", func() bool { return len(l.handled()) == 7 })
	for match, want := range map[string]string{"a": "a1 a2 a3", "b": "b1 b2 b3", "c": "c1"} {
		if got := inOrder(l.handled(), match); got != want {
			t.Errorf("handled as %q, not %q", got, want)
		}
	}
	until(t, "the end of the fault", func() bool { return p.Fault().Since.IsZero() })
}

// TestOneMatchLocked: letters of a match that alone is locked wait for it, in their order, and others do not.
func TestOneMatchLocked(t *testing.T) {
	t.Parallel()
	l := &lockable{tries: map[string]int{}}
	_, send := lockedPoller(t, l)
	l.lock(func(name string) bool { return name[:1] == "a" })
	send("a1", "b1", "a2", "b2")
	until(t, "others", func() bool { return len(l.handled()) == 2 })
	send("b3", "a3", "c1")
	until(t, "others that come later", func() bool { return len(l.handled()) == 4 })
	l.lock(nil)
	send("c2")
	until(t, "all letters", func() bool { return len(l.handled()) == 8 })
	if got := inOrder(l.handled(), "a"); got != "a1 a2 a3" {
		t.Errorf("the letters that waited were handled as %q", got)
	}
}

// lockedBox is an outbox that cannot be read until a time.
type lockedBox struct {
	*memBox
	until time.Time
}

// Due implements Queue.
func (b lockedBox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	if now.Before(b.until) {
		return nil, errLocked
	}
	return b.memBox.Due(ctx, now, limit, except...)
}

// TestSenderOutboxLocked: letters go out within seconds when the outbox can be read again, however long it could not; no mail
// server is blamed meanwhile, and the log has one line.
func TestSenderOutboxLocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const long = 2 * time.Hour
		var log bytes.Buffer
		cfg := SMTPConfig{Fault: func(err error) (string, bool) { return errLocked.Error(), errors.Is(err, errLocked) }}
		s := NewSender(cfg, lockedBox{newBox("a@x"), time.Now().Add(long)}, slog.New(slog.NewTextHandler(&log, nil)))
		began := time.Now()
		var sent time.Duration
		s.dial = scripted(func(Outgoing) (stage, error) { sent = time.Since(began); return "", nil })
		ctx, cancel := context.WithTimeout(t.Context(), long+time.Hour)
		defer cancel()
		time.AfterFunc(long/2, func() {
			if is, known := s.Trouble(); known {
				t.Errorf("the mail server is blamed: %+v", is)
			}
			if is := s.Fault(); is.Reason != errLocked.Error() || !is.Since.Equal(began) {
				t.Errorf("the fault is %+v", is)
			}
		})
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if sent < long || sent > long+10*time.Second {
			t.Errorf("the letter went out after %v", sent)
		}
		if is := s.Fault(); !is.Since.IsZero() {
			t.Errorf("the fault is not over: %+v", is)
		}
		if n := strings.Count(log.String(), "letters are waiting"); n != 1 {
			t.Errorf("%d lines in the log:\n%s", n, log.String())
		}
	})
}
