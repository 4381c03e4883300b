package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

func TestPollerFilesLetters(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	for i := range 100 {
		post(t, s, fmt.Sprintf("letter%03d", i), "PASS")
	}
	seen := make(events, 300)
	folders := []Folder{Done, Refused, Ignored}
	var n atomic.Int64
	p := NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		seen <- subject(r)
		return folders[n.Add(1)%3], nil
	}), logTo(t))
	run(t, p)
	for i := range 100 {
		if got, want := seen.next(t), fmt.Sprintf("letter%03d", i); got != want {
			t.Fatalf("got %s, want %s: letters are handled oldest first", got, want)
		}
	}
	waitFolder(t, s, "INBOX", 0)
	for f, n := range map[Folder]uint32{Done: 33, Refused: 34, Ignored: 33} {
		waitFolder(t, s, string(f), n)
	}
	// Now it lies in IDLE; a new letter wakes it.
	startTime := time.Now()
	post(t, s, "late", "PASS")
	if got := seen.next(t); got != "late" {
		t.Errorf("got %s, want late", got)
	}
	if d := time.Since(startTime); d > 5*time.Second {
		t.Errorf("the letter waited %v", d)
	}
	waitFolder(t, s, "INBOX", 0)
	if p.InboxWatermark().IsZero() {
		t.Error("no complete look was noted")
	}
}

func TestPollerRetriesAndDoesNotBlock(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	post(t, s, "bad", "PASS")
	post(t, s, "panics", "PASS")
	post(t, s, "nowhere", "PASS")
	post(t, s, "good", "PASS")
	seen := make(events, 100)
	var mu sync.Mutex
	tries := map[string]int{}
	p := NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		name := subject(r)
		mu.Lock()
		tries[name]++
		n := tries[name]
		mu.Unlock()
		seen <- fmt.Sprint(name, n)
		if n == 1 {
			switch name {
			case "bad":
				return "", errors.New("database is locked")
			case "panics":
				panic("a bug")
			case "nowhere":
				return "Trash", nil
			}
		}
		return Done, nil
	}), logTo(t))
	run(t, p)
	var got []string
	for range 7 {
		got = append(got, seen.next(t))
	}
	if first := strings.Join(got[:4], " "); first != "bad1 panics1 nowhere1 good1" {
		t.Errorf("got %s; the good letter must not wait", first)
	}
	again := map[string]bool{}
	for _, g := range got[4:] {
		again[g] = true
	}
	for _, want := range []string{"bad2", "panics2", "nowhere2"} {
		if !again[want] {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
	waitFolder(t, s, "INBOX", 0)
	waitFolder(t, s, string(Done), 4)
}

func TestPollerComesBackAfterRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir, "", "")
	imapAddr, smtpAddr := s.IMAPAddr(), s.SMTPAddr()
	seen := make(events, 100)
	run(t, NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		seen <- subject(r)
		return Done, nil
	}), logTo(t)))
	post(t, s, "before", "PASS")
	if got := seen.next(t); got != "before" {
		t.Fatal(got)
	}
	waitFolder(t, s, "INBOX", 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, dir, imapAddr, smtpAddr)
	post(t, s, "after", "PASS")
	if got := seen.next(t); got != "after" {
		t.Errorf("got %s, want after", got)
	}
	waitFolder(t, s, string(Done), 2)
}

// remake deletes the folder Letters, if it is there, makes it anew and puts
// one letter into it.
func remake(t testing.TB, s *embedded.Server, subject string) {
	t.Helper()
	c, err := imapclient.DialInsecure(s.IMAPAddr(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login(referee, pass).Wait(); err != nil {
		t.Fatal(err)
	}
	var e *imap.Error
	if err := c.Delete("Letters").Wait(); err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if err := c.Create("Letters", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	raw := "Subject: " + subject + "\r\n\r\nPASS\r\n"
	a := c.Append("Letters", int64(len(raw)), nil)
	if _, err := a.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Wait(); err != nil {
		t.Fatal(err)
	}
}

// The mailbox is made anew while the poller is away: numbers begin again.
func TestPollerUIDValidityChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir, "", "")
	imapAddr := s.IMAPAddr()
	remake(t, s, "stuck")
	seen := make(events, 100)
	var validity atomic.Uint32
	cfg := configFor(s)
	cfg.Mailbox = "Letters"
	run(t, NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		validity.Store(r.UIDValidity)
		seen <- fmt.Sprint(subject(r), r.UID)
		if subject(r) == "stuck" {
			return "", errors.New("not today")
		}
		return Done, nil
	}), logTo(t)))
	if got := seen.next(t); got != "stuck1" {
		t.Fatal(got)
	}
	first := validity.Load()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// Behind the poller's back, at another address.
	s = startServer(t, dir, "", "")
	remake(t, s, "fresh")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, dir, imapAddr, "")
	for got := seen.next(t); got != "fresh1"; got = seen.next(t) {
		if !strings.HasPrefix(got, "stuck") {
			t.Fatalf("got %s, want fresh1", got)
		}
	}
	if validity.Load() == first {
		t.Errorf("the validity is still %d", first)
	}
	waitFolder(t, s, string(Done), 1)
}

