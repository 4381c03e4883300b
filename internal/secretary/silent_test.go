package secretary_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
)

// seatOf is the seat of somebody in a match; empty where he has none.
func seatOf(m *adjudicator.Match, name string) record.SeatName {
	for i := range m.Seats {
		if m.Seats[i].Called == name {
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
	for i := 0; i < 40 && h.stored(m.ID).State != adjudicator.Over; i++ {
		h.does("", "waits", "48h")
	}
	lost := h.stored(m.ID)
	if lost.State != adjudicator.Over || lost.Acts.Ended == nil {
		t.Fatalf("the match is %s: %+v", lost.State, lost.Acts.Ended)
	}
	silent, other := "Ada", "Ben"
	if lost.Acts.Ended.Seat == seatOf(lost, "Ben") {
		silent, other = other, silent
	}
	if n := h.letters(silent, "wait to be paired any more"); n != 1 {
		t.Errorf("%s, who was silent, is told %d times that he is not paired", silent, n)
	}
	if n := h.letters(other, "wait to be paired any more"); n != 0 {
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
	if got := h.answers(silent, "UNPAIR").Text; !strings.Contains(got, "You do not wait to be paired.") {
		t.Errorf("%s is told:\n%s", silent, got)
	}
}
