package club_test

import (
	"testing"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match/clock"
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
	for text, want := range map[string]string{"TEMPO slow free Sat, Sunday in Warsaw STARTS 2026-12-01 TWICE": "72h+36h<=240h free Sat Sun in Europe/Warsaw",
		"TEMPO phase 2d free Sun 18:00-Mon 06:00 ZERO forfeit STARTS 2026-12-01": "phase 48h free Sun 18:00-Mon 06:00"} {
		got, _, err := club.ReadTournament("1989 ROUND ROBIN " + text)
		tempo, failed := clock.ParseTempo(got.MatchTerms.Tempo)
		if err != nil || failed != nil || tempo.String() != want {
			t.Errorf("%q has tempo %v, errors %v, %v", text, tempo, err, failed)
		}
	}
	free := club.Terms{Tempo: "fast free Sun"}
	if free.SetFreeZone("Europe/Warsaw"); free.Tempo != "24h+4h<=72h free Sun in Europe/Warsaw" {
		t.Error(free.Tempo)
	}
	if free.SetFreeZone("UTC"); free.Tempo != "24h+4h<=72h free Sun in Europe/Warsaw" {
		t.Error(free.Tempo)
	}
	if _, terms, err := club.ReadTournament(tournament + "ROUNDS 5 UP TO 16"); err != nil || terms.Rounds != 5 || terms.MaxEntrants != 16 {
		t.Errorf("terms %+v, error %v", terms, err)
	}
}
