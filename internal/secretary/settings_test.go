package secretary_test

import (
	"strings"
	"testing"
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
	h.said("Ada", "TIMEZONE Warsaw\nVACATION 1989-07-01 TO 1989-07-10", "You are away from 1 July 1989 until 10 July 1989, whole days in Europe/Warsaw.")
	for name, n := range had {
		if l := h.last(name); len(h.mailbox[at(name)]) != n+1 || !strings.Contains(strings.Join(strings.Fields(l.Text), " "), "is away from 1 July 1989 until 10 July 1989") {
			t.Errorf("%s has %d letters, had %d:\n%s", name, len(h.mailbox[at(name)]), n, l.Text)
		}
		m := h.match(name)
		for _, s := range m.Seats {
			if s.Called == "Ada" && len(s.Player.Away.Vacations) != 1 {
				t.Errorf("in match %s she is away %+v", m.ID, s.Player.Away)
			}
		}
	}
	h.said("Ada", "VACATION", "You are away from 1 July 1989 until 10 July 1989.")
	h.answers("Ada", "RESEND ALL\nVACATION OFF 1989-07-01")
	if h.letters("Ada", "until 10 July 1989 is off.") != 1 || h.letters("Ben", "is not away from 1 July 1989 until 10 July 1989 after all") != 1 {
		t.Error("it does not end")
	}
}
