package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/testdata"
)

// numberedQuestion plays the sample turn until a letter numbers its answers, and
// returns whom it asks.
func numberedQuestion(t *testing.T, c *club) (seat string) {
	t.Helper()
	for n := range txtar.Parse(testdata.SampleLetters).Files {
		for _, s := range dawnSeats {
			if text := c.last(s).Text; strings.Contains(text, "The number alone will do.") && strings.Contains(text, "It is your move.") {
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
	if a := c.last(seat).Text; !strings.Contains(a, "- 1: refused\n  The question that you answer is closed") {
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
