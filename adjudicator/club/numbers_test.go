package club_test

import (
	"testing"

	"samizdat/adjudicator/club"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// TestNumbersAreAskedFor: a number that is missing, or is 0 where none can be, is asked for, and
// stands for nothing else.
func TestNumbersAreAskedFor(t *testing.T) {
	t.Parallel()
	r := club.Reader{Games: rules.Games{dawn1989.Game{}, revolution1789.Game{}}}
	for _, text := range []string{
		"MOST", "MOST 0", "ACCEPT 0", "WITHDRAW", "DECLINE",
		"OFFER 1789 SEATS", "OFFER 1789 SEATS 0", "OFFER 1789 FOR", "OFFER 1789 FOR 0 DAYS", "PAIR ME 1989 UP TO", "PAIR ME 1989 UP TO 0", "OFFER 1989 EXTRA",
	} {
		lines := r.Read(text)
		if len(lines) != 1 || lines[0].Kind != club.Unreadable || lines[0].Why == "" {
			t.Errorf("%q is read as %+v", text, lines)
		}
	}
	const tournament = "1989 SWISS TEMPO slow STARTS 2026-12-01 "
	for _, more := range []string{"ROUNDS", "ROUNDS 0", "UP TO", "UP TO 0"} {
		if _, terms, err := club.ReadTournament(tournament + more); err == nil {
			t.Errorf("%q is read as %+v", more, terms)
		}
	}
	if _, terms, err := club.ReadTournament(tournament + "ROUNDS 5 UP TO 16"); err != nil || terms.Rounds != 5 || terms.Most != 16 {
		t.Errorf("terms %+v, error %v", terms, err)
	}
}
