package mail

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

var slow = flag.Bool("slow", false, "let slow servers be as slow as real ones")

// TestSlowServers: IMAP answers every command after two seconds (a fiftieth of
// that without -slow), and SMTP stalls on every second connection and loses the
// others after a few letters. Everything goes through, in little memory.
func TestSlowServers(t *testing.T) {
	delay, timeout, letters := 40*time.Millisecond, time.Second, 40
	if *slow {
		delay, timeout = 2*time.Second, 10*time.Second
	}
	s := startServer(t, t.TempDir(), "", "")
	// Longer than what is read of a letter.
	long := append(mail3("long"), bytes.Repeat([]byte(strings.Repeat("x", 76)+"\r\n"), 3<<20/78)...)
	for i := range letters {
		raw := mail3(fmt.Sprint("n", i))
		if i%4 == 0 {
			raw = append(bytes.Replace(long, []byte("Subject: long"), fmt.Appendf(nil, "Subject: n%d", i), 1), "end\r\n"...)
		}
		if err := mailboxOf(s, referee).Deliver(raw); err != nil {
			t.Fatal(err)
		}
	}
	proxy := func(cfg mailtest.ProxyConfig) *mailtest.Proxy {
		p, err := mailtest.StartProxy(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		return p
	}
	in := proxy(mailtest.ProxyConfig{Target: s.IMAPAddr(), Faults: on(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Slow, Delay: delay})})
	out := proxy(mailtest.ProxyConfig{Target: s.SMTPAddr(), SMTP: true, Faults: []mailtest.Fault{
		{On: mailtest.AtConnect, Do: mailtest.Stall, Every: 2}, {On: "MAIL", Do: mailtest.Drop, Every: 10}}})

	var peak atomic.Uint64
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak.Store(max(peak.Load(), m.HeapAlloc))
	}
	var seen atomic.Int64
	cfg := configFor(s)
	cfg.Address = in.Addr()
	run(t, NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		look()
		if int64(len(r.Raw)) > 1<<20 {
			t.Errorf("%d bytes of a letter were read", len(r.Raw))
		}
		seen.Add(1)
		return Done, nil
	}), nil))
	box := newBox()
	for i := range letters {
		box.add(int64(i+1), "ann@demo")
	}
	sender := NewSender(SMTPConfig{Login: Login{Address: out.Addr(), TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: timeout,
		Reconnect: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Retry: Schedule{First: 100 * time.Millisecond, Max: time.Second, GiveUp: time.Hour}}, box, nil)
	runSender(t, sender)
	startTime := time.Now()
	until(t, "everything through", func() bool { look(); return seen.Load() >= int64(letters) && box.allDone() })
	waitFolder(t, s, "INBOX", 0)
	if got := subjects(t, mailboxOf(s, referee), string(Done)); len(got) != letters {
		t.Errorf("filed are %d letters, want %d", len(got), letters)
	}
	if got, err := mailboxOf(s, "ann@demo").Folder("INBOX"); err != nil || len(got) != letters {
		t.Errorf("arrived are %d letters, want %d: %v", len(got), letters, err)
	}
	if mb := peak.Load() >> 20; mb > 200 {
		t.Errorf("%d MiB of memory in use", mb)
	}
	t.Logf("%v, %d connections out, at most %d MiB in use", time.Since(startTime).Round(time.Millisecond), out.Conns(), peak.Load()>>20)
}

