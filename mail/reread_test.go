package mail

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"
)

// TestReread: letters that were filed come back to the inbox and are handled once
// more; what came before the time stays where it is.
func TestReread(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	seen := make(events, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	h := HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		seen <- subject(r)
		return map[string]Folder{"one": Done, "two": Refused, "three": Ignored}[subject(r)], nil
	})
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	go func() { done <- NewPoller(configFor(s), h, log).Run(ctx) }()
	for _, letter := range []string{"one", "two", "three"} {
		post(t, s, letter, "orders")
		seen.next(t)
	}
	waitFolder(t, s, string(Ignored), 1)
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}

	if n, err := reread(t.Context(), configFor(s), time.Now().AddDate(0, 0, 3)); n != 0 || err != nil {
		t.Errorf("of the coming days: %d letters, %v", n, err)
	}
	if n, err := reread(t.Context(), configFor(s), time.Now()); n != 2 || err != nil {
		t.Errorf("of today: %d letters, %v; want 2", n, err)
	}
	if n, err := reread(t.Context(), configFor(s), time.Now()); n != 0 || err != nil {
		t.Errorf("a second time: %d letters, %v", n, err)
	}
	run(t, NewPoller(configFor(s), h, log))
	again := []string{seen.next(t), seen.next(t)}
	slices.Sort(again)
	if !slices.Equal(again, []string{"one", "two"}) {
		t.Errorf("handled again: %v", again)
	}
}

// TestRereadWithoutFolders: in a mailbox that never saw a letter there is nothing
// to do.
func TestRereadWithoutFolders(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	if n, err := reread(t.Context(), configFor(s), time.Now()); n != 0 || err != nil {
		t.Errorf("%d letters, %v", n, err)
	}
}

// TestRereadWaitsForTheServer: a server that is away is tried again until it is
// there, or until there is no more time.
func TestRereadWaitsForTheServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tried := 0
	_, err := RereadUntilDone(ctx, cfg, time.Now(), func(error, time.Duration) { tried++; cancel() })
	if err == nil || tried != 1 {
		t.Errorf("tried %d times, %v", tried, err)
	}
}
