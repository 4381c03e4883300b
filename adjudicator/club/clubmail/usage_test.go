package clubmail_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// usageOfRecord counts a match that two robots have played to its end.
func usageOfRecord(t *testing.T) usage.Match {
	t.Helper()
	rec, err := record.ReadFile(filepath.FromSlash("../../../testdata/records/1989-rules2-sensible-100.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := clubmail.CountUsage(dawn1989.Game(), rec, func(rules.Position) []string { return []string{"democrat", "communist"} })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUsageOfMatch: a whole match counts its plays by card, use, side and turn, its set-up, its length and its dice.
func TestUsageOfMatch(t *testing.T) {
	t.Parallel()
	m := usageOfRecord(t)
	plays := m.Plays["communist"]
	if m.LastTurn != 9 || !slices.Equal(plays["14 event"], []int{3}) || !slices.Equal(plays["23 event"], []int{1, 6, 9}) || !slices.Equal(plays["18 Ops"], []int{1, 5}) ||
		m.Openings["democrat"] != "Babes-Bolyai University, Budapest 2, Gdansk 2, Sofia University, Walter Ulbricht Academy" || m.Dice["communist"] != [6]int{11, 10, 6, 8, 9, 8} {
		t.Errorf("%+v", m)
	}
	for seat, plays := range m.Plays {
		for use := range plays {
			if use[len(use)-1] == ' ' {
				t.Errorf("card %sof the %s has no use in words", use, seat)
			}
		}
	}
	// The sums over 10,000 matches take seconds.
	totals, start := usage.NewTotals(), time.Now()
	for range 10_000 {
		totals.Add(m, map[string]usage.Score{"communist": {N: 1, Won: 1}, "democrat": {N: 1}})
	}
	uses := totals.Uses()
	i := slices.IndexFunc(uses, func(u usage.Use) bool { return u.Card == 23 && u.Seat == "communist" })
	if duration := time.Since(start); i < 0 || uses[i].Plays() != 30_000 || uses[i].Won != 10_000 || duration > time.Minute {
		t.Errorf("in %v: %+v", duration, uses)
	}
}

// TestStatsOfCard: STATS CARD says how the seats used a card, and how those matches ended. An annulled match does not count.
func TestStatsOfCard(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	id := h.invites("Ada", "Ben")
	h.plays(id, 4, "Ada", "Ben")
	h.resigns(id, "Ada")
	h.later(8 * 24 * time.Hour)
	h.said("Ben", "STATS", "The statistics count 1 match. Unrated matches count too.")
	u := club.MatchUsage{Match: id, Ended: h.result(id).Ended, Usage: usageOfRecord(t)}
	for _, ended := range []time.Time{u.Ended.Add(time.Second), u.Ended} {
		h.said("Ben", "STATS CARD 23", "Card 23 of 1989 was played in no match.")
		u.Ended = ended // The count of another end of the match changes nothing.
		if err := h.db.Apply(t.Context(), exchange.Change{Club: &club.Change{Usage: []club.MatchUsage{u}}}); err != nil {
			t.Fatal(err)
		}
	}
	l := h.answers("Ben", "STATS\nSTATS 1989 CARD 23")
	narrow(t, l.Text)
	golden(t, "habits/card.txt", l.Text)
	h.writes("director", "DIRECT CLUB")
	h.acts("ANNUL " + id + " BECAUSE both asked for it")
	h.said("Ben", "STATS", "No match of 1989 has been counted yet.")
}
