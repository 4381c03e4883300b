package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

// memBox is a Queue in memory that tells what was booked.
type memBox struct {
	mu      sync.Mutex
	letters map[int64]*memLetter
	booked  chan string
	// sentErr makes Sent fail so many times.
	sentErr int
}

type memLetter struct {
	Outgoing
	next      time.Time
	done      bool
	permanent bool
}

func newBox(to ...string) *memBox {
	b := &memBox{letters: map[int64]*memLetter{}, booked: make(chan string, 1000)}
	for i, t := range to {
		b.add(int64(i+1), t)
	}
	return b
}

func (b *memBox) add(id int64, to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	raw := fmt.Sprintf("From: judge@demo\r\nTo: %s\r\nMessage-ID: <%d@demo>\r\n\r\nYour move.\r\n", to, id)
	b.letters[id] = &memLetter{Outgoing: Outgoing{ID: id, EnvelopeFrom: "judge@demo", To: to, Raw: []byte(raw)}}
}

func (b *memBox) Due(_ context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Outgoing
	for _, l := range b.letters {
		if !l.done && !l.next.After(now) && !slices.Contains(except, l.ID) {
			out = append(out, l.Outgoing)
		}
	}
	slices.SortFunc(out, func(a, b Outgoing) int { return int(a.ID - b.ID) })
	return out[:min(limit, len(out))], nil
}

func (b *memBox) MarkSent(_ context.Context, ids []int64, _ time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sentErr > 0 {
		b.sentErr--
		return errors.New("database is locked")
	}
	for _, id := range ids {
		b.letters[id].done = true
		b.booked <- fmt.Sprint("sent ", id)
	}
	return nil
}

func (b *memBox) MarkFailed(_ context.Context, id int64, _, next time.Time, isPermanent bool, reason string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.letters[id]
	l.Attempts++
	l.next, l.done, l.permanent = next, isPermanent, isPermanent
	b.booked <- fmt.Sprintf("failed %d permanent=%v: %s", id, isPermanent, reason)
	return nil
}

func (b *memBox) MarkDeferred(_ context.Context, id int64, _, next time.Time, reason string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.letters[id].next = next
	b.booked <- fmt.Sprintf("deferred %d: %s", id, reason)
	return nil
}

func (b *memBox) NextDue(context.Context) (time.Time, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var next time.Time
	found := false
	for _, l := range b.letters {
		if !l.done && (!found || l.next.Before(next)) {
			next, found = l.next, true
		}
	}
	return next, found, nil
}

func (b *memBox) next(t *testing.T) string {
	t.Helper()
	select {
	case s := <-b.booked:
		return s
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was booked")
		return ""
	}
}

// flaky is an SMTP server that behaves by schedule.
type flaky struct {
	mu sync.Mutex
	// afterDot says what to do with the n-th letter: "" takes it, "drop" takes
	// it and closes without an answer.
	afterDot []string
	got      []string
	conn     *smtp.Conn
	rcpt     map[string]*smtp.SMTPError
}

type flakySession struct {
	f *flaky
	c *smtp.Conn
}

func (s *flakySession) Reset()                               {}
func (s *flakySession) Logout() error                        { return nil }
func (s *flakySession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *flakySession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	if e := s.f.rcpt[to]; e != nil {
		return e
	}
	return nil
}

func (s *flakySession) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	how := ""
	if n := len(s.f.got); n < len(s.f.afterDot) {
		how = s.f.afterDot[n]
	}
	s.f.got = append(s.f.got, string(b))
	switch how {
	case "drop":
		_ = s.c.Conn().Close()
	}
	s.f.conn = s.c
	return nil
}

// closeConn closes the connection the last letter came over.
func (f *flaky) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.conn.Close()
}

func startFlaky(t *testing.T, f *flaky) SMTPConfig {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &flakySession{f, c}, nil }))
	done := make(chan struct{})
	go func() { _ = srv.Serve(listener); close(done) }()
	t.Cleanup(func() { _ = srv.Close(); <-done })
	return SMTPConfig{Login: Login{Address: listener.Addr().String(), TLS: NoTLS}, CommandTimeout: 10 * time.Second, SubmissionTimeout: 10 * time.Second}
}

