package mail

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestLastPollWaitsForEveryLetter: while a letter lies in the inbox that could not be
// handled, no look counts as complete, or a deadline could pass over it.
func TestLastPollWaitsForEveryLetter(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	var well atomic.Bool
	tried, looked := make(chan struct{}, 100), make(chan struct{}, 100)
	cfg := configFor(s)
	cfg.Retry = Backoff{First: 10 * time.Millisecond, Most: 10 * time.Millisecond}
	cfg.QuarantineAfter = time.Hour
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		if subject(r) == "other" {
			looked <- struct{}{}
			return Done, nil
		}
		if well.Load() {
			return Done, nil
		}
		tried <- struct{}{}
		return "", errors.New("the database is locked")
	}), logTo(t))
	post(t, s, "bad", "PASS")
	run(t, p)
	// With the third try two looks have ended in which nothing but that letter failed,
	// and a letter that went through beside it makes no look complete either.
	for range 3 {
		<-tried
	}
	post(t, s, "other", "PASS")
	<-looked
	for range 2 {
		<-tried
	}
	if at := p.LastPoll(); !at.IsZero() {
		t.Errorf("a look at %v counts as complete, and a letter was not handled", at)
	}
	if p.Failing() == 0 {
		t.Error("no letter is said to fail")
	}
	well.Store(true)
	waitFolder(t, s, "INBOX", 0)
	until(t, "a complete look is noted", func() bool { return !p.LastPoll().IsZero() })
}

// TestLastPollWaitsAnHour: a letter that fails for longer than an hour holds up no
// deadline any more, and the log says so once. A new one that fails does again.
func TestLastPollWaitsAnHour(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	cfg.Retry = Backoff{First: 10 * time.Millisecond, Most: 10 * time.Millisecond}
	cfg.QuarantineAfter = 24 * time.Hour
	tried := make(chan string)
	log := &logBuffer{}
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		tried <- subject(r)
		return "", errors.New("the database is locked")
	}), log.logger())
	var ahead atomic.Int64
	p.now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	wants := func(subject string, times int) {
		t.Helper()
		for n := 0; n < times; {
			if <-tried == subject {
				n++
			}
		}
	}
	post(t, s, "bad", "PASS")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	wants("bad", 3)
	ahead.Add(int64(longEnough - time.Minute))
	wants("bad", 3)
	if at := p.LastPoll(); !at.IsZero() {
		t.Errorf("a look at %v counts as complete within the hour", at)
	}
	ahead.Add(int64(time.Minute))
	wants("bad", 3)
	passed := p.LastPoll()
	if passed.IsZero() || p.Failing() != 1 {
		t.Errorf("after an hour no look is complete; %d letters fail", p.Failing())
	}
	post(t, s, "worse", "PASS")
	wants("worse", 2)
	passed = p.LastPoll()
	wants("worse", 3)
	if at := p.LastPoll(); !at.Equal(passed) {
		t.Errorf("a look at %v counts as complete, before was one at %v, and a new letter fails", at, passed)
	}
	ahead.Add(int64(longEnough))
	wants("worse", 3)
	if !p.LastPoll().After(passed) {
		t.Error("after another hour no look is complete")
	}
	cancel()
	for running := true; running; {
		select {
		case <-tried:
		case err := <-ended:
			running = false
			if err != nil {
				t.Error(err)
			}
		}
	}
	if n := strings.Count(log.String(), "waits no longer"); n != 1 {
		t.Errorf("the log says %d times that nothing waits:\n%s", n, log.String())
	}
}

// TestScanNow: who waits for a scan gets one at once, whether the Poller lies in IDLE or
// between two looks.
func TestScanNow(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string][]string{"idle": nil, "no idle": {"IDLE"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, t.TempDir(), "", "")
			cfg := configFor(s)
			cfg.Address = oldServer(t, s.IMAPAddr(), hide...)
			cfg.PollInterval, cfg.IdleRestart = time.Hour, time.Hour
			p := NewPoller(cfg, HandlerFunc(func(context.Context, Received) (Folder, error) { return Done, nil }), logTo(t))
			run(t, p)
			for range 3 {
				asked := time.Now()
				p.ScanNow()
				p.ScanNow()
				until(t, "a look that began later", func() bool { return p.LastPoll().After(asked) })
			}
		})
	}
}

// TestStopFilesWhatIsHandled: a daemon that is stopped behind a commit still moves the
// letters that it has handled, so that the next one need not read them again.
func TestStopFilesWhatIsHandled(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	for _, name := range []string{"one", "two", "three"} {
		post(t, s, name, "PASS")
	}
	ctx, stop := context.WithCancel(t.Context())
	handled := 0
	p := NewPoller(configFor(s), HandlerFunc(func(context.Context, Received) (Folder, error) {
		if handled++; handled == 2 {
			stop()
		}
		return Done, nil
	}), logTo(t))
	if err := p.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if handled != 2 {
		t.Errorf("%d letters were handled, want 2: none is begun behind the stop", handled)
	}
	waitFolder(t, s, string(Done), 2)
	waitFolder(t, s, "INBOX", 1)
}
