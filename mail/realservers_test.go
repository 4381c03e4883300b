//go:build integration

package mail_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-smtp"

	"samizdat/internal/test/mailtest/realmail"
	"samizdat/mail"
	"samizdat/mail/message"
)

// These tests run against a real Dovecot and a real Postfix.

const password = realmail.Password

func accessToken(user string, until time.Time) string { return realmail.AccessToken(user, until) }

type servers struct {
	imap, imaps, lmtp, smtp, submission, submissions, ca string
}

func startServers(t *testing.T) servers {
	t.Helper()
	s := realmail.Start(t, []string{"judge@test", "ways@test", "back@test", "ann@test"}, []string{"gone@test"})
	return servers{imap: s.IMAP, imaps: s.IMAPS, lmtp: s.LMTP, smtp: s.SMTP, submission: s.Submission, submissions: s.Submissions, ca: s.CA}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ways are the protections and logins that are tried against real servers.
type way struct {
	name      string
	tls, auth string
	token     bool
}

var ways = []way{
	{"plain", mail.NoTLS, mail.AuthAuto, false},
	{"plain SASL PLAIN", mail.NoTLS, mail.AuthPlain, false},
	{"STARTTLS", mail.StartTLS, mail.AuthAuto, false},
	{"STARTTLS SASL LOGIN", mail.StartTLS, mail.AuthLogin, false},
	{"TLS", mail.TLS, mail.AuthAuto, false},
	{"TLS SASL PLAIN", mail.TLS, mail.AuthPlain, false},
	{"TLS SASL LOGIN", mail.TLS, mail.AuthLogin, false},
	{"TLS XOAUTH2", mail.TLS, mail.AuthXOAuth2, true},
	{"TLS OAUTHBEARER", mail.TLS, mail.AuthOAuthBearer, true},
	{"STARTTLS token", mail.StartTLS, mail.AuthAuto, true},
}

// tokens gives an access token that has ended, and after a refusal a good one.
func tokens(t *testing.T, user string) mail.TokenSource {
	dir := t.TempDir()
	old, good := filepath.Join(dir, "old"), filepath.Join(dir, "good")
	write(t, old, accessToken(user, time.Now().Add(-30*time.Second)))
	write(t, good, accessToken(user, time.Now().Add(time.Hour)))
	return mail.TokenCommand("cat " + old + " 2>/dev/null && rm " + old + " || cat " + good)
}

// realWays: a letter goes out and comes in by every protection and
// every login.
func realWays(t *testing.T, s servers) {
	got := make(chan string, 100)
	for i, w := range ways {
		out := mail.SMTPConfig{Login: mail.Login{Address: s.submissions, TLS: w.tls, CAFile: s.ca, User: "ann@test", Password: password, Auth: w.auth}, Hello: "ann.test"}
		in := mail.IMAPConfig{Login: mail.Login{Address: s.imaps, TLS: w.tls, CAFile: s.ca, User: "ways@test", Password: password, Auth: w.auth}, Reconnect: mail.Backoff{First: 50 * time.Millisecond}}
		switch w.tls {
		case mail.NoTLS:
			// Postfix takes no password without TLS, and needs none for its own users.
			out.Address, out.User, out.Auth, in.Address = s.smtp, "", mail.AuthAuto, s.imap
		case mail.StartTLS:
			out.Address, in.Address = s.submission, s.imap
		}
		if w.token {
			out.Password, in.Password = "", ""
			out.Tokens, in.Tokens = tokens(t, "ann@test"), tokens(t, "ways@test")
			out.Reconnect = mail.Backoff{First: 50 * time.Millisecond}
		}
		t.Run(w.name, func(t *testing.T) {
			b := newBox()
			b.put(mail.Outgoing{ID: 1, EnvelopeFrom: "ann@test", To: "ways@test", Raw: fmt.Appendf(nil, "From: ann@test\r\nTo: ways@test\r\nSubject: way %d\r\nMessage-ID: <way%d@ann.test>\r\n\r\nPASS\r\n", i, i)})
			background(t, mail.NewSender(out, b, quiet(t)).Run)
			if line := b.uidNext(t); line != "sent 1" {
				t.Fatal(line)
			}
			background(t, mail.NewPoller(in, mail.HandlerFunc(func(_ context.Context, r mail.Received) (mail.Folder, error) {
				got <- message.Read(r.Raw).Subject
				return mail.Done, nil
			}), quiet(t)).Run)
			if subject := receive(t, got, "handled"); subject != fmt.Sprint("way ", i) {
				t.Errorf("got %s", subject)
			}
		})
	}
	await(t, s, "ways@test", dotted(mail.Done), uint32(len(ways)))
}

// lmtp delivers a letter as Postfix does, past it.
func lmtp(t *testing.T, s servers, subject string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.lmtp)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	if err := c.Mail("ann@test", nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt("back+token@test", nil); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(w, "From: ann@test\r\nSubject: %s\r\n\r\nPASS\r\n", subject); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// login opens a mail program's connection to Dovecot.
func login(t *testing.T, s servers) *imapclient.Client {
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
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Login("back@test", password).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// remake makes a folder anew, with another UIDVALIDITY and one letter.
func remake(t *testing.T, c *imapclient.Client, folder, subject string) {
	t.Helper()
	_ = c.Delete(folder).Wait()
	if err := c.Create(folder, nil).Wait(); err != nil {
		t.Fatal(err)
	}
	raw := "Subject: " + subject + "\r\n\r\nPASS\r\n"
	a := c.Append(folder, int64(len(raw)), nil)
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

// realChanges: others deliver, delete, renumber and rename while
// the poller is at work.
func realChanges(t *testing.T, s servers) {
	c := login(t, s)
	type seen struct {
		subject       string
		validity, uid uint32
	}
	got := make(chan seen, 100)
	start := func(mailbox string) {
		background(t, mail.NewPoller(mail.IMAPConfig{Login: mail.Login{Address: s.imaps, TLS: mail.TLS, CAFile: s.ca, User: "back@test", Password: password}, Mailbox: mailbox,
			IdleRestart: 500 * time.Millisecond, Reconnect: mail.Backoff{First: 50 * time.Millisecond, Max: 200 * time.Millisecond}},
			mail.HandlerFunc(func(_ context.Context, r mail.Received) (mail.Folder, error) {
				got <- seen{message.Read(r.Raw).Subject, r.UIDValidity, r.UID}
				return mail.Done, nil
			}), quiet(t)).Run)
	}
	want := func(subject string) seen {
		t.Helper()
		g := receive(t, got, "handled")
		if g.subject != subject {
			t.Fatalf("got %q, want %q", g.subject, subject)
		}
		return g
	}
	start("INBOX")
	for i := range 30 {
		lmtp(t, s, fmt.Sprint("together ", i))
	}
	// They are handled in the order of their numbers, each once. Dovecot, which may not wait for
	// its list of numbers to deliver into a Maildir, now and then numbers a letter behind the next.
	together := map[string]bool{}
	var last uint32
	for range 30 {
		g := receive(t, got, "handled")
		if g.uid <= last {
			t.Errorf("letter %d was handled behind letter %d", g.uid, last)
		}
		last, together[g.subject] = g.uid, true
	}
	for i := range 30 {
		if s := fmt.Sprint("together ", i); !together[s] {
			t.Errorf("%q was not handled; handled were %q", s, slices.Sorted(maps.Keys(together)))
		}
	}
	await(t, s, "back@test", dotted(mail.Done), 30)

	// The numbers begin again, while the poller lies in IDLE.
	remake(t, c, "Letters", "first")
	start("Letters")
	first := want("first")
	await(t, s, "back@test", dotted(mail.Done), 31)
	remake(t, c, "Letters", "second")
	second := want("second")
	if second.uid != first.uid || second.validity == first.validity {
		t.Errorf("it was %+v and is %+v: the numbers did not begin again", first, second)
	}
	await(t, s, "back@test", dotted(mail.Done), 32)

	// Renamed away, and a new one in its place.
	if err := c.Rename("Letters", "Elsewhere", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	remake(t, c, "Letters", "third")
	want("third")

	// What another program threw away is none of our business.
	if _, err := c.Select("Letters", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	raw := "Subject: deleted\r\n\r\nPASS\r\n"
	a := c.Append("Letters", int64(len(raw)), &imap.AppendOptions{Flags: []imap.Flag{imap.FlagDeleted}})
	if _, err := a.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Wait(); err != nil {
		t.Fatal(err)
	}
	lmtp(t, s, "last")
	want("last")
	await(t, s, "back@test", dotted(mail.Done), 34)
	await(t, s, "back@test", "Letters", 1)

	// Our own folder is deleted; the next letter makes it again.
	if err := c.Delete(dotted(mail.Done)).Wait(); err != nil && !strings.Contains(err.Error(), "NONEXISTENT") {
		t.Fatal(err)
	}
	lmtp(t, s, "after that")
	want("after that")
	await(t, s, "back@test", dotted(mail.Done), 1)
}
