//go:build integration

package mail_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"

	"samizdat/mail"
	"samizdat/mail/message"
)

// probeFolder is a Queue in memory.
type probeFolder struct {
	mu     sync.Mutex
	queue  []mail.Outgoing
	booked chan string
}

func newBox() *probeFolder { return &probeFolder{booked: make(chan string, 1000)} }

func (b *probeFolder) put(letter mail.Outgoing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, letter)
}

func (b *probeFolder) Due(context.Context, time.Time, int, ...int64) ([]mail.Outgoing, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]mail.Outgoing(nil), b.queue...), nil
}

func (b *probeFolder) remove(id int64) {
	for i, letter := range b.queue {
		if letter.ID == id {
			b.queue = append(b.queue[:i], b.queue[i+1:]...)
			return
		}
	}
}

func (b *probeFolder) MarkSent(_ context.Context, ids []int64, _ time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.remove(id)
		b.booked <- fmt.Sprint("sent ", id)
	}
	return nil
}

func (b *probeFolder) MarkFailed(_ context.Context, id int64, _, _ time.Time, isPermanent bool, reason string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(id)
	b.booked <- fmt.Sprintf("failed %d permanent=%v %s", id, isPermanent, reason)
	return nil
}

func (b *probeFolder) MarkDeferred(_ context.Context, id int64, _, next time.Time, reason string) error {
	return b.MarkFailed(context.Background(), id, next, next, false, reason)
}

func (b *probeFolder) NextDue(context.Context) (time.Time, bool, error) {
	return time.Time{}, false, nil
}

func (b *probeFolder) uidNext(t *testing.T) string { return receive(t, b.booked, "booked") }

func receive[T any](t *testing.T, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(20 * time.Second):
		t.Fatalf("nothing was %s", what)
		panic("not reached")
	}
}

