package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/mail/message"
)

// directs gives the letter of a match that the director may answer.
func (c *club) directs(id string) message.Letter {
	c.t.Helper()
	had := c.got("director")
	c.receive(c.toReferee("director", "DIRECT "+id))
	if c.got("director") != had+1 {
		c.t.Fatalf("the director got %d letters", c.got("director")-had)
	}
	return c.last("director")
}

// orders lets the director answer his newest letter, and gives him what comes back.
func (c *club) orders(text string) string {
	c.t.Helper()
	return c.sends("director", text).Text
}

// TestDirectorLetter: the director is shown what everybody may know, by the numbers of the
// history, and his letter has a token that is good until he has done something.
func TestDirectorLetter(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	says(t, c, "smith VOTE YES", "miller VOTE NO")
	before := string(c.export(id, true))
	l := c.directs(id)
	golden(t, "director/first.txt", l.Subject+"\n\n"+l.Text)
	narrow(t, l.Text)
	golden(t, "director/help.txt", c.orders("HELP"))
	golden(t, "director/history.txt", c.orders("HISTORY 2"))
	golden(t, "director/status.txt", c.orders("Hello,\n\nSTATUS please\nSTATUS\n\nDora"))
	if before != string(c.export(id, true)) {
		t.Error("the director's questions have changed the match")
	}
	for _, s := range councillors {
		for _, secret := range []string{address(s), "VOTE YES", "VOTE NO"} {
			if strings.Contains(c.last("director").Text, secret) {
				t.Errorf("the director is told %q", secret)
			}
		}
	}
}

// TestDirectorInviting: a match that has not begun can be looked at too.
func TestDirectorInviting(t *testing.T) {
	t.Parallel()
	c, _ := council5(t)
	m, err := c.adj.New(t.Context(), adjudicator.Invitation{Game: "council", Players: []string{address("ann"), address("ben")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.receive(c.letter("ben", "JOIN"))
	golden(t, "director/inviting.txt", c.directs(m.ID).Text)
}

// TestDirectorReplaces: an act is asked back with its effect and its reason, and done by YES.
func TestDirectorReplaces(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	c.directs(id)
	had := mails(c)
	golden(t, "director/replace-asked.txt", c.orders("REPLACE smith WITH Nora <new@players.test>\nBECAUSE he has not written for\nsix weeks.\n\nDora"))
	for _, s := range councillors {
		if n := mails(c)[address(s)] - had[address(s)]; n != 0 {
			t.Errorf("%s was told of a question", s)
		}
	}
	c.reopen()
	golden(t, "director/replace-done.txt", c.orders("Yes, please."))
	if got := c.stored(id).Seats[2].Player.Address; got != "new@players.test" {
		t.Errorf("the seat is played by %s", got)
	}
	if got := c.orders("YES"); !strings.Contains(got, "There is nothing that YES answers") {
		t.Errorf("a second YES:\n%s", got)
	}
}

// TestDirectorMisuse: what is not an act as it is written does nothing.
func TestDirectorMisuse(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, text := range []string{
		"REPLACE smith WITH new@players.test", "REPLACE smith BECAUSE he is away", "REPLACE smith WITH new BECAUSE he is away",
		"REPLACE potter WITH new@players.test BECAUSE he is away", "REPLACE smith WITH miller@players.test BECAUSE he is away",
		"REPLACE smith WITH director@players.test BECAUSE I want to play", "REPLACE smith WITH new@players.test? BECAUSE he is away",
		"Should I replace the smith with new@players.test because he is away?",
		"YES", "NO", "YES\nNO", "OK then", "", "PLAY 3", "// STATUS",
		"REPLACE smith WITH a@x.test BECAUSE x\n\nREPLACE miller WITH b@x.test BECAUSE y",
	} {
		c, id := council5(t)
		c.directs(id)
		before := string(c.export(id, true))
		fmt.Fprintf(&out, "=== %s\n%s\n", text, reply(c.orders(text)))
		if before != string(c.export(id, true)) {
			t.Errorf("%q changed the match", text)
		}
	}
	golden(t, "director/misuse.txt", out.String())
}

// reply is what a letter to the director says of his own.
func reply(text string) string {
	_, text, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "\nTo direct the match")
	return strings.TrimSpace(text) + "\n"
}
