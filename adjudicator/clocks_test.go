package adjudicator_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest/council"
	"samizdat/mail"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// timed begins a match with clocks.
func timed(t testing.TB, c *club, game, tempo string, zero clock.TimeoutPolicy, seats ...string) string {
	t.Helper()
	inv := adjudicator.Invitation{Game: game, OnTimeout: zero}
	var err error
	if inv.Tempo, err = clock.ParseTempo(tempo); err != nil {
		t.Fatal(err)
	}
	return c.begins(inv, seats)
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
	n, failed, err := c.adj.RunDueTasks(t.Context(), c.now, nil)
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
	c := newClub(t, dawn1989.Game())
	id := timed(t, c, "1989", "72h+12h<=120h", clock.Forfeit, "democrat", "communist")
	asked := c.now
	name, other := "communist", "democrat"
	seat := 1
	k, deadline := clockOf(t, c, id, seat)
	if !k.ToMove {
		name, other, seat = "democrat", "communist", 0
		k, deadline = clockOf(t, c, id, seat)
	}
	if start, ok := k.StartedAt(); !ok || !start.Equal(asked) || !deadline.Equal(asked.Add(72*time.Hour)) {
		t.Fatalf("asked at %v: start %v, deadline %v", asked, start, deadline)
	}
	if k, deadline := clockOf(t, c, id, 1-seat); k.ToMove || !deadline.IsZero() {
		t.Errorf("the %s owes nothing: %+v, %v", other, k, deadline)
	}
	c.now = c.now.Add(10 * time.Hour)
	c.sends(name, "STATUS")
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
	for _, s := range []string{name, other} {
		if l := oneLine(c.last(s).Text); !strings.Contains(l, " has run out of time, and has 12 hours of grace.") {
			t.Errorf("the %s is not told:\n%s", s, l)
		}
	}
	if n := due(t, c); n != 0 {
		t.Errorf("%d things are done twice", n)
	}
}

// asked begins a timed match of 1989, and names who is asked first.
func asked(t testing.TB, c *club, tempo string, zero clock.TimeoutPolicy) (id, name, other string, seat int) {
	t.Helper()
	id = timed(t, c, "1989", tempo, zero, "democrat", "communist")
	if k, _ := clockOf(t, c, id, 0); k.ToMove {
		return id, "democrat", "communist", 0
	}
	return id, "communist", "democrat", 1
}

// arrives hands a letter on that came at a time.
func (c *club) arrives(t testing.TB, seat, text string, came time.Time) string {
	t.Helper()
	m := c.letter(seat, text)
	raw, err := m.Render()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Arrived: came, Size: int64(len(raw)), Raw: raw}); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	return oneLine(c.last(seat).Text)
}

// TestArrival: a letter that arrived a minute before the deadline and is read an hour later
// counts; one that arrived a minute late does not, and its sender reads both times.
func TestArrival(t *testing.T) {
	t.Parallel()
	for _, zero := range []clock.TimeoutPolicy{clock.Forfeit, clock.Silence, clock.Claim} {
		for _, late := range []bool{false, true} {
			c := newClub(t, dawn1989.Game())
			id, name, _, seat := asked(t, c, "72h+12h<=120h", zero)
			_, end := clockOf(t, c, id, seat)
			if zero == clock.Forfeit {
				end = end.Add(clock.ForfeitGrace)
			}
			came := end.Add(-time.Minute)
			if late {
				came = end.Add(time.Minute)
			}
			c.now = end.Add(time.Hour)
			before := c.position(id)
			answer := c.arrives(t, name, "PLACE Schwerin, Rostock", came)
			counts := !reflect.DeepEqual(before, c.position(id))
			if counts != (!late || zero != clock.Forfeit) { // 1989 waits for answers
				t.Errorf("%s, late %v: it counts: %v\n%s", zero, late, counts, answer)
			}
			const at = "2 January 2006, 15:04 UTC"
			if both := strings.Contains(answer, "Your letter arrived on "+came.Format(at)+", but your time ran out on "+end.Format(at)+"."); both == counts {
				t.Errorf("%s, late %v: the answer names both times: %v\n%s", zero, late, both, answer)
			}
		}
	}
}

