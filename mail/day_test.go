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

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

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
		front := func(target *mailtest.Pipes, ln net.Listener, smtp bool) *mailtest.Proxy {
			p, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: ln, Target: "server", Dial: target.Dial, SMTP: smtp})
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
		began := time.Now()
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
		if d := time.Since(began); d != 24*time.Hour {
			t.Errorf("the day was %v long", d)
		}
		// Good weather, and the longest pause between two tries.
		imapFront.Refuse(false)
		in.Set()
		out.Set()
		time.Sleep(lastRetry + time.Hour)
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