func TestPollerBigLetter(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	body := "PLACE Krakow 2\r\n" + strings.Repeat(strings.Repeat("x", 76)+"\r\n", 5<<20/78)
	post(t, s, "big", body)
	post(t, s, "small", "PASS")
	got := make(chan Received, 10)
	run(t, NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		got <- r
		return Refused, nil
	}), logTo(t)))
	r := <-got
	if !r.Truncated || int64(len(r.Raw)) != 1<<20 || r.Size < 5<<20-100 {
		t.Errorf("got truncated %v, %d bytes of %d", r.Truncated, len(r.Raw), r.Size)
	}
	if l := message.Read(r.Raw); l.Subject != "big" || !strings.HasPrefix(l.Text, "PLACE Krakow 2\n") {
		t.Errorf("got %q %.40q", l.Subject, l.Text)
	}
	if r := <-got; r.Truncated || subject(r) != "small" || time.Since(r.Arrived) > time.Hour {
		t.Errorf("got %v %s, arrived %v", r.Truncated, subject(r), r.Arrived)
	}
	waitFolder(t, s, string(Refused), 2)
}

// A server that takes connections and never answers: every step has an end.
func TestPollerStalledServer(t *testing.T) {
	t.Parallel()
	for _, greeting := range []string{"", "* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		accepted := make(chan net.Conn, 10)
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					close(accepted)
					return
				}
				_, _ = c.Write([]byte(greeting))
				accepted <- c
			}
		}()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		p := NewPoller(IMAPConfig{Login: Login{Address: listener.Addr().String(), TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: 200 * time.Millisecond,
			Reconnect: Backoff{10 * time.Millisecond, 100 * time.Millisecond}}, nil, logTo(t))
		go func() { done <- p.Run(ctx) }()
		// The second connection proves that the first was given up.
		for i := range 2 {
			select {
			case c := <-accepted:
				defer c.Close()
			case <-time.After(20 * time.Second):
				t.Fatalf("greeting %q: connection %d never came", greeting, i+1)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		_ = listener.Close()
		for c := range accepted {
			_ = c.Close()
		}
	}
}

func BenchmarkPoller(b *testing.B) {
	s := startServer(b, b.TempDir(), "", "")
	pad := strings.Repeat("This line makes the letter two kilobytes long.\r\n", 40)
	for i := range b.N {
		post(b, s, fmt.Sprint("n", i), pad)
	}
	done := make(chan struct{}, b.N)
	p := NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		_ = message.OrderText(message.Read(r.Raw).Text, message.Referee{})
		done <- struct{}{}
		return Done, nil
	}), nil)
	b.ResetTimer()
	run(b, p)
	for range b.N {
		<-done
	}
	waitFolder(b, s, "INBOX", 0)
}

// TestInboxWatermarkWaitsForEveryLetter: while a letter lies in the inbox that could not be
// handled, no look counts as complete, or a deadline could pass over it.
func TestInboxWatermarkWaitsForEveryLetter(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	var well atomic.Bool
	tried, looked := make(chan struct{}, 100), make(chan struct{}, 100)
	cfg := configFor(s)
	cfg.Retry = Backoff{First: 10 * time.Millisecond, Max: 10 * time.Millisecond}
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
	if at := p.InboxWatermark(); !at.IsZero() {
		t.Errorf("a look at %v counts as complete, and a letter was not handled", at)
	}
	if p.Status().Failing == 0 {
		t.Error("no letter is said to fail")
	}
	well.Store(true)
	waitFolder(t, s, "INBOX", 0)
	until(t, "a complete look is noted", func() bool { return !p.InboxWatermark().IsZero() })
}

// TestInboxWatermarkWaitsAnHour: a letter that fails for longer than an hour holds up no
// deadline any more, and the log says so once. A new one that fails does again.
func TestInboxWatermarkWaitsAnHour(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	cfg.Retry = Backoff{First: 10 * time.Millisecond, Max: 10 * time.Millisecond}
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
	ahead.Add(int64(maxBlocking - time.Minute))
	wants("bad", 3)
	if at := p.InboxWatermark(); !at.IsZero() {
		t.Errorf("a look at %v counts as complete within the hour", at)
	}
	ahead.Add(int64(time.Minute))
	wants("bad", 3)
	passed := p.InboxWatermark()
	if passed.IsZero() || p.Status().Failing != 1 {
		t.Errorf("after an hour no look is complete; %d letters fail", p.Status().Failing)
	}
	post(t, s, "worse", "PASS")
	wants("worse", 2)
	passed = p.InboxWatermark()
	wants("worse", 3)
	if at := p.InboxWatermark(); !at.Equal(passed) {
		t.Errorf("a look at %v counts as complete, before was one at %v, and a new letter fails", at, passed)
	}
	ahead.Add(int64(maxBlocking))
	wants("worse", 3)
	if !p.InboxWatermark().After(passed) {
		t.Error("after another hour no look is complete")
	}
	cancel()
	for isRunning := true; isRunning; {
		select {
		case <-tried:
		case err := <-ended:
			isRunning = false
			if err != nil {
				t.Error(err)
			}
		}
	}
	if n := strings.Count(log.String(), "no longer wait"); n != 1 {
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
				until(t, "a look that began later", func() bool { return p.InboxWatermark().After(asked) })
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

	if n, err := rereadFolders(t.Context(), configFor(s), time.Now().AddDate(0, 0, 3)); n != 0 || err != nil {
		t.Errorf("of the coming days: %d letters, %v", n, err)
	}
	if n, err := rereadFolders(t.Context(), configFor(s), time.Now()); n != 2 || err != nil {
		t.Errorf("of today: %d letters, %v; want 2", n, err)
	}
	if n, err := rereadFolders(t.Context(), configFor(s), time.Now()); n != 0 || err != nil {
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
	if n, err := rereadFolders(t.Context(), configFor(s), time.Now()); n != 0 || err != nil {
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
