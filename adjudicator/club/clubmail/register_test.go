package clubmail_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
	"samizdat/mail"
	"samizdat/mail/message"
)

// TestRegister: a stranger writes REGISTER, is asked once, and is a member when his address has
// said YES.
func TestRegister(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.writes("Ada", "REGISTER Ada\nand a text that somebody wants to send to Ada in our name")
	asked := h.last("Ada")
	golden(t, "register/asked.txt", asked.Subject+"\n\n"+asked.Text)
	if strings.Contains(asked.Text, "wants to send") || strings.Contains(asked.Text, "Ada") {
		t.Errorf("the letter quotes what anybody wrote:\n%s", asked.Text)
	}
	h.writes("Ada", "Register Ada")
	if n := len(h.mailbox[at("Ada")]); n != 1 {
		t.Errorf("%d letters on one day", n)
	}
	welcome := h.answers("Ada", "YES\n\n> === Write above this line. Samizdat reads nothing below it. ===")
	golden(t, "register/welcome.txt", welcome.Subject+"\n\n"+withoutHelp(welcome.Text))
	narrow(t, welcome.Text)
	raw := h.raw[at("Ada")]
	page := strings.NewReplacer("=\r\n", "", "=3D", "=").Replace(raw[len(raw)-1]) // quoted-printable
	for _, order := range []string{"PAIR%20ME%201989", "OFFER%201989", "PLAY%20ROBOT%201989", "HELP"} {
		if !strings.Contains(page, "body="+order) {
			t.Errorf("the page has no link for %s:\n%s", order, page)
		}
	}
	m, err := h.db.Club.MemberByAddress(t.Context(), at("Ada"))
	if err != nil || m == nil || m.Name != "Ada" || m.State != club.MemberActive {
		t.Fatalf("the member is %+v, %v", m, err)
	}
	h.joins("Ben")
	golden(t, "register/who.txt", h.answers("Ada", "WHO\nWHO Ben\nwho is there?").Text)
	help := h.answers("Ada", "HELP").Text
	narrow(t, help)
	golden(t, "register/page.txt", help)
}

// TestAlike: a name that looks like another's is refused when the address has answered, and not
// before: until then nobody is told who is a member.
func TestAlike(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	h.writes("Eve", "REGISTER Nobody Else Has This")
	free := h.last("Eve").Text
	for i, name := range []string{"Аda", "ADA", "Ädа", "Ada", "Α d a", "Democrat", "Samizdat", "ada@else.test", "x"} {
		who := fmt.Sprintf("eve%d", i)
		h.writes(who, "REGISTER "+name)
		if got := h.last(who).Text; got != free {
			t.Errorf("%s: the letter tells something:\n%s", name, got)
		}
		if name == "x" {
			continue
		}
		if got := h.answers(who, "YES").Text; strings.Contains(got, "Welcome") || !strings.Contains(got, "REGISTER and another name") {
			t.Errorf("%q:\n%s", name, got)
		}
		if got := h.answers(who, "REGISTER Eve "+strings.Repeat("z", i+1)).Text; !strings.Contains(got, "Welcome") {
			t.Errorf("another name:\n%s", got)
		}
	}
}

// TestForgedRegistrations: thousands of registrations from forged addresses make us write to a
// bounded number of them, one letter each, and members go on as before.
func TestForgedRegistrations(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.MaxAskedPerDay = 20 })
	h.joins("Ada")
	h.now = h.now.Add(24 * time.Hour)
	had := h.sent
	for i := range long.N(2_000, 10_000) {
		h.uid++
		h.forge(fmt.Sprintf("victim%d", i%long.N(1_000, 5_000)), "REGISTER Ada"+fmt.Sprint(i))
	}
	h.deliver()
	if n := h.sent - had; n != 20 {
		t.Errorf("%d letters", n)
	}
	for to, box := range h.mailbox {
		if len(box) > 1 && to != at("Ada") {
			t.Errorf("%s got %d letters", to, len(box))
		}
	}
	if got := h.answers("Ada", "WHO").Text; !strings.Contains(got, "MEMBERS: 1") {
		t.Errorf("Ada is told:\n%s", got)
	}
	h.now = h.now.Add(24 * time.Hour)
	h.writes("Ben", "REGISTER Ben")
	h.answers("Ben", "YES")
}

