package adjudicator_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest/council"
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

// flat is a text without the breaks of its lines.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

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
	if err := c.db.RecordBounce(t.Context(), id, 1, 2, exchange.Bounce{Hard: true, Recipient: address("baker")}, c.now); err != nil {
		t.Fatal(err)
	}
	if got := c.orders("STATUS"); !strings.Contains(got, "- baker: one letter came back\n") {
		t.Errorf("a letter came back:\n%s", got)
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
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "council", Players: []string{address("ann"), address("ben")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.receive(c.letter("ben", "JOIN"))
	golden(t, "director/inviting.txt", c.directs(m.ID).Text)
	for _, text := range []string{"UNDO TO 1", "ANNUL", "PAUSE", "RESUME", "RULE DRAW", "EXTEND miller BY 1 day", "REPLACE miller WITH new@players.test", "TELL ALL that"} {
		if got := flat(c.orders(text + " BECAUSE of it")); !strings.Contains(got, ": refused The match ") {
			t.Errorf("%s, of a match that has not begun:\n%s", text, got)
		}
	}
	var out strings.Builder
	for _, text := range []string{"CANCEL", "CANCEL? BECAUSE of it", "CANCEL ORDERS BECAUSE of it", "Please cancel it, because of that.", "CANCEL the invitation\nBECAUSE Ann has no time.", "YES"} {
		fmt.Fprintf(&out, "=== %s\n%s\n", text, runEffects(c.orders(text)))
	}
	golden(t, "director/cancelled.txt", out.String()+"=== to ben\n"+c.last("ben").Text+"=== to ann\n"+c.last("ann").Text)
	if c.stored(m.ID).State != match.CalledOff {
		t.Error("the match was not called off")
	}
	golden(t, "director/called-off.txt", c.orders("STATUS"))
	if got := c.orders("CANCEL BECAUSE of it"); !strings.Contains(got, "called off already") {
		t.Errorf("again:\n%s", got)
	}
	if c.receive(c.reply(c.mailbox[address("ann")][0], "ann", "JOIN")); c.stored(m.ID).State != match.CalledOff {
		t.Error("a late JOIN begins the match")
	}
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
	if got := c.orders("YES"); !strings.Contains(got, "There is no open question to answer with YES") {
		t.Errorf("a second YES:\n%s", got)
	}
}

// misuses are what a director might write, and what does nothing, or nothing yet. The letters of
// a verb are a file.
var misuses = map[string][]string{
	"letter": {"YES", "NO", "YES\nNO", "OK then", "", "PLAY 3", "// STATUS", "Yes, I have read that.", "ANNUL BECAUSE x\n\nRESUME BECAUSE y", "ANNUL BECAUSE x\nUNDO 3"},
	"replace": {"REPLACE smith WITH new@players.test", "REPLACE smith BECAUSE he is away", "REPLACE smith WITH new BECAUSE he is away", "REPLACE potter WITH new@players.test BECAUSE he is away",
		"REPLACE smith WITH miller@players.test BECAUSE he is away", "REPLACE smith WITH director@players.test BECAUSE I want to play", "REPLACE smith WITH new@players.test? BECAUSE he is away",
		"Should I replace the smith with new@players.test because he is away?"},
	"undo": {"UNDO BECAUSE of the smith", "UNDO 1 BECAUSE of the smith", "UNDO TO 1", "UNDO TO 0 BECAUSE of the smith", "UNDO TO 2 BECAUSE of the smith", "UNDO TO the beginning BECAUSE of the smith",
		"UNDO TO 1? BECAUSE of the smith", "I would undo to 1, because of the smith.", "UNDO TO 1 BECAUSE of the smith\nor rather not"},
	"annul": {"ANNUL", "ANNUL it all BECAUSE it is broken", "Annul? Because it is broken", "I should annul this, shouldn't I?", "ANNUL BECAUSE", "Do not ANNUL, because it is fine.", "ANNUL BECAUSE it is broken\n\nNO"},
	"rule": {"RULE smith", "RULE BECAUSE it is over", "RULE potter BECAUSE it is over", "RULE smith, smith BECAUSE it is over", "RULE smith or miller BECAUSE it is over", "RULE draw for the smith BECAUSE it is over",
		"RULE DRAW, NOBODY BECAUSE it is over", "The rule is clear: the smith wins, because it is over."},
	"extend": {"EXTEND smith BY 2 days BECAUSE he is ill", "EXTEND smith BY 2 days", "EXTEND smith BECAUSE he is ill", "EXTEND BY 2 days BECAUSE he is ill", "EXTEND potter BY 2 days BECAUSE he is ill",
		"EXTEND smith BY 5 years BECAUSE he is ill", "EXTEND smith BY two days BECAUSE he is ill", "Please extend it, because he is ill."},
	"pause":  {"PAUSE BECAUSE it is summer", "PAUSE", "PAUSE for thought BECAUSE it is summer", "PAUSE 2 years BECAUSE it is summer", "PAUSE 9999 weeks BECAUSE it is summer", "PAUSE? BECAUSE it is summer"},
	"resume": {"RESUME BECAUSE it is autumn", "RESUME", "RESUME on Monday BECAUSE it is autumn", "We resume, because it is autumn."},
	"tell":   {"TELL ALL", "TELL smith he is late", "TELL ALL " + strings.Repeat("x", 2001), "Tell me all", "I would tell all of them to hurry."},
}

// TestDirectorMisuse: what is not an act as it is written does nothing, and every act is asked
// back.
func TestDirectorMisuse(t *testing.T) {
	t.Parallel()
	for verb, letters := range misuses {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			c, id := council5(t)
			c.directs(id)
			before, had := c.export(id, true), mails(c)
			var out strings.Builder
			for _, text := range letters {
				answer := c.orders(text)
				narrow(t, answer)
				fmt.Fprintf(&out, "=== %.300s\n%s\n", text, runEffects(answer))
				if strings.Contains(answer, "have been told") {
					t.Errorf("%q was done", text)
				}
			}
			golden(t, "director/misused-"+verb+".txt", out.String())
			if !bytes.Equal(before, c.export(id, true)) {
				t.Error("the match was changed")
			}
			for _, s := range councillors {
				if mails(c)[address(s)] != had[address(s)] {
					t.Errorf("the %s was told", s)
				}
			}
		})
	}
}

