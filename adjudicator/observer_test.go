package adjudicator_test

import (
	"bytes"
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	smail "samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

var (
	openly   = match.ObserverPolicy{Allowed: true}
	daysLate = match.ObserverPolicy{Allowed: true, Delay: 3 * 24 * time.Hour}
)

// inviteObserved invites the players of a match that may be observed.
func (c *club) inviteObserved(sp match.ObserverPolicy, game string, recorded []record.Outcome, seats ...string) string {
	c.t.Helper()
	inv := adjudicator.Invitation{Game: game, Recorded: recorded, ObserverPolicy: sp}
	for _, s := range seats {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(c.t.Context(), inv)
	if err != nil {
		c.t.Fatal(err)
	}
	c.deliver()
	return m.ID
}

func (c *club) joinAll(seats ...string) {
	c.t.Helper()
	for _, s := range seats {
		c.sends(s, "JOIN the words of "+s)
	}
}

// observed is a match of 1989 with the chance of the rulebook's sample turn that may
// be observed.
func watched(t testing.TB, sp match.ObserverPolicy, change change) (c *club, id string) {
	t.Helper()
	c = newClub(t, dawn1989.Game())
	return c, c.inviteObserved(sp, "1989", sampleChance(t, change), dawnSeats...)
}

// toReferee is a letter to the referee that answers none.
func (c *club) toReferee(name, text string) message.Draft {
	c.uid++
	return message.Draft{From: address(name), To: c.codec.Address, Subject: "Hello", MessageID: fmt.Sprintf("%d.%s", c.uid, address(name)), Date: c.now, Text: text}
}

// got is how many letters somebody has.
func (c *club) got(name string) int { return len(c.mailbox[address(name)]) }

// observes lets somebody observe a match.
func (c *club) watches(name, id string) {
	c.t.Helper()
	had := c.got(name)
	c.receive(c.toReferee(name, "OBSERVE "+id))
	if c.got(name) != had+1 {
		c.t.Fatalf("%s was asked %d times whether to watch", name, c.got(name)-had)
	}
	c.sends(name, "yes")
}

// waiting are the letters to somebody that wait to be sent, as they will be.
func (c *club) waiting(name string) [][]byte {
	c.t.Helper()
	out, err := c.box().Due(c.t.Context(), c.now.Add(1000*time.Hour), 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	var raw [][]byte
	for _, o := range out {
		if o.To == address(name) {
			raw = append(raw, o.Raw)
		}
	}
	return raw
}

// TestObserve is the story of somebody who observes a match to its end.
func TestObserve(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.inviteObserved(openly, "orchards", nil, orchards...)
	golden(t, "observe/invitation.txt", c.last("north").Text)
	c.receive(c.toReferee("ann", "Hello,\nOBSERVE "+strings.ToUpper(id)+"\nThanks!"))
	golden(t, "observe/confirmation.txt", c.last("ann").Text)
	golden(t, "observe/not-begun.txt", c.sends("ann", "Yes, please.").Text)
	c.joinAll(orchards...)
	golden(t, "observe/begins.txt", c.last("ann").Text)
	if strings.Contains(c.last("ann").Text, "the words of") {
		t.Error("an observer is shown what players wrote")
	}
	had := c.got("ann")
	playOn(t, c, id, func() { c.reopen() })
	if n := c.got("ann") - had; n < 5 {
		t.Errorf("an observer got %d letters of a whole match", n)
	}
	text := c.last("ann").Text
	golden(t, "observe/end.txt", text)
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, m.Secret.Hex()) || !strings.Contains(text, m.Head) {
		t.Error("the last letter lacks the secret or the head")
	}
	ids := map[string]bool{}
	for i, l := range c.mailbox[address("ann")] {
		narrow(t, l.Text)
		if ids[l.MessageID] {
			t.Errorf("two letters are called %s", l.MessageID)
		}
		ids[l.MessageID] = true
		if i > 1 && (len(l.References) == 0 || l.References[len(l.References)-1] != c.mailbox[address("ann")][1].MessageID) {
			t.Errorf("letter %d refers to %q", i, l.References)
		}
		if strings.Contains(l.Text, "players.test") {
			t.Errorf("letter %d shows an address:\n%s", i, l.Text)
		}
	}
	if f := c.receive(c.toReferee("ben", "OBSERVE "+id)); f != smail.Done {
		t.Errorf("filed in %s", f)
	}
	if text := c.sends("ben", "YES").Text; !strings.Contains(text, "cannot watch match") {
		t.Errorf("a match that is over can be watched:\n%s", text)
	}
}

// mapless cuts the map out of a letter.
func mapless(text string) string {
	before, rest, _ := strings.Cut(text, "\nTHE MAP\n-------\n")
	if i := nextHeading.FindStringIndex(rest); i != nil {
		return before + "\n(map)\n" + rest[i[0]:]
	}
	_, rest, _ = strings.Cut(rest, "\nYou only watch.")
	return before + "\n(map)\n\nYou only watch." + rest
}

// TestObserve1989 has the letters of the real game.
func TestObserve1989(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.joinAll(dawnSeats...)
	sampleLetters(t, c, 6)
	c.receive(c.toReferee("ann", "OBSERVE "+id))
	golden(t, "observe/first-1989.txt", mapless(c.sends("ann", "YES").Text))
	had := c.got("ann")
	sampleLetter(t, c, 6)
	if n := c.got("ann") - had; n != 1 {
		t.Fatalf("an action round led to %d letters", n)
	}
	golden(t, "observe/round-1989.txt", c.last("ann").Text)
	golden(t, "observe/answer-1989.txt", mapless(c.sends("ann", "HISTORY\nMAP\nCARD 14\nRULES support checks\nHAND\nPLAY 14 EVENT\nHello").Text))
	if text := c.sends("ann", "STATUS").Text; !strings.Contains(text, "THE MAP") && !strings.Contains(text, "MAP\n---") {
		t.Errorf("STATUS shows no map:\n%s", text)
	}
}

// TestObserverHeaders looks at what mail programs read.
func TestObserverHeaders(t *testing.T) {
	t.Parallel()
	c, id := watched(t, daysLate, taskNone)
	c.watches("ann", id)
	c.joinAll(dawnSeats...)
	raw := c.waiting("ann")
	if len(raw) != 1 {
		t.Fatalf("%d letters wait", len(raw))
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Reply-To": "^referee\\+" + id + "-o1-2-[a-z2-7]{16}@club.test$", "List-Id": "^<" + id + ".club.test>$", "Auto-Submitted": "^auto-generated$",
		"List-Unsubscribe": "^<mailto:referee%2B" + id + "-o1-2-[a-z2-7]{16}@club.test\\?subject=UNOBSERVE&body=UNOBSERVE>$",
		"References":       "^<" + id + "-o1-1-[a-z2-7]{16}@club.test>$",
		"Message-Id":       "^<" + id + "-o1-2-[a-z2-7]{16}@club.test>$",
		"Subject":          "^You are watching: 1989, turn 1.* \\[" + id + "\\]$", "Date": "^Wed, 07 Jun 1989 ",
	} {
		if got := m.Header.Get(name); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	// What a mail program sends to unsubscribe: a subject, and no text.
	ask := c.toReferee("ann", "")
	ask.To, ask.Subject = m.Header.Get("Reply-To"), "UNOBSERVE [samizdat "+id+"]"
	c.receive(ask)
	golden(t, "observe/farewell.txt", c.last("ann").Text)
	if n := len(c.waiting("ann")); n != 0 {
		t.Errorf("%d letters still wait for who has left", n)
	}
	had := c.got("ann")
	c.receive(ask)
	ask.MessageID = "another@one"
	c.receive(ask)
	sampleLetters(t, c, 5)
	if c.got("ann") != had || len(c.waiting("ann")) != 0 {
		t.Error("who has left is still written to")
	}
	if known, err := c.db.IsObserver(t.Context(), address("ann")); known || err != nil {
		t.Errorf("who has left is known: %v, %v", known, err)
	}
}

// TestObserverPage: the page says what the text says, and shows no picture.
func TestObserverPage(t *testing.T) {
	t.Parallel()
	c, id := watched(t, daysLate, taskNone)
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true, Pictures: true}
	c.watches("ann", id)
	c.joinAll(dawnSeats...)
	raw := strings.ReplaceAll(string(c.waiting("ann")[0]), "=\r\n", "")
	for want, ok := range map[string]bool{"Content-Type: text/html": true, "<h2>The map</h2>": true, "<table": true, "image/png": false, "Your decision": false} {
		if strings.Contains(raw, want) != ok {
			t.Errorf("%q is there: %v", want, !ok)
		}
	}
	if n := strings.Count(raw, "with UNOBSERVE"); n != 2 {
		t.Errorf("%d ways to leave, want one in the text and one on the page", n)
	}
}

// TestObserveFromTheTable: players ask for what only outsiders can have, and for
// languages.
func TestObserveFromTheTable(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.joinAll(dawnSeats...)
	text, _, _ := strings.Cut(c.sends("democrat", "OBSERVE\nOBSERVE "+id+"\nOBSERVE motherm\nUNOBSERVE\nLANGUAGE English\nlanguage: Deutsch").Text, "\nYOUR HAND\n")
	golden(t, "observe/player.txt", text)
	// Nothing in a message is an order.
	c.sends("democrat", "MESSAGE\nPLAIN\nLANGUAGE German\nOBSERVE\nEND MESSAGE")
	for _, want := range []string{"| PLAIN\n", "| LANGUAGE German\n", "| OBSERVE\n"} {
		if !strings.Contains(c.last("communist").Text, want) {
			t.Errorf("the message lacks %q:\n%s", want, c.last("communist").Text)
		}
	}
}
