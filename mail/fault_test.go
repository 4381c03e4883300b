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

	"github.com/emersion/go-imap/v2"
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
	delivered := time.Now()
	until(t, "tries", func() bool { return l.sum() > 12 })
	if is := p.Status().Database; is.Since.IsZero() || is.Reason != errLocked.Error() || len(l.handled()) > 0 {
		t.Errorf("the fault is %+v, handled are %v", is, l.handled())
	}
	until(t, "a failing letter", func() bool { return p.Status().Failing > 0 })
	p.ScanNow()
	began := l.sum()
	time.Sleep(200 * time.Millisecond) // No more than one try in each pause.
	// A scan before the letters came may be complete; a later one is not.
	if at := p.InboxWatermark(); at.After(delivered) {
		t.Errorf("deadlines until %v do not wait for letters that came until %v", at, delivered)
	}
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
	until(t, "the end of the fault", func() bool { return p.Status().Database.Since.IsZero() })
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
		startTime := time.Now()
		var sent time.Duration
		s.dial = scripted(func(Outgoing) (stage, error) { sent = time.Since(startTime); return "", nil })
		ctx, cancel := context.WithTimeout(t.Context(), long+time.Hour)
		defer cancel()
		time.AfterFunc(long/2, func() {
			if is := s.Status().Connection; is.Tried {
				t.Errorf("the mail server is blamed: %+v", is)
			}
			if is := s.Status().Database; is.Reason != errLocked.Error() || !is.Since.Equal(startTime) {
				t.Errorf("the fault is %+v", is)
			}
		})
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if sent < long || sent > long+10*time.Second {
			t.Errorf("the letter went out after %v", sent)
		}
		if is := s.Status().Database; !is.Since.IsZero() {
			t.Errorf("the fault is not over: %+v", is)
		}
		if n := strings.Count(log.String(), "the outbox cannot be read; letters wait"); n != 1 {
			t.Errorf("%d lines in the log:\n%s", n, log.String())
		}
	})
}

// asksForFirst says that an answer with the content of the first letter is asked for.
func asksForFirst(verb, args string) bool {
	set, _, _ := strings.Cut(args, " ")
	return verb == "FETCH" && strings.Contains(args, "BODY") && (set == "1" || strings.HasPrefix(set, "1:") || strings.HasPrefix(set, "1,"))
}

// TestUnreadableLetter: a letter that the server hands out never is put in
// quarantine when others were handed out for long enough, for deadlines wait while it
// lies there. When the server hands out nothing, nothing happens.
func TestUnreadableLetter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, item, end string }{
		{"no content", "* 1 FETCH (UID 1 RFC822.SIZE 10 BODY[]<0> NIL)", "OK done"},
		{"refused, as Exchange does", "", "NO The requested message could not be converted to an RFC-822 compatible format."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				if !asksForFirst(verb, args) {
					return false
				}
				set, _, _ := strings.Cut(args, " ")
				if tt.item != "" {
					say("%s", tt.item)
					if set != "1" {
						return s.answerFetch(strings.TrimPrefix(strings.TrimPrefix(args, "1:"), "1,"), say, func(uid int, body bool) string { return s.item(uid, body, 1) })
					}
				}
				say("%s", tt.end)
				return true
			}
			cfg := s.start(t)
			told := make(chan BadLetter, 10)
			cfg.OnQuarantine = func(_ context.Context, b BadLetter) error { told <- b; return nil }
			s.deliver("Subject: unreadable\r\n\r\n")
			store := newStore()
			p := NewPoller(cfg, store, logTo(t))
			run(t, p)
			until(t, "many tries", func() bool { return s.count("FETCH") > 20 })
			if len(told) > 0 || !p.InboxWatermark().IsZero() {
				t.Fatal("a letter was given up that may be no worse than others")
			}
			s.deliver(string(mail3("good")))
			until(t, "quarantine", func() bool { return slices.Equal(s.in("Samizdat/Quarantine"), []string{"unreadable"}) })
			until(t, "the good one", func() bool { return slices.Equal(s.in("Samizdat/Done"), []string{"good"}) })
			if b := <-told; b.Letter.UID != 1 || b.Letter.UIDValidity != 7 || b.Letter.Raw != nil || b.Letter.Arrived.IsZero() || b.Reason == nil {
				t.Errorf("the operator was told %+v", b)
			}
			until(t, "deadlines go on", func() bool { return !p.InboxWatermark().IsZero() })
		})
	}
}