// TestForgedFirst: whoever writes REGISTER in another's name before he does reserves nothing, and does not shut him out:
// not under the name that he wants, nor under his address.
func TestForgedFirst(t *testing.T) {
	t.Parallel()
	for _, forged := range []string{"REGISTER Ada", "REGISTER Madam Xyz", "REGISTER Madam Xyz; REGISTER Lord Xyz; REGISTER Madam Xyz", "HELP; REGISTER Madam Xyz"} {
		h := newHouse(t)
		for _, text := range strings.Split(forged, "; ") {
			h.uid++
			h.forge("Ada", text)
			h.forge("mallory", "REGISTER Ada")
		}
		h.deliver()
		h.writes("Ada", "REGISTER Ada")
		if n := len(h.mailbox[at("Ada")]); n == 0 || n > strings.Count(forged, "HELP")+1 {
			t.Errorf("%s: she got %d letters on one day", forged, n)
		}
		got := h.answers("Ada", "YES").Text
		if strings.Contains(got, "Xyz") {
			t.Errorf("%s: she is called what another wanted:\n%s", forged, got)
		}
		if forged != "REGISTER Ada" {
			if !strings.Contains(got, "Which name do you want?") {
				t.Errorf("%s: she is not asked what she wants to be called:\n%s", forged, got)
			}
			got = h.answers("Ada", "REGISTER Ada").Text
		}
		if !strings.Contains(got, "Welcome to The Danzig club, Ada.") {
			t.Errorf("%s: she is told:\n%s", forged, got)
		}
	}
}

// TestProvenRegistration: where letters prove who wrote them, what others wrote in somebody's name before, and to
// how many, does not keep him from joining.
func TestProvenRegistration(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.MaxAskedPerDay = 3 })
	h.uid++
	h.forge("Ada", "REGISTER Madam Eve")
	for i := range 10 {
		h.uid++
		h.forge(fmt.Sprint("victim", i), "REGISTER Ada")
	}
	h.deliver()
	l := exchange.Letter{Sender: exchange.Sender{From: at("Ada")}}
	l.MessageID, l.Text, l.Authenticate = "1@a.test", "REGISTER Ada", func(context.Context) (bool, error) { return true, nil }
	if disposition, isDone, err := h.club.Receive(t.Context(), l); disposition != exchange.DispositionDone || !isDone || err != nil {
		t.Fatal(disposition, isDone, err)
	}
	h.deliver()
	if got := h.answers("Ada", "YES").Text; !strings.Contains(got, "Welcome to The Danzig club, Ada.") {
		t.Errorf("she is told:\n%s", got)
	}
}

// TestTokenOfAnother: a member's token in another's letter does nothing, and tells him nothing. The member is told.
func TestTokenOfAnother(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	token := h.last("Ada").ReplyTo[0]
	sent := h.sent
	if f := h.letter(message.Draft{From: at("mallory"), To: token, Subject: "x", Text: "WHO\nGAMES"}); f != mail.Refused || h.sent != sent+1 || !strings.Contains(h.last("Ada").Text, "m...@p....test") {
		t.Errorf("a stranger with a token: %v, %d letters", f, h.sent-sent)
	}
	h.letter(message.Draft{From: at("Ben"), To: token, Subject: "x", Text: "WHO"})
	if got := h.last("Ben"); !strings.Contains(got.Text, "it was not carried out") || h.sent != sent+2 {
		t.Errorf("a member with the token of another:\n%s", got.Text)
	}
	// A token that others have seen counts once more, and never again.
	h.letter(message.Draft{From: at("Ada"), To: token, Extra: map[string]string{"Cc": at("Ben")}, Subject: "x", Text: "WHO"})
	if got := h.last("Ada").Text; !strings.Contains(got, "MEMBERS: 2") || !strings.Contains(got, "has changed") {
		t.Errorf("a letter to two:\n%s", got)
	}
	h.letter(message.Draft{From: at("Ada"), To: token, Subject: "x", Text: "WHO"})
	if got := h.last("Ada").Text; strings.Contains(got, "MEMBERS") {
		t.Errorf("the old token is still good:\n%s", got)
	}
}

