package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
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
	began := time.Now()
	post(t, s, "late", "PASS")
	if got := seen.next(t); got != "late" {
		t.Errorf("got %s, want late", got)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("the letter waited %v", d)
	}
	waitFolder(t, s, "INBOX", 0)
	if p.LastPoll().IsZero() {
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
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		accepted := make(chan net.Conn, 10)
		go func() {
			for {
				c, err := ln.Accept()
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
		p := NewPoller(IMAPConfig{Login: Login{Address: ln.Addr().String(), TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: 200 * time.Millisecond,
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
		_ = ln.Close()
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
		_ = message.OrderText(message.Read(r.Raw).Text, message.Us{})
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