// TestGain: a seat gains once when it owes nothing any more, and not for each letter.
func TestGain(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id, name, _, seat := asked(t, c, "72h+12h<=80h", clock.Forfeit)
	c.now = c.now.Add(5*time.Hour - time.Minute)
	c.sends(name, "PLACE Schwerin")
	if k, _ := clockOf(t, c, id, seat); !k.ToMove || k.TimeLeft != 72*time.Hour {
		t.Errorf("after part of an answer: %+v", k)
	}
	c.sends(name, "PLACE Schwerin, Rostock")
	k, _ := clockOf(t, c, id, seat)
	if want := min(80*time.Hour, 72*time.Hour-5*time.Hour-time.Minute+12*time.Hour); k.TimeLeft != want {
		t.Errorf("%v is left, want %v", k.TimeLeft, want)
	}
}

// TestBounceStops: the time of a seat does not run while no letter that asks has arrived. It is
// asked again after a day, and its time runs from when the mail server took that.
func TestBounceStops(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id, name, other, seat := asked(t, c, "72h+12h<=120h", clock.Forfeit)
	c.now = c.now.Add(10 * time.Hour)
	c.returns(t, c.last(name), true)
	bounced := c.now
	if k, deadline := clockOf(t, c, id, seat); k.TimeLeft != 72*time.Hour || !deadline.Equal(bounced.Add(clock.AskAgainDelay)) {
		t.Fatalf("after a report at %v: %v, %+v", bounced, deadline, k)
	}
	if n := due(t, c); n != 1 || !strings.Contains(oneLine(c.last(other).Text), "Our letter to the "+strings.ToUpper(name[:1])+name[1:]+" did not arrive") {
		t.Fatalf("%d things are done after the report:\n%s", n, c.last(other).Text)
	}
	c.now = bounced.Add(clock.AskAgainDelay + time.Minute)
	if n := due(t, c); n != 1 || !strings.Contains(oneLine(c.last(name).Text), "Your time runs from this letter on.") {
		t.Fatalf("%d things are done:\n%s", n, c.last(name).Text)
	}
	if _, deadline := clockOf(t, c, id, seat); !deadline.Equal(c.now.Add(72 * time.Hour)) {
		t.Errorf("asked again at %v: %v", c.now, deadline)
	}
	// A player who writes has read what he was asked.
	c.returns(t, c.last(name), true)
	c.now = c.now.Add(time.Hour)
	c.arrives(t, name, "Hello", c.now)
	if _, deadline := clockOf(t, c, id, seat); !deadline.Equal(c.now.Add(72 * time.Hour)) {
		t.Errorf("wrote at %v: %v", c.now, deadline)
	}
}

// TestSetBack: when the system's clock is set back, what began later than now begins now.
func TestSetBack(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	right := c.now
	c.now = c.now.AddDate(1, 0, 0)
	id, _, _, seat := asked(t, c, "72h+12h<=120h", clock.Forfeit)
	c.now = right
	due(t, c)
	if _, deadline := clockOf(t, c, id, seat); !deadline.Equal(right.Add(72 * time.Hour)) {
		t.Errorf("the deadline is %v, want three days after %v", deadline, right)
	}
}

