package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club/tournament"
)

// acts lets the director do something, and confirm it.
func (h *house) acts(text string) {
	h.t.Helper()
	if got := h.directs(text).Text; !strings.Contains(got, "reply to this letter with YES") {
		h.t.Fatalf("%s:\n%s", text, got)
	}
	if got := h.directs("YES").Text; !strings.Contains(got, ": done") {
		h.t.Fatalf("%s:\n%s", text, got)
	}
}

// life is how a tournament stands.
func (h *house) life(name string) *tournament.Tournament {
	h.t.Helper()
	t, err := h.db.Club.Tournament(h.t.Context(), name)
	if err != nil || t == nil {
		h.t.Fatal(t, err)
	}
	return t.Progress
}

// TestDirectTournaments: the director makes a tournament by mail, enters somebody late, takes
// somebody out, swaps two, announces something and calls off, with reasons that members can read.
func TestDirectTournaments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := []string{"Ada", "Ben", "Cleo", "Dora", "Emil"}
	h.joins(names...)
	h.writes("director", "DIRECT CLUB")
	golden(t, "director/page.txt", h.last("director").Text)
	h.acts("TOURNAMENT spring-cup 1989 SWISS ROUNDS 3 STARTS 1989-06-20 TEMPO slow\nBECAUSE it is spring")
	for _, n := range names[:4] {
		h.answers(n, "ENTER spring-cup")
	}
	h.now = time.Date(1989, 6, 20, 0, 0, 0, 0, time.UTC)
	for range 3 {
		h.later(time.Minute)
	}
	life := h.life("spring-cup")
	if life.State != tournament.Running || len(life.Rounds) != 1 {
		t.Fatalf("%+v", life)
	}
	h.acts("ENTER spring-cup Emil BECAUSE his letter was late")
	if l := h.last("Emil"); !strings.Contains(l.Text, "has entered you in spring-cup") {
		t.Errorf("Emil is told\n%s", l.Text)
	}
	pairs := h.life("spring-cup").Rounds[0].Meetings
	name := func(id int64) string { return names[id-1] }
	h.acts(fmt.Sprintf("SWAP spring-cup %s AND %s BECAUSE they are brothers", name(pairs[0].First), name(pairs[1].First)))
	if now := h.life("spring-cup").Rounds[0].Meetings; now[0].Pair == pairs[0].Pair {
		t.Errorf("nobody is swapped: %+v", now)
	}
	h.acts("WITHDRAW spring-cup Dora BECAUSE she is ill")
	h.acts("ANNOUNCE The club meets in the park on Sunday, and\nwhoever comes brings a board, because there are none.")
	golden(t, "director/announced.txt", h.last("director").Text)
	if h.acts("CALL OFF spring-cup BECAUSE it rains"); h.life("spring-cup").State != tournament.CalledOff {
		t.Errorf("%+v", h.life("spring-cup"))
	}
	got := strings.Join(strings.Fields(h.answers("Ada", "LOG").Text), " ")
	for _, want := range []string{"it is spring", "his letter was late", "they are brothers", "she is ill", "it rains"} {
		if !strings.Contains(got, want) {
			t.Errorf("the log does not say that %s:\n%s", want, got)
		}
	}
	news, err := h.db.Club.Announcements(t.Context(), time.Time{}, 9)
	if err != nil || len(news) != 1 || !strings.HasSuffix(news[0].Text, "because there are none.") {
		t.Errorf("%+v, %v", news, err)
	}
}

// TestStartNow: a tournament starts at an hour of a day, or when the director says NOW to one with two entrants.
func TestStartNow(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.writes("director", "DIRECT CLUB")
	h.acts("TOURNAMENT evening-cup 1989 SWISS ROUNDS 1 STARTS 1989-06-20 19:30 TEMPO slow\nBECAUSE it is summer")
	if text := h.answers("Ada", "ENTER evening-cup").Text; !strings.Contains(strings.Join(strings.Fields(text), " "), "It starts on 20 June 1989, 19:30 UTC,") {
		t.Errorf("Ada is told\n%s", text)
	}
	if text := h.directs("TOURNAMENT evening-cup STARTS NOW BECAUSE all are here").Text; !strings.Contains(text, "needs two entrants, and has 1") {
		t.Errorf("with one entrant the director is told\n%s", text)
	}
	h.answers("Ben", "ENTER evening-cup")
	h.acts("TOURNAMENT evening-cup STARTS NOW BECAUSE all are here")
	h.later(time.Minute)
	if life := h.life("evening-cup"); life.State != tournament.Running || len(life.Rounds) != 1 {
		t.Errorf("%+v", life)
	}
	if text := h.directs("TOURNAMENT evening-cup STARTS NOW BECAUSE again").Text; !strings.Contains(text, "does not take entries any more") {
		t.Errorf("after the start the director is told\n%s", text)
	}
}

// TestDirectTournamentsMisused: what cannot be is refused before the director is asked, and says
// what to write.
func TestDirectTournamentsMisused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.writes("director", "DIRECT CLUB")
	var out strings.Builder
	for _, bad := range []string{
		"ANNOUNCE", "ANNOUNCE " + strings.Repeat("very ", 900) + "long",
		"TOURNAMENT", "TOURNAMENT cup 1989 SWISS STARTS 1989-12-01", "TOURNAMENT cup 1989 SWISS BECAUSE so", "TOURNAMENT cup 1989 STARTS 1989-12-01 BECAUSE so", "TOURNAMENT cup SWISS STARTS 1989-12-01 BECAUSE so",
		"TOURNAMENT cup chess SWISS STARTS 1989-12-01 BECAUSE so", "TOURNAMENT cup 1789 SWISS STARTS 1989-12-01 TEMPO slow BECAUSE so", "TOURNAMENT cup 1989 SWISS STARTS 1988-12-01 TEMPO slow BECAUSE so",
		"TOURNAMENT The Cup 1989 SWISS STARTS 1989-12-01 BECAUSE so", "TOURNAMENT cup 1989 SWISS STARTS 1989-12-01 TEMPO soon BECAUSE so",
		"TOURNAMENT cup 1989 SWISS STARTS 1989-12-01 BECAUSE so", "TOURNAMENT cup 1989 SWISS STARTS 1989-12-01 TEMPO none BECAUSE so", "TOURNAMENT cup 1989 SWISS STARTS 1989-12-01 TEMPO phase 48h ZERO claim BECAUSE so",
		"ENTER cup Ada BECAUSE so", "ENTER cup BECAUSE so", "ENTER cup Nobody BECAUSE so", "WITHDRAW cup Ada BECAUSE so", "WITHDRAW cup", "WITHDRAW cup Ada",
		"SWAP cup Ada BECAUSE so", "SWAP cup Ada AND Nobody BECAUSE so", "SWAP cup Ada AND Ben BECAUSE so", "CALL OFF cup", "CALL OFF", "CALL OFF cup Ada BECAUSE so", "CALL OFF cup BECAUSE so",
	} {
		text := h.directs(bad).Text
		narrow(t, text)
		_, text, _ = strings.Cut(text, "YOUR LETTER")
		text, _, _ = strings.Cut(text, "WHO WANTS TO JOIN")
		if strings.Contains(text, "not done yet") || strings.Contains(text, ": done") {
			t.Errorf("%s:\n%s", bad, text)
		}
		fmt.Fprintf(&out, "== %.80s ==\n%s\n", bad, strings.TrimLeft(text, "-\n"))
	}
	golden(t, "director/misuse.txt", out.String())
}
