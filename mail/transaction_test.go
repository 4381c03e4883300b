package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"

	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

// urgentFirst gives letters in the order of the database: urgent ones, then those that
// are due for longest.
type urgentFirst struct{ *memBox }

func (b urgentFirst) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	due, err := b.memBox.Due(ctx, now, sendBatchSize, except...)
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.SortStableFunc(due, func(x, y Outgoing) int {
		if x.Urgent != y.Urgent {
			if x.Urgent {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.letters[x.ID].next.UnixNano(), b.letters[y.ID].next.UnixNano())
	})
	return due[:min(limit, len(due))], err
}

// week sends for seven days and adds a letter to ann@x every 47 minutes, which the
// server takes. It gives how many it took and the longest wait of one.
func week(t *testing.T, box *memBox, answer func(Outgoing) (stage, error)) (sent int, slowest time.Duration) {
	t.Helper()
	s := NewSender(SMTPConfig{}, urgentFirst{box}, nil)
	queued := map[int64]time.Time{}
	s.dial = scripted(func(letter Outgoing) (stage, error) {
		if letter.To != "ann@x" {
			return answer(letter)
		}
		sent++
		slowest = max(slowest, time.Since(queued[letter.ID]))
		return "", nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 7*24*time.Hour)
	defer cancel()
	go func() {
		for id := int64(100); sleep(ctx, 47*time.Minute); id++ {
			box.mu.Lock()
			queued[id] = time.Now()
			box.mu.Unlock()
			box.add(id, "ann@x")
			for len(box.booked) > 0 {
				<-box.booked
			}
			s.Wake()
		}
	}()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return sent, slowest
}

// TestOneRecipientSpeaksOfUs: a recipient's server may answer in words that speak of a
// sender's account. Nobody else's letter waits for that, and his ends some day.
func TestOneRecipientSpeaksOfUs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		urgent bool
		err    error
	}{
		{"a code for us", false, smtpError(550, 5, 7, 57, "Client not authenticated to send mail")},
		{"a code for us, urgent", true, smtpError(550, 5, 7, 57, "Client not authenticated to send mail")},
		{"his limit", true, smtpError(452, 4, 2, 2, "recipient exceeded daily message limit")},
		{"his account", true, smtpError(550, 5, 2, 1, "Your account has been disabled")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox("odd@x")
				box.letters[1].Urgent = tt.urgent
				sent, slowest := week(t, box, func(Outgoing) (stage, error) { return atRcpt, tt.err })
				if odd := box.letters[1]; !odd.permanent || slowest > time.Second || sent < 200 {
					t.Errorf("%d tries, given up %v; %d others sent, one after %v", odd.Attempts, odd.permanent, sent, slowest)
				}
			})
		})
	}
}

// TestTwoDeadReaders: two recipients with one and the same answer look like a refusal
// of ours. They end as well, as soon as the server takes other letters.
func TestTwoDeadReaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@y", "b@z")
		box.letters[1].Urgent, box.letters[2].Urgent = true, true
		sent, slowest := week(t, box, func(Outgoing) (stage, error) { return atRcpt, smtpError(550, 5, 7, 1, "disabled by policy") })
		if !box.letters[1].permanent || !box.letters[2].permanent || sent < 200 {
			t.Errorf("%+v, %+v, sent %d", box.letters[1], box.letters[2], sent)
		}
		// While the two come together, a pause may lie before another letter.
		if slowest > maxRefusalPause {
			t.Errorf("another letter waited %v", slowest)
		}
	})
}

// TestOneLetterInAnOutage: while the server takes nothing at all from us, one letter
// alone is not lost, though no second recipient shows whose fault it is.
func TestOneLetterInAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("ann@x")
		startTime := time.Now()
		sent := 0
		s := NewSender(SMTPConfig{}, box, nil)
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			if d := time.Since(startTime); letter.ID == 2 && d < 9*24*time.Hour {
				return atRcpt, smtpError(550, 5, 4, 5, "Daily user sending limit exceeded.")
			}
			sent++
			return "", nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*24*time.Hour)
		defer cancel()
		go func() {
			<-box.booked
			box.add(2, "ben@x")
			s.Wake()
		}()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if sent != 2 || box.letters[2].permanent {
			t.Errorf("sent %d, after %d tries: given up %v", sent, box.letters[2].Attempts, box.letters[2].permanent)
		}
	})
}

// turnServer is an SMTP server that notes which commands it hears at once: it answers what
// it has read, and reads again.
type turnServer struct {
	pipelining bool
	// answers are those to commands that are not taken.
	answers map[string]string
	turns   []string
	// lastTaken are the texts of letters.
	taken []string
}

