package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// historyOfSample are the orders of the first n letters of the sample turn.
func historyOfSample(t *testing.T, n int) []string {
	t.Helper()
	c, id := sampleAfter(t, n)
	return entriesOf(t, c, id)
}

// wants checks that a letter has all these parts.
func wants(t *testing.T, letter string, parts ...string) {
	t.Helper()
	text := strings.Join(strings.Fields(letter), " ")
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("the letter lacks %q:\n%.1200s", p, letter)
			return
		}
	}
}

// TestStruggleInTwoLetters: the sample's power struggle, 18 letters by hand, takes
// two with plans, and goes the same way.
func TestStruggleInTwoLetters(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 35)
	a := c.sends("communist", "ATTACK Petition-6, Strike-6, Strike-3, Strike-3, Rally, March-3\n"+
		"DEFEND March-3, March-3, Worker Leader")
	wants(t, a.Text, "ATTACK Petition-6, Strike-6, Strike-3, Strike-3, Rally, March-3: done", "DEFEND March-3, March-3, Worker Leader: saved")
	// Nobody else is told.
	if l := c.last("democrat").Text; strings.Contains(l, "Strike-6, Strike-3") || strings.Contains(l, "Worker Leader") {
		t.Errorf("the Democrat is told of the plan:\n%s", l)
	}
	c.reopen()
	c.sends("democrat", "DEFEND Petition-6, Strike-4, Church Leader, Tactic Fails, Rally, March-3\nATTACK March-5, March-4, Rally")
	if d := cmp.Diff(historyOfSample(t, 53), entriesOf(t, c, id)); d != "" {
		t.Errorf("by hand - by plans +\n%s", d)
	}
	wants(t, c.last("communist").Text, "Carried out: ATTACK Strike-6", "Carried out: DEFEND Worker Leader")
	for _, s := range dawnSeats {
		narrow(t, c.last(s).Text)
	}
	// The plans ended with the struggle.
	c.sends("communist", "REMOVE Poznan")
	for _, s := range dawnSeats {
		wants(t, c.sends(s, "SHOW ORDERS").Text, "SHOW ORDERS: done You have no saved orders.")
	}
}

// TestRoundInOneLetter: answers and an action given ahead let one letter go on
// through two action rounds, in the same order as by hand.
func TestRoundInOneLetter(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	a := c.sends("communist", "ANSWER 10 PLACE Sliven 9, Brasov 2, Ploiesti 2, Gdansk\n"+
		"next if hold 19 and not happened 2: play 19 ops place Gdansk, Debrecen event first else ask")
	wants(t, a.Text, "ANSWER 10 PLACE Sliven 9, Brasov 2, Ploiesti 2, Gdansk: saved", "NEXT IF HOLD 19 AND NOT HAPPENED 2: PLAY 19 OPS PLACE Gdansk, Debrecen EVENT FIRST",
		" not told of it.")
	wants(t, c.sends("communist", "STATUS").Text, "You have 2 saved orders")
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "ANSWER 10 PLACE Sliven 9", "NEXT IF HOLD 19")
	c.reopen()
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST\nANSWER Papal Visit CHOOSE Czech Catholic Church")
	got := entriesOf(t, c, id)
	want := historyOfSample(t, 18)
	// Sliven is a Bulgarian space, and card 10 wants Romanian ones.
	if d := cmp.Diff(want[len(want)-6:], got[len(got)-min(len(got), 6):]); d != "" {
		t.Errorf("by hand - ahead +\n%s\n%s", d, c.last("democrat").Text)
	}
}

// TestConditionalOrdersAreSecret: what is kept changes nothing in the letters of others and
// in the record until it is carried out, not even when it is shown, cancelled or
// written again.
func TestConditionalOrdersAreSecret(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	plain, _ := sampleAfter(t, 12)
	before := c.export(id, true)
	for _, text := range []string{"ANSWER 10 PLACE Brasov 2, Ploiesti 2\nATTACK March-6", "SHOW ORDERS", "CANCEL ORDERS", "ANSWER 45 REMOVE Praha ALWAYS"} {
		c.sends("communist", text)
	}
	if got := c.export(id, true); string(got) != string(before) {
		t.Error("orders ahead are in the record")
	}
	c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	// The same minute: letters say since when somebody is asked.
	plain.now = c.now.Add(-time.Minute)
	plain.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	box, other := c.mailbox[address("democrat")], plain.mailbox[address("democrat")]
	if len(box) != len(other) {
		t.Fatalf("%d letters instead of %d", len(box), len(other))
	}
	for i := range box {
		if d := cmp.Diff(unhashed(other[i]).Text, unhashed(box[i]).Text); d != "" {
			t.Errorf("letter %d:\n%s", i, d)
		}
	}
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "ANSWER 45 REMOVE Praha ALWAYS")
	wants(t, c.sends("communist", "CANCEL ORDERS").Text, "Your saved orders are dropped.")
	wants(t, c.sends("communist", "CANCEL ORDERS").Text, "You had no saved orders.")
}

