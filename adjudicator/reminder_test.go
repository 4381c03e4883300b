package adjudicator_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// slow is a match with clocks, of which the seat that is asked, and the other one, are named.
func slow(t *testing.T) (c *club, id, asked, other string, seat rules.Seat) {
	t.Helper()
	c = newClub(t, dawn1989.Game())
	c.now = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	id = timed(t, c, "1989", "72h+12h<=120h", clock.Claim, "democrat", "communist")
	if c.deadline(id, 1).IsZero() {
		return c, id, "democrat", "communist", 0
	}
	return c, id, "communist", "democrat", 1
}

// hourly looks for what is due each half an hour, and says after how many hours the seat got a
// letter.
func (c *club) hourly(t *testing.T, seat string, hours int) (at []int) {
	t.Helper()
	begin, had := c.now, c.letters(seat)
	for c.now.Sub(begin) < time.Duration(hours)*time.Hour {
		c.now = c.now.Add(30 * time.Minute)
		due(t, c)
		if n := c.letters(seat); n > had {
			at, had = append(at, int(c.now.Sub(begin)/time.Hour)), n
		}
	}
	return at
}

// TestReminded: who has not answered is reminded at half of his time, a day before its end
// and six hours before, by short letters; nobody else is told, and the answer to a reminder
// is an answer like any other.
func TestReminded(t *testing.T) {
	t.Parallel()
	c, id, asked, other, seat := slow(t)
	was, theirs, deadline := c.export(id, true), c.letters(other), c.deadline(id, seat)
	c.sends(asked, "TIMEZONE Warsaw")
	if got := c.hourly(t, asked, 40); len(got) != 1 || got[0] != 36 {
		t.Errorf("reminders after %v hours, want 36", got)
	}
	l := c.last(asked)
	narrow(t, l.Text)
	golden(t, "absence/reminder.txt", "Subject: "+l.Subject+"\n\n"+cutMap(l.Text))
	c.reopen()
	if got := c.hourly(t, asked, 30); len(got) != 2 {
		t.Errorf("reminders after %v hours more", got)
	}
	if c.letters(other) != theirs || !bytes.Equal(was, c.export(id, true)) || !c.deadline(id, seat).Equal(deadline) {
		t.Error("a reminder leaves a trace")
	}
	wants(t, c.last(asked).Text, "This is a reminder: we asked you on 22 November 2026, 11:", "left on the clock, until 25 November 2026, 11:")
	if text := c.sends(asked, "PLACE Miskolc, Debrecen").Text; len(entriesOf(t, c, id)) != 1 {
		t.Errorf("the answer to a reminder does not count:\n%s", text)
	}
	if got := c.hourly(t, asked, 20); len(got) != 0 {
		t.Errorf("reminders after the answer, after %v hours", got)
	}
}

// TestRemindedLate: after an outage there is one reminder for all that were due, and none
// for what was answered meanwhile, or is held back.
func TestRemindedLate(t *testing.T) {
	t.Parallel()
	c, _, asked, _, _ := slow(t)
	had := c.letters(asked)
	c.now = c.now.Add(67 * time.Hour)
	if n := due(t, c); n != 1 || c.letters(asked) != had+1 {
		t.Errorf("%d things are done, %d letters", n, c.letters(asked)-had)
	}
	c, id, asked, _, _ := slow(t)
	c.sends(asked, "GRACE 24 hours")
	c.now = c.now.Add(35 * time.Hour)
	c.sends(asked, "PLACE Miskolc, Debrecen")
	if got := c.hourly(t, asked, 20); len(got) != 0 || len(entriesOf(t, c, id)) != 0 {
		t.Errorf("reminders of what is held back, after %v hours", got)
	}
}

// TestRemindedAway: on vacation nobody is reminded; afterwards the reminders come as much
// later as it was long.
func TestRemindedAway(t *testing.T) {
	t.Parallel()
	c, _, asked, _, _ := slow(t)
	c.sends(asked, "VACATION 2026-11-23 TO 2026-11-25")
	if got := c.hourly(t, asked, 200); len(got) != 4 || got[0] != 36+72 || got[1] != 48+72 || got[2] != 66+72 || got[3] != 72+72 {
		t.Errorf("letters after %v hours", got)
	}
}