// TestTwice: a letter delivered twice is answered once.
func TestTwice(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.writes("Ada", "REGISTER Ada")
	d := message.Draft{From: at("Ada"), To: h.last("Ada").ReplyTo[0], Subject: "x", MessageID: "same@players.test", Text: "YES"}
	for range 3 {
		h.letter(d)
	}
	if n := len(h.mailbox[at("Ada")]); n > 3 {
		t.Errorf("%d letters", n)
	}
	d.To, d.MessageID, d.Text = h.last("Ada").ReplyTo[0], "other@players.test", "WHO"
	h.letter(d)
	sent := h.sent
	h.letter(d)
	if h.sent != sent {
		t.Errorf("answered again")
	}
}

// TestClosed: without a club, or with one that is closed, nobody joins.
func TestClosed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.Registration = club.RegistrationClosed })
	h.writes("Ada", "REGISTER Ada")
	golden(t, "register/closed.txt", h.last("Ada").Text)
	h.adj.Club = nil
	if f := h.writes("Ben", "REGISTER Ben"); f != mail.Ignored || len(h.mailbox[at("Ben")]) > 0 {
		t.Errorf("without a club: %v", f)
	}
}

// TestStranger: the first letter of a stranger is answered with how to join, whatever it says, and no other.
func TestStranger(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for i, text := range []string{"Hello", "WHO", "WHO Ada", "GAMES", "YES", "buy this", "HELP"} {
		name := fmt.Sprint("mallory", i)
		for k, want := range []mail.Folder{mail.Done, mail.Ignored} {
			if f := h.writes(name, text); f != want || len(h.mailbox[at(name)]) != 1 {
				t.Errorf("letter %d, %s: %v", k+1, text, f)
			}
		}
		golden(t, "register/help.txt", h.last(name).Text)
	}
	h.writes("Ada", "WHO")
	golden(t, "register/token.txt", h.last("Ada").Text)
	h.writes("Ada", "REGISTER Ben")
	if n := len(h.mailbox[at("Ada")]); n != 4 {
		t.Errorf("a member has %d letters", n)
	}
}

// forge takes a letter in, and delivers nothing.
func (h *house) forge(name, text string) {
	h.t.Helper()
	raw, err := message.Draft{From: at(name), To: h.codec.Address, Subject: "x", MessageID: fmt.Sprintf("%d.x@y.test", h.uid), Date: h.now, Text: text}.Render()
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.handler().Handle(h.t.Context(), mail.Received{UIDValidity: 1, UID: h.uid, Arrived: h.now, Size: int64(len(raw)), Raw: raw}); err != nil {
		h.t.Fatal(err)
	}
}

// withoutHelp is a letter without the page on orders, which has a golden file of its own.
func withoutHelp(text string) string {
	text, _, _ = strings.Cut(text, "WHAT YOU CAN WRITE")
	return text
}

// TestForgedHelp: a letter that somebody forges in the name of who is joining does not take the
// name that he has asked for.
func TestForgedHelp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.writes("Ada", "REGISTER Ada")
	asked := h.last("Ada")
	h.forge("Ada", "HELP")
	if got := h.reply("Ada", asked, "YES").Text; !strings.Contains(got, "Welcome to The Danzig club, Ada") {
		t.Errorf("she is told:\n%s", got)
	}
}
