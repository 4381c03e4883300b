package mail

import (
	"context"
	"testing"
	"time"

	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

// TestSMTPUTF8: an address with other letters than those of ASCII gets its letter,
// where the server can send to such. Where it cannot, that letter is given up, and
// no other is held up.
func TestSMTPUTF8(t *testing.T) {
	t.Parallel()
	const jürgen = "jürgen@exämple.test"
	for _, asciiOnly := range []bool{false, true} {
		t.Run(map[bool]string{false: "with", true: "without"}[asciiOnly], func(t *testing.T) {
			t.Parallel()
			s, err := embedded.Start(t.Context(), embedded.Config{Dir: t.TempDir(), ASCIIOnly: asciiOnly, Accounts: []embedded.Account{
				{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}, {Address: jürgen, Password: pass}}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			box := newBox("ann@demo")
			for id, to := range map[int64]string{2: jürgen, 3: "ann@demo"} {
				raw, err := message.Draft{From: referee, To: to, Subject: "Łódź", MessageID: to, Date: time.Now(), Text: "Your move, Jürgen.\n"}.Render()
				if err != nil {
					t.Fatal(err)
				}
				box.letters[id] = &memLetter{Outgoing: Outgoing{ID: id, EnvelopeFrom: referee, To: to, Raw: raw}}
			}
			sender := NewSender(SMTPConfig{Login: Login{Address: s.SMTPAddr(), TLS: NoTLS, User: referee, Password: pass}}, box, logTo(t))
			dials := 0
			inner := sender.dial
			sender.dial = func(ctx context.Context, c SMTPConfig) (transport, error) { dials++; return inner(ctx, c) }
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- sender.Run(ctx) }()
			until(t, "every letter booked", box.allDone)
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if dials != 1 {
				t.Errorf("%d connections", dials)
			}
			if got := subjects(t, mailboxOf(s, "ann@demo"), "INBOX"); len(got) != 2 {
				t.Errorf("the others have got %v", got)
			}
			raws, err := mailboxOf(s, jürgen).Folder("INBOX")
			if err != nil {
				t.Fatal(err)
			}
			if l := box.letters[2]; asciiOnly {
				if len(raws) != 0 || !l.permanent || l.Attempts != 1 {
					t.Errorf("%d letters arrived, %d tries, given up %v", len(raws), l.Attempts, l.permanent)
				}
				return
			}
			if len(raws) != 1 || box.letters[2].permanent {
				t.Fatalf("%d letters arrived", len(raws))
			}
			if l := message.Read(raws[0]); len(l.To) != 1 || l.To[0] != jürgen || l.Text != "Your move, Jürgen.\n" || l.Subject != "Łódź" {
				t.Errorf("it arrived as %+v", l)
			}
		})
	}
}
