package adjudicator_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// TestNewToken: a player can have another address to answer to; the old one is
// worth nothing from then on, and nobody else is told.
func TestNewToken(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	old := c.letter(seat, line)
	before, total := c.export(id, true), c.total()
	a := c.sends(seat, "new token.")
	if !strings.Contains(a.Text, "reply address for you has changed") || !bytes.Equal(before, c.export(id, true)) || c.total() != total+1 {
		t.Errorf("%d letters; the answer is:\n%s", c.total()-total, a.Text)
	}
	if a.ReplyTo[0] == old.To {
		t.Error("the address is the same")
	}
	c.reopen()
	if f := c.receive(old); f != mail.Refused || !bytes.Equal(before, c.export(id, true)) {
		t.Errorf("a letter to the old address is filed in %s", f)
	}
	c.mailbox[address(seat)] = append(c.mailbox[address(seat)], a)
	// Orders in the same letter count.
	if a := c.sends(seat, "NEW TOKEN\n"+line); strings.Count(a.Text, "done") < 2 || bytes.Equal(before, c.export(id, true)) {
		t.Errorf("the answer is:\n%s", a.Text)
	}
}

// total counts the letters that all players have.
func (c *club) total() (n int) {
	for _, box := range c.mailbox {
		n += len(box)
	}
	return n
}

// TestOpponentInCopy: whoever stands in Cc is sent nothing that he would not be
// sent without, and the token that he has seen there is worth nothing.
func TestOpponentInCopy(t *testing.T) {
	t.Parallel()
	letters := func(copied bool) (c *club, seat string, others []message.Letter, shown string) {
		c, _, seat, line := inTurn(t, rulestest.Game())
		m := c.letter(seat, line)
		if copied {
			var rest []string
			for _, s := range orchards {
				if s != seat {
					rest = append(rest, address(s))
				}
			}
			m.Extra = map[string]string{"Cc": strings.Join(rest, ", ")}
		}
		had := map[string]int{}
		for _, s := range orchards {
			had[s] = len(c.mailbox[address(s)])
		}
		c.receive(m)
		for _, s := range orchards {
			if s != seat {
				others = append(others, c.mailbox[address(s)][had[s]:]...)
			} else if n := len(c.mailbox[address(s)]) - had[s]; n != 1 {
				t.Errorf("%d answers to the writer", n)
			}
		}
		return c, seat, others, m.To
	}
	_, _, want, _ := letters(false)
	c, seat, got, shown := letters(true)
	if len(got) != len(want) {
		t.Fatalf("%d letters to the others, want %d", len(got), len(want))
	}
	for i := range got {
		if unhashed(got[i]).Text != unhashed(want[i]).Text || got[i].Subject != want[i].Subject {
			t.Errorf("letter %d to the others is not the same", i)
		}
	}
	before := c.total()
	m := c.letter(seat, "STATUS")
	m.To = shown
	if f := c.receive(m); f != mail.Refused || c.total() != before+1 || strings.Contains(c.last(seat).Text, "Head") {
		t.Errorf("the token that was shown is good: filed in %s", f)
	}
}

