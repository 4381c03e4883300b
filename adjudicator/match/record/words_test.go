package record_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
)

// TestWordsThatLookTheSame: words in another form than they are mixed in are refused. They look
// the same to whoever reads them, and give other dice.
func TestWordsThatLookTheSame(t *testing.T) {
	t.Parallel()
	g := rulestest.Game()
	h := record.Header{Game: g.Name(), Rules: g.Revision(), Match: "m1"}
	minimum, _ := g.Seats()
	h.Seats = map[string]string{}
	for i := range minimum {
		h.Seats[string(rune('a'+i))] = ""
	}
	names := g.SeatNames(h.Setup(g))
	h.Seats = map[string]string{}
	for _, n := range names {
		h.Seats[n], h.Words = "player", append(h.Words, "the words")
	}
	for _, w := range []string{"solid ark", "łódka 👍", "letter " + strings.Repeat("ab", 32), strings.Repeat("ł", 300)} {
		if h.Words[0] = w; record.VerifyHeader(h, g) != nil {
			t.Errorf("%q are refused: %v", w, record.VerifyHeader(h, g))
		}
	}
	for _, w := range []string{"", "solid  ark", " solid ark", "solid ark ", "solid\u00a0ark", "solid\u200bark", "so\u00adlid ark", "solid\tark", "solid ark\n", "solid\u2003ark", "\xff", strings.Repeat("ł", 301)} {
		if h.Words[0] = w; record.VerifyHeader(h, g) == nil {
			t.Errorf("%q are good", w)
		}
	}
}
