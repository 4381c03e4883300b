package adjudicator_test

import (
	"strings"
	"testing"
)

// TestCardBesideOrder: a line that begins as a question about a card, and would be an order if no
// other stood beside it, is told how it is written.
func TestCardBesideOrder(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"card 14 event\nplay 22", "card 14 event, pozdrawiam Basia 🌸\n\nplay 22"} {
		c, _ := sampleAfter(t, 9)
		wants(t, oneLine(c.sends("communist", text).Text), "If you mean PLAY 14 EVENT, write just that on a line of its own.")
	}
}

// TestPointsForNothing: nobody guesses what points are for of which a letter says nothing.
func TestPointsForNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"40 for ops", "PLAY 40 OPS", "hdf for 3 ops"} {
		c, _ := sampleAfter(t, 6)
		got := c.sends("democrat", text).Text
		wants(t, oneLine(got), "It does not answer: \"You have 3 Ops from 40 Hungarian Democratic Forum to spend.\"")
		lacks(t, got, "answer YES")
	}
}

// TestAlmostAnOrder: a letter that is no order, but would be one if the rules allowed it or if it
// said more, is told what is in its way. One in which something speaks against that, or that
// could be several things, is not.
func TestAlmostAnOrder(t *testing.T) {
	t.Parallel()
	const card = "Card 36, Dash for the West, is not in your hand."
	for _, tt := range []struct {
		after     int
		who, text string
		want      string
	}{
		{6, "democrat", "card 36 for ops:", "PLAY 36 OPS, which is refused: " + card},
		{6, "democrat", "card 36 for ops", "PLAY 36 OPS, which is refused: " + card},
		{6, "democrat", "card 36: Pécs 2, Szeged 1", "PLAY 36 OPS PLACE Pecs 2, Szeged, which is refused: " + card},
		{6, "democrat", "Pécs 2, Szeged 1 with card 36", "PLAY 36 PLACE Pecs 2, Szeged OPS, which is refused: " + card},
		{6, "democrat", "36 ops Pécs 2, Szeged 1", "36 ops Pécs 2, Szeged 1: refused " + card},
		{6, "democrat", "Pécs 2, Szeged 1 with card 4", "is not in your hand."},
		{6, "democrat", "wall, event", "PLAY 9 EVENT, which is refused: Card 9, The Wall, is an enemy card"},
		{9, "communist", "helsinki, event", "helsinki, event: refused Card 26, Helsinki Final Act, is not in your hand."},
		{9, "communist", "card 14 for ops:", "PLAY 14 OPS, which is refused: Your order is incomplete, so nothing of it was carried out. It does not answer: \"You have 4 Ops"},
		{9, "communist", "card 27 for ops:", "PLAY 27 OPS, which is refused: Card 27, Consumerism, is an enemy card: say when its event happens"},
		{0, "communist", "card 36 for ops:", "PLAY 36 OPS, which is refused: This order does not answer the current question: \"Set-up: place 2 support points"},
		{9, "democrat", "card 36 for ops:", "PLAY 36 OPS, which is refused: It is not your move. The match is waiting for the Communist."},
		{0, "communist", "Miskolc", "PLACE Miskolc, which is refused: Your order is incomplete, so nothing of it was carried out. It does not answer: \"Set-up: place 1 more support point"},
		{0, "communist", "Gdansk, Miskolc", "PLACE Gdansk, Miskolc, which is refused: Gdansk has support of the Democrat"},
		{0, "communist", "I was in Miskolc once", ""},
		{0, "communist", "Hi Ben, nice weather in Krakow today.", ""},
		{6, "democrat", "I do not play 36 for the event", ""},
		{6, "democrat", "Who has card 36 for ops, I wonder", ""},
		{6, "democrat", "Pecs 2, Szeged 1", ""},
		{6, "democrat", "card 36 please and 27", ""},
	} {
		c, id := sampleAfter(t, tt.after)
		before := c.stored(id)
		text := oneLine(c.sends(tt.who, tt.text).Text)
		const says = "Your letter seems to say "
		if tt.want == "" {
			lacks(t, text, says)
		} else if strings.Contains(tt.want, "which is refused") && !strings.Contains(text, says) || !strings.Contains(text, tt.want) {
			t.Errorf("%q after %d letters is not told %q:\n%.900s", tt.text, tt.after, tt.want, text)
		}
		if after := c.stored(id); after.EntryCount != before.EntryCount {
			t.Errorf("%q has changed the match", tt.text)
		}
	}
}