// TestCalendar: whoever wants it has an entry for his calendar in each letter that asks him,
// at the end of his time, and in no other letter; nobody else has.
func TestCalendar(t *testing.T) {
	t.Parallel()
	c, id, asked, other, seat := slow(t)
	untimed := c.match("1989", nil, other, asked)
	a := pages(c)
	wants(t, c.sendsIn(id, asked, seat, "FORMAT CALENDAR"), "From now on letters with a question carry an entry for your calendar")
	outgoing := a.last(asked)
	if !outgoing.Deadline.Equal(c.deadline(id, seat)) || !bytes.Contains(outgoing.Raw.Bytes, []byte("text/calendar; charset=utf-8;")) {
		t.Errorf("the entry is for %v, want %v", outgoing.Deadline, c.deadline(id, seat))
	}
	c.reopen()
	a = pages(c)
	c.sendsIn(id, asked, seat, "VACATION 2026-11-23 TO 2026-11-24")
	if outgoing := a.last(asked); !outgoing.Deadline.Equal(c.deadline(id, seat)) {
		t.Errorf("the entry is for %v, want %v", outgoing.Deadline, c.deadline(id, seat))
	}
	c.sendsIn(untimed, asked, 1, "STATUS")
	if outgoing := a.last(asked); !outgoing.Deadline.IsZero() {
		t.Errorf("an entry without a clock for %v", outgoing.Deadline)
	}
	c.sendsIn(id, asked, seat, "PLACE Miskolc, Debrecen")
	if outgoing := a.last(asked); len(outgoing.Decisions) == 0 && !outgoing.Deadline.IsZero() || !a.last(other).Deadline.IsZero() {
		t.Errorf("entries for %v and %v", outgoing.Deadline, a.last(other).Deadline)
	}
	c.sendsIn(id, asked, seat, "FORMAT CALENDAR OFF")
	if outgoing := a.last(asked); !outgoing.Deadline.IsZero() {
		t.Errorf("an entry that is not wanted for %v", outgoing.Deadline)
	}
}

// TestRemindedSealed: who has given a sealed answer is not reminded, and no byte of what
// others are sent depends on that, nor when they are sent it.
func TestRemindedSealed(t *testing.T) {
	t.Parallel()
	var others [2]map[string][]string
	var at [2][]int
	for i, answer := range []string{"NAME Tanner", "STATUS"} {
		c := newClub(t, council.Game())
		timed(t, c, "council", "72h+12h<=120h", clock.Silence, councillors...)
		c.now = c.now.Add(5 * time.Hour)
		c.sends("smith", answer)
		at[i] = c.hourly(t, "smith", 65)
		delete(c.bytes, address("smith"))
		others[i] = c.bytes
	}
	if len(at[0]) != 0 || len(at[1]) != 3 {
		t.Errorf("the smith is reminded after %v hours when he has answered, and after %v when he has not", at[0], at[1])
	}
	if diff := cmp.Diff(others[0], others[1]); diff != "" {
		t.Errorf("letters tell that the smith has answered:\n%.2000s", diff)
	}
}

// TestRemindedBroken: a reminder whose transaction fails, before or after it commits, is
// written once, when it can be.
func TestRemindedBroken(t *testing.T) {
	t.Parallel()
	for _, f := range []*failing{{before: true}, {after: true}} {
		c, _, asked, _, _ := slow(t)
		had := c.letters(asked)
		c.store = func(s exchange.Store) exchange.Store { f.Store = s; return f }
		c.reopen()
		c.now = c.now.Add(37 * time.Hour)
		if _, failed, err := c.adj.RunDueTasks(t.Context(), c.now, nil); err != nil || len(failed) != 1 {
			t.Fatal(failed, err)
		}
		f.before, f.after = false, false
		c.reopen()
		due(t, c)
		if n := c.letters(asked) - had; n != 1 {
			t.Errorf("%d reminders", n)
		}
	}
}

// TestCalendarMisused: what is nearly the order for a calendar changes nothing.
func TestCalendarMisused(t *testing.T) {
	t.Parallel()
	c, id, asked, _, seat := slow(t)
	golden(t, "absence/calendar-misused.txt", c.answersTo(asked, "FORMAT CALENDER", "FORMAT ICS", "CALENDAR", "FORMAT CALENDAR tomorrow", "My calendar is full this week.",
		"FORMAT CALENDAR OFF", "format: calendar."))
	if player := c.stored(id).Seats[seat].Player; !player.Calendar || player.Zone != "" {
		t.Errorf("stored: %+v", player)
	}
}