// TestOldMailbox: five thousand letters (a hundred thousand with -slow) wait in
// the mailbox when the program first looks into it. All are filed.
func TestOldMailbox(t *testing.T) {
	if testing.Short() {
		t.Skip("handles a large mailbox")
	}
	many := 5_000
	if *slow {
		many = 100_000
	}
	s := startServer(t, t.TempDir(), "", "")
	if err := mailboxOf(s, referee).Fill(many, mail3("old")); err != nil {
		t.Fatal(err)
	}
	var seen atomic.Int64
	var peak uint64
	startTime := time.Now()
	run(t, NewPoller(configFor(s), HandlerFunc(func(context.Context, Received) (Folder, error) {
		if n := seen.Add(1); n%1000 == 0 {
			var m runtime.MemStats
			runtime.GC() // What other tests have left for it is not counted.
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return Ignored, nil
	}), nil))
	until(t, "all handled", func() bool { return seen.Load() >= int64(many) })
	waitFolder(t, s, "INBOX", 0)
	if seen.Load() != int64(many) {
		t.Errorf("%d letters were handled", seen.Load())
	}
	if mb := peak >> 20; mb > 200 {
		t.Errorf("%d MiB of memory in use", mb)
	}
	t.Logf("%d letters in %v, at most %d MiB in use", many, time.Since(startTime).Round(time.Millisecond), peak>>20)
}

// TestBigLetters: letters of 30 MB, three of them (a hundred with -slow), wait in
// the mailbox. Only their first part is read, and memory stays small.
func TestBigLetters(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a large mailbox")
	}
	many := 3
	if *slow {
		many = 100
	}
	const size = 30 << 20
	raw := append(mail3("big"), bytes.Repeat([]byte(strings.Repeat("x", 76)+"\r\n"), size/78)...)
	s := startServer(t, t.TempDir(), "", "")
	if err := mailboxOf(s, referee).Fill(many, raw); err != nil {
		t.Fatal(err)
	}
	full := int64(len(raw))
	raw = nil
	runtime.GC()
	var peak, seen atomic.Uint64
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak.Store(max(peak.Load(), m.HeapAlloc))
	}
	startTime := time.Now()
	run(t, NewPoller(configFor(s), HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		look()
		if len(r.Raw) != 1<<20 || !r.Truncated || r.Size != full || subject(r) != "big" {
			t.Errorf("got %d bytes of %d, truncated %v", len(r.Raw), r.Size, r.Truncated)
		}
		seen.Add(1)
		return Refused, nil
	}), nil))
	until(t, "all handled", func() bool { look(); return seen.Load() >= uint64(many) })
	waitFolder(t, s, "INBOX", 0)
	if mb := peak.Load() >> 20; mb > 200 {
		t.Errorf("%d MiB of memory in use", mb)
	}
	t.Logf("%d letters of 30 MB in %v, at most %d MiB in use", many, time.Since(startTime).Round(time.Millisecond), peak.Load()>>20)
}

// hangUpScript is a transport whose letters end only when it is closed.
type hangUpScript struct {
	script
	at     stage
	closed chan struct{}
	once   sync.Once
}

func (h *hangUpScript) deliver(Outgoing) (stage, error) { <-h.closed; return h.at, net.ErrClosed }
func (h *hangUpScript) Close() error                    { h.once.Do(func() { close(h.closed) }); return nil }

// TestStopInALetter: a letter that we left in the middle has not failed. After the
// dot the server may have taken it, so it counts for the day's limit.
func TestStopInALetter(t *testing.T) {
	t.Parallel()
	for at, spent := range map[stage]int{atMail: 0, atData: 0, atContent: 0, atDot: 1} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox("a@x", "b@x")
				s := NewSender(SMTPConfig{Limits: Limits{PerDay: 10}}, box, nil)
				dials := 0
				s.dial = func(context.Context, SMTPConfig) (transport, error) {
					dials++
					return &hangUpScript{at: at, closed: make(chan struct{})}, nil
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				time.Sleep(time.Second)
				startTime := time.Now()
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if duration := time.Since(startTime); duration > stopGracePeriod {
					t.Errorf("it took %v to stop", duration)
				}
				for id, l := range box.letters {
					if l.Attempts != 0 || l.done || !l.next.IsZero() {
						t.Errorf("letter %d: %d tries, done %v, next %v", id, l.Attempts, l.done, l.next)
					}
				}
				if dials != 1 || len(s.limiter.times) != spent {
					t.Errorf("%d connections, %d letters counted", dials, len(s.limiter.times))
				}
			})
		})
	}
}

