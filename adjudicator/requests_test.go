package adjudicator_test

import (
	"strings"
	"testing"
)

// TestRequestsFirst: a request stands in the subject and above the moves. A move that ends it says so to both players, and the letters
// of a match that is over contain no request.
func TestRequestsFirst(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.sends("democrat", "DRAW")
	asked := c.last("communist")
	wants(t, asked.Subject, "Please answer a request; it is also your move")
	if request, move := strings.Index(asked.Text, "DRAW YES"), strings.Index(asked.Text, "PLACE "); request < 0 || move < request {
		t.Errorf("the request is not above the moves:\n%s", asked.Text)
	}
	const told = "the draw that the Democrat offered is declined"
	wants(t, oneLine(c.sends("communist", "PLACE Miskolc, Debrecen").Text), told)
	wants(t, oneLine(c.last("democrat").Text), told)
	c.sends("democrat", "PAUSE 3 days")
	over := c.sends("communist", "RESIGN "+id)
	wants(t, over.Subject, "You lost (you resigned)")
	wants(t, c.last("democrat").Subject, "You won (the Communist resigned)")
	if strings.Contains(over.Text, "PAUSE YES") || strings.Contains(c.last("democrat").Text, "asks for") {
		t.Errorf("the last letter has a request:\n%s", over.Text)
	}
	if result, proof := strings.Index(over.Text, "The match is over: you lost."), strings.Index(over.Text, "THE DICE"); result < 0 || proof >= 0 && proof < strings.Index(over.Text, "THE MAP") {
		t.Errorf("the proof stands above the result:\n%s", over.Text)
	}
}
