package mail

import (
	"context"
	"errors"
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
	cfg.Retry = Pace{First: 10 * time.Millisecond, Most: 10 * time.Millisecond}
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
