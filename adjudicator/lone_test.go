package adjudicator_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/rules/dawn1989"
)

// TestHelpAhead: a page whose orders are not asked for yet has examples all the same, of
// the player's own hand where it is on cards, and says that they are for later. Each is an
// order that is read.
func TestHelpAhead(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 0)
	text := c.sends("communist", "HELP PLAY\nHELP OPS\nHELP STRUGGLE").Text
	golden(t, "help/ahead.txt", part(text, "EXAMPLES FOR PLAY")+"\n"+part(text, "EXAMPLES FOR OPS")+"\n"+part(text, "EXAMPLES FOR STRUGGLE"))
	var examples []string
	for _, page := range []string{"PLAY", "OPS", "STRUGGLE"} {
		examples = append(examples, examplesIn(text, "EXAMPLES FOR "+page)...)
	}
	if len(examples) < 12 {
		t.Errorf("only %q", examples)
	}
	for _, e := range examples {
		if a := c.sends("communist", e).Text; !strings.Contains(a, "\n- "+e) || strings.Contains(a, "is not understood") || strings.Contains(a, e+`": ignored`) {
			t.Errorf("%s is answered with\n%.900s", e, a)
		}
	}
	// What another hand would show is not in it.
	lacks(t, part(text, "EXAMPLES FOR PLAY"), "PLAY 22 OPS", "PLAY 2 ")
	// When a card is asked, the examples are answers.
	c, _ = sampleAfter(t, 9)
	text = c.sends("communist", "HELP PLAY, STRUGGLE").Text
	wants(t, part(text, "EXAMPLES FOR PLAY"), "These answer your current question.")
	wants(t, part(text, "EXAMPLES FOR STRUGGLE"), "There is no power struggle now")
}

// TestHelpOnSeveral: HELP and RULES tell of each of several things that are named.
func TestHelpOnSeveral(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 0)
	for ask, want := range map[string][]string{
		"HELP PLAY, OPS":                        {"- HELP PLAY: done", "- HELP OPS: done", "HELP: PLAY", "HELP: OPS"},
		"help play and struggle.":               {"- HELP play: done", "HELP: PLAY", "HELP: STRUGGLE"},
		"HELP PLAY, nonsense":                   {"HELP: PLAY", `There is no page on "nonsense"`},
		"RULES turn, scoring":                   {"- RULES turn: done", "- RULES scoring: done", "RULES: TURN", "RULES: SCORING"},
		"rules support checks, map, and events": {"RULES: SUPPORT CHECKS", "RULES: MAP", "RULES: EVENTS"},
		"RULES turn and banana":                 {"RULES: TURN", `There is no page on "banana"`},
		"HELP 36":                               {"36 Dash for the West: 3 Ops"},
		"help orders":                           {"HOW TO WRITE ORDERS"},
	} {
		wants(t, c.sends("communist", ask).Text, want...)
	}
	lacks(t, oneLine(c.sends("communist", "RULES turn, scoring").Text), "There are pages on")
	// Orders that begin with such a word stay what they are.
	wants(t, oneLine(c.sends("communist", "HELP banana, apple").Text), `"banana, apple" is not understood after HELP`)
}

// TestLoneWords: a word that stands alone and is no order here is answered, by itself and
// beside an order, and does nothing.
func TestLoneWords(t *testing.T) {
	t.Parallel()
	for ask, want := range map[string]string{
		"score.": "Here is the current position.", "scores": "Here is the current", "VP": "Here is the current", "time.": "Here is the current", "deadline.": "Here is the current",
		"who.": "Here is the current", "legal.": "Here is the current", "what now.": "Here is the current", "WHAT NOW?": "Here is the current",
		"undo.": "Write TAKEBACK", "log.": "WHAT HAPPENED IN TURN 1", "board.": "THE MAP", "cards.": "YOUR HAND", "rules.": "There are pages on: ",
		"vacation.": "You have no vacation planned.", "quit.": "Write RESIGN", "exit.": "Write RESIGN",
		"stop.": "Write FORMAT QUIET", "unsubscribe.": "Write FORMAT QUIET", "help orders.": "HOW TO WRITE ORDERS", "help 36.": "36 Dash for the West",
	} {
		c, id := sampleAfter(t, 0)
		before := c.stored(id)
		text := c.sends("communist", ask).Text
		wants(t, oneLine(text), oneLine(want))
		if after := c.stored(id); after.EntryCount != before.EntryCount || after.State != before.State {
			t.Errorf("%q has changed the match", ask)
		}
		if strings.HasPrefix(text, "Nothing is asked") {
			t.Errorf("after %q nothing is asked", ask)
		}
		// Beside an order its writer is asked where the word may take the order back.
		outcome, beside := "- PLACE Miskolc, Debrecen: done", "- "+ask+": "
		if slices.Contains([]string{"undo.", "quit.", "exit.", "stop.", "unsubscribe."}, ask) {
			outcome, beside = "Please confirm it:\n\n    PLACE Miskolc, Debrecen\n", `- "`+ask+`": not understood`
		}
		text = c.sends("communist", "PLACE Miskolc, Debrecen\n\n"+ask).Text
		wants(t, text, oneLine(outcome), beside)
	}
	c := newClub(t, dawn1989.Game())
	c.match("1989", nil, dawnSeats...)
	wants(t, c.sends("democrat", "score").Text, "- score: done")
}

// TestWishedInWords: who asks for the time or the opponent in a sentence gets the letter as it stands,
// and who tells that he gives up or takes something back is told how that is written.
func TestWishedInWords(t *testing.T) {
	t.Parallel()
	for ask, want := range map[string]string{
		"When is my deadline?": "- When is my deadline?: done", "How much time do I have left?": "- How much time do I have left?: done", "Who is my opponent?": "- Who is my opponent?: done",
		"I give up, you win":           "To give the match up, write RESIGN; we will ask you to confirm it.",
		"can I take back my last move": "To take an order back, write TAKEBACK, which asks whether you may.",
		"Could we undo that?":          "To take an order back, write TAKEBACK, which asks whether you may.",
	} {
		c, id := sampleAfter(t, 0)
		before := c.stored(id)
		wants(t, oneLine(c.sends("communist", ask).Text), want)
		if after := c.stored(id); after.EntryCount != before.EntryCount || after.State != before.State {
			t.Errorf("%q has changed the match", ask)
		}
	}
	c, _ := sampleAfter(t, 0)
	lacks(t, c.sends("communist", "What deadline? I gave it up to take the dog back").Text, "RESIGN", "TAKEBACK")
}