// TestStopInAMove: a server that does not answer a move does not hold up the stop.
// While nobody stops it has the time that it may need.
func TestStopInAMove(t *testing.T) {
	t.Parallel()
	for _, stop := range []bool{true, false} {
		t.Run(map[bool]string{true: "stop", false: "go on"}[stop], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				imapEnd, smtpEnd, front := mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes()
				s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd, Accounts: []embedded.Account{{Address: referee, Password: pass}}})
				if err != nil {
					t.Fatal(err)
				}
				proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: front, Target: "server", Dial: imapEnd.Dial,
					Faults: on(mailtest.Fault{On: "MOVE", Do: mailtest.Stall, Times: 1})})
				if err != nil {
					t.Fatal(err)
				}
				if err := mailboxOver(imapEnd, referee).Deliver(mail3("a")); err != nil {
					t.Fatal(err)
				}
				store := newStore()
				cfg := IMAPConfig{Login: Login{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass}, Dial: front.Dial}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- NewPoller(cfg, store, nil).Run(ctx) }()
				time.Sleep(10 * time.Second)
				if proxy.Fired() != 1 {
					t.Fatal("there is no move")
				}
				if stop {
					startTime := time.Now()
					cancel()
					if err := <-done; err != nil {
						t.Error(err)
					}
					if duration := time.Since(startTime); duration > stopGracePeriod {
						t.Errorf("it took %v to stop", duration)
					}
					ctx, cancel = context.WithCancel(t.Context())
					go func() { done <- NewPoller(cfg, store, nil).Run(ctx) }()
				} else if n := proxy.Conns(); n != 1 {
					t.Errorf("%d connections: the move had no time", n)
				}
				time.Sleep(2 * time.Minute)
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if got, err := mailboxOver(imapEnd, referee).Folder(string(Done)); len(got) != 1 || err != nil {
					t.Errorf("filed are %d letters, %v", len(got), err)
				}
				if commits, _ := store.times("a"); commits != 1 {
					t.Errorf("the letter was committed %d times", commits)
				}
				if err := errors.Join(proxy.Close(), s.Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSMTPPasswordMended: a password that was mended in its file is taken without a
// restart, within a minute or two; one that is refused is not shown all the time.
func TestSMTPPasswordMended(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(dir, "password")
		put := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		put("wrong\n")
		imapEnd, smtpEnd := mailtest.NewPipes(), mailtest.NewPipes()
		s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd,
			Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
		if err != nil {
			t.Fatal(err)
		}
		var log logBuffer
		box := newBox("ann@demo")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- NewSender(SMTPConfig{Login: Login{Address: "mail.example:465", TLS: NoTLS, User: referee, Password: "old", PasswordFile: path}, Dial: smtpEnd.Dial}, box, log.logger()).Run(ctx)
		}()
		time.Sleep(10 * time.Hour)
		if n := smtpEnd.Dials(); n < 5 || n > 18 || box.allDone() {
			t.Errorf("%d tries in ten hours, sent %v", n, box.allDone())
		}
		if got := log.String(); !strings.Contains(got, "check user and password") || strings.Contains(got, "wrong") {
			t.Errorf("the log:\n%s", got)
		}
		put(pass + "\n")
		time.Sleep(2 * time.Minute)
		if !box.allDone() || box.letters[1].Attempts != 0 {
			t.Errorf("the letter has not gone out, or was blamed:\n%s", log.String())
		}
		cancel()
		if err := errors.Join(<-done, s.Close()); err != nil {
			t.Error(err)
		}
	})
}

// stoppedBox is an outbox that is asked for what comes next just when everything stops.
type stoppedBox struct {
	*memBox
	stop context.CancelFunc
}

func (b stoppedBox) NextDue(ctx context.Context) (time.Time, bool, error) {
	b.stop()
	return time.Time{}, false, ctx.Err()
}

// TestSenderStopped: to be stopped while the outbox is read is no trouble to tell of.
func TestSenderStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var log logBuffer
	if err := NewSender(SMTPConfig{}, stoppedBox{newBox(), cancel}, log.logger()).Run(ctx); err != nil {
		t.Error(err)
	}
	if text := log.String(); text != "" {
		t.Errorf("the log:\n%s", text)
	}
}
