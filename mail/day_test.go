package mail

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/mail/embedded"
)

// pipes is a network without sockets, for a clock that is not real.
type pipes struct {
	conns chan net.Conn
	ended chan struct{}
	once  sync.Once

	mu     sync.Mutex
	refuse bool
	dials  int
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), ended: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.ended) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// off makes every dial fail at once, or not.
func (p *pipes) off(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = is
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.mu.Lock()
	p.dials++
	refuse := p.refuse
	p.mu.Unlock()
	if refuse {
		return nil, fmt.Errorf("connection refused")
	}
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.ended:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// count gives the dials so far.
func (p *pipes) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dials
}

// TestDayOfTrouble is twenty-four hours of every kind of trouble with the
// connections. At the end every letter was handled once and every letter went
// out; there was no knocking without pause, no flood of log lines, and no
// goroutine is left (synctest sees to that).
func TestDayOfTrouble(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		imapServer, smtpServer, imapFront, smtpFront := newPipes(), newPipes(), newPipes(), newPipes()
		server, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapServer, SMTPListener: smtpServer,
			Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
		if err != nil {
			t.Fatal(err)
		}
		front := func(target *pipes, ln net.Listener, smtp bool) *embedded.Proxy {
			p, err := embedded.StartProxy(t.Context(), embedded.ProxyConfig{Listener: ln, Target: "server", Dial: target.dial, SMTP: smtp})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		in, out := front(imapServer, imapFront, false), front(smtpServer, smtpFront, true)

		var log logBuffer
		store, box := newStore(), newBox()
		poller := NewPoller(IMAPConfig{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass, Dial: imapFront.dial}, store, log.logger())
		sender := NewSender(SMTPConfig{Address: "mail.example:465", TLS: NoTLS, User: referee, Password: pass, Dial: smtpFront.dial}, box, log.logger())
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = poller.Run(ctx) })
		running.Go(func() { _ = sender.Run(ctx) })

		random := rand.New(rand.NewPCG(1, 2))
		letters := 0
		post := func() {
			letters++
			if err := server.Deliver(referee, mail3(fmt.Sprint("n", letters))); err != nil {
				t.Error(err)
			}
			box.add(int64(letters), "ann@demo")
			sender.Wake()
		}
		both := func(f embedded.Fault) { in.Set(f); out.Set(f) }
		phases := []struct {
			hours int
			begin func()
			cut   bool
		}{
			{3, func() {}, false},
			{3, func() {}, true},
			{2, func() { imapFront.off(true); smtpFront.off(true) }, false},
			{2, func() { both(embedded.Fault{On: embedded.AtConnect, Do: embedded.Stall}) }, false},
			{1, func() { both(embedded.Fault{On: embedded.AtConnect, Do: embedded.Drop}) }, false},
			{1, func() {
				in.Set(embedded.Fault{On: "LOGIN", Do: embedded.Answer, Text: "NO [AUTHENTICATIONFAILED] no"})
				out.Set(embedded.Fault{On: "AUTH", Do: embedded.Answer, Text: "535 5.7.8 no"})
			}, false},
			{2, func() {
				in.Set(embedded.Fault{On: "IDLE", Do: embedded.Drop})
				out.Set(embedded.Fault{On: "MAIL", Do: embedded.Drop})
			}, false},
			{2, func() {
				in.Set(embedded.Fault{On: "SEARCH", Do: embedded.Answer, Text: "NO [SERVERBUG] oops"})
				out.Set(embedded.Fault{On: "RCPT", Do: embedded.Answer, Text: "451 4.3.0 later"})
			}, false},
			{2, func() {
				in.Set(embedded.Fault{On: "MOVE", Do: embedded.StallAfter, Every: 2})
				out.Set(embedded.Fault{On: embedded.AtDot, Do: embedded.StallAfter, Every: 2})
			}, false},
			{2, func() { both(embedded.Fault{On: embedded.Anywhere, Do: embedded.Slow, Delay: 2 * time.Second}) }, false},
			{4, func() { both(embedded.Fault{On: embedded.Anywhere, Do: embedded.Stall, Skip: 20, Every: 17}) }, true},
		}
		began := time.Now()
		for _, p := range phases {
			imapFront.off(false)
			smtpFront.off(false)
			in.Set()
			out.Set()
			p.begin()
			imapBefore, smtpBefore, lines := imapFront.count(), smtpFront.count(), strings.Count(log.String(), "\n")
			for range p.hours * 6 {
				post()
				time.Sleep(10 * time.Minute)
				if p.cut && random.IntN(2) == 0 {
					in.Cut()
					out.Cut()
				}
			}
			hours := time.Duration(p.hours) * time.Hour
			for what, n := range map[string]int{"IMAP dials": imapFront.count() - imapBefore, "SMTP dials": smtpFront.count() - smtpBefore} {
				// A knock every half minute, on average, is not too much for anybody.
				if n > 120*p.hours {
					t.Errorf("%s in %v: %d", what, hours, n)
				}
			}
			if n := strings.Count(log.String(), "\n") - lines; n > 600*p.hours {
				t.Errorf("log lines in %v: %d", hours, n)
			}
			t.Logf("%v: %d IMAP dials, %d SMTP dials", hours, imapFront.count()-imapBefore, smtpFront.count()-smtpBefore)
		}
		if d := time.Since(began); d != 24*time.Hour {
			t.Errorf("the day was %v long", d)
		}
		// Good weather, and the longest pause between two tries.
		imapFront.off(false)
		in.Set()
		out.Set()
		time.Sleep(lastRetry + time.Hour)
		if len(subjects(t, server, referee, "INBOX")) != 0 || !box.allDone() {
			t.Error("there are letters left")
		}
		for i := range letters {
			if commits, _ := store.times(fmt.Sprint("n", i+1)); commits != 1 {
				t.Errorf("letter %d was committed %d times", i+1, commits)
			}
		}
		raws, err := server.Folder("ann@demo", "INBOX")
		if err != nil {
			t.Fatal(err)
		}
		arrived := map[string]int{}
		for _, raw := range raws {
			for line := range strings.Lines(string(raw)) {
				if id, ok := strings.CutPrefix(line, "Message-ID: "); ok {
					arrived[strings.TrimSpace(id)]++
				}
			}
		}
		for i := range letters {
			if arrived[fmt.Sprintf("<%d@demo>", i+1)] == 0 {
				t.Errorf("letter %d never arrived", i+1)
			}
		}
		t.Logf("%d letters, %d arrived, %d bytes of log, %d and %d connections", letters, len(raws), len(log.String()), imapFront.count(), smtpFront.count())
		cancel()
		running.Wait()
		_ = in.Close()
		_ = out.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
}