// TestLetterThatEndsTheConnection: a server may break off at one letter, or answer what
// the library cannot read. The others are handled all the same, and that one goes into
// quarantine when others were handed out for long enough.
func TestLetterThatEndsTheConnection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, answer string }{
		{"BYE", "* BYE Internal error, disconnecting"},
		{"a date that is none", `* 1 FETCH (UID 1 INTERNALDATE "00-Jan-0000 00:00:00 +0000" BODY[]<0> {3}` + "\r\nabc)"},
		{"no answer of IMAP", "* 1 FETCH (UID 1 BODY[]<0> ~~~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(_ *oddServer, verb, args string, say func(string, ...any)) bool {
				if !asksForFirst(verb, args) {
					return false
				}
				say("%s", tt.answer)
				return true
			}
			cfg := s.start(t)
			told := make(chan BadLetter, 10)
			cfg.OnQuarantine = func(_ context.Context, b BadLetter) error { told <- b; return nil }
			s.deliver("Subject: bad\r\n\r\n")
			for i := range 3 {
				s.deliver(string(mail3(fmt.Sprint("good", i))))
			}
			p := NewPoller(cfg, newStore(), logTo(t))
			run(t, p)
			until(t, "the good ones", func() bool { return len(s.in("Samizdat/Done")) == 3 })
			for n := 0; len(s.in("Samizdat/Quarantine")) == 0; n++ {
				s.deliver(string(mail3(fmt.Sprint("later", n))))
				until(t, "a later one", func() bool { return len(s.in("Samizdat/Done")) == 4+n })
			}
			if b := <-told; b.Letter.UID != 1 || b.Letter.Raw != nil || b.Reason == nil {
				t.Errorf("the operator was told %+v", b)
			}
			until(t, "deadlines go on", func() bool { return !p.InboxWatermark().IsZero() })
			if got := s.in("Samizdat/Quarantine"); !slices.Equal(got, []string{"bad"}) {
				t.Errorf("in quarantine are %v", got)
			}
		})
	}
}

// TestLostOnce: letters at which the line broke once are no worse than others.
func TestLostOnce(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	broken := 0
	s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !asksForFirst(verb, args) || broken >= 2 {
			return false
		}
		broken++
		say("* BYE later")
		return true
	}
	cfg := s.start(t)
	for i := range 3 {
		s.deliver(string(mail3(fmt.Sprint("good", i))))
	}
	store := newStore()
	p := NewPoller(cfg, store, logTo(t))
	run(t, p)
	until(t, "all filed", func() bool { return len(s.in("Samizdat/Done")) == 3 && !p.InboxWatermark().IsZero() })
	for i := range 3 {
		if _, calls := store.times(fmt.Sprint("good", i)); calls != 1 {
			t.Errorf("letter %d was handled %d times", i, calls)
		}
	}
}

// TestKeptBackIsForgotten: what is counted against a letter ends when it is handed out.
func TestKeptBackIsForgotten(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	p := NewPoller(IMAPConfig{}, nil, nil)
	p.now = func() time.Time { return now }
	filed := map[Folder][]imap.UID{}
	keep := func() {
		now = now.Add(50 * time.Minute)
		p.recordFetchFailure(t.Context(), listedLetter{uid: 1}, errors.New("not now"), filed)
		p.lastFetched = now.Add(time.Minute)
	}
	for range 3 {
		keep()
		keep()
		p.letters.recordFetched([]Received{{UID: 1}})
	}
	if len(filed) > 0 {
		t.Fatal("put in quarantine")
	}
	keep()
	keep()
	if keep(); !slices.Equal(filed[Quarantine], []imap.UID{1}) {
		t.Errorf("filed %v", filed)
	}
}

// TestMovesRefused: when nothing can be filed, every letter is handled all the same,
// also those that lie behind the first batch, and LIMIT is not taken for a word about
// how often something is asked.
func TestMovesRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer string
		verbs  []string
	}{
		{"NO [LIMIT] Too many messages in the folder", []string{"MOVE"}},
		{"NO [LIMIT] Maximum number of mailboxes reached", []string{"CREATE", "MOVE"}},
		{"NO [NONEXISTENT] no such mailbox", []string{"CREATE", "MOVE"}},
		{"NO [NOPERM] no", []string{"MOVE"}},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(_ *oddServer, verb, _ string, say func(string, ...any)) bool {
				if slices.Contains(tt.verbs, verb) {
					say("%s", tt.answer)
					return true
				}
				return false
			}
			cfg := s.start(t)
			for i := range maxBatchLetters + 10 {
				s.deliver(string(mail3(fmt.Sprint("good", i))))
			}
			store := newStore()
			p := NewPoller(cfg, store, nil)
			run(t, p)
			last := fmt.Sprint("good", maxBatchLetters+9)
			until(t, "the last one", func() bool { _, calls := store.times(last); return calls == 1 })
		})
	}
}
