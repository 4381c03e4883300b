package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/clock"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// timed begins a match with clocks.
func timed(t testing.TB, c *club, game, tempo string, zero clock.Zero, seats ...string) string {
	t.Helper()
	inv := adjudicator.Invitation{Game: game, Zero: zero}
	var err error
	if inv.Tempo, err = clock.ParseTempo(tempo); err != nil {
		t.Fatal(err)
	}
	for _, s := range seats {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.New(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for _, s := range seats {
		c.sends(s, "JOIN the words of "+s)
	}
	return m.ID
}

// clockOf is the clock of a seat as it is stored, with the end of its time.
func clockOf(t testing.TB, c *club, id string, seat int) (clock.Clock, time.Time) {
	t.Helper()
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m.Seats[seat].Clock, m.Deadline(rules.Seat(seat))
}

// due lets happen what is due now.
func due(t testing.TB, c *club) int {
	t.Helper()
	n, failed, err := c.adj.Due(t.Context(), c.now, nil)
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	c.deliver()
	return n
}

// TestClockRuns: a clock runs from when the mail server has taken the letter that asks
// until the answer arrives, and its seat gains once for that.
func TestClockRuns(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game{})
	id := timed(t, c, "1989", "72h+12h<=120h", clock.Forfeit, "democrat", "communist")
	asked := c.now
	who, other := "communist", "democrat"
	seat := 1
	k, deadline := clockOf(t, c, id, seat)
	if !k.Owes {
		who, other, seat = "democrat", "communist", 0
		k, deadline = clockOf(t, c, id, seat)
	}
	if start, ok := k.Start(); !ok || !start.Equal(asked) || !deadline.Equal(asked.Add(72*time.Hour)) {
		t.Fatalf("asked at %v: start %v, deadline %v", asked, start, deadline)
	}
	if k, deadline := clockOf(t, c, id, 1-seat); k.Owes || !deadline.IsZero() {
		t.Errorf("the %s owes nothing: %+v, %v", other, k, deadline)
	}
	c.now = c.now.Add(10 * time.Hour)
	c.sends(who, "STATUS")
	if _, again := clockOf(t, c, id, seat); !again.Equal(deadline) {
		t.Errorf("a question moves the deadline from %v to %v", deadline, again)
	}
	if n := due(t, c); n != 0 {
		t.Errorf("%d things are done before the deadline", n)
	}
	c.now = deadline.Add(time.Second)
	if n := due(t, c); n != 1 {
		t.Fatalf("%d things are done at the deadline", n)
	}
	for _, s := range []string{who, other} {
		if l := oneLine(c.last(s).Text); !strings.Contains(l, "Without an answer the match is forfeited after 12 hours more.") {
			t.Errorf("the %s is not told:\n%s", s, l)
		}
	}
	if n := due(t, c); n != 0 {
		t.Errorf("%d things are done twice", n)
	}
}
