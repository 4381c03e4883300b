package adjudicator_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules/dawn1989"
)

// TestBidding: sides are bid for by sealed letters (1989, rule 13). Nothing of a
// bid is told before both are in; then everybody is told all.
func TestBidding(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{
		Game: "1989", Options: map[string]string{dawn1989.OptionBidding: "yes"}, Players: []string{address("first"), address("second")},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for _, s := range []string{"first", "second"} {
		c.sends(s, "JOIN the words of "+s)
	}
	golden(t, "bidding/asked.txt", c.last("second").Text)
	had := len(c.mailbox[address("second")])
	golden(t, "bidding/unclear.txt", c.sends("first", "BID COMMUNIST").Text)
	golden(t, "bidding/kept.txt", c.sends("first", "bid communist give 1").Text)
	c.sends("first", "BID COMMUNIST GIVE 3")
	if n := len(c.mailbox[address("second")]) - had; n != 0 {
		t.Errorf("the second player has %d letters about a sealed bid", n)
	}
	answer := c.sends("second", "BID COMMUNIST GIVE 2").Text
	golden(t, "bidding/opened.txt", answer)
	if !strings.Contains(answer, "The first player bids for the Communist and gives 3 support points.") {
		t.Error("the bids are not told when they are opened")
	}
	// The first player has the Communist, and so the first helping of set-up.
	c.sends("first", "PLACE Lodz 2")
	c.sends("second", "PLACE Pecs 3")
	c.sends("first", "PLACE Lodz 3")
	c.sends("second", "PLACE Pecs 4")
	c.sends("first", "PLACE Berlin 2")
	c.sends("second", "PLACE Miskolc 3")
	if a := c.sends("second", "STATUS").Text; !strings.Contains(a, "Pecs") {
		t.Errorf("the points of the bid are not placed:\n%s", a)
	}
	if data := string(c.export(m.ID, true)); !strings.Contains(data, "BID COMMUNIST GIVE 3") {
		t.Error("the bids are not in the record")
	}
}

// TestBiddingSealed: where words and bids are sealed, bids are asked for when all words are
// open.
func TestBiddingSealed(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id := c.invites(adjudicator.Invitation{Game: "1989", Options: map[string]string{dawn1989.OptionBidding: "yes"}, SealedWords: true}, []string{"first", "second"})
	golden(t, "begin/sealed-invitation.txt", c.last("first").Text)
	c.sends("first", "JOIN SEALED "+record.SealWords("one"))
	if text := c.sends("first", "BID COMMUNIST GIVE 3").Text; !strings.Contains(text, "it is waiting for the second to join") {
		t.Errorf("a bid before the match has begun:\n%s", text)
	}
	c.sends("second", "JOIN SEALED "+record.SealWords("two"))
	c.sends("second", "OPEN two")
	c.sends("first", "OPEN one")
	c.sends("first", "BID COMMUNIST GIVE 3")
	if text := c.sends("second", "BID COMMUNIST GIVE 2").Text; !strings.Contains(text, "The first player bids for the Communist and gives 3 support points.") {
		t.Errorf("the bids:\n%s", text)
	}
	verified(t, c, dawn1989.Game(), id)
}

// TestBidWantsNumber: a bid without a number is asked for, and never one of 0.
func TestBidWantsNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"BID COMMUNIST GIVE":                    "",
		"BID COMMUNIST GIVE points":             "",
		"BID COMMUNIST":                         "",
		"BID COMMUNIST GIVE 2 or 3":             "",
		"Communist, and I give the other side":  "",
		"I bid for the Communist and give some": "",
		"I bid Communist and give two points":   "BID COMMUNIST GIVE 2",
		"BID COMMUNIST GIVE 0":                  "BID COMMUNIST GIVE 0",
	} {
		c := newClub(t, dawn1989.Game())
		c.invites(adjudicator.Invitation{Game: "1989", Options: map[string]string{dawn1989.OptionBidding: "yes"}}, []string{"first", "second"})
		for _, s := range []string{"first", "second"} {
			c.sends(s, "JOIN the words of "+s)
		}
		switch answer := c.sends("first", text).Text; {
		case want != "" && !strings.Contains(answer, ": saved\n") || !strings.Contains(answer, want):
			t.Errorf("%q is not kept as %s:\n%s", text, want, answer)
		case want == "" && strings.Contains(answer, ": saved"):
			t.Errorf("%q is kept:\n%s", text, answer)
		case want == "" && !strings.Contains(answer, "BID COMMUNIST GIVE 2"):
			t.Errorf("%q: the answer does not say how a bid is written:\n%s", text, answer)
		}
	}
}
