package clubmail_test

import (
	"strings"
	"testing"

	"samizdat/mail/message"
)

// TestVacation: a vacation that the club is told of counts in all matches, and those whom the
// member plays with are told once in each.
func TestVacation(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.answers("Ada", "OFFER 1989 TEMPO standard\nOFFER 1989 TEMPO standard")
	h.answers("Ben", "ACCEPT 1")
	h.answers("Cleo", "ACCEPT 2")
	had := map[string]int{"Ben": len(h.mailbox[at("Ben")]), "Cleo": len(h.mailbox[at("Cleo")])}
	h.said("Ada", "TIMEZONE Warsaw\nVACATION 1989-07-01 TO 1989-07-10", "You are on vacation from 1 July 1989 until the end of 10 July "+
		"1989 (whole days in Europe/Warsaw).")
	for name, n := range had {
		if l := h.last(name); len(h.mailbox[at(name)]) != n+1 || !strings.Contains(strings.Join(strings.Fields(l.Text), " "+
			""), "is on vacation from 1 July 1989 until the end of 10 July 1989") {
			t.Errorf("%s has %d letters, had %d:\n%s", name, len(h.mailbox[at(name)]), n, l.Text)
		}
		m := h.match(name)
		for _, s := range m.Seats {
			if s.PlayerName == "Ada" && len(s.Player.Away.Vacations) != 1 {
				t.Errorf("in match %s she is away %+v", m.ID, s.Player.Away)
			}
		}
	}
	h.said("Ada", "VACATION", "You are on vacation from 1 July 1989 until the end of 10 July 1989.")
	h.answers("Ada", "RESEND ALL\nVACATION OFF 1989-07-01")
	if h.letters("Ada", "until the end of 10 July 1989 is cancelled.") != 1 || h.letters("Ben", "has cancelled the vacation from 1 July "+
		"1989 until the end of 10 July 1989") != 1 {
		t.Error("it does not end")
	}
}

// TestAddress: a member's letters go elsewhere when both addresses have said so, or the new one has and nobody objects for
// three days; in the club as in all his matches. What another reader of his letters asks can be ended.
func TestAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	if got := h.answers("Ada", "ADDRESS new@else.test").Text; !strings.Contains(got, "You have not played any match yet") {
		t.Errorf("without a match:\n%s", got)
	}
	h.answers("Ada", "OFFER 1989")
	h.answers("Ben", "ACCEPT 1")
	asks := func() (answer, old, fresh message.Letter) {
		h.answers("Ada", "ADDRESS fresh@players.test")
		box := h.mailbox[at("Ada")]
		return box[len(box)-2], box[len(box)-1], h.last("fresh")
	}
	answer, old, fresh := asks()
	if !strings.Contains(answer.Text, "We have written to") {
		answer, old = old, answer
	}
	golden(t, "address/answer.txt", answer.Text)
	golden(t, "address/fresh.txt", masked(fresh.Text))
	golden(t, "address/old.txt", masked(old.Text))
	backup := h.answers("Ada", "ADDRESS KEEP").Text
	if !strings.Contains(backup, "The requested change of address is cancelled.") || !strings.Contains(strings.Join(strings.Fields(backup), " "), "Our reply address for you has changed") {
		t.Errorf("she keeps it:\n%s", backup)
	}
	sent := h.sent
	h.letter(message.Draft{From: at("fresh"), To: fresh.ReplyTo[0], Subject: "x", Text: "YES"})
	if p, err := h.db.Club.PlayerIDByAddress(t.Context(), at("fresh")); err != nil || p <= 2 || h.sent > sent+1 {
		t.Fatal("what was ended has happened", p, err)
	}
	_, old, fresh = asks()
	h.reply("fresh", fresh, "YES")
	if h.reply("Ada", old, "YES"); h.last("fresh").ReplyTo == nil {
		t.Fatalf("no letter at the new address that can be answered:\n%s", h.last("fresh").Text)
	}
	m, err := h.db.Club.MemberByAddress(t.Context(), at("fresh"))
	if err != nil || m == nil || m.Name != "Ada" {
		t.Fatalf("at the new address is %+v, %v", m, err)
	}
	h.letter(message.Draft{From: at("fresh"), To: h.codec.Address, Subject: "x", Text: "GAMES"})
	if got := h.answers("fresh", "GAMES").Text; !strings.Contains(got, "1989 v. Ben") {
		t.Errorf("she is told:\n%s", got)
	}
	sent = h.sent
	if h.letter(message.Draft{From: at("Ada"), To: answer.ReplyTo[0], Subject: "x", Text: "GAMES"}); h.sent != sent {
		t.Errorf("the address that she has left is answered:\n%s", h.last("Ada").Text)
	}
	// Nobody objects.
	h.answers("fresh", "ADDRESS ada@players.test")
	h.reply("Ada", h.last("Ada"), "YES")
	h.does("", "waits", "71h")
	if m, err := h.db.Club.MemberByAddress(t.Context(), at("fresh")); err != nil || m == nil {
		t.Error("before three days are over her letters go elsewhere", err)
	}
	h.does("", "waits", "2h")
	if m, err := h.db.Club.MemberByAddress(t.Context(), at("Ada")); err != nil || m == nil {
		t.Error("her letters do not go where she wants them", err)
	}
}
