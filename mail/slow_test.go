package mail

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"samizdat/internal/test/mailtest"
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
		Reconnect: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Retry: Schedule{First: 100 * time.Millisecond, Most: time.Second, GiveUp: time.Hour}}, box, nil)
	runSender(t, sender)
	began := time.Now()
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
	t.Logf("%v, %d connections out, at most %d MiB in use", time.Since(began).Round(time.Millisecond), out.Conns(), peak.Load()>>20)
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
	began := time.Now()
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
	t.Logf("%d letters in %v, at most %d MiB in use", many, time.Since(began).Round(time.Millisecond), peak>>20)
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
	began := time.Now()
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
	t.Logf("%d letters of 30 MB in %v, at most %d MiB in use", many, time.Since(began).Round(time.Millisecond), peak.Load()>>20)
}
