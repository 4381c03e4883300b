package clubmail_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
)

// passes lets time pass in steps, and happen what is due.
func (h *house) passes(d, step time.Duration) {
	h.t.Helper()
	for end := h.now.Add(d); h.now.Before(end); {
		h.does("", "waits", step.String())
	}
}

// enters makes a tournament, enters members, and lets it start.
func (h *house) enters(name string, terms tournament.Terms, members ...string) *tournament.Tournament {
	h.t.Helper()
	h.holds(name, terms)
	for _, n := range members {
		h.answers(n, "ENTER "+name)
	}
	h.now = h.cup(name).Starts
	for range 3 {
		h.later(time.Minute)
	}
	return h.cup(name).Progress
}

// with finds the meeting of two in a round, and its points, the first's first.
func meetingOf(life *tournament.Tournament, round int, a, b int64) (m tournament.Meeting, points [2]int) {
	for _, m = range life.Rounds[round].Meetings {
		switch {
		case m.First == a && m.Second == b:
			return m, m.Points
		case m.First == b && m.Second == a:
			return m, [2]int{m.Points[1], m.Points[0]}
		}
	}
	return tournament.Meeting{}, points
}

// TestTournamentEndsByClock: where a club has no tempo, and lets time be claimed, the matches of
// its tournaments have a tempo and are forfeited: nobody answers, and the tournament ends.
func TestTournamentEndsByClock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.with(adjudicator.Invitation{OnTimeout: clock.Claim})
	h.joins("Ada", "Ben", "Cleo", "Dan")
	err := h.club.OpenTournament(t.Context(), club.Tournament{Name: "cup", MatchTerms: club.Terms{Game: "1989"}, Starts: h.now.Add(daysOf)}, tournament.Terms{Kind: tournament.Swiss}, "the director", "why not")
	if err == nil || !strings.Contains(err.Error(), "write TEMPO") {
		t.Errorf("a tournament without a tempo: %v", err)
	}
	h.enters("cup", tournament.Terms{Kind: tournament.Swiss, Rounds: 2}, "Ada", "Ben", "Cleo", "Dan")
	h.passes(40*daysOf, 6*time.Hour)
	life := h.cup("cup").Progress
	if life.State != tournament.Over || len(life.Rounds) != 2 {
		t.Fatalf("%s in round %d: %+v", life.State, len(life.Rounds), life.Rounds)
	}
	if n := h.letters("Ben", "The cup is over."); n != 1 {
		t.Errorf("Ben is told %d times of the end", n)
	}
}

// TestCupOfWithdrawn: all three of a knock-out withdraw, one resigns both matches of the first
// round: the one with the bye, who has played nothing, does not win, and neither does anybody.
func TestCupOfWithdrawn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := []string{"Ada", "Ben", "Cleo"}
	h.joins(names...)
	life := h.enters("cup", tournament.Terms{Kind: tournament.KnockOut}, names...)
	for _, n := range names {
		h.answers(n, "WITHDRAW cup")
	}
	for _, m := range life.Rounds[0].Meetings {
		h.resigns(m.Match, "Ben")
	}
	h.later(time.Minute)
	h.later(time.Minute)
	if life = h.cup("cup").Progress; life.State != tournament.Over || len(life.Winners) != 0 {
		t.Errorf("%s, %v win", life.State, life.Winners)
	}
	golden(t, "cup/nobody.txt", masked(h.last("Cleo").Text))
}

// TestTournamentCalledOff: where words are sealed, and invitations of other matches never lapse,
// whoever declines a match, or lets its invitation lapse, has lost it; one that the director takes
// back is a draw. The next round begins at once.
func TestTournamentCalledOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.with(adjudicator.Invitation{SealedWords: true})
	names := []string{"Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"}
	h.joins(names...)
	life := h.enters("cup", tournament.Terms{Kind: tournament.Swiss, Rounds: 2}, names...)
	called := func(id int64) string { return names[id-1] }
	declined, lapsed, cancelled := life.Rounds[0].Meetings[0], life.Rounds[0].Meetings[1], life.Rounds[0].Meetings[2]
	h.reply(called(declined.First), h.newest(called(declined.First), declined.Match), "DECLINE no time")
	for i, text := range []string{h.newest(called(declined.First), declined.Match).Text, h.newest(called(declined.Second), declined.Match).Text} {
		if said := strings.Join(strings.Fields(text), " "); !strings.Contains(said, []string{"In the tournament you lose this match.", "In the tournament the match counts as lost by " + called(declined.First)}[i]) {
			t.Errorf("one is told\n%s", text)
		}
	}
	h.reply(called(lapsed.First), h.newest(called(lapsed.First), lapsed.Match), "JOIN SEALED "+strings.Repeat("ab", 32))
	if _, err := h.adj.ExecuteDirective(t.Context(), cancelled.Match, match.Directive{Verb: match.DirectorCancel, Why: "it rains"}, true); err != nil {
		t.Fatal(err)
	}
	h.later(time.Minute)
	if n := len(h.cup("cup").Progress.Rounds); n != 1 {
		t.Errorf("round %d is paired, and a match of the first goes on", n)
	}
	h.passes(15*daysOf, 12*time.Hour)
	life = h.cup("cup").Progress
	for _, c := range []struct {
		what    string
		meeting tournament.Meeting
		want    [2]int
	}{{"declined", declined, [2]int{0, 2}}, {"lapsed", lapsed, [2]int{2, 0}}, {"cancelled", cancelled, [2]int{1, 1}}} {
		if m, points := meetingOf(life, 0, c.meeting.First, c.meeting.Second); !m.Done || points != c.want {
			t.Errorf("%s: %+v", c.what, m)
		}
	}
	if len(life.Rounds) != 2 || life.State != tournament.Running {
		t.Errorf("%s in round %d", life.State, len(life.Rounds))
	}
}

