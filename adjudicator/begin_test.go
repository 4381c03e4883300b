package adjudicator_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
)

// invited is a club with a match that nobody has joined yet.
func invited(t *testing.T) (c *club, id string) {
	t.Helper()
	c = newClub(t, rulestest.Game())
	inv := adjudicator.Invitation{Game: "orchards"}
	for _, s := range orchards {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	return c, m.ID
}

// TestBegin is the story of a beginning: invitations with the commitment, JOIN
// with and without words, and first letters that show all words before any card.
func TestBegin(t *testing.T) {
	t.Parallel()
	c, id := invited(t)
	golden(t, "begin/invitation.txt", c.last("north").Text)
	golden(t, "begin/hello.txt", c.sends("north", "Hello, what is this?").Text)
	golden(t, "begin/status.txt", c.sends("north", "STATUS").Text)
	golden(t, "begin/join.txt", c.sends("north", "join. a łódka on the river\nSee you!").Text)
	golden(t, "begin/again.txt", c.sends("north", "JOIN other words").Text)
	c.sends("east", "JOIN\nThey all bore me; do not tell them.")
	golden(t, "begin/last.txt", c.sends("west", "JOIN wind and rain").Text)
	golden(t, "begin/first.txt", c.last("north").Text)
	for _, s := range orchards {
		text := c.last(s).Text
		narrow(t, text)
		words, dealt := strings.Index(text, "wind and rain"), strings.Index(text, "You are dealt")
		if words < 0 || dealt < 0 {
			t.Errorf("%s does not see everybody's words and the first card:\n%s", s, text)
		}
		if strings.Contains(text, "bore me") {
			t.Errorf("%s is shown what another wrote besides JOIN:\n%s", s, text)
		}
	}
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Seats[1].SeedWords; len(got) != len("letter ")+64 {
		t.Errorf("the words of a letter without words are %q, want its digest", got)
	}
}

// TestOddWords: whatever stands behind JOIN can be shown on a line and hashed.
func TestOddWords(t *testing.T) {
	t.Parallel()
	c, id := invited(t)
	c.sends("north", "JOIN tab\there, bell\a, "+strings.Repeat("on and on ", 300))
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Seats[0].SeedWords; !strings.HasPrefix(got, "tab here, bell") || len(got) > 300 {
		t.Errorf("the words are %q", got)
	}
	for _, s := range orchards[1:] {
		c.sends(s, "JOIN")
	}
	rec, err := c.adj.Export(t.Context(), id, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.VerifyStream(rec); err != nil {
		t.Error(err)
	}
}

// TestWrongList: recorded chance that does not even fit the first deal is
// refused before anybody is invited.
func TestWrongList(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	inv := adjudicator.Invitation{Game: "orchards", Recorded: []record.Outcome{{Roll: 4}}, Players: []string{"a@x.test", "b@x.test", "c@x.test"}}
	if _, err := c.adj.CreateMatch(t.Context(), inv); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("error %v", err)
	}
	if at, waits, err := c.db.Outbox("").NextDue(t.Context()); err != nil || waits {
		t.Errorf("a letter waits for %v, %v", at, err)
	}
}
