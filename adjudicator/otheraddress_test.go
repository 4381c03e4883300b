package adjudicator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// TestAnswersToFrom: a mail program that answers to From and not to Reply-To names our letter in In-Reply-To: that
// counts as its token does, for players and for those who watch.
func TestAnswersToFrom(t *testing.T) {
	t.Parallel()
	f := newForged(t)
	box := f.mailbox[address(f.victim)]
	mine := box[slices.IndexFunc(box, func(l message.Letter) bool { return slices.Contains(l.ReplyTo, f.token) })]
	m := message.Draft{From: address(f.victim), To: f.codec.Address, Subject: "Re: " + mine.Subject, InReplyTo: mine.MessageID, Date: f.now, Text: f.line}
	before := f.state(t)
	for name, change := range map[string]func(m *message.Draft){
		"another sign":         func(m *message.Draft) { m.InReplyTo = changeMAC(m.InReplyTo, 3) },
		"another number":       func(m *message.Draft) { m.InReplyTo = tokenWith(m.InReplyTo, 2, "1") },
		"another match":        func(m *message.Draft) { m.InReplyTo = strings.Replace(m.InReplyTo, f.id, f.other, 1) },
		"another domain":       func(m *message.Draft) { m.InReplyTo = strings.Replace(m.InReplyTo, "@club", "@elsewhere", 1) },
		"the rival's letter":   func(m *message.Draft) { m.InReplyTo = f.last(f.rival).MessageID },
		"beside a token":       func(m *message.Draft) { m.To = f.theirs },
		"from another address": func(m *message.Draft) { m.From = mallory },
		"in References alone":  func(m *message.Draft) { m.References, m.InReplyTo = []string{m.InReplyTo}, "1@elsewhere.test" },
		"from the rival":       func(m *message.Draft) { m.From = address(f.rival) },
		"a machine's":          func(m *message.Draft) { m.AutoSubmitted = "auto-replied" },
		"the id as a token":    func(m *message.Draft) { m.To, m.InReplyTo = "referee+"+m.InReplyTo, "" },
		"an observer's":        func(m *message.Draft) { m.InReplyTo = tokenWith(m.InReplyTo, 1, "o1") },
	} {
		m := m
		m.MessageID = strings.Map(func(r rune) rune { return max(r, '0') }, name) + "@x"
		change(&m)
		if f.receive(m); f.state(t) != before {
			t.Fatalf("%s: the match has changed", name)
		}
	}
	m.MessageID = "good@x"
	had := f.letters(f.victim)
	if folder := f.receive(m); folder != mail.Done || f.letters(f.victim) != had+1 || f.state(t) == before {
		t.Errorf("it is filed in %s, and answered with\n%s", folder, f.last(f.victim).Text)
	}
}

// TestFromElsewhere: a good answer from another address does nothing, and its player is told by a letter of its own.
func TestFromElsewhere(t *testing.T) {
	t.Parallel()
	f := newForged(t)
	before := f.state(t)
	m := f.letter(f.victim, f.line)
	for i, from := range []string{"daniel.smith@mail.work.example", strings.Replace(address(f.victim), "@", "+games@", 1)} {
		m.From, m.MessageID = from, fmt.Sprint(i, "@x")
		had := f.letters(f.victim)
		if folder := f.receive(m); folder != mail.Refused || f.letters(f.victim) != had+1 || len(f.mailbox[from]) > 0 {
			t.Fatalf("%s: filed in %s, %d letters", from, folder, f.letters(f.victim)-had)
		}
		l := f.last(f.victim)
		narrow(t, l.Text)
		if strings.Contains(from, "+") {
			wants(t, l.Text, "The reply came from "+from)
		} else {
			golden(t, "addresses/elsewhere.txt", l.Subject+"\n\n"+l.Text)
		}
		f.take(f.victim)
		m.MessageID = "again@x"
		if f.receive(m); f.letters(f.victim) != had {
			t.Errorf("%s: told twice on a day", from)
		}
		f.now = f.now.Add(24 * time.Hour)
	}
	raw := plain(f, "From: "+address(f.victim)+", "+mallory, f.token)
	f.handle(t, strings.ReplaceAll(raw, "\n", "\r\n"))
	f.deliver()
	golden(t, "addresses/unreadable-from.txt", f.last(f.victim).Text)
	if f.state(t) != before {
		t.Error("the match has changed")
	}
}

// TestThreeAnswers: who writes to the bare address is told three times a day how it is done, and not by the same
// letter twice.
func TestThreeAnswers(t *testing.T) {
	t.Parallel()
	f := newForged(t)
	had, m := f.letters(f.victim), f.letter(f.victim, f.line)
	m.To, m.InReplyTo = f.codec.Address, ""
	for i, want := range []int{1, 1, 2, 3, 3, 3} {
		m.MessageID = fmt.Sprint(max(i, 1), "@x")
		if f.receive(m); f.letters(f.victim)-had != want {
			t.Fatalf("letter %d: %d answers, want %d", i, f.letters(f.victim)-had, want)
		}
	}
}
