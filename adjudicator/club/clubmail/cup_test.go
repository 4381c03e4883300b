package clubmail_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/match"
)

const daysOf = 24 * time.Hour

// holds makes a tournament.
func (h *house) holds(name string, terms tournament.Terms) {
	h.t.Helper()
	err := h.club.OpenTournament(h.t.Context(), club.Tournament{Name: name, Title: "The " + name, MatchTerms: club.Terms{Game: "1989", Tempo: "standard"}, Starts: h.now.Add(7 * daysOf)}, terms, "the director", "autumn")
	if err != nil {
		h.t.Fatal(err)
	}
}

// cup reads a tournament.
func (h *house) cup(name string) *club.Tournament {
	h.t.Helper()
	t, err := h.db.Club.Tournament(h.t.Context(), name)
	if err != nil || t == nil {
		h.t.Fatalf("%v, %v", t, err)
	}
	return t
}

// ends lets the one of each running match of a tournament lose whose name comes later.
func (h *house) ends(name string) (matches int) {
	h.t.Helper()
	for _, r := range h.cup(name).Progress.Rounds {
		for _, m := range r.Meetings {
			if m.Match == "" || m.Done {
				continue
			}
			matchID := h.stored(m.Match)
			if matchID.State != match.Playing {
				continue
			}
			loser := max(matchID.Seats[0].PlayerName, matchID.Seats[1].PlayerName)
			h.resigns(m.Match, loser)
			matches++
		}
	}
	return matches
}

// TestTournament is one by mail, from its making to its end: entries, rounds, tables, a member
// who withdraws, one who comes late, and all are told once of each round.
func TestTournament(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo", "Dan", "Eve")
	h.holds("autumn-cup", tournament.Terms{Kind: tournament.Swiss, Rounds: 3})
	entered := h.answers("Ada", "TOURNAMENTS\nENTER autumn-cup\nTABLE autumn-cup")
	narrow(t, entered.Text)
	golden(t, "cup/entered.txt", entered.Text)
	for _, n := range []string{"Ben", "Cleo", "Dan"} {
		h.answers(n, "ENTER autumn-cup")
	}
	golden(t, "cup/refused.txt", h.answers("Ada", "ENTER autumn-cup\nENTER winter-cup\nENTER\nWITHDRAW spring-cup\nTABLE the big one\nWITHDRAW autumn-cup\nENTER autumn-cup").Text)
	if h.answers("Ada", "ENTER autumn-cup"); len(h.cup("autumn-cup").Progress.Entrants) != 4 {
		t.Fatalf("%+v", h.cup("autumn-cup").Progress.Entrants)
	}
	had := len(h.mailbox[at("Eve")])
	h.later(8 * daysOf)
	h.later(time.Minute)
	h.later(time.Minute)
	if n := h.letters("Ben", "Round 1 of The autumn-cup begins"); n != 1 {
		t.Errorf("Ben was told %d times of round 1", n)
	}
	if n := h.ends("autumn-cup"); n != 2 {
		t.Fatalf("%d matches in round 1", n)
	}
	h.answers("Eve", "ENTER autumn-cup")
	h.later(time.Minute)
	h.later(time.Minute)
	if n := h.letters("Eve", "Round 2 of The autumn-cup begins"); n != 1 {
		t.Errorf("Eve came late, and was told %d times of round 2", n)
	}
	golden(t, "cup/round2.txt", h.last("Dan").Text)
	h.answers("Cleo", "WITHDRAW autumn-cup")
	for range 6 {
		h.later(time.Minute)
		h.ends("autumn-cup")
	}
	life := h.cup("autumn-cup").Progress
	if life.State != tournament.Over || len(life.Rounds) != 3 {
		t.Fatalf("%+v", life)
	}
	if n := h.letters("Cleo", "The autumn-cup is over"); n != 1 {
		t.Errorf("Cleo, who has withdrawn, was told %d times of the end", n)
	}
	end := h.answers("Ada", "TABLE autumn-cup").Text
	narrow(t, end)
	golden(t, "cup/end.txt", end)
	aloud := h.answers("Ada", "FORMAT SPOKEN\nTABLE autumn-cup\nTOURNAMENTS\nLADDER 1989\nWHO\nRESULTS\nSETTINGS\nSTATS 1989").Text
	spoken(t, aloud)
	golden(t, "cup/spoken.txt", aloud)
	if len(h.mailbox[at("Eve")]) <= had {
		t.Error("Eve has no letters")
	}
	for name, box := range h.mailbox {
		for _, l := range box {
			if strings.Contains(strings.ReplaceAll(l.Text, name, ""), "@players.test") {
				t.Errorf("%s is shown an address:\n%s", name, l.Text)
			}
		}
	}
}

