package adjudicator_test

import "testing"

// TestProposal: orders beside which something else stands wait for a YES, which is stored
// with the match, does just what was named, and does it once.
func TestProposal(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	const order, doubt = "PLACE Miskolc, Debrecen", "my wife thinks that is daft"
	asked := func(want ...string) {
		t.Helper()
		wants(t, c.sends("communist", order+"\n"+doubt).Text, append(want, "Please confirm it: "+order+" YES carries it out; NO drops it. Until you answer, nothing is done. YES NO")...)
		if n := len(entriesOf(t, c, id)); n != 0 {
			t.Fatalf("%d entries", n)
		}
	}
	wants(t, c.sends("communist", "YES").Text, "There is no question for you to answer with YES")

	asked(doubt)
	wants(t, c.sends("communist", "SHOW ORDERS").Text, order+" (not done yet; YES")
	wants(t, c.sends("communist", "CANCEL ORDERS").Text, "Your saved orders are dropped.")
	wants(t, c.sends("communist", "YES").Text, "There is no question for you to answer with YES")

	asked(doubt)
	c.sends("communist", "PLACE Nowhere 2") // another order ends the question
	wants(t, c.sends("communist", "YES").Text, "There is no question for you to answer with YES")

	first := c.letter("communist", "YES, please.")
	asked(doubt)
	c.receive(first) // it answers an older letter than the one that asks
	if n := len(entriesOf(t, c, id)); n != 0 {
		t.Fatalf("a YES to an older letter counts: %d entries", n)
	}

	asked(doubt)
	c.reopen()
	wants(t, c.sends("communist", "YES please").Text, order+": done")
	if n := len(entriesOf(t, c, id)); n != 1 {
		t.Fatalf("%d entries, want 1", n)
	}
	wants(t, c.sends("communist", "YES").Text, "There is no question for you to answer with YES")
}

// TestProposalKeepsWhatWasNamed: a YES is never asked for another card than the letter names, nor
// for an event at the other time.
func TestProposalKeepsWhatWasNamed(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	for n := range 5 {
		sampleLetter(t, c, n)
	}
	for letter, want := range map[string]string{
		"Honecker for ops, 1 Lodz, 1 Krakow, his event after":  "refused Card 15, Honecker, is not an enemy",
		"Dash for ops, 1 Warsaw, 1 Bydgoszcz, his event after": "refused Your order is incomplete",
	} {
		got := c.sends("communist", letter).Text
		wants(t, oneLine(got), want)
		lacks(t, got, "answer YES")
	}
}