// TestDeaf: no time counts in which nobody looked for letters, and no deadline is passed by
// that is found too early.
func TestDeaf(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id, name, _, seat := asked(t, c, "72h+12h<=120h", clock.Forfeit)
	_, end := clockOf(t, c, id, seat)
	from, to := c.now.Add(time.Hour), c.now.Add(11*time.Hour)
	if err := c.db.Inbox.AddOutage(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	c.now = end.Add(time.Minute)
	due(t, c)
	if k, _ := clockOf(t, c, id, seat); k.Flagged {
		t.Error("the time of a seat is over too early")
	}
	if _, later := clockOf(t, c, id, seat); !later.Equal(end.Add(10 * time.Hour)) {
		t.Errorf("the deadline is %v, want %v", later, end.Add(10*time.Hour))
	}
	if l := c.sends(name, "STATUS"); !strings.Contains(oneLine(l.Text), "You have 9 hours and 58 minutes left") {
		t.Errorf("the letter counts deaf hours:\n%s", l.Text)
	}
}

// TestSealedClocks: nobody can tell from anything that he is sent whether another has given
// a sealed answer, before all are in.
func TestSealedClocks(t *testing.T) {
	t.Parallel()
	var others [2]map[string][]string
	for i, answer := range []string{"NAME Tanner", "STATUS"} {
		c := newClub(t, council.Game())
		id := timed(t, c, "council", "72h+12h<=120h", clock.Silence, councillors...)
		c.now = c.now.Add(5 * time.Hour)
		c.sends("smith", answer)
		for _, wait := range []time.Duration{time.Hour, 50 * time.Hour, 10 * time.Hour, 20 * time.Hour} {
			c.now = c.now.Add(wait)
			for _, s := range councillors {
				if s != "smith" {
					c.sends(s, "STATUS")
				}
			}
		}
		if k, _ := clockOf(t, c, id, 2); k.AnsweredAt.IsZero() != (i == 1) {
			t.Fatalf("the smith's clock: %+v", k)
		}
		delete(c.bytes, address("smith"))
		others[i] = c.bytes
	}
	for a, letters := range others[0] {
		for n, l := range letters {
			if l != others[1][a][n] {
				t.Errorf("letter %d to %s tells that the smith has answered:\n%s\n---\n%s", n+1, a, l, others[1][a][n])
			}
		}
	}
}

// TestLateInPhase: what is answered by the rules when the time is over is not answered by a
// letter that came later, though nobody has looked meanwhile.
func TestLateInPhase(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		c := newClub(t, council.Game())
		id := timed(t, c, "council", "phase 48h", clock.Silence, councillors...)
		_, end := clockOf(t, c, id, 2)
		came := end.Add(-time.Minute)
		if late {
			came = end.Add(time.Minute)
		}
		c.now = end.Add(time.Hour)
		answer := c.arrives(t, "smith", "NAME Tanner", came)
		if k, _ := clockOf(t, c, id, 2); k.AnsweredAt.IsZero() != late || strings.Contains(answer, "your time ran out") != late {
			t.Errorf("late %v: %+v\n%s", late, k, answer)
		}
		due(t, c)
		if k, _ := clockOf(t, c, id, 2); k.TimeLeft != 48*time.Hour || !k.ToMove {
			t.Errorf("in the next phase: %+v", k)
		}
	}
}

// TestSealedGain: all whose answers are opened gain, whatever they are asked then, and not more
// than that they used is taken off.
func TestSealedGain(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	id := timed(t, c, "council", "72h+12h<=120h", clock.Silence, councillors...)
	for i, s := range councillors {
		k, _ := clockOf(t, c, id, i)
		start, _ := k.StartedAt()
		c.now = start.Add(time.Duration(10*(i+1)) * time.Hour)
		c.arrives(t, s, "NAME Tanner", c.now)
	}
	for i := range councillors {
		if k, _ := clockOf(t, c, id, i); k.TimeLeft != time.Duration(84-10*(i+1))*time.Hour || !k.ToMove {
			t.Errorf("seat %d, after %d hours: %+v", i, 10*(i+1), k)
		}
	}
}

// TestHeldBackAtZero: orders that GRACE holds back came in time, and are carried out before
// their writer's time is over.
func TestHeldBackAtZero(t *testing.T) {
	t.Parallel()
	for _, zero := range []clock.TimeoutPolicy{clock.Forfeit, clock.Claim} {
		c := newClub(t, dawn1989.Game())
		id, name, other, seat := asked(t, c, "24h+4h<=72h", zero)
		c.sends(name, "GRACE 24 hours")
		_, end := clockOf(t, c, id, seat)
		c.now = end.Add(-time.Hour)
		if l := c.sends(name, "PLACE Schwerin, Rostock"); !strings.Contains(l.Text, "wait until") {
			t.Fatalf("it is not held back:\n%s", l.Text)
		}
		c.now = end.Add(-time.Second)
		due(t, c)
		if k, _ := clockOf(t, c, id, seat); !k.ToMove {
			t.Errorf("%s: it is carried out before zero", zero)
		}
		c.now = end.Add(time.Minute)
		due(t, c)
		if k, _ := clockOf(t, c, id, seat); k.ToMove || k.Flagged || k.TimeLeft != 4*time.Hour {
			t.Errorf("%s: after zero: %+v", zero, k)
		}
		if l := oneLine(c.last(other).Text); !strings.Contains(l, "places 1 support point in Schwerin") || strings.Contains(l, "has run out of time") {
			t.Errorf("%s: the other reads:\n%s", zero, l)
		}
	}
}
