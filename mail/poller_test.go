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
	"github.com/emersion/go-smtp"
	"samizdat/mail/embedded"
)

const (
	referee = "judge@demo"
	pass    = "secret"
)

func startServer(t testing.TB, dir, imapAddr, smtpAddr string) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPAddr: imapAddr, SMTPAddr: smtpAddr, MaxMessage: 20 << 20,
		Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func post(t testing.TB, s *embedded.Server, subject, body string) {
	t.Helper()
	raw := fmt.Sprintf("From: ann@demo\r\nTo: judge@demo\r\nSubject: %s\r\nMessage-ID: <%s@demo>\r\n\r\n%s\r\n", subject, subject, body)
	c, err := smtp.Dial(s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SendMail("ann@demo", []string{referee}, strings.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
}

func configFor(s *embedded.Server) IMAPConfig {
	return IMAPConfig{Address: s.IMAPAddr(), TLS: NoTLS, User: referee, Password: pass, CommandTimeout: 10 * time.Second}
}

// run starts a Poller and stops it at the end of the test.
func run(t testing.TB, p *Poller) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// events collects subjects in the order they were handled.
type events chan string

func (e events) next(t testing.TB) string {
	t.Helper()
	select {
	case s := <-e:
		return s
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was handled")
		return ""
	}
}

func subject(r Received) string { return Parse(r.Raw).Subject }

// waitFolder waits, by IDLE, until a folder holds n messages.
func waitFolder(t testing.TB, s *embedded.Server, folder string, n uint32) []string {
	t.Helper()
	news := make(chan uint32, 1000)
	c, err := imapclient.DialInsecure(s.IMAPAddr(), &imapclient.Options{UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages != nil {
				news <- *d.NumMessages
			}
		}, Expunge: func(uint32) { news <- 0 },
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login(referee, pass).Wait(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(30*time.Second, func() { _ = c.Close() })
	defer stop.Stop()
	for {
		d, err := c.Select(folder, nil).Wait()
		if err != nil {
			t.Fatalf("waiting for %d messages in %s: %v", n, folder, err)
		}
		if d.NumMessages == n {
			break
		}
		idle, err := c.Idle()
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-news:
		case <-c.Closed():
		}
		_ = idle.Close()
		if err := idle.Wait(); err != nil {
			t.Fatalf("waiting for %d messages in %s, there are %d: %v", n, folder, d.NumMessages, err)
		}
	}
	if n == 0 {
		return nil
	}
	all := imap.SeqSet{}
	all.AddRange(1, 0)
	got, err := c.Fetch(all, &imap.FetchOptions{Envelope: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, m := range got {
		subjects = append(subjects, m.Envelope.Subject)
	}
	return subjects
}

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

// The mailbox is made anew while the poller is away: numbers begin again.
func TestPollerUIDValidityChange(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	imapAddr, smtpAddr := s.IMAPAddr(), s.SMTPAddr()
	seen := make(events, 100)
	var validity atomic.Uint32
	p := NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		validity.Store(r.UIDValidity)
		seen <- fmt.Sprint(subject(r), r.UID)
		if subject(r) == "stuck" {
			return "", errors.New("not today")
		}
		return Done, nil
	}), logTo(t))
	run(t, p)
	post(t, s, "stuck", "PASS")
	if got := seen.next(t); got != "stuck1" {
		t.Fatal(got)
	}
	first := validity.Load()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// UIDVALIDITY is made of the second of creation.
	for time.Now().Unix() <= int64(first) {
		<-time.After(time.Until(time.Unix(int64(first)+1, 0)))
	}
	s = startServer(t, t.TempDir(), imapAddr, smtpAddr)
	post(t, s, "fresh", "PASS")
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
	if l := Parse(r.Raw); l.Subject != "big" || !strings.HasPrefix(l.Text, "PLACE Krakow 2\n") {
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
		p := NewPoller(IMAPConfig{Address: ln.Addr().String(), TLS: NoTLS, User: referee, Password: pass, CommandTimeout: 200 * time.Millisecond}, nil, logTo(t))
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
		_ = OrderText(Parse(r.Raw).Text)
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
