package mail

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-smtp"
	"go.uber.org/goleak"

	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

const (
	referee = "judge@demo"
	pass    = "secret"
)

func startServer(t testing.TB, dir, imapAddr, smtpAddr string) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPAddr: imapAddr, SMTPAddr: smtpAddr, MaxMessage: 40 << 20,
		Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// mailboxOf is what lies in an account of a server, and mailboxOver of one behind pipes.
func mailboxOf(s *embedded.Server, address string) mailtest.Mailbox {
	return mailtest.Mailbox{Server: s.IMAPAddr(), User: address, Password: pass}
}

func mailboxOver(p *mailtest.Pipes, address string) mailtest.Mailbox {
	return mailtest.Mailbox{Dial: p.Dial, User: address, Password: pass}
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
	return IMAPConfig{Login: Login{Address: s.IMAPAddr(), TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: 10 * time.Second}
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

func subject(r Received) string { return message.Read(r.Raw).Subject }

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

func TestMain(m *testing.M) {
	long.Waiting(8)
	remove := long.InMemory()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		remove()
		os.Exit(code)
	}))
}

func logTo(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}