// serve answers until the client goes away.
func (s *turnServer) serve(c net.Conn) {
	defer c.Close()
	buf := make([]byte, 64<<10)
	answer, content := "220 here\r\n", false
	for {
		if _, err := c.Write([]byte(answer)); err != nil {
			return
		}
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		var heard []string
		answer = ""
		if text, whole := strings.CutSuffix(string(buf[:n]), "\r\n.\r\n"); content && whole {
			s.turns, s.taken = append(s.turns, "letter"), append(s.taken, text)
			answer, content = "250 taken\r\n", false
			continue
		}
		for line := range strings.Lines(string(buf[:n])) {
			verb := strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r == ':' })[0]
			heard = append(heard, verb)
			reply := s.reply(verb)
			answer += reply + "\r\n"
			content = verb == "DATA" && strings.HasPrefix(reply, "354")
		}
		s.turns = append(s.turns, strings.Join(heard, " "))
	}
}

func (s *turnServer) reply(verb string) string {
	reply, refused := s.answers[verb]
	switch {
	case refused:
		delete(s.answers, verb)
		return reply
	case verb == "DATA":
		return "354 go on"
	case verb == "EHLO" && s.pipelining:
		return "250-here\r\n250 PIPELINING"
	}
	return "250 yes"
}

// notOurs says of the first letter that another sends it.
type notOurs struct{ Claims }

func (notOurs) Holds(id int64) bool { return id != 1 }

// TestCommandsAtOnce sends two letters over a connection. Commands go together where the server
// takes them so, and whatever it says to the first letter is not taken for the second.
func TestCommandsAtOnce(t *testing.T) {
	t.Parallel()
	const together, second = "MAIL RCPT DATA,letter", ",MAIL RCPT DATA,letter"
	for _, tt := range []struct {
		name    string
		old     bool
		claims  Claims
		answers map[string]string
		at      stage
		want    string
	}{
		{name: "all at once", want: together + second},
		{name: "a server that cannot", old: true, want: "MAIL,RCPT,DATA,letter,MAIL,RCPT,DATA,letter"},
		{name: "DATA waits for the claim", claims: notOurs{}, at: atData, want: "MAIL RCPT,RSET,EHLO,MAIL RCPT,DATA,letter"},
		{name: "sender refused", answers: map[string]string{"MAIL": "550 5.7.1 no", "RCPT": "503 what", "DATA": "503 what"}, at: atMail, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "recipient refused", answers: map[string]string{"RCPT": "550 5.1.1 nobody", "DATA": "554 to whom"}, at: atRcpt, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "DATA refused", answers: map[string]string{"DATA": "451 4.3.0 later"}, at: atData, want: "MAIL RCPT DATA,RSET,EHLO" + second},
		{name: "a letter to nobody is wanted", answers: map[string]string{"RCPT": "550 5.1.1 nobody"}, at: atRcpt, want: "MAIL RCPT DATA"},
		{name: "server closes", answers: map[string]string{"MAIL": "421 4.3.2 bye"}, at: atMail, want: "MAIL RCPT DATA"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &turnServer{pipelining: !tt.old, answers: tt.answers}
			ours, theirs := net.Pipe()
			ended := make(chan struct{})
			go func() { s.serve(theirs); close(ended) }()
			cfg := SMTPConfig{Login: Login{Address: "here:25", TLS: NoTLS}, Claims: tt.claims,
				Dial: func(context.Context, string, string) (net.Conn, error) { return ours, nil }}
			c, err := dialSMTP(t.Context(), cfg.WithDefaults())
			if err != nil {
				t.Fatal(err)
			}
			letter := func(id int64) Outgoing {
				return Outgoing{ID: id, EnvelopeFrom: referee, To: "ann@demo", Raw: fmt.Appendf(nil, "letter %d\r\n", id)}
			}
			at, err := c.deliver(letter(1))
			if at != tt.at || (err != nil) != (tt.at != "") {
				t.Errorf("stopped at %q: %v", at, err)
			}
			if refused := (*smtp.SMTPError)(nil); at != "" && !errors.As(err, &refused) && !errors.Is(err, errClaimLost) {
				t.Errorf("%v is no answer to the letter", err)
			}
			isRepeated := strings.HasSuffix(tt.want, "letter")
			if isRepeated {
				if at != "" {
					err = c.Reset()
				}
				if at, second := c.deliver(letter(2)); err != nil || second != nil {
					t.Errorf("second letter, at %q: %v, %v", at, err, second)
				}
			}
			_ = c.Close()
			<-ended
			if got := strings.Join(s.turns[1:], ","); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if want := isRepeated; slices.Contains(s.taken, "letter 2") != want || slices.Contains(s.taken, "letter 1") != (tt.at == "") {
				t.Errorf("taken: %q", s.taken)
			}
		})
	}
}

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