// TestTournamentBrokenOff: one player cannot break off a match of a tournament, nor can both pause
// it; what both break off is a draw, and so is what the director annuls, there or in the club.
func TestTournamentBrokenOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := []string{"Ada", "Ben", "Cleo", "Dan"}
	h.joins(names...)
	life := h.enters("cup", tournament.Terms{Kind: tournament.Swiss, Rounds: 3}, names...)
	called := func(id int64) string { return names[id-1] }
	m := life.Rounds[0].Meetings[0]
	first, second := called(m.First), called(m.Second)
	if text := h.reply(first, h.newest(first, m.Match), "PAUSE 90 days").Text; !strings.Contains(text, "cannot be paused") || h.stored(m.Match).Requests != nil {
		t.Errorf("a pause:\n%s", text)
	}
	h.reply(first, h.newest(first, m.Match), "ABORT "+m.Match)
	if s := h.stored(m.Match); s.State != match.Playing || len(s.Requests) != 1 {
		t.Fatalf("after ABORT of one it is %s, %+v", s.State, s.Requests)
	}
	h.reply(second, h.newest(second, m.Match), "ABORT YES")
	other := life.Rounds[0].Meetings[1]
	if _, err := h.adj.ExecuteDirective(t.Context(), other.Match, match.Directive{Verb: match.DirectorAnnul, Why: "it rains"}, true); err != nil {
		t.Fatal(err)
	}
	h.passes(8*daysOf, 12*time.Hour)
	life = h.cup("cup").Progress
	for _, m := range life.Rounds[0].Meetings {
		if !m.Done || m.Points != [2]int{1, 1} {
			t.Errorf("broken off: %+v", m)
		}
	}
	if len(life.Rounds) != 2 {
		t.Fatalf("round %d", len(life.Rounds))
	}
	for _, m := range life.Rounds[1].Meetings {
		h.resigns(m.Match, called(m.Second))
	}
	h.later(time.Minute)
	m = h.cup("cup").Progress.Rounds[1].Meetings[0]
	if m.Points != [2]int{2, 0} {
		t.Errorf("resigned: %+v", m)
	}
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Annul, Name: m.Match, Reason: "both had one mailbox"}, "the director"); err != nil {
		t.Fatal(err)
	}
	h.later(time.Minute)
	if m = h.cup("cup").Progress.Rounds[1].Meetings[0]; m.Points != [2]int{1, 1} {
		t.Errorf("annulled: %+v", m)
	}
}

// TestTournamentOfAbsent: whoever never answers does not win a knock-out, not even against somebody
// who does not either.
func TestTournamentOfAbsent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.enters("cup", tournament.Terms{Kind: tournament.KnockOut}, "Ada", "Ben")
	h.passes(60*daysOf, 6*time.Hour)
	if life := h.cup("cup").Progress; life.State != tournament.Over || !slices.Equal(life.Winners, nil) {
		t.Errorf("%s, %v win: %+v", life.State, life.Winners, life.Rounds)
	}
}

// TestOldTournament: a tournament that was made when none needed a tempo has the standard one.
func TestOldTournament(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	life, err := tournament.New(tournament.Terms{Kind: tournament.RoundRobin})
	if err != nil {
		t.Fatal(err)
	}
	old := &club.Tournament{Name: "old", Title: "Old", MatchTerms: club.Terms{Game: "1989", Seats: 2}, Starts: h.now.Add(daysOf), Due: h.now.Add(daysOf), DiceWords: map[int64]string{}, Progress: life}
	if err := h.db.Apply(t.Context(), exchange.Change{Club: &club.Change{Tournaments: []*club.Tournament{old}}}); err != nil {
		t.Fatal(err)
	}
	h.answers("Ada", "ENTER old")
	h.answers("Ben", "ENTER old")
	h.later(2 * daysOf)
	if m := h.match("Ada"); m.Tempo.String() != "72h+12h<=120h" || m.OnTimeout != clock.Forfeit || !m.Tournament {
		t.Errorf("its match has the tempo %s and %s", m.Tempo, m.OnTimeout)
	}
}
