package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/rulestest/council"
	"samizdat/testdata"
)

// numberedQuestion plays the sample turn until a letter numbers its answers, and
// returns whom it asks.
func numberedQuestion(t *testing.T, c *club) (seat string) {
	t.Helper()
	for n := range txtar.Parse(testdata.SampleLetters).Files {
		for _, s := range dawnSeats {
			if text := c.last(s).Text; strings.Contains(text, "You may answer with the number alone.") && strings.Contains(text, "It is your move.") {
				return s
			}
		}
		sampleLetter(t, c, n)
	}
	t.Fatal("no letter numbers its answers")
	return ""
}

// A number is an answer where the letter numbers the answers, and only to the
// question of the letter that it answers.
func TestNumberedReply(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	seat := numberedQuestion(t, c)
	asked := c.last(seat).Text
	_, form, ok := strings.Cut(asked, "    2. ")
	form, _, _ = strings.Cut(form, "\n")
	if !ok || !strings.HasPrefix(form, "CHOOSE ") {
		t.Fatalf("no second answer:\n%s", asked)
	}
	narrow(t, asked)

	before := c.export(id, true)
	if a := c.sends(seat, "99").Text; !strings.Contains(a, "99: refused\n  The answers are numbered from 1 to ") {
		t.Errorf("99 was not refused:\n%s", a)
	}
	if a := c.sends(seat, "2 x").Text; strings.Contains(a, ": done") {
		t.Errorf("2 x was carried out:\n%s", a)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("a bad number changed the match")
	}

	old := c.letter(seat, "2")
	again := c.letter(seat, "1")
	c.receive(old)
	answer := c.last(seat).Text
	if !strings.Contains(answer, "- 2: done\n  "+form+"\n") {
		t.Errorf("2 was not read as %s:\n%s", form, answer)
	}
	before = c.export(id, true)
	c.receive(again)
	if a := c.last(seat).Text; !strings.Contains(a, "- 1: refused\n  You answered a question that is closed") {
		t.Errorf("a late number was not refused:\n%s", a)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("a late number changed the match")
	}
}

// Points may be placed without the verb, where points are asked.
func TestReplyWithoutVerb(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	if a := c.sends("communist", "1 in Miskolc, one in Debrecen").Text; !strings.Contains(a, "PLACE Miskolc, Debrecen\n") || strings.Contains(a, "refused") {
		t.Errorf("not understood:\n%s", a)
	}
}

// TestShortAnswers: a letter that plays nothing gets an answer below 3 kB with the question, while it is its writer's move. A
// message to the player to move is short as well. Answers to questions stand above the decision, without the map.
func TestShortAnswers(t *testing.T) {
	t.Parallel()
	plain, _ := sampleAfter(t, 7)
	a := pages(plain)
	last := func(seat string) exchange.OutgoingLetter { all := a.letters[address(seat)]; return all[len(all)-1] }
	for _, text := range []string{
		"MESSAGE\nGood luck!\nEND MESSAGE", "FORMAT UTF8", "TIMEZONE Europe/Warsaw", "GRACE 1 hour", "CALL ME Ada", "NEW TOKEN",
		"TAKEBACK", "DRAW", "WITNESS 1", "PLAY 99 OPS", "IF VP 20: RESIGN", "Thanks for the game so far, it is a pleasure to play with you.",
	} {
		plain.receive(plain.letter("communist", text))
		if outgoing := last("communist"); len(outgoing.Raw.Bytes) >= 3000 || strings.Contains(outgoing.Body, "THE MAP") || !strings.Contains(outgoing.Body, "YOUR DECISION") {
			t.Errorf("%s: %d bytes of text, %d of page, %d in all:\n%s", text, len(outgoing.Body), len(outgoing.HTML), len(outgoing.Raw.Bytes), outgoing.Body)
		}
	}
	plain.receive(plain.letter("communist", "IF VP 20: RESIGN"))
	wants(t, last("communist").Body, "RESIGN cannot wait for a condition; only orders of the game can. Write RESIGN in a letter of its own when you mean it.")
	plain.receive(plain.letter("democrat", "MESSAGE\nGood luck to you!\nEND MESSAGE"))
	d := last("communist").Body
	if said, asked := strings.Index(d, "Good luck to you!"), strings.Index(d, "YOUR DECISION"); said < 0 || asked < said || strings.Contains(d, "THE MAP") {
		t.Errorf("a message to the player to move:\n%s", d)
	}
	plain.receive(plain.letter("communist", "CARD 14\nHAND\nFORMAT TEXT"))
	d = last("communist").Body
	if said, asked := strings.Index(d, "YOUR HAND"), strings.Index(d, "YOUR DECISION"); said < 0 || asked < said || strings.Contains(d, "THE MAP") {
		t.Errorf("answers to questions:\n%s", d)
	}
}

// TestRequestMap: a letter that asks the player to move for a draw shows the map, with its picture or the letter that has it; a
// message does not.
func TestRequestMap(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 8)
	a := pages(c)
	for text, shows := range map[string]bool{"DRAW": true, "MESSAGE\nWell?\nEND MESSAGE": false} {
		c.receive(c.letter("communist", text))
		outgoing := a.last("democrat")
		if !strings.Contains(outgoing.Body, "YOUR DECISION") || strings.Contains(outgoing.Body, "\nTHE MAP\n") != shows ||
			(outgoing.Drawing != nil || strings.Contains(outgoing.HTML, "The map has not changed since the picture")) != shows || strings.Contains(outgoing.Body, "YOUR HAND") {
			t.Errorf("%s, with a drawing of %d bytes:\n%s", text, len(outgoing.Drawing), outgoing.Body)
		}
	}
}

// TestShortMessageHides: the letter that brings a message does not show whether its writer has given a sealed answer with it.
func TestShortMessageHides(t *testing.T) {
	t.Parallel()
	var got [2]string
	for i, order := range []string{"", "NAME smith\n"} {
		c, _ := begun(t, council.Game(), councillors...)
		c.receive(c.letter("miller", order+"MESSAGE\nWhom do you name?\nEND MESSAGE"))
		got[i] = anyHash.ReplaceAllString(c.last("baker").Text, "")
	}
	if got[0] != got[1] || !strings.Contains(got[0], "Whom do you name?") || strings.Contains(got[0], "WATER AND FINES") {
		t.Errorf("with a message alone:\n%s\nwith a sealed answer:\n%s", got[0], got[1])
	}
}

// TestAnswerSizes: an answer to a letter without a move is small also while the other player is to move. Only links to tap need a
// page.
func TestAnswerSizes(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	c.adj.DeskURL = deskPage
	sampleLetters(t, c, 6)
	for _, tt := range []struct {
		text    string
		maximum int
		page    bool
	}{
		{"PLAY 14 OPS PLACE Gdansk 9", 1500, false}, {"FORMAT TEXT\nFORMAT PICTURE", 1500, false},
		{"MESSAGE\nhi\nEND MESSAGE", 1500, false}, {"DRAW please", 1500, false}, {"RESIGN", 3000, true},
	} {
		c.sends("communist", tt.text)
		if outgoing := a.last("communist"); len(outgoing.Raw.Bytes) > tt.maximum || (outgoing.HTML != "") != tt.page {
			t.Errorf("%q: the answer has %d bytes, at most %d are wanted; page: %v", tt.text, len(outgoing.Raw.Bytes), tt.maximum, outgoing.HTML != "")
		}
	}
}