// runEffects is what a letter to the director says of his own.
func runEffects(text string) string {
	if _, own, ok := strings.Cut(text, "\nYOUR LETTER\n-----------\n"); ok {
		text = own
	} else {
		_, text, _ = strings.Cut(text, "\n\n- ")
		text = "- " + text
	}
	text, _, _ = strings.Cut(text, "\nTo give another order")
	text, _, _ = strings.Cut(text, "\nWHAT YOU MAY WRITE")
	return strings.TrimSpace(text) + "\n"
}

// TestDirectorPlays: nobody directs a match that he plays in, whatever he writes and whichever of
// his letters he answers. In his own letters of the match he is a player.
func TestDirectorPlays(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	l := c.directs(id)
	if err := c.adj.Replace(t.Context(), id, 2, address("director")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	seat := c.last("director")
	before := c.export(id, true)
	for i, m := range []message.Draft{c.reply(l, "director", "STATUS"), c.toReferee("director", "DIRECT "+id)} {
		had := c.got("director")
		c.receive(m)
		text := c.last("director").Text
		if i == 0 {
			golden(t, "director/plays.txt", text)
		}
		if got := c.got("director") - had; got != 1-i || !strings.Contains(text, "so you cannot direct it") {
			t.Errorf("letter %d: %d answers, the last is\n%s", i, got, text)
		}
	}
	c.receive(c.reply(seat, "director", "PAUSE BECAUSE I am away"))
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the director has changed a match that he plays in")
	}
	other := c.match("council", nil, "ann", "ben")
	if c.directs(other); !strings.Contains(c.orders("STATUS"), "THE HISTORY") {
		t.Error("he does not direct a match that he does not play in")
	}
}

// TestDirectorProof: where a proof is demanded, the director's letters need it too.
func TestDirectorProof(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	c.directs(id)
	c.orders("REPLACE smith WITH new@players.test BECAUSE he is away")
	asking := c.last("director")
	proven := false
	c.codec.Proof = func(context.Context, []byte, message.Letter) (bool, error) { return proven, nil }
	had := c.got("director")
	if c.receive(c.reply(asking, "director", "YES")); c.got("director") != had+1 || len(c.last("director").ReplyTo) != 0 {
		t.Errorf("a letter without proof is answered with\n%s", c.last("director").Text)
	}
	if c.stored(id).Seats[2].Player.Address == "new@players.test" {
		t.Error("a letter without proof counts")
	}
	proven = true
	if c.receive(c.reply(asking, "director", "YES")); c.stored(id).Seats[2].Player.Address != "new@players.test" {
		t.Errorf("a letter with proof is answered with\n%s", c.last("director").Text)
	}
}

// TestDirectorAskedAgain: a YES counts for the match as it stood, and for a while.
func TestDirectorAskedAgain(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	c.directs(id)
	seated := func() bool { return c.stored(id).Seats[2].Player.Address == "new@players.test" }
	c.orders("REPLACE smith WITH new@players.test BECAUSE he is away")
	all(t, c, councillors, "VOTE YES")
	if got := c.orders("YES"); seated() || !strings.Contains(flat(got), "The match has moved on") {
		t.Errorf("after the match has moved:\n%s", got)
	}
	c.now = c.now.Add(8 * day)
	if got := c.orders("YES"); seated() || !strings.Contains(flat(got), "more than 7 days ago") {
		t.Errorf("after eight days:\n%s", got)
	}
	if got := c.orders("YES\nbut wait until Monday"); seated() || !strings.Contains(flat(got), "also says") {
		t.Errorf("with a doubt:\n%s", got)
	}
	if got := c.orders("Thank you.\n\nYES\n\nBest regards,\nDora"); !seated() {
		t.Errorf("with thanks:\n%s", got)
	}
}

// TestDirectorYes: every letter to the director that a YES can answer names the act that it means.
func TestDirectorYes(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	c.directs(id)
	c.orders("ANNUL BECAUSE of it")
	for _, text := range []string{"HISTORY 1", "STATUS", "UNDO TO 99 BECAUSE of it"} {
		if got := flat(c.orders(text)); !strings.Contains(got, "- ANNUL: not done yet You have not confirmed this.") {
			t.Errorf("%s:\n%s", text, got)
		}
	}
}

// TestDirectorPauseStays: what players have asked for before does not end or shorten a pause of the
// director.
func TestDirectorPauseStays(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(2)
	id := timed(t, c, "council", "72h+12h<=120h", clock.Claim, seats...)
	says(t, c, "miller PAUSE 1 day")
	c.directs(id)
	c.orders("PAUSE BECAUSE of it")
	c.orders("YES")
	if l := c.sends("baker", "PAUSE YES"); !strings.Contains(l.Text, "PAUSE YES: refused") {
		t.Errorf("the consent:\n%s", l.Text)
	}
	if h := c.stored(id).Pause; h == nil || !h.Director || !h.Until.IsZero() {
		t.Errorf("the pause is %+v", h)
	}
}
