package club_test

import (
	"testing"

	"samizdat/adjudicator/club"
)

// TestTournamentNumbers: a number that is missing, or is 0 where none can be, is asked for.
func TestTournamentNumbers(t *testing.T) {
	t.Parallel()
	const tournament = "1989 SWISS TEMPO slow STARTS 2026-12-01 "
	for _, more := range []string{"ROUNDS", "ROUNDS 0", "UP TO", "UP TO 0"} {
		if _, terms, err := club.ReadTournament(tournament + more); err == nil {
			t.Errorf("%q is read as %+v", more, terms)
		}
	}
	if _, terms, err := club.ReadTournament(tournament + "ROUNDS 5 UP TO 16"); err != nil || terms.Rounds != 5 || terms.MaxEntrants != 16 {
		t.Errorf("terms %+v, error %v", terms, err)
	}
}
