package adjudicator_test

import (
	"strings"
	"testing"
	"time"
)

// lacks fails when a letter says something that it should not.
func lacks(t *testing.T, letter string, parts ...string) {
	t.Helper()
	text := strings.Join(strings.Fields(letter), " ")
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("the letter says %q:\n%.1200s", p, letter)
		}
	}
}

// TestGraceNowUnclear: a letter that cannot be understood loses nothing of what is
// held back.
func TestGraceNowUnclear(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"NOW\nPLACE Nowhereland 2", "NOW\nPLACE Gdansk, Debrecen", "PLACE Gdansk, Debrecen", "PLACE Nowhereland 2"} {
		c, id := sampleClub(t)
		c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
		wants(t, c.sends("communist", text).Text, ": refused", "Your orders wait until")
		if n := len(entriesOf(t, c, id)); n != 0 {
			t.Errorf("%q: %d entries", text, n)
		}
		c.due(2 * time.Hour)
		if n := len(entriesOf(t, c, id)); n != 1 {
			t.Errorf("%q: %d entries when it was due", text, n)
		}
	}
}

// TestGraceReplacedByAnyOrder: whatever is carried out in the place of what is held
// back ends that: there is no second answer later.
func TestGraceReplacedByAnyOrder(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"GRACE OFF\nPLACE Gyor, Debrecen", "NOW\nPLACE Gyor, Debrecen"} {
		c, id := sampleClub(t)
		c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
		a := c.sends("communist", text).Text
		wants(t, a, "PLACE Gyor, Debrecen: done", "Your earlier waiting orders are dropped")
		lacks(t, a, "Your orders wait until")
		had := c.letters("communist")
		if n := c.due(2 * time.Hour); n != 0 || c.letters("communist") != had || len(entriesOf(t, c, id)) != 1 {
			t.Errorf("%q: %d things were due, %d letters more", text, n, c.letters("communist")-had)
		}
	}
}

// TestGraceWithTakeback: an order about taking back does not let orders pass.
func TestGraceWithTakeback(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 1)
	c.sends("communist", "TAKEBACK")
	a := c.sends("democrat", "GRACE 1 hour\nTAKEBACK NO\nPLACE Gdansk 2, Lodz").Text
	wants(t, a, "TAKEBACK NO: done", "PLACE Gdansk 2, Lodz: saved")
	if n := len(entriesOf(t, c, id)); n != 1 {
		t.Errorf("%d entries", n)
	}
}

// TestGraceUnclearTime: who asks for time and is not understood has not given orders
// that are carried out at once.
func TestGraceUnclearTime(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"GRACE 25 hours", "GRACE 1 day", "GRACE 30", "GRACE ON", "GRACE 2 hours 30 minutes", "DELAY 3 days"} {
		c, id := sampleClub(t)
		wants(t, c.sends("communist", text+"\nPLACE Miskolc, Debrecen").Text, ": refused")
		if n := len(entriesOf(t, c, id)); n != 0 {
			t.Errorf("%q: %d entries", text, n)
		}
	}
	c, _ := sampleClub(t)
	wants(t, c.sends("communist", "Grace wishes you luck\nPLACE Miskolc, Debrecen").Text, "Please confirm it: PLACE Miskolc, Debrecen YES carries it out; NO drops it. Until you answer, nothing is done. YES NO", `"Grace wishes you luck": not understood`)
}

// TestGraceReceipt: the receipt of NOW is that of the letter that came.
func TestGraceReceipt(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
	m := c.letter("communist", "NOW")
	c.receive(m)
	if f := c.receive(m); len(entriesOf(t, c, id)) != 1 {
		t.Errorf("the second delivery went to %s", f)
	}
}

// TestGraceReplacesKept: what is kept for the play can be replaced by a letter
// although its writer has a grace.
func TestGraceReplacesKept(t *testing.T) {
	t.Parallel()
	with, without := keptReplaced(t, true), keptReplaced(t, false)
	if strings.Contains(with, ": refused") != strings.Contains(without, ": refused") {
		t.Errorf("with a grace:\n%.900s\nwithout:\n%.900s", with, without)
	}
}

func keptReplaced(t *testing.T, grace bool) string {
	t.Helper()
	c, _ := sampleAfter(t, 12)
	c.sends("communist", "ANSWER 10 PLACE Brasov 2")
	if grace {
		c.sends("communist", "GRACE 1 hour")
	}
	return c.sends("communist", "ATTACK Rally, Petition-6\nANSWER 10 PLACE Ploiesti 2").Text
}

// TestDelayDisarms: a conditional order of which nothing is legal is dropped, with or
// without a delay, and its owner is told and asked.
func TestDelayDisarms(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"", "DELAY 6 hours\n"} {
		c, _ := sampleAfter(t, 12)
		c.sends("communist", first+"ANSWER 10 PLACE Gdansk 2 ALWAYS")
		c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
		wants(t, c.last("communist").Text, "It is your move.", "ANSWER 10 PLACE Gdansk 2 ALWAYS: lapsed")
		wants(t, c.sends("communist", "SHOW ORDERS").Text, "You have no saved orders.")
		if n := c.due(48 * time.Hour); n != 0 {
			t.Errorf("%q: %d things were due", first, n)
		}
	}
}
