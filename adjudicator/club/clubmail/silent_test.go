package clubmail_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// seatOf is the seat of somebody in a match; empty where he has none.
func seatOf(m *match.Match, name string) record.SeatName {
	for i := range m.Seats {
		if m.Seats[i].PlayerName == name {
			return record.SeatName(m.Seats[i].Name)
		}
	}
	return ""
}

// TestSilentIsNotPaired: who loses a match on time waits no more to be paired, and is told so
// once; his opponent waits on.
func TestSilentIsNotPaired(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.answers("Ada", "PAIR ME 1989 TEMPO standard ZERO forfeit UP TO 3")
	h.answers("Ben", "PAIR ME 1989 TEMPO standard ZERO forfeit UP TO 3")
	h.due()
	m := h.match("Ada")
	for i := 0; i < 40 && h.stored(m.ID).State != match.Over; i++ {
		h.does("", "waits", "48h")
	}
	lost := h.stored(m.ID)
	if lost.State != match.Over || lost.Ended == nil {
		t.Fatalf("the match is %s: %+v", lost.State, lost.Ended)
	}
	silent, other := "Ada", "Ben"
	if lost.Ended.Seat == seatOf(lost, "Ben") {
		silent, other = other, silent
	}
	if n := h.letters(silent, "so we have taken you off the list"); n != 1 {
		t.Errorf("%s, who was silent, is told %d times that he is not paired", silent, n)
	}
	if n := h.letters(other, "so we have taken you off the list"); n != 0 {
		t.Errorf("%s, who won, is told that he is not paired", other)
	}
	for _, l := range h.mailbox[at(silent)] {
		if strings.Contains(l.Subject, "not paired") {
			golden(t, "offers/silent.txt", masked(l.Text))
		}
	}
	h.answers("Cleo", "PAIR ME 1989 TEMPO standard ZERO forfeit")
	h.does("", "waits", "1h")
	if again := h.match("Cleo"); seatOf(again, other) == "" {
		t.Errorf("Cleo plays %+v, and not %s, who waits", again.Seats, other)
	}
	if got := h.answers(silent, "UNPAIR").Text; !strings.Contains(got, "You are not waiting to be paired.") {
		t.Errorf("%s is told:\n%s", silent, got)
	}
}

// TestSilentOfMany: whoever loses a match of many seats on time, which goes on without him, waits no more to be paired;
// when he wants it again, what becomes of the others there does not end it.
func TestSilentOfMany(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := []string{"Ada", "Ben", "Cleo", "Dora", "Emil"}
	h.joins(names...)
	h.answers("Ada", "OFFER 1789 SEATS 5 TEMPO fast ZERO forfeit")
	for _, n := range names[1:] {
		h.answers(n, "ACCEPT 1")
	}
	for _, n := range names {
		h.answers(n, "PAIR ME 1989 TEMPO standard UP TO 9\nMOST 1")
	}
	h.answers("Ben", "VACATION 1989-06-05 TO 1989-06-09")
	for _, n := range names[2:] {
		h.answers(n, "VACATION 1989-06-05 TO 1989-06-20")
	}
	id, gone, back := h.match("Ada").ID, map[string]bool{}, ""
	for range 40 {
		m := h.stored(id)
		for seat := range m.Seats {
			name := m.Seats[seat].PlayerName
			ok := m.State == match.Playing && m.Resigned.Has(rules.Seat(seat))
			if ok && !gone[name] {
				gone[name] = true
				if n := h.letters(name, "goes on without you, so we have taken you off the list"); n != 1 {
					t.Errorf("%s, who has run out of time, is told %d times that he is not paired", name, n)
				}
				if back == "" {
					back = name
					h.answers(name, "PAIR ME 1989 TEMPO standard UP TO 9")
				}
			}
			if n := h.letters(name, "so we have taken you off the list"); n > 0 && m.State == match.Playing && !gone[name] {
				t.Errorf("%s plays, and is told that he is not paired", name)
			}
		}
		if len(gone) == 2 {
			break
		}
		h.does("", "waits", "24h")
	}
	if len(gone) != 2 {
		t.Fatalf("of these the match went on without: %v", gone)
	}
	if n := h.letters(back, "so we have taken you off the list"); n != 1 {
		t.Errorf("%s, who wanted to be paired again, is told %d times that he is not", back, n)
	}
}

// TestClaimedFromIsNotPaired: whoever loses a match to a claim waits no more to be paired, and the
// claimant waits on.
func TestClaimedFromIsNotPaired(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	for _, n := range []string{"Ada", "Ben"} {
		h.answers(n, "PAIR ME 1989 TEMPO fast ZERO claim UP TO 3")
	}
	h.due()
	id := h.match("Ada").ID
	h.does("", "waits", "48h")
	silent, other := "Ada", "Ben"
	for _, seat := range h.stored(id).Seats {
		if seat.Clock.Flagged && seat.PlayerName == "Ben" {
			silent, other = other, silent
		}
	}
	h.reply(other, h.newest(other, id), "CLAIM")
	h.does("", "waits", "1h")
	if n, m := h.letters(silent, "so we have taken you off the list"), h.letters(other, "so we have taken you off the list"); n != 1 || m != 0 {
		t.Errorf("%s, who was silent, is told %d times that he is not paired, the claimant %d times", silent, n, m)
	}
}