// TestProof: where the operator demands a proof beside the token, a letter
// without it changes nothing and is answered three times a day, to the registered
// address; while it cannot be told, the letter waits.
func TestProof(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	c.codec.Proof = message.ServerProof("mx.club.test")
	before, total := c.export(id, true), c.total()
	m := c.letter(seat, line)
	for i, header := range []string{
		"", "mx.elsewhere.test; dkim=pass header.d=players.test", "mx.club.test; dkim=fail header.d=players.test",
		"mx.club.test; dkim=pass header.d=elsewhere.test", "mx.club.test; spf=pass smtp.mailfrom=players.test",
	} {
		m.Extra, m.MessageID = map[string]string{"Authentication-Results": header}, fmt.Sprint(i, "@players.test")
		f := c.receive(m)
		if want := []mail.Folder{mail.Refused, mail.Ignored}[min(i/3, 1)]; f != want {
			t.Errorf("with %q the letter is filed in %s, want %s", header, f, want)
		}
		if c.total() != total+min(i+1, 3) || !bytes.Equal(before, c.export(id, true)) {
			t.Fatalf("with %q the letter is answered, or changes the match", header)
		}
	}
	a := c.last(seat)
	if !strings.Contains(a.Text, "was not signed") || strings.Contains(a.Text+a.Subject, id) || len(a.ReplyTo) > 0 {
		t.Errorf("the answer is\n%s", a.Text)
	}
	c.mailbox[address(seat)] = c.mailbox[address(seat)][:len(c.mailbox[address(seat)])-3]

	c.codec.Proof = func(context.Context, []byte, message.Letter) (bool, error) { return false, errors.New("no answer") }
	if _, err := c.try(m); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("while it cannot be told: %v", err)
	}
	// Not for ever. And the proof of a stranger's letter is not even looked for.
	raw, err := m.Render()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.handler().Handle(t.Context(), mail.Received{Raw: raw, Arrived: c.now.Add(-72 * time.Hour)}); f != mail.Ignored || err != nil {
		t.Errorf("after three days it is filed in %s, %v", f, err)
	}
	stranger := m
	stranger.From = mallory
	if f, err := c.try(stranger); f != mail.Refused || err != nil {
		t.Errorf("a stranger's letter is filed in %s, %v", f, err)
	}
	c.codec.Proof = message.ServerProof("mx.club.test")
	m.Extra = map[string]string{"Authentication-Results": "mx.club.test; dkim=pass header.d=players.test"}
	if f := c.receive(m); f != mail.Done || bytes.Equal(before, c.export(id, true)) {
		t.Errorf("with the proof it is filed in %s", f)
	}
}

// TestSubjectTokens: a whole beginning where the mail server delivers no
// addresses with a detail.
func TestSubjectTokens(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	c.codec.TokensInSubject = true
	c.reopen()
	id := c.match(rulestest.Game().Name(), nil, orchards...)
	seat := orchards[0]
	l := c.last(seat)
	if l.ReplyTo[0] != c.codec.Address || !strings.Contains(l.Subject, "[samizdat "+id+"-0-") {
		t.Fatalf("reply to %s, subject %q", l.ReplyTo, l.Subject)
	}
	if a := c.sends(seat, "STATUS"); strings.Contains(a.Text, "refused") || !strings.Contains(a.Text, "STATUS") {
		t.Errorf("STATUS is answered with\n%s", a.Text)
	}
	before, good := c.export(id, true), c.letter(seat, "STATUS")
	for name, subject := range map[string]string{
		"no tag":          "Re: your move",
		"the match alone": "[" + id + "]",
		"another seat's":  c.last(orchards[1]).Subject,
		"changed":         strings.Replace(good.Subject, id+"-0-", id+"-1-", 1),
	} {
		m := good
		m.Subject, m.MessageID, m.InReplyTo = subject, strings.ReplaceAll(name, " ", "-")+"@players.test", ""
		d := c.total()
		c.receive(m)
		if got := c.last(seat); c.total() > d && (len(got.ReplyTo) > 0 || strings.Contains(got.Text, id)) {
			t.Errorf("%s: answered with\n%s", name, got.Text)
		}
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letters changed the match")
	}
}

