package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
)

// TestCard: a letter may ask about cards, by number or title, and gets the same
// answer whoever asks and whoever is to move.
func TestCard(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, seat, text string
		folder           mail.Folder
	}{
		{"several", "communist", "CARD 14\nCARD Walesa\ncard 42", mail.Done},
		{"not-to-move", "democrat", "CARD 14", mail.Done},
		{"misspelt", "communist", "CARD Consumerizm", mail.Done},
		{"no-such-number", "communist", "CARD 111", mail.Refused},
		{"ambiguous", "communist", "CARD Peasant", mail.Refused},
		{"nothing", "communist", "CARD", mail.Refused},
		{"too-much", "communist", "CARD 14 EVENT", mail.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, 5)
			before := c.export(id, true)
			if f := c.receive(c.letter(tt.seat, tt.text)); f != tt.folder {
				t.Errorf("filed in %s, want %s", f, tt.folder)
			}
			if !bytes.Equal(before, c.export(id, true)) {
				t.Error("the question changed the match")
			}
			text := c.last(tt.seat).Text
			narrow(t, text)
			golden(t, "card/"+tt.name+".txt", ordersPart(text))
		})
	}
	t.Run("before an order", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		text := c.sends("communist", "CARD 14\nPLAY 14 EVENT").Text
		if !strings.Contains(text, "- CARD 14: done") || !strings.Contains(text, "- PLAY 14 EVENT: done") {
			t.Errorf("not both lines are done:\n%s", text)
		}
	})
	t.Run("talk of cards", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		text := c.sends("communist", "Card luck is with you today.\nCards, cards, cards!\nPLAY 14 EVENT").Text
		if n := strings.Count(text, ": not understood"); n != 2 || !strings.Contains(text, "Please confirm it:\n\n    PLAY 14 EVENT\n") {
			t.Errorf("%d lines are not understood, want 2:\n%s", n, text)
		}
	})
	t.Run("in another game", func(t *testing.T) {
		t.Parallel()
		c := newClub(t, rulestest.Game())
		c.match("orchards", nil, "north", "east", "south")
		text := c.sends("north", "CARD Water Wheel").Text
		if !strings.Contains(text, "Water Wheel (card 2): sows 3, rain.") {
			t.Errorf("no answer:\n%s", text)
		}
	})
}

// ordersPart is what a letter says of its reader's orders.
func ordersPart(text string) string {
	_, rest, ok := strings.Cut(text, "\nYOUR ORDERS\n-----------\n")
	if !ok {
		_, rest, _ = strings.Cut(text, "\nYOUR LETTER\n-----------\n")
	}
	part, _, _ := strings.Cut(rest, "\n\n")
	return part + "\n"
}
