package adjudicator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules/dawn1989"
)

// forfeited lets all time pass that there is, and names who has won.
func forfeited(t *testing.T, c *club, id string) []record.SeatName {
	t.Helper()
	for range 40 {
		if m := c.stored(id); m.State == match.Over {
			if m.Ended == nil || m.Ended.Act.Kind != record.Forfeit {
				t.Fatalf("it ends %+v", m.Ended)
			}
			return m.Ended.Act.End.Winners
		}
		c.now = c.now.Add(12 * time.Hour)
		for due(t, c) > 0 {
		}
	}
	t.Fatal("the match goes on")
	return nil
}

// TestAllAreLate: where all are out of time, at the same moment or one within the grace of
// another, there is no winner, in any order of seats; a player who has answered wins from all others.
func TestAllAreLate(t *testing.T) {
	t.Parallel()
	seats := councilOf(3)
	for _, in := range []string{"", "miller", "baker", "smith"} {
		c := newClub(t, council.Game())
		id := timed(t, c, "council", "72h+12h<=120h", clock.Forfeit, seats...)
		answered := strings.Fields(in)
		for _, s := range answered {
			c.sends(s, "NAME Miller")
		}
		var want []record.SeatName
		for _, s := range answered {
			want = append(want, record.SeatName(s))
		}
		if got := forfeited(t, c, id); !slices.Equal(got, want) {
			t.Errorf("answered by %q: won by %q", in, got)
		}
		r, _ := positionOf(t, c, council.Game(), id).Result()
		if text := oneLine(c.last("smith").Text); r.AllLost != (in == "") || in == "" && (!strings.Contains(text, "The Smith also ran out of time, and cannot win.") &&
			!strings.Contains(text, "The Smith ran out of time.") || !strings.Contains(text, "nobody wins")) {
			t.Errorf("answered by %q: %+v\n%s", in, r, c.last("smith").Text)
		}
		c.now = c.now.Add(8 * 24 * time.Hour)
		due(t, c)
		verified(t, c, council.Game(), id)
	}
}

// TestBothLate: two players of 1989 are asked to bid and neither bids: there is no winner. A player who
// is within his own grace when the other's is over does not win either; who has bid does.
func TestBothLate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ second time.Duration }{{}, {second: 6 * time.Hour}, {second: 100 * time.Hour}} {
		c := newClub(t, dawn1989.Game())
		tempo, err := clock.ParseTempo("72h+12h<=120h")
		if err != nil {
			t.Fatal(err)
		}
		id := c.begins(adjudicator.Invitation{Game: "1989", OnTimeout: clock.Forfeit, Tempo: tempo, Options: map[string]string{dawn1989.OptionBidding: "yes"}}, []string{"chair1", "chair2"})
		m := c.stored(id)
		if !m.Seats[0].Clock.ToMove || !m.Seats[1].Clock.ToMove {
			t.Fatal("only one of them is asked to bid")
		}
		// The letter to the first was taken earlier by the mail server.
		for i, a := range m.Seats[0].Clock.QuestionLetters {
			m.Seats[0].Clock.QuestionLetters[i].AcceptedAt = a.AcceptedAt.Add(-tt.second)
		}
		if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
			t.Fatal(err)
		}
		won, wants := forfeited(t, c, id), 0
		if tt.second > 12*time.Hour {
			wants = 1
		}
		if len(won) != wants {
			t.Errorf("the second has %v longer: won by %q", tt.second, won)
		}
	}
}

// TestLateClaimant: a player who has no time left cannot claim, even if his flag has not fallen
// yet, and does not win by another's claim.
func TestLateClaimant(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(3)
	id := timed(t, c, "council", "72h+12h<=120h", clock.Claim, seats...)
	m := c.stored(id)
	for i, a := range m.Seats[0].Clock.QuestionLetters {
		m.Seats[0].Clock.QuestionLetters[i].AcceptedAt = a.AcceptedAt.Add(-time.Hour)
	}
	if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	c.sends("smith", "NAME Miller")
	c.now = c.now.Add(71*time.Hour + 30*time.Minute)
	for due(t, c) > 0 {
	}
	c.now = c.now.Add(2 * time.Hour)
	if l := c.sends("baker", "CLAIM"); !strings.Contains(l.Text, "CLAIM: refused") || !strings.Contains(oneLine(l.Text), "You have run out of time yourself.") {
		t.Fatalf("the claim:\n%s", l.Text)
	}
	c.sends("smith", "CLAIM")
	if e := c.stored(id).Ended; e == nil || !slices.Equal(e.Act.End.Winners, []record.SeatName{"smith"}) {
		t.Errorf("it ends %+v", e)
	}
}