// TestBounces: a report of a letter that did not arrive is booked to its seat,
// never answered, and never believed without the token of the letter.
func TestBounces(t *testing.T) {
	t.Parallel()
	c, id, seat, _ := inTurn(t, rulestest.Game())
	n := 0
	for i, s := range orchards {
		if s == seat {
			n = i
		}
	}
	l := c.last(seat)
	report := func(status, action, returned string) string {
		return strings.ReplaceAll("Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: "+c.codec.Address+"\nAuto-Submitted: auto-replied\n"+
			"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n"+
			"Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; "+address(seat)+"\nAction: "+action+"\nStatus: "+status+
			"\nDiagnostic-Code: smtp; the reason\n\n--b\nContent-Type: message/rfc822\n\n"+returned+"--b--\n", "\n", "\r\n")
	}
	whole := "From: " + c.codec.Address + "\nTo: " + address(seat) + "\nReply-To: " + l.ReplyTo[0] + "\nMessage-ID: <" + l.MessageID + ">\n\nx\n"
	guessed := fmt.Sprintf("%s-%d-%d@club.test", id, n, 1)
	another := c.last(orchards[(n+1)%len(orchards)])
	other := strings.Replace(another.MessageID, fmt.Sprintf("%s-%d-", id, (n+1)%len(orchards)), fmt.Sprintf("%s-%d-", id, n), 1)
	parts := strings.Split(l.MessageID, "-")
	if parts[2] == "1" {
		t.Fatal("there is no letter before it")
	}
	parts[2] = "1"
	before := strings.Join(parts, "-")
	total := c.total()
	book := func() string {
		t.Helper()
		var b strings.Builder
		for i := range orchards {
			for _, e := range c.bounces(t, id, rulesSeat(i)) {
				kind := "soft"
				if e.hard {
					kind = "hard"
				}
				b.WriteString(orchards[i] + " " + kind + " " + e.status + " " + e.reason + "\n")
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ name, raw, want string }{
		{"a Message-ID as anybody could guess it", report("5.1.1", "failed", "Message-ID: <"+guessed+">\n\nx\n"), ""},
		{"a guessed proof", report("5.1.1", "failed", "Message-ID: <"+strings.Replace(guessed, "@", "-abcdefghijklmnop@", 1)+">\n\nx\n"), ""},
		{"the proof of another seat", report("5.1.1", "failed", "Message-ID: <"+other+">\n\nx\n"), ""},
		{"the proof of another letter", report("5.1.1", "failed", "Message-ID: <"+before+">\n\nx\n"), ""},
		{"letters of two seats", report("5.1.1", "failed", "Message-ID: <"+l.MessageID+">\nReferences: <"+another.MessageID+">\n\nx\n"), ""},
		{"our own account", report("5.4.5", "failed", whole), ""},
		{"only the Message-ID, late", report("4.4.1", "delayed", "Message-ID: <"+l.MessageID+">\n\nx\n"), seat + " soft 4.4.1 the reason\n"},
		{"nothing of the letter", report("5.1.1", "failed", ""), seat + " soft 4.4.1 the reason\n"},
		{"a token that is none", report("5.1.1", "failed", strings.NewReplacer(l.ReplyTo[0], changeMAC(l.ReplyTo[0], 3), l.MessageID, "1@x").Replace(whole)), seat + " soft 4.4.1 the reason\n"},
		{"a report that it arrived", report("2.0.0", "delivered", whole), seat + " soft 4.4.1 the reason\n"},
		{"late", report("4.4.1", "delayed", whole), seat + " soft 4.4.1 the reason\n"},
		{"dead", report("5.1.1", "failed", whole), seat + " hard 5.1.1 the reason\n"},
		{"late again", report("4.4.1", "delayed", whole), seat + " hard 5.1.1 the reason\n"},
		{"twice", report("5.1.1", "failed", whole), seat + " hard 5.1.1 the reason\n"},
	} {
		f, err := c.handler().Handle(t.Context(), mail.Received{Raw: []byte(tt.raw), Arrived: c.now})
		if f != mail.Ignored || err != nil {
			t.Errorf("%s: filed in %s, %v", tt.name, f, err)
		}
		if got := book(); got != tt.want {
			t.Errorf("%s: the book says %q, want %q", tt.name, got, tt.want)
		}
	}
	c.deliver()
	if c.total() != total {
		t.Errorf("%d reports were answered", c.total()-total)
	}
	if m, err := c.db.Match(t.Context(), id); err != nil || m.Seats[n].LastLetter == 0 {
		t.Error(err)
	}
}