// letters counts the letters that somebody has with some words.
func (h *house) letters(name, words string) (n int) {
	for _, l := range h.mailbox[at(name)] {
		if strings.Contains(strings.Join(strings.Fields(l.Text), " "), words) {
			n++
		}
	}
	return n
}

// TestTournamentMended: a result that is undone reopens the round that it decided; the director
// swaps two players; a tournament nobody enters is off, and so is one that he calls off.
func TestTournamentMended(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo", "Dan")
	h.holds("cup", tournament.Terms{Kind: tournament.Swiss, Rounds: 2})
	h.holds("empty", tournament.Terms{Kind: tournament.KnockOut})
	h.holds("other", tournament.Terms{Kind: tournament.RoundRobin, Together: true})
	for _, n := range []string{"Ada", "Ben", "Cleo", "Dan"} {
		h.answers(n, "ENTER cup\nENTER other")
	}
	h.answers("Ada", "ENTER empty")
	h.later(8 * daysOf)
	h.later(time.Minute)
	h.later(time.Minute)
	if s := h.cup("empty").Progress.State; s != tournament.CalledOff || h.letters("Ada", "The empty has been called off") != 1 {
		t.Errorf("a tournament of one is %s", s)
	}
	other := h.cup("other").Progress
	if n := len(other.UnstartedMeetings()); n != 0 || len(other.Rounds) != 3 || other.Rounds[2].Meetings[0].Match == "" {
		t.Errorf("%d matches of the round robin wait to begin: %+v", n, other.Rounds)
	}
	r := h.cup("cup").Progress.Rounds[0]
	a, b := r.Meetings[0].First, r.Meetings[1].First
	calledOff, err := h.club.CorrectTournament(t.Context(), "cup", "the director", "two have traded places", "they asked for it", func(life *tournament.Tournament) ([]string, error) { return life.Swap(a, b) })
	if err != nil || !slices.Equal(calledOff, []string{r.Meetings[0].Match, r.Meetings[1].Match}) {
		t.Fatalf("%v, %v", calledOff, err)
	}
	h.later(time.Minute)
	h.later(time.Minute)
	if got := h.cup("cup").Progress.Rounds[0]; got.Meetings[0].First != b || got.Meetings[0].Match == "" || got.Meetings[0].Match == calledOff[0] {
		t.Errorf("after the swap: %+v", got)
	}
	if h.letters("Dan", "Round 1 of The cup begins") != 2 {
		t.Error("Dan was not told of the swap")
	}
	if _, err := h.club.CorrectTournament(t.Context(), "other", "the director", "it is off", "nobody plays", func(life *tournament.Tournament) ([]string, error) { return nil, life.CallOff() }); err != nil {
		t.Fatal(err)
	}
	h.later(time.Minute)
	if n := h.letters("Ben", "The other has been called off"); n != 1 {
		t.Errorf("Ben was told %d times that it is off", n)
	}
	for _, bad := range []club.Tournament{{Name: "Cup", MatchTerms: club.Terms{Game: "1989", Tempo: "slow"}}, {Name: "cup", MatchTerms: club.Terms{Game: "1989", Tempo: "slow"}}, {Name: "new", MatchTerms: club.Terms{Game: "1789", Tempo: "slow"}}, {Name: "old", MatchTerms: club.Terms{Game: "1989", Tempo: "slow"}, Starts: h.now.Add(-2 * daysOf)}} {
		if bad.Starts.IsZero() {
			bad.Starts = h.now.Add(daysOf)
		}
		if err := h.club.OpenTournament(t.Context(), bad, tournament.Terms{Kind: tournament.Swiss}, "the director", "why not"); err == nil {
			t.Errorf("there is a tournament %+v", bad)
		}
	}
}
