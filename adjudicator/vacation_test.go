package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// holidays is a club in which the Democrat plays two matches, before the holidays.
func holidays(t *testing.T) (c *club, played [2]string) {
	t.Helper()
	c, played, _, _ = regular(t)
	c.now = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	return c, played
}

// told counts what each address has got since the last time.
func (c *club) told(had map[string]int) map[string]int {
	got := map[string]int{}
	for a, box := range c.mailbox {
		if n := len(box) - had[a]; n > 0 {
			got[strings.TrimSuffix(a, "@players.test")] = n
		}
		had[a] = len(box)
	}
	return got
}

// sendsIn sends a letter in a match.
func (c *club) sendsIn(id, name string, seat rules.Seat, text string) string {
	c.t.Helper()
	c.receive(c.reply(c.of(id, name, seat), name, text))
	return c.of(id, name, seat).Text
}

// TestVacation: a vacation is told to those whom its player plays with, in every match that
// is under way and in no other, by its days alone; their letters tell of it when it is near;
// one that has begun can be ended.
func TestVacation(t *testing.T) {
	t.Parallel()
	c, played := holidays(t)
	had := map[string]int{}
	c.told(had)
	const me = "democrat"
	first := c.stored(played[0])
	golden(t, "absence/vacation-planned.txt", ordersPart(c.sendsIn(played[0], me, 0, "TIMEZONE Warsaw\nVACATION 2026-12-20 TO 2027-01-04")))
	if got := c.told(had); len(got) != 3 || got["communist"] != 1 || got["rival"] != 1 || got["democrat"] != 1 {
		t.Errorf("letters: %v", got)
	}
	golden(t, "absence/vacation-told.txt", cutMap(c.last("rival").Text))
	for _, name := range []string{"rival", "communist"} {
		wants(t, c.last(name).Text, "is on vacation from 20 December 2026 until the end of 4 January 2027.")
		lacks(t, c.last(name).Text, "Warsaw", "CET", "23:00")
	}
	lacks(t, c.sends("rival", "STATUS").Text, "is away")
	wants(t, c.of(played[1], me, 1).Text, "Turn 1")
	c.now = time.Date(2026, 12, 7, 10, 0, 0, 0, time.UTC)
	wants(t, c.sends("rival", "STATUS").Text, "is on vacation from 20 December 2026 until the end of 4 January 2027.")
	wants(t, c.sendsIn(played[1], me, 1, "VACATION"), "You are on vacation from 20 December 2026 until the end of 4 January 2027.", "16 days in 2026 and 24 days in 2027")
	c.now = time.Date(2026, 12, 29, 10, 0, 0, 0, time.UTC)
	wants(t, c.sends("communist", "STATUS").Text, "The Democrat is on vacation until the end of 4 January 2027.")
	c.told(had)
	golden(t, "absence/vacation-ended.txt", ordersPart(c.sendsIn(played[1], me, 1, "VACATION OFF")))
	if got := c.told(had); len(got) != 3 {
		t.Errorf("letters: %v", got)
	}
	wants(t, c.last("communist").Text, "The Democrat is back from vacation.")
	lacks(t, c.sends("communist", "STATUS").Text, "is away")
	player := c.stored(played[0]).Seats[0].Player
	if w := player.Away.Vacations; len(w) != 1 || w[0].Last != "2026-12-29" || !w[0].From.Equal(time.Date(2026, 12, 19, 23, 0, 0, 0, time.UTC)) || w.UsedTime(2026, time.UTC) != 9*24*time.Hour+11*time.Hour+2*time.Minute {
		t.Errorf("stored: %+v", w)
	}
	if m := c.stored(played[0]); m.Head != first.Head || m.EntryCount != first.EntryCount {
		t.Error("the match has moved")
	}
}

// TestVacationMisused: what is no vacation is answered with what to write, and changes
// nothing; the orders beside it wait. Talk of vacations is talk.
func TestVacationMisused(t *testing.T) {
	t.Parallel()
	c, played := holidays(t)
	had := map[string]int{}
	c.told(had)
	golden(t, "absence/vacation-misused.txt", c.answersTo("communist",
		"VACATION", "VACATION OFF", "VACATION 2026-12-20", "VACATION next week", "VACATION 20.12. - 4.1.", "VACATION 2026-11-20 TO 2026-11-25", "VACATION 2026-12-20 TO 2026-12-10",
		"VACATION 2026-02-29 TO 2026-03-02", "VACATION 1 Dec 2026 to 31 Dec 2026", "VACATION 2029-12-20 TO 2029-12-24", "VACATION from 2026-12-20 until 2026-12-24 please",
		"Vacation was great, thank you for asking!", "I am on vacation until 2026-12-20, sorry.", "holiday", "VACATION ON\nPLACE Miskolc, Debrecen"))
	if got := c.told(had); len(got) != 1 || len(entriesOf(t, c, played[0])) != 0 {
		t.Errorf("letters: %v", got)
	}
}

