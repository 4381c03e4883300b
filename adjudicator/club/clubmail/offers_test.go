package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/mail/message"
)

// due lets the club do what is due.
func (h *house) due() {
	h.t.Helper()
	if err := h.club.RunDueTasks(h.t.Context(), h.now); err != nil {
		h.t.Fatal(err)
	}
	h.deliver()
}

// match is the newest match that somebody has a letter of.
func (h *house) match(name string) *match.Match {
	h.t.Helper()
	l := h.ofMatch(name)
	id := l.Subject[strings.LastIndex(l.Subject, "[")+1 : len(l.Subject)-1]
	m, err := h.db.Match(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// ofMatch is the newest letter of a match that somebody has.
func (h *house) ofMatch(name string) message.Letter {
	h.t.Helper()
	box := h.mailbox[at(name)]
	for i := len(box) - 1; i >= 0; i-- {
		if strings.HasSuffix(box[i].Subject, "]") {
			return box[i]
		}
	}
	h.t.Fatalf("%s has no letter of a match", name)
	return message.Letter{}
}

// TestOffer: a match that is offered is accepted, begins at once without another letter, and is
// gone from the list; its dice are bound before anybody accepts.
func TestOffer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	offered := h.answers("Ada", "OFFER 1989 AS Communist TEMPO standard")
	golden(t, "offers/offered.txt", offered.Text)
	golden(t, "offers/list.txt", h.answers("Ben", "OFFERS").Text)
	h.answers("Ben", "ACCEPT 1")
	m := h.match("Ben")
	accepted := ""
	for _, l := range h.mailbox[at("Ben")] {
		if strings.Contains(l.Text, "ACCEPT 1: done") {
			accepted = l.Text
		}
	}
	golden(t, "offers/accepted.txt", strings.ReplaceAll(accepted, m.ID, "MATCH"))
	if m.Seats[1].PlayerName != "Ada" || m.Seats[0].PlayerName != "Ben" || m.State != match.Playing || m.Tempo.IsUntimed() {
		t.Errorf("the match is %s, %s against %s, %v", m.State, m.Seats[0].PlayerName, m.Seats[1].PlayerName, m.Tempo)
	}
	if !strings.Contains(offered.Text, m.Secret.Commitment()) || m.Seats[0].SeedWords == "" || m.Seats[0].SeedWords == m.Seats[1].SeedWords {
		t.Errorf("the dice were not bound, or words are missing: %q, %q", m.Seats[0].SeedWords, m.Seats[1].SeedWords)
	}
	first := h.ofMatch("Ben")
	narrow(t, first.Text)
	if !strings.Contains(first.Text, m.Secret.Commitment()) || !strings.Contains(first.Text, "HOW IT WORKS") {
		t.Errorf("the first letter:\n%s", first.Text)
	}
	if got := h.answers("Cleo", "ACCEPT 1\nOFFERS").Text; !strings.Contains(got, "no longer open") || !strings.Contains(got, "There are no offers") {
		t.Errorf("Cleo is told:\n%s", got)
	}
	rec, err := h.adj.Export(t.Context(), m.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.VerifyStream(rec); err != nil {
		t.Error(err)
	}
	if got := h.reply("Ben", first, "STATUS"); !strings.Contains(got.Text, "Set-up") && !strings.Contains(got.Text, "set-up") {
		t.Errorf("the match does not answer:\n%s", got.Text)
	}
}

// TestChallenge: a challenge goes to one member, and nobody else learns of it.
func TestChallenge(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	golden(t, "offers/challenge.txt", h.answers("Ada", "CHALLENGE Ben 1989 BIDDING").Text)
	golden(t, "offers/challenged.txt", h.last("Ben").Subject+"\n\n"+h.last("Ben").Text)
	for _, order := range []string{"ACCEPT 1", "DECLINE 1", "WITHDRAW 1"} {
		if got, none := h.answers("Cleo", order).Text, h.answers("Cleo", strings.Replace(order, "1", "7", 1)).Text; strings.ReplaceAll(got, "1", "7") != none {
			t.Errorf("%s tells that there is a challenge:\n%s", order, got)
		}
	}
	if got := h.answers("Cleo", "OFFERS").Text; strings.Contains(got, "Ada") {
		t.Errorf("Cleo sees it:\n%s", got)
	}
	h.answers("Ben", "DECLINE 1")
	golden(t, "offers/declined.txt", h.last("Ada").Text)
	h.answers("Ada", "CHALLENGE Ben 1989 BIDDING")
	h.answers("Ben", "ACCEPT 2")
	if m := h.match("Ben"); m.Options["bidding"] != "yes" {
		t.Errorf("the options are %v", m.Options)
	}
}

// TestGathering: a game of many seats gathers players until the date, and begins with those who
// are there; with too few it lapses, and those are told.
func TestGathering(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo", "Dora", "Emil")
	h.answers("Ada", "OFFER 1789 FOR 3 DAYS")
	h.answers("Emil", "OFFER 1789 SEATS 6 FOR 3 DAYS")
	for _, n := range []string{"Ben", "Cleo", "Dora"} {
		h.answers(n, "ACCEPT 1")
	}
	h.answers("Ada", "ACCEPT 2")
	h.now = h.now.Add(80 * time.Hour)
	h.due()
	if m := h.match("Ada"); len(m.Seats) != 4 || m.State != match.Playing {
		t.Errorf("the match has %d seats, and is %s", len(m.Seats), m.State)
	}
	golden(t, "offers/lapsed.txt", h.last("Emil").Text)
	sent := h.sent
	h.due()
	if h.sent != sent {
		t.Error("it lapses twice")
	}
}

// TestPairing: those who want to be paired are, not with whom they play already, and not more
// often than they want.
func TestPairing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	golden(t, "offers/pair.txt", h.answers("Ada", "PAIR ME 1989 UP TO 2").Text)
	h.answers("Ben", "PAIR ME 1989")
	h.due()
	m := h.match("Ada")
	if len(m.Seats) != 2 || m.State != match.Playing {
		t.Fatalf("the match is %+v", m)
	}
	h.now = h.now.Add(time.Hour)
	h.due()
	if again := h.match("Ada"); again.ID != m.ID {
		t.Error("Ada and Ben are paired twice at once")
	}
	h.answers("Cleo", "PAIR ME 1989 UP TO 3")
	h.now = h.now.Add(time.Hour)
	h.due()
	second := h.match("Ada")
	if second.ID == m.ID || second.Seats[0].PlayerName != "Cleo" && second.Seats[1].PlayerName != "Cleo" {
		t.Errorf("Ada's second match is %s", second.ID)
	}
	if seat := func(m *match.Match) int {
		if m.Seats[0].PlayerName == "Ada" {
			return 0
		}
		return 1
	}; seat(m) == seat(second) {
		t.Error("Ada has the same side twice")
	}
	if got := h.answers("Cleo", "UNPAIR\nUNPAIR 1989").Text; !strings.Contains(got, "will not be paired any more") {
		t.Errorf("Cleo is told:\n%s", got)
	}
}

// TestFlood: offers by the thousand are refused after a few, and nobody else is bothered.
func TestFlood(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	got := len(h.mailbox[at("Ben")])
	for i := range long.N(25, 60) {
		var text strings.Builder
		for j := range 20 {
			fmt.Fprintf(&text, "OFFER 1989\nCHALLENGE Ben 1989 EXTRA=%d\n", (i+j)%9)
		}
		h.answers("Ada", text.String())
	}
	open, err := h.db.Club.OpenOffers(t.Context())
	if err != nil || len(open) != club.Default().MaxOffers {
		t.Errorf("%d offers are open, %v", len(open), err)
	}
	if n := len(h.mailbox[at("Ben")]) - got; n != 1 {
		t.Errorf("Ben got %d letters", n)
	}
	for i := range long.N(50, 100) {
		h.answers("Ada", fmt.Sprintf("WITHDRAW %d\nCHALLENGE Ben 1989", i))
	}
	if n := len(h.mailbox[at("Ben")]) - got; n > 30 {
		t.Errorf("Ben got %d letters", n)
	}
}

// TestClubWordsInMatches: an order to the club in a letter of a match does nothing, and its writer
// is told where it belongs.
func TestClubWordsInMatches(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	id := h.invites("Ada", "Ben")
	for text, says := range map[string]string{
		"LADDER": "LADDER is a command for the club, not for a match", "OFFER 1989 AS Democrat": "OFFER is a command for the club", "games": "GAMES is a command for the club",
	} {
		got := strings.Join(strings.Fields(h.reply("Ada", h.newest("Ada", id), text).Text), " ")
		if !strings.Contains(got, says) || !strings.Contains(got, "or in a new letter to "+h.codec.Address) {
			t.Errorf("%s:\n%s", text, got[:600])
		}
	}
	if offers, err := h.db.Club.OpenOffers(t.Context()); err != nil || len(offers) != 0 {
		t.Errorf("%v, %v", offers, err)
	}
	if got := h.reply("Ada", h.newest("Ada", id), "Who plays the Democrat?").Text; strings.Contains(got, "command for the club") {
		t.Errorf("talk is taken for an order to the club:\n%s", got[:600])
	}
}
