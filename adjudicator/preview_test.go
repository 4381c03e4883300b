package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// TestPreview: a preview tells what orders would do up to the first die or the
// other side's decision, and leaves everything as it was.
func TestPreview(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	before, was := c.export(id, true), len(c.mailbox[address("communist")])
	for _, test := range []struct{ letter, want string }{
		{"PREVIEW\nPLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST\nANSWER 19 CHOOSE Czech Catholic Church",
			"PLAY 10 OPS EVENT FIRST The Democrat plays"},
		{"PREVIEW\nPLAY 10 OPS EVENT FIRST", "for the Communist to decide"},
		{"Preview: play 39 for the event", "- play 39 for the event: preview PLAY 39 EVENT"},
		{"PREVIEW PLAY 39 EVENT", "- PLAY 39 EVENT: preview PLAY 39 EVENT"},
		{"PREVIEW PLAY 10 OPS CHECK Poznan, Berlin EVENT AFTER", "From there on it depends on chance."},
		{"PREVIEW PLAY 33 EVENT\nCHOOSE Razgrad\nPLAY 12 OPS EVENT FIRST", "Then you are asked"},
		{"PLAY 33 EVENT\nCHOOSE Razgrad\nPREVIEW", "CHOOSE Razgrad: preview"},
		{"PREVIEW PLAY 40 EVENT", "It would be refused."},
		{"PREVIEW\nPLAY 40 EVENT\nPLAY 33 EVENT", "PLAY 33 EVENT: not reached A line before it would be refused."},
		{"PREVIEW PLAY 9999 EVENT", "refused"},
		{"PREVIEW\nTAKEBACK\nPLAY 33 EVENT", "- TAKEBACK: not reached It cannot be previewed. - PLAY 33 EVENT: preview"},
		{"PREVIEW", "This is only a preview"},
	} {
		a := c.sends("democrat", test.letter)
		wants(t, a.Text, test.want, "It is your move.")
		narrow(t, a.Text)
	}
	if got := c.export(id, true); !bytes.Equal(got, before) || len(c.mailbox[address("communist")]) != was {
		t.Error("a preview has done something")
	}
	wants(t, c.sends("democrat", "SHOW ORDERS").Text, "You have no saved orders.")
	c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	wants(t, c.sends("democrat", "PREVIEW PLAY 33 EVENT").Text, "It is not your move.")
}

// rash is Three Orchards in which playing a card for one token loses the match, as
// far as its player can tell.
func rash() *rules.Game {
	g := rulestest.Game()
	g.Warning = func(_ rules.View, d rules.Decision, atoms []rules.Atom) string {
		if d.Kind == "play" && len(atoms) == 2 {
			return "That would lose."
		}
		return ""
	}
	return g
}

// TestForSure: an order that loses on the spot has to be confirmed, and an order
// ahead never does it.
func TestForSure(t *testing.T) {
	t.Parallel()
	c := newClub(t, rash())
	id := c.match("orchards", nil, orchards...)
	pos, err := rulestest.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	d := pos.OpenDecisions(nil)[0]
	seat, line := orchards[d.Seat], ""
	for _, a := range pos.Options(nil, d.ID) {
		card := rulestest.Game().FormatOrder([]rules.Atom{a})
		if n := strings.TrimPrefix(card, "PLAY "); line == "" && (n == "3" || n == "6" || n == "9" || n == "12") {
			line = card + " SOW Millpond"
		}
	}
	if line == "" {
		t.Fatal("no card for one token in the hand: take another seed")
	}
	before := c.export(id, true)
	wants(t, c.sends(seat, line).Text, "That would lose. If you are sure, write "+line+" FOR SURE.")
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the order was carried out")
	}
	wants(t, c.sends(seat, line+" for sure").Text, line+" for sure: done")
}