// TestVacationStops: a vacation stops the clocks of its player in all matches from its
// beginning on, never before, and no other clock; to end it lets them run on.
func TestVacationStops(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.now = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	one := timed(t, c, "1989", "72h+12h<=120h", clock.Forfeit, "ada", "ben")
	two := timed(t, c, "1989", "48h+4h<=72h", clock.Claim, "cleo", "ben")
	first, second := c.deadline(one, 1), c.deadline(two, 1)
	c.sendsIn(two, "ben", 1, "TIMEZONE Warsaw\nVACATION 2026-11-22 TO 2026-11-23")
	asked, until := c.now, time.Date(2026, 11, 23, 23, 0, 0, 0, time.UTC)
	for id, before := range map[string]time.Time{one: first, two: second} {
		if got := c.deadline(id, 1).Sub(before); got != until.Sub(asked) {
			t.Errorf("the deadline moves by %v, want %v", got, until.Sub(asked))
		}
	}
	wants(t, c.last("cleo").Text, "The Communist is on vacation until the end of 23 November 2026.")
	c.now = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	c.sendsIn(one, "ben", 1, "VACATION OFF")
	ended := c.now
	for id, before := range map[string]time.Time{one: first, two: second} {
		if got := c.deadline(id, 1).Sub(before); got != ended.Sub(asked) {
			t.Errorf("the deadline moves by %v, want %v", got, ended.Sub(asked))
		}
	}
	c.sendsIn(one, "ada", 0, "VACATION 2026-11-24 TO 2026-11-30")
	if got := c.deadline(one, 1).Sub(first); got != ended.Sub(asked) {
		t.Errorf("the vacation of another moves the deadline by %v", got)
	}
	c.now = c.deadline(two, 1).Add(time.Minute)
	due(t, c)
	before := c.deadline(one, 1)
	c.sendsIn(two, "ben", 1, "VACATION 2026-11-25 TO 2026-11-30")
	if _, d := clockOf(t, c, two, 1); !d.IsZero() {
		t.Errorf("what was over begins again, until %v", d)
	}
	if !c.deadline(one, 1).After(before) {
		t.Error("the other clock goes on")
	}
}

// deadline is when the time of a seat is over.
func (c *club) deadline(id string, seat rules.Seat) time.Time {
	c.t.Helper()
	m := c.stored(id)
	return m.Deadline(seat)
}

// TestVacationOften: others are told four times a day at most.
func TestVacationOften(t *testing.T) {
	t.Parallel()
	c, _ := holidays(t)
	had := map[string]int{}
	c.told(had)
	for i := range 6 {
		text := c.sends("communist", []string{"VACATION 2026-12-20 TO 2026-12-24", "VACATION OFF"}[i%2]).Text
		if done := strings.Contains(text, ": done"); done != (i < 4) {
			t.Errorf("change %d:\n%s", i+1, text)
		}
	}
	if got := c.told(had); got["democrat"] != 4 {
		t.Errorf("letters: %v", got)
	}
	c.now = c.now.Add(24 * time.Hour)
	wants(t, c.sends("communist", "VACATION 2026-12-26 TO 2026-12-27").Text, ": done")
}

// TestVacationQuiet: who wants no letters that ask nothing is told all the same, and those
// who observe are not.
func TestVacationQuiet(t *testing.T) {
	t.Parallel()
	c, played := holidays(t)
	c.sends("communist", "FORMAT QUIET")
	had := map[string]int{}
	c.told(had)
	c.sendsIn(played[0], "democrat", 0, "VACATION 2026-12-01 TO 2026-12-04")
	wants(t, c.last("communist").Text, "is on vacation from 1 December 2026 until the end of 4 December 2026.")
	if got := c.told(had); got["communist"] != 1 {
		t.Errorf("letters: %v", got)
	}
}
