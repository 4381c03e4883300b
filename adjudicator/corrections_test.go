package adjudicator_test

import "testing"

// TestCorrections: the answer to a letter that was not carried out says what to write instead, in words that answer the open question.
func TestCorrections(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		after     int
		who, text string
		want      string
		never     string
	}{
		{0, "communist", "> PLACE Miskolc, Debrecen", "without > before them: lines that begin with > are a quotation", ""},
		{12, "democrat", "PREVIEW\nPLAY 39 EVENT", "To carry them out, send them again without PREVIEW.", ""},
		{0, "communist", "TAKEBACK please, clicked too fast", "TAKEBACK, on a line of its own, asks whether you may take back your last order.", ""},
		{0, "communist", "Pause until Monday, the kids are ill", "PAUSE 5 days, on a line of its own, stops all clocks", ""},
		{0, "communist", "do you want a draw?", "DRAW, on a line of its own, offers a draw", ""},
		{0, "communist", "Shall we abort this one?", "ABORT, on a line of its own, breaks the match off", ""},
		{0, "communist", "PLACE Miskolc\nPLACE Debrecen", "Please confirm it: PLACE Miskolc, Debrecen YES carries it out; NO drops it. Until you answer, nothing is done. YES NO", "not reached"},
		{0, "communist", "place Miskolc\nplace Nowhere", "refused", "Please confirm"},
		{0, "communist", "place both in Budapest", "PLACE Budapest 2, which is refused: Budapest has support of the Democrat", "line of its own"},
		{5, "communist", "Consumerism, check Gdansk and Krakow", "is an enemy card: say when its event happens: PLAY 27 OPS EVENT FIRST", "what the event asks for"},
		{38, "democrat", "strike-4, and rally afterwards", "the first answers the question, and the rest waits for the next question of this kind", ""},
		{38, "democrat", "NEXT PLAY 14 EVENT", "Card 14, Gorbachev Charms the West, is not in your hand now.", ""},
		{38, "democrat", "NEXT PLAY 39 EVENT", "It is saved", "now."},
		{38, "communist", "ANSWER STRUGGLE: DEFEND Church Leader", "Church Leader is not among your cards of this power struggle now.", ""},
		{12, "democrat", "what does Support Falters do?", "RULES: POWER STRUGGLE", "begin with S"},
		{12, "democrat", "card support falters", "RULES: POWER STRUGGLE", "begin with S"},
	} {
		c, id := sampleAfter(t, test.after)
		before := c.stored(id).EntryCount
		letter := c.sends(test.who, test.text)
		wants(t, letter.Text, test.want)
		if test.never != "" {
			lacks(t, letter.Text, test.never)
		}
		if after := c.stored(id).EntryCount; after != before {
			t.Errorf("%q is carried out", test.text)
		}
	}
}

// TestYesBesideMessage: a YES in a letter whose message or setting is not understood carries out nothing, and the question stays.
func TestYesBesideMessage(t *testing.T) {
	t.Parallel()
	for _, beside := range []string{"message hi Ada, have fun!", "TIMEZONE Nowhere/Land"} {
		c, id := sampleClub(t)
		const order = "PLACE Miskolc, Debrecen"
		wants(t, c.sends("communist", order+"\nmy wife thinks that is daft").Text, "Please confirm it: "+order)
		answer := c.sends("communist", "yes\n\n"+beside)
		wants(t, answer.Text, "Please confirm it: "+order+" YES carries it out; NO drops it. Until you answer, nothing is done. YES NO", "yes: not reached", beside+": refused")
		lacks(t, answer.Text, "earlier letter")
		if n := len(entriesOf(t, c, id)); n != 0 {
			t.Fatalf("%d entries", n)
		}
		wants(t, c.sends("communist", "YES").Text, order+": done")
	}
	c, _ := sampleClub(t)
	c.sends("communist", "PLACE Miskolc, Debrecen\nmy wife thinks that is daft")
	wants(t, c.sends("communist", "yes\nNOTE she holds Rally").Text, "PLACE Miskolc, Debrecen: done")
}

// TestPlainNoToRequest: an answer in other words to a request of the other player names the orders that answer it.
func TestPlainNoToRequest(t *testing.T) {
	t.Parallel()
	for request, answers := range map[string]string{"TAKEBACK": "TAKEBACK YES or TAKEBACK NO", "DRAW": "DRAW YES or DRAW NO"} {
		c, _ := sampleAfter(t, 1)
		c.sends("communist", request)
		wants(t, c.sends("democrat", "Sorry Ben, no such thing :)").Text, "To answer the request of the other side, write "+answers+".")
	}
}
