package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/mail"
	"samizdat/mail/message"
)

// TestNewcomer: the first letter of a stranger in plain words is answered with how to join, where the club takes
// members; the next ones, and machines, are not.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.MaxAskedPerDay = 3 })
	hello := message.Draft{From: at("Cleo"), To: h.codec.Address, Subject: "Hello", Text: "Hello,\n\nI would like to join. How does it work?\n\nCleo"}
	robot := hello
	robot.From, robot.AutoSubmitted = at("robot"), "auto-replied"
	if f := h.letter(robot); f != mail.Ignored || h.sent > 0 {
		t.Fatalf("a machine is answered: %s", f)
	}
	if f := h.letter(hello); f != mail.Done || len(h.mailbox[at("Cleo")]) != 1 {
		t.Fatalf("filed in %s, %d letters", f, len(h.mailbox[at("Cleo")]))
	}
	golden(t, "register/help.txt", h.last("Cleo").Text)
	for _, from := range []string{at("Cleo"), "cleo+games@players.test", "Cleo+x@Players.test"} {
		hello.From = from
		if f := h.letter(hello); f != mail.Ignored || h.sent != 1 {
			t.Errorf("%s: answered again: %s", from, f)
		}
	}
	if got := h.answers("Cleo", "REGISTER Cleo").Text; !strings.Contains(got, "Welcome to The Danzig club, Cleo.") {
		t.Errorf("she is told:\n%s", got)
	}
	// What is forged comes to an end, as with REGISTER.
	had := h.sent
	for i := range 10 {
		hello.From = fmt.Sprintf("victim%d@players.test", i)
		h.letter(hello)
	}
	if n := h.sent - had; n > 3 {
		t.Errorf("%d strangers were written to", n)
	}
	closed := newHouse(t, func(c *club.Config) { c.Registration = club.RegistrationClosed })
	if f := closed.letter(hello); f != mail.Ignored || closed.sent > 0 {
		t.Errorf("a club that takes nobody answers: %s", f)
	}
}

// TestSecondLetter: a member whose letter has no token is answered three times a day, and not by the same letter twice.
func TestSecondLetter(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	h.now = h.now.Add(24 * time.Hour)
	had := len(h.mailbox[at("Ada")])
	for i, want := range []int{1, 1, 2, 3, 3, 3} {
		h.letter(message.Draft{From: at("Ada"), To: h.codec.Address, Subject: "x", MessageID: fmt.Sprint(max(i, 1), "@x"), Text: "GAMES"})
		if n := len(h.mailbox[at("Ada")]) - had; n != want {
			t.Errorf("letter %d: %d answers, want %d", i, n, want)
		}
	}
}

// TestOneMailbox: addresses that differ behind a plus are one mailbox: it is asked once a day, and has one member.
func TestOneMailbox(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.writes("Ada+one", "REGISTER Ada")
	h.answers("Ada+one", "YES")
	h.now = h.now.Add(24 * time.Hour)
	had := h.sent
	for i := range 5 {
		h.writes(fmt.Sprintf("Eve+%d", i), fmt.Sprintf("REGISTER Eve %d", i))
	}
	if n := h.sent - had; n != 1 {
		t.Errorf("a mailbox was asked %d times on a day", n)
	}
	h.writes("Ada", "REGISTER Ida")
	if got := h.answers("Ada", "YES").Text; !strings.Contains(got, "already belongs to a member") {
		t.Errorf("a second member of a mailbox is told:\n%s", got)
	}
}

// TestDots: at Gmail, addresses that differ by dots are one mailbox; elsewhere they are two.
func TestDots(t *testing.T) {
	t.Parallel()
	for host, one := range map[string]bool{"gmail.com": true, "players.test": false} {
		h := newHouse(t)
		register := func(from, name string) string {
			for _, text := range []string{"REGISTER " + name, "YES"} {
				to := h.codec.Address
				if box := h.mailbox[from]; len(box) > 0 {
					to = box[len(box)-1].ReplyTo[0]
				}
				h.letter(message.Draft{From: from, To: to, Subject: "x", MessageID: fmt.Sprint(len(h.mailbox[from]), ".", from), Text: text})
			}
			return h.mailbox[from][len(h.mailbox[from])-1].Text
		}
		register("a.da@"+host, "Ada")
		h.now = h.now.Add(24 * time.Hour)
		if got := register("ad.a@"+host, "Ida"); strings.Contains(got, "already belongs to a member") != one {
			t.Errorf("at %s one who has registered as a.da is told as ad.a:\n%s", host, got)
		}
	}
}

// TestAskedTwice: what a letter asks twice is answered once, and what nobody is sent is not looked up.
func TestAskedTwice(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	got := h.answers("Ada", strings.Repeat("WHO\n", 39)).Text
	if strings.Count(got, "MEMBERS: 1\n----------\n") != 1 || !strings.Contains(got, "You asked that above.") {
		t.Errorf("she is told:\n%s", got)
	}
	h.adj.ReplyLimits = mail.NewRateLimiter(mail.Rate{Burst: 1, Every: time.Hour}, mail.Rate{Burst: 1, Every: time.Hour}, func() time.Time { return h.now })
	h.answers("Ada", "GAMES")
	to := h.last("Ada").ReplyTo[0]
	// She reads once that she is not answered, and when to write again.
	for i, want := range []int{1, 0} {
		sent := h.sent
		if f := h.letter(message.Draft{From: at("Ada"), To: to, Subject: "x", MessageID: fmt.Sprint("more", i, "@x"), Text: "GAMES"}); f != mail.Ignored || h.sent != sent+want {
			t.Errorf("filed in %s, %d letters, want %d", f, h.sent-sent, want)
		}
	}
	if last := h.last("Ada"); !strings.Contains(last.Text, "do not answer it") || !strings.Contains(strings.Join(strings.Fields(last.Text), " "), "Please ask again after") {
		t.Errorf("she is told:\n%s", last.Text)
	}
}

// TestSecondAddress: orders of the club count from a second address of a member too, and the answers go to the first.
func TestSecondAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	h.answers("Ada", "PLAY ROBOT 1989")
	token := h.last("Ada")
	from := func(name string) bool {
		had, others := len(h.mailbox[at("Ada")]), len(h.mailbox[at(name)])
		box := h.mailbox[at("Ada")]
		for i := len(box) - 1; i >= 0; i-- {
			if len(box[i].ReplyTo) > 0 && strings.Contains(box[i].ReplyTo[0], "+club-c") {
				token = box[i]
				break
			}
		}
		h.letter(message.Draft{From: at(name), To: token.ReplyTo[0], Subject: "x", Text: "WHO"})
		return len(h.mailbox[at("Ada")]) == had+1 && len(h.mailbox[at(name)]) == others && strings.Contains(h.last("Ada").Text, "MEMBERS: 1")
	}
	h.answers("Ada", "ADDRESS ALSO work@players.test")
	if from("work") {
		t.Fatal("orders count from an address that has not said YES")
	}
	for _, l := range h.mailbox[at("Ada")] {
		if strings.HasPrefix(l.Subject, "Did you ask for a change of address?") {
			h.reply("Ada", l, "YES")
		}
	}
	h.reply("work", h.last("work"), "YES")
	if !from("work") {
		t.Errorf("orders do not count from the second address:\n%s", h.last("Ada").Text)
	}
	if from("mallory") {
		t.Error("orders count from another's")
	}
}