// TestDayOfTrouble is twenty-four hours of every kind of trouble with the
// connections. At the end every letter was handled once and every letter went
// out; there was no knocking without pause, no flood of log lines, and no
// goroutine is left (synctest sees to that).
func TestDayOfTrouble(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		imapServer, smtpServer, imapFront, smtpFront := mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes()
		server, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapServer, SMTPListener: smtpServer,
			Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
		if err != nil {
			t.Fatal(err)
		}
		front := func(target *mailtest.Pipes, listener net.Listener, smtp bool) *mailtest.Proxy {
			p, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: listener, Target: "server", Dial: target.Dial, SMTP: smtp})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		in, out := front(imapServer, imapFront, false), front(smtpServer, smtpFront, true)

		var log logBuffer
		store, box := newStore(), newBox()
		poller := NewPoller(IMAPConfig{Login: Login{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass}, Dial: imapFront.Dial}, store, log.logger())
		sender := NewSender(SMTPConfig{Login: Login{Address: "mail.example:465", TLS: NoTLS, User: referee, Password: pass}, Dial: smtpFront.Dial}, box, log.logger())
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = poller.Run(ctx) })
		running.Go(func() { _ = sender.Run(ctx) })

		random := rand.New(rand.NewPCG(1, 2))
		letters := 0
		post := func() {
			letters++
			if err := mailboxOver(imapServer, referee).Deliver(mail3(fmt.Sprint("n", letters))); err != nil {
				t.Error(err)
			}
			box.add(int64(letters), "ann@demo")
			sender.Wake()
		}
		both := func(f mailtest.Fault) { in.Set(f); out.Set(f) }
		phases := []struct {
			hours int
			begin func()
			cut   bool
		}{
			{3, func() {}, false},
			{3, func() {}, true},
			{2, func() { imapFront.Refuse(true); smtpFront.Refuse(true) }, false},
			{2, func() { both(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Stall}) }, false},
			{1, func() { both(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Drop}) }, false},
			{1, func() {
				in.Set(mailtest.Fault{On: "LOGIN", Do: mailtest.Answer, Text: "NO [AUTHENTICATIONFAILED] no"})
				out.Set(mailtest.Fault{On: "AUTH", Do: mailtest.Answer, Text: "535 5.7.8 no"})
			}, false},
			{2, func() {
				in.Set(mailtest.Fault{On: "IDLE", Do: mailtest.Drop})
				out.Set(mailtest.Fault{On: "MAIL", Do: mailtest.Drop})
			}, false},
			{2, func() {
				in.Set(mailtest.Fault{On: "SEARCH", Do: mailtest.Answer, Text: "NO [SERVERBUG] oops"})
				out.Set(mailtest.Fault{On: "RCPT", Do: mailtest.Answer, Text: "451 4.3.0 later"})
			}, false},
			{2, func() {
				in.Set(mailtest.Fault{On: "MOVE", Do: mailtest.StallAfter, Every: 2})
				out.Set(mailtest.Fault{On: mailtest.AtDot, Do: mailtest.StallAfter, Every: 2})
			}, false},
			{2, func() { both(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Slow, Delay: 2 * time.Second}) }, false},
			{4, func() { both(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Stall, Skip: 20, Every: 17}) }, true},
		}
		startTime := time.Now()
		for _, p := range phases {
			imapFront.Refuse(false)
			smtpFront.Refuse(false)
			in.Set()
			out.Set()
			p.begin()
			imapBefore, smtpBefore, lines := imapFront.Dials(), smtpFront.Dials(), strings.Count(log.String(), "\n")
			for range p.hours * 6 {
				post()
				time.Sleep(10 * time.Minute)
				if p.cut && random.IntN(2) == 0 {
					in.Cut()
					out.Cut()
				}
			}
			hours := time.Duration(p.hours) * time.Hour
			for what, n := range map[string]int{"IMAP dials": imapFront.Dials() - imapBefore, "SMTP dials": smtpFront.Dials() - smtpBefore} {
				// A knock every half minute, on average, is not too much for anybody.
				if n > 120*p.hours {
					t.Errorf("%s in %v: %d", what, hours, n)
				}
			}
			if n := strings.Count(log.String(), "\n") - lines; n > 600*p.hours {
				t.Errorf("log lines in %v: %d", hours, n)
			}
			t.Logf("%v: %d IMAP dials, %d SMTP dials", hours, imapFront.Dials()-imapBefore, smtpFront.Dials()-smtpBefore)
		}
		if d := time.Since(startTime); d != 24*time.Hour {
			t.Errorf("the day was %v long", d)
		}
		// Good weather, and the longest pause between two tries.
		imapFront.Refuse(false)
		in.Set()
		out.Set()
		time.Sleep(maxRetry + time.Hour)
		if len(subjects(t, mailboxOver(imapServer, referee), "INBOX")) != 0 || !box.allDone() {
			t.Error("there are letters left")
		}
		for i := range letters {
			if commits, _ := store.times(fmt.Sprint("n", i+1)); commits != 1 {
				t.Errorf("letter %d was committed %d times", i+1, commits)
			}
		}
		raws, err := mailboxOver(imapServer, "ann@demo").Folder("INBOX")
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
		t.Logf("%d letters, %d arrived, %d bytes of log, %d and %d connections", letters, len(raws), len(log.String()), imapFront.Dials(), smtpFront.Dials())
		cancel()
		running.Wait()
		_ = in.Close()
		_ = out.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
}
