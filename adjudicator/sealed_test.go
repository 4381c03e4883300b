package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
)

// ballotsOut plays a match of Three Orchards up to its last questions: a card to
// keep in private, and a sealed ballot, for everybody.
func ballotsOut(t *testing.T) (c *club, id string) {
	t.Helper()
	c = newClub(t, rulestest.Game())
	id = c.match("orchards", nil, orchards...)
	g := rulestest.Game()
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		owed := pos.OpenDecisions(nil)
		if len(owed) > 1 {
			return c, id
		}
		d := owed[0]
		c.sends(orchards[d.Seat], g.FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 })))
	}
	t.Fatal("the ballots do not come")
	return nil, ""
}

// mails counts the letters of every seat.
func mails(c *club) map[string]int {
	n := map[string]int{}
	for a, box := range c.mailbox {
		n[a] = len(box)
	}
	return n
}

// TestSealedVote: a ballot is kept, may be replaced, is told to nobody, and is
// opened with the others as one entry.
func TestSealedVote(t *testing.T) {
	t.Parallel()
	c, id := ballotsOut(t)
	before, had := c.export(id, true), mails(c)
	golden(t, "sealed/first.txt", c.sends("north", "VOTE SUN").Text)
	c.reopen()
	golden(t, "sealed/replaced.txt", c.sends("north", "vote rain").Text)
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("a sealed ballot is in the history before it is opened")
	}
	for _, s := range []string{"east", "west"} {
		if n := mails(c)[address(s)] - had[address(s)]; n != 0 {
			t.Errorf("%s got %d letters about a sealed ballot", s, n)
		}
	}
	c.sends("east", "VOTE SUN")
	if a := c.sends("north", "STATUS"); !strings.Contains(a.Text, "You have answered: VOTE RAIN.") {
		t.Errorf("STATUS does not show the ballot on file:\n%s", a.Text)
	}
	had = mails(c)
	c.sends("west", "VOTE SUN")
	for _, s := range orchards {
		if n := mails(c)[address(s)] - had[address(s)]; n != 1 {
			t.Errorf("%s got %d letters when the ballots were opened, want 1", s, n)
		}
	}
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	entries := rec.Entries()
	var got []string
	for _, a := range entries[len(entries)-1].Answers {
		got = append(got, string(a.Seat)+" "+strings.Join(a.Orders, ";"))
	}
	if want := "north VOTE RAIN|east VOTE SUN|west VOTE SUN"; strings.Join(got, "|") != want {
		t.Errorf("the last entry opens %q, want %q", got, want)
	}
}

// TestPrivateAnswer: a private answer is no news to others, and no public record
// shows it.
func TestPrivateAnswer(t *testing.T) {
	t.Parallel()
	c, id := ballotsOut(t)
	pos, err := rulestest.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	d := pos.OpenDecisions(nil)[0]
	line := rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 }))
	if !d.Private || !strings.HasPrefix(line, "KEEP ") {
		t.Fatalf("the first question is %+v, answered by %s", d, line)
	}
	had := mails(c)
	c.sends(orchards[d.Seat], line)
	for _, s := range orchards {
		if n := mails(c)[address(s)] - had[address(s)]; s != orchards[d.Seat] && n != 0 {
			t.Errorf("%s got %d letters about a private answer", s, n)
		}
	}
	if bytes.Contains(c.export(id, false), []byte("KEEP")) {
		t.Error("the public record shows a private answer")
	}
	if !bytes.Contains(c.export(id, true), []byte(line)) {
		t.Error("the full record lacks the private answer")
	}
}

// TestEndOfMatch: the last letter publishes the secret, and the match takes no
// more orders.
func TestEndOfMatch(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	playOn(t, c, id, func() {})
	text := c.last("east").Text
	golden(t, "end/last.txt", text)
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, m.Secret.Hex()) || !strings.Contains(text, m.Secret.Commitment()) {
		t.Error("the last letter does not publish the secret")
	}
	if len(m.Pending) != 0 {
		t.Errorf("%d answers are still kept", len(m.Pending))
	}
	if a := c.sends("east", "PLAY 4"); !strings.Contains(a.Text, "This match is over.") {
		t.Errorf("an order after the end is answered with:\n%s", a.Text)
	}
}
