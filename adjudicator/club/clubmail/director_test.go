package clubmail_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/mail/message"
)

// directs lets the director answer his newest letter.
func (h *house) directs(text string) message.Letter {
	h.t.Helper()
	return h.reply("director", h.last("director"), text)
}

// TestDirector: the director admits and bans by mail, after he has confirmed it, with reasons that
// members can read.
func TestDirector(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.Registration = club.RegistrationByApproval })
	h.joins("Ada")
	golden(t, "director/applied.txt", h.last("Ada").Text)
	golden(t, "director/told.txt", h.last("director").Subject+"\n\n"+h.last("director").Text)
	if got := h.answers("Ada", "WHO").Text; !strings.Contains(got, "not yet decided") {
		t.Errorf("Ada is told:\n%s", got)
	}
	golden(t, "director/asked.txt", h.directs("ADMIT Ada").Text)
	golden(t, "director/admitted.txt", h.directs("YES").Text)
	if got := h.last("Ada").Text; !strings.Contains(got, "You may join") {
		t.Errorf("Ada is told:\n%s", got)
	}
	h.joins("Ben")
	h.directs("ADMIT Ben\n")
	h.directs("YES")
	h.answers("Ben", "OFFER 1989")
	for _, bad := range []string{"BAN Ben", "BAN Nobody Here BECAUSE so", "ADMIT Ada", "BAN Ben BECAUSE he shouts\nBAN Ada BECAUSE she does too", "make Ben go away", "YES", "ANNUL mabcdefg BECAUSE it is so"} {
		if got := h.directs(bad).Text; strings.Contains(got, ": done") || strings.Contains(got, "not done yet") {
			t.Errorf("%s:\n%s", bad, got)
		}
	}
	old := h.last("director")
	h.directs("BAN Ben\nBECAUSE he shouts.")
	if got := h.reply("director", old, "YES").Text; strings.Contains(got, ": done") {
		t.Errorf("an old letter:\n%s", got)
	}
	h.directs("YES")
	golden(t, "director/banned.txt", h.last("Ben").Text)
	if got := h.answers("Ben", "OFFER 1989").Text; !strings.Contains(got, "has banned you") {
		t.Errorf("Ben is told:\n%s", got)
	}
	golden(t, "director/log.txt", h.answers("Ada", "OFFERS\nLOG").Text)
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Unban, Name: "ben", Reason: "he has apologised"}, "the operator"); err != nil {
		t.Fatal(err)
	}
	h.deliver()
	if got := h.answers("Ben", "WHO").Text; !strings.Contains(got, "MEMBERS: 2") {
		t.Errorf("Ben is told:\n%s", got)
	}
}

// TestForgedDirector: who forges the director's address gets nothing done, and the director one
// letter a day.
func TestForgedDirector(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada")
	for range 3 {
		h.writes("director", "DIRECT CLUB\nBAN Ada BECAUSE I say so")
	}
	if n := len(h.mailbox[at("director")]); n != 1 {
		t.Errorf("%d letters", n)
	}
	token := h.last("director").ReplyTo[0]
	h.letter(message.Draft{From: at("mallory"), To: token, Subject: "x", Text: "BAN Ada BECAUSE I say so"})
	h.letter(message.Draft{From: at("director"), To: token, Extra: map[string]string{"Cc": at("mallory")}, Subject: "x", Text: "BAN Ada BECAUSE I say so"})
	if got := h.answers("Ada", "WHO").Text; !strings.Contains(got, "MEMBERS: 1") {
		t.Errorf("Ada is told:\n%s", got)
	}
	h.now = h.now.Add(24 * time.Hour)
	h.writes("director", "DIRECT CLUB")
	if got := h.directs("ADMIT Ada").Text; !strings.Contains(got, "cannot be done: Ada is a member") {
		t.Errorf("the director is told:\n%s", got)
	}
}