func background(t *testing.T, run func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func quiet(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

// record tells how many messages lie in a folder of an account.
func count(t *testing.T, s servers, account, folder string) uint32 {
	t.Helper()
	pem, err := os.ReadFile(s.ca)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	c, err := imapclient.DialTLS(s.imaps, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: pool}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login(account, password).Wait(); err != nil {
		t.Fatal(err)
	}
	d, err := c.Select(folder, nil).Wait()
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	return d.NumMessages
}

// TestRealServers sends letters through Postfix, reads them from Dovecot, and
// answers them; then it lets one bounce. The servers start once: that takes longer
// than all the rest.
func TestRealServers(t *testing.T) {
	s := startServers(t)
	t.Run("letters", func(t *testing.T) { realLetters(t, s) })
	t.Run("refused", func(t *testing.T) { realRefusals(t, s) })
	t.Run("every way", func(t *testing.T) { realWays(t, s) })
	t.Run("behind our back", func(t *testing.T) { realChanges(t, s) })
}

func realLetters(t *testing.T, s servers) {
	key := []byte("the key of seat 0")
	token := message.NewToken(key, message.LetterName{Match: "m1", Number: 7})

	// Ann writes through her own submission account, with STARTTLS.
	ann := newBox()
	annSender := mail.NewSender(mail.SMTPConfig{Login: mail.Login{Address: s.submission, TLS: mail.StartTLS, CAFile: s.ca, User: "ann@test", Password: password}, Hello: "ann.test"}, ann, quiet(t))
	letter := func(id int64, subject, text string) mail.Outgoing {
		raw, err := message.Draft{From: "ann@test", FromName: "Ann Łódź", To: message.TokenAddress("judge@test", token.String()), Subject: subject,
			MessageID: fmt.Sprintf("%d@ann.test", id), Date: time.Now(), Text: text}.Render()
		if err != nil {
			t.Fatal(err)
		}
		return mail.Outgoing{ID: id, EnvelopeFrom: "ann@test", To: message.TokenAddress("judge@test", token.String()), Raw: raw}
	}

	// The judge answers with implicit TLS.
	judge := newBox()
	judgeSender := mail.NewSender(mail.SMTPConfig{Login: mail.Login{Address: s.submissions, TLS: mail.TLS, CAFile: s.ca, User: "judge@test", Password: password}, Hello: "judge.test",
		Envelope: mail.EnvelopeToken}, judge, quiet(t))
	type seen struct {
		letter message.Letter
		orders string
		ok     bool
	}
	got := make(chan seen, 100)
	poller := mail.NewPoller(mail.IMAPConfig{Login: mail.Login{Address: s.imaps, TLS: mail.TLS, CAFile: s.ca, User: "judge@test", Password: password}}, mail.HandlerFunc(func(_ context.Context, r mail.Received) (mail.Folder, error) {
		l := message.Read(r.Raw)
		tok, ok := message.NewestToken(message.FindTokens(l, "judge@test", message.Seat))
		got <- seen{l, message.OrderText(l.Text, message.Referee{}), ok && tok.IsValid(key)}
		switch {
		case l.AutoReason != "":
			return mail.Ignored, nil
		case strings.HasPrefix(l.Subject, "bad"):
			return mail.Refused, nil
		}
		return mail.Done, nil
	}), quiet(t))
	background(t, annSender.Run)
	background(t, judgeSender.Run)
	background(t, poller.Run)

	for i := range int64(20) {
		subject := "good"
		if i%2 == 1 {
			subject = "bad"
		}
		ann.put(letter(i+1, subject, fmt.Sprintf("PLACE Łódź %d\n", i)))
	}
	annSender.Wake()
	for range 20 {
		if b := ann.uidNext(t); !strings.HasPrefix(b, "sent ") {
			t.Fatal(b)
		}
	}
	for range 20 {
		g := receive(t, got, "handled")
		if !g.ok || len(g.letter.From) != 1 || g.letter.From[0] != "ann@test" || g.letter.AutoReason != "" || !strings.HasPrefix(g.orders, "PLACE Łódź ") {
			t.Fatalf("got %+v", g)
		}
	}

	// The answer reaches Ann.
	id := message.NewLetterID(key, token.LetterName)
	raw, err := message.Draft{From: "judge@test", To: "ann@test", ReplyTo: message.TokenAddress("judge@test", token.String()), Subject: "Your move", MessageID: id.String() + "@judge.test", InReplyTo: "1@ann.test",
		Date: time.Now(), AutoSubmitted: "auto-replied", Text: message.Mark + "\n\nYour move.\n"}.Render()
	if err != nil {
		t.Fatal(err)
	}
	judge.put(mail.Outgoing{ID: 1, LetterID: id.String(), EnvelopeFrom: "judge@test", To: "ann@test", Raw: raw})
	// Postfix knows nothing of nobody, and takes a letter to gone, whom Dovecot
	// does not know: that one bounces.
	judge.put(mail.Outgoing{ID: 2, LetterID: id.String(), EnvelopeFrom: "judge@test", To: "nobody@test", Raw: raw})
	judge.put(mail.Outgoing{ID: 3, LetterID: id.String(), EnvelopeFrom: "judge@test", To: "gone@test", Raw: raw})
	judgeSender.Wake()
	booked := map[string]bool{}
	for range 3 {
		booked[judge.uidNext(t)[:6]] = true
	}
	if !booked["sent 1"] || !booked["sent 3"] || !booked["failed"] {
		t.Errorf("got %v", booked)
	}
	bounce := receive(t, got, "handled")
	if bounce.letter.AutoReason == "" || len(bounce.letter.Bounces) != 1 || bounce.letter.Bounces[0].Recipient != "gone@test" || bounce.letter.Returned.MessageID != id.String()+"@judge.test" {
		t.Errorf("bounce: got %+v", bounce.letter)
	}
	// It was sent to the address that names the letter, which is enough to know it.
	if !slices.Contains(bounce.letter.To, "judge+b-"+id.String()+"@test") {
		t.Errorf("the report was sent to %q", bounce.letter.To)
	}
	bounce.letter.Returned.ReportText = strings.Join(bounce.letter.To, "\n")
	if r, ok := bounce.letter.Report("judge@test"); !ok || r.Letter == nil || !r.Letter.IsValid(key) || r.Failure != message.HardFailure {
		t.Errorf("the report says %+v", r)
	}
	await(t, s, "ann@test", "INBOX", 1)
	await(t, s, "judge@test", dotted(mail.Done), 10)
	await(t, s, "judge@test", dotted(mail.Refused), 10)
	await(t, s, "judge@test", dotted(mail.Ignored), 1)
	await(t, s, "judge@test", "INBOX", 0)

	// Now the poller lies in IDLE.
	ann.put(letter(99, "good", "EVENT 24\n"))
	annSender.Wake()
	if g := receive(t, got, "handled"); g.orders != "EVENT 24\n" {
		t.Errorf("got %q", g.orders)
	}
}

// realRefusals: trouble with the certificate or the login is not
// the letter's fault.
func realRefusals(t *testing.T, s servers) {
	for name, cfg := range map[string]mail.SMTPConfig{
		"untrusted":      {Login: mail.Login{Address: s.submission, TLS: mail.StartTLS, User: "judge@test", Password: password}},
		"untrusted tls":  {Login: mail.Login{Address: s.submissions, TLS: mail.TLS, User: "judge@test", Password: password}},
		"wrong password": {Login: mail.Login{Address: s.submission, TLS: mail.StartTLS, CAFile: s.ca, User: "judge@test", Password: "wrong"}},
	} {
		b := newBox()
		b.put(mail.Outgoing{ID: 1, EnvelopeFrom: "judge@test", To: "ann@test", Raw: []byte("Subject: x\r\n\r\nx\r\n")})
		log := &logCapture{lines: make(chan string, 100)}
		sender := mail.NewSender(cfg, b, slog.New(slog.NewTextHandler(log, nil)))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- sender.Run(ctx) }()
		line := receive(t, log.lines, "logged")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if !strings.Contains(line, "letters are waiting") || strings.Contains(line, `hint=""`) {
			t.Errorf("%s: the operator gets no hint: %s", name, line)
		}
		if len(b.booked) != 0 {
			t.Errorf("%s: the letter was blamed: %s", name, <-b.booked)
		}
	}
}

type logCapture struct{ lines chan string }

func (l *logCapture) Write(b []byte) (int, error) { l.lines <- string(b); return len(b), nil }

// dotted gives a folder's name as this Dovecot has it: maildir separates by
// dots, and the poller must find that out.
func dotted(f mail.Folder) string { return strings.ReplaceAll(string(f), "/", ".") }

// awaitLetter looks until a folder holds n messages.
func await(t *testing.T, s servers, account, folder string, n uint32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		got := count(t, s, account, folder)
		if got == n {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Errorf("%s %s: got %d messages, want %d", account, folder, got, n)
			return
		}
	}
}
