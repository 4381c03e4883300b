package adjudicator_test

import (
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// chaired is a match of five in its first turn, and the seats in the order of the table, whoever
// is in the chair first: the crises lie in the order of their cards, the seats in that of the
// citizens.
func chaired(t *testing.T) (*club, string, []string) {
	t.Helper()
	c, seats := newClub(t, revolution1789.Game()), citizensOf(5)
	id := c.match("1789", deal1789("louis", "danton", "napoleon", "robespierre", "fouche"), seats...)
	all(t, c, seats, "NAME arch")
	return c, id, seats
}

// asked1789 are the seats that owe an answer, and what.
func asked1789(t *testing.T, c *club, id string) (kind string, seats []rules.Seat) {
	t.Helper()
	pos, err := revolution1789.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range pos.OpenDecisions(nil) {
		kind, seats = d.Kind, append(seats, d.Seat)
	}
	return kind, seats
}

// TestAheadOf1789: the next seat, a ballot for a crisis and a purge may be sent before they are
// asked for; they are kept, shown to nobody, changed and taken back, and answer when the time
// comes.
func TestAheadOf1789(t *testing.T) {
	t.Parallel()
	c, id, _ := chaired(t)
	kept := func(seat, order, want string) {
		t.Helper()
		a := c.sends(seat, order)
		if strings.Contains(a.Text, ": refused") || !strings.Contains(oneLine(a.Text), want) {
			t.Fatalf("%s: %s is answered with\n%s", seat, order, a.Text)
		}
	}
	const until = "saved until you are asked for it"
	// Cheese is next in the chair and changes his mind once.
	kept("cheese", "SEAT 2-3", until)
	kept("cheese", "SEAT 2-8", until)
	// Grape votes ahead on Catholic Church and withdraws, Croissant votes.
	kept("croissant", "VOTE M AT Directorate", "Your ballot is saved until you are asked for it")
	kept("croissant", "VOTE R AT Directorate", "Your ballot is saved until you are asked for it")
	if n := strings.Count(c.sends("croissant", "SHOW ORDERS").Text, "a ballot (saved"); n != 1 {
		t.Errorf("%d ballots are kept", n)
	}
	if text := c.last("croissant").Text; strings.Contains(text, "VOTE") {
		t.Errorf("the letter repeats a ballot:\n%s", text)
	}
	kept("grape", "VOTE M AT Directorate", "Your ballot is saved")
	kept("grape", "DROP", "Your saved orders are dropped.")
	says(t, c, "arch SEAT 1-2")
	// Cheese took 2-8 by what was kept.
	if kind, who := asked1789(t, c, id); kind != "seat" || who[0] != 2 {
		t.Fatalf("asked: %s of %v", kind, who)
	}
	if text := c.last("cheese").Text; !strings.Contains(text, "SEAT 2-8: done") {
		t.Errorf("Cheese is not told:\n%s", text)
	}
	had := c.got("croissant")
	says(t, c, "croissant SEAT 2-3")
	// Space 2 has the Directorate, and is full: Croissant has voted already.
	kind, who := asked1789(t, c, id)
	if kind != "vote" || len(who) != 3 {
		t.Fatalf("asked: %s of %v", kind, who)
	}
	if text := c.last("croissant").Text; c.got("croissant") != had+1 || strings.Contains(text, "It is your move") || strings.Contains(text, "REPUBLIC\n\n") || !strings.Contains(text, "You have answered.") {
		t.Errorf("Croissant reads\n%s", text)
	}
	// Arch sends his pick with his ballot, and Cheese too: only Croissant is asked for one.
	kept("arch", "VOTE M\nPURGE Cheese", "PURGE Cheese: saved")
	kept("cheese", "VOTE M", "Your ballot was the last one")
	if kind, who := asked1789(t, c, id); kind != "purge" || len(who) != 3 {
		t.Fatalf("asked: %s of %v", kind, who)
	}
	if text := c.last("arch").Text; strings.Contains(text, "It is your move") {
		t.Errorf("Arch is asked again:\n%s", text)
	}
	says(t, c, "croissant PURGE Arch", "cheese PURGE Arch")
	if _, err := c.adj.Rebuild(t.Context(), id); err != nil {
		t.Error(err)
	}
	if text := c.last("grape").Text; !strings.Contains(oneLine(text), "Arch is purged") {
		t.Errorf("Grape is told\n%s", text)
	}
}

// TestAheadOf1789Lapses: what is not asked for any more is dropped, and a seat that somebody
// else has taken meanwhile is asked for again.
func TestAheadOf1789Lapses(t *testing.T) {
	t.Parallel()
	c, id, _ := chaired(t)
	says(t, c, "cheese SEAT 1-2", "arch SEAT 1-2")
	if text := oneLine(c.last("cheese").Text); !strings.Contains(text, "is not legal, so we are asking you.") || !strings.Contains(text, "It is your move") {
		t.Errorf("Cheese reads\n%s", c.last("cheese").Text)
	}
	says(t, c, "cheese SEAT 2-8", "croissant SEAT 2-3")
	// All agree, so that no purge is asked for.
	for _, s := range []string{"arch VOTE M\nPURGE Cheese", "cheese VOTE M", "croissant VOTE M"} {
		seat, order, _ := strings.Cut(s, " ")
		c.sends(seat, order)
	}
	if kind, who := asked1789(t, c, id); kind != "seat" || who[0] != 3 {
		t.Fatalf("asked: %s of %v", kind, who)
	}
	for _, late := range []string{"VOTE M AT Directorate", "PURGE Cheese AT Directorate", "PURGE Cheese", "VOTE M"} {
		if text := c.sends("lamp", late).Text; !strings.Contains(text, "refused") {
			t.Errorf("%s is answered with\n%s", late, text)
		}
	}
}

// TestWithdrawnOf1789: a sealed answer can be taken back until the last is in, and then is
// asked for again.
func TestWithdrawnOf1789(t *testing.T) {
	t.Parallel()
	c, id, _ := chaired(t)
	says(t, c, "arch SEAT 1-2", "cheese SEAT 2-8", "croissant SEAT 2-3", "arch VOTE M", "arch DROP")
	if text := c.last("arch").Text; !strings.Contains(text, "It is your move") {
		t.Errorf("Arch reads\n%s", text)
	}
	says(t, c, "cheese VOTE M", "croissant VOTE R")
	if kind, _ := asked1789(t, c, id); kind != "vote" {
		t.Fatalf("%s is asked though a ballot was taken back", kind)
	}
	says(t, c, "arch VOTE R")
	says(t, c, "arch PURGE Cheese", "arch DROP", "cheese PURGE Arch", "croissant PURGE Arch")
	if kind, _ := asked1789(t, c, id); kind != "purge" {
		t.Fatalf("%s is asked though a pick was taken back", kind)
	}
}