// TestDisarmed: the first question for which nothing in its line is legal drops
// all that is kept, and its owner is asked.
func TestDisarmed(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	c.sends("communist", "ANSWER 10 PLACE Berlin 2, Sofia\nANSWER 45 REMOVE Praha ALWAYS\nNEXT PLAY 19 OPS EVENT FIRST ANYWAY")
	c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	l := c.last("communist").Text
	wants(t, l, "It is your move.", "ANSWER 10 PLACE Berlin 2, Sofia: lapsed", "So we are asking you.", "NEXT PLAY 19 OPS EVENT FIRST ANYWAY: lapsed",
		"ANSWER 45 REMOVE Praha ALWAYS: lapsed")
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "You have no saved orders.")
	if got := entriesOf(t, c, id); got[len(got)-1] != "democrat PLAY 10 OPS EVENT FIRST" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}

// TestSurprise: a Scoring Card of the other side drops what is kept for the next
// round, and leaves what is kept for the power struggle and what says ANYWAY.
func TestSurprise(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 32)
	c.sends("democrat", "NEXT PLAY 39 EVENT\nANSWER STAKES PASS\nANSWER 45 REMOVE Praha ANYWAY")
	c.sends("communist", "PLAY 22 EVENT")
	wants(t, c.last("democrat").Text, "NEXT PLAY 39 EVENT: lapsed Poland Scoring was played meanwhile.")
	wants(t, c.sends("democrat", "SHOW ORDERS").Text, "ANSWER STAKES PASS ANSWER 45 REMOVE Praha ANYWAY")
	c.sends("communist", "PASS")
	wants(t, c.last("democrat").Text, "ANSWER STAKES PASS: done Carried out: PASS")
}

// TestFurtherPlay: a further PLAY behind THEN, below one that was carried out, is for the
// next action round; alone, when nothing is asked, it is refused.
func TestFurtherPlay(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 7)
	wants(t, c.sends("communist", "PLAY 15 OPS PLACE Warszawa, Gdansk 2\nTHEN PLAY 1 EVENT\nTHEN PLAY 14 EVENT").Text,
		"PLAY 1 EVENT: saved It was read as NEXT PLAY 1 EVENT.", "your next action", "PLAY 14 EVENT: saved")
	// The democrat's letter has another action of the communist in it, which asks.
	wants(t, c.sends("democrat", "PLAY 40 OPS PLACE Krakow 2, Lodz").Text, "It is not your move.")
	wants(t, c.last("communist").Text, "It is your move.", "NEXT PLAY 1 EVENT: done Carried out: PLAY 1 EVENT", "You have one saved order")
	if got := entriesOf(t, c, id); got[len(got)-1] != "communist PLAY 1 EVENT" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
	wants(t, c.sends("democrat", "PLAY 26 EVENT").Text, "PLAY 26 EVENT: refused")
}

// TestTalkIsNoProgram: talk that begins with the words of conditional orders is ignored,
// and what cannot be read is refused with what is wrong.
func TestTalkIsNoProgram(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 12)
	for text, want := range map[string]string{
		"Next time I will win.":                     `"Next time I will win.": not understood`,
		"If you like, take your time.":              `"If you like, take your time.": not understood`,
		"Answer when you can.":                      `"Answer when you can.": not understood`,
		"NEXT CHECK Berlin":                         "NEXT is for your next action",
		"NEXT IF Gdansk MINE PLAY 14 EVENT":         "A colon ends the condition",
		"IF Gdansk HERS: NEXT PLAY 14 EVENT":        "is not understood",
		"IF Gdanks MINE: NEXT PLAY 14 EVENT":        "refused",
		"ANSWER 45 ALWAYS REMOVE Nowhere":           "refused",
		"ANSWER 45 REMOVE Praha ELSE PASS":          "ELSE needs an IF before it",
		"IF VP 3: NEXT ASK":                         "There is no order in it",
		"NEXT PLAY 14 EVENT ALWAYS":                 "ALWAYS is for answers",
		"ANSWER WHATEVER REMOVE Praha":              "A source is a card or one of BOX 3",
		"NEXT IF TURN 2 AND ROUND 3: PLAY 14 EVENT": "saved",
	} {
		wants(t, c.sends("communist", text).Text, want)
	}
}
