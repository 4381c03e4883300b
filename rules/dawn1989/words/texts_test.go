package words

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"samizdat/rules/dawn1989/engine"
)

// mostText is how long the text of a card may be: a hand of eight has to stay
// one page.
const mostText = 240

// TestTexts holds the texts of the cards against their form.
func TestTexts(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(textsCSV), "\n")[1:]
	for i, l := range lines {
		if !strings.HasPrefix(l, strconv.Itoa(i+1)+",") {
			t.Fatalf("line %d of the texts is not card %d", i+2, i+1)
		}
	}
	if len(lines) != engine.Cards-1 {
		t.Errorf("%d texts", len(lines))
	}
	for c := engine.Card(1); c < engine.Cards; c++ {
		text := cardTexts[c]
		switch {
		case text == "":
			t.Errorf("card %d has no text", c)
		case len(text) > mostText:
			t.Errorf("the text of card %d has %d letters", c, len(text))
		case strings.TrimSpace(text) != text, strings.Contains(text, "  "), !strings.HasSuffix(text, "."):
			t.Errorf("the text of card %d: %q", c, text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
			t.Errorf("the text of card %d has %q", c, text[i:])
		}
	}
}

// mentioned is the number of a card that a text names by its title.
var mentioned = regexp.MustCompile(` \((\d+)\)`)

// TestTextsAgree holds the texts against what else is known of the cards.
func TestTextsAgree(t *testing.T) {
	t.Parallel()
	for c := engine.Card(1); c < engine.Cards; c++ {
		info, text := c.Info(), cardTexts[c]
		if info.Scoring != engine.NoCountry && !strings.HasPrefix(text, "Power struggle in "+info.Scoring.String()+".") {
			t.Errorf("card %d does not name its country: %q", c, text)
		}
		if info.Lasts == engine.ForTurn && !strings.Contains(text, "this turn") {
			t.Errorf("card %d does not say that it lasts the turn: %q", c, text)
		}
		for _, m := range mentioned.FindAllStringSubmatchIndex(text, -1) {
			// The title of card 54 is too long to be told whole.
			i, _ := strconv.Atoi(text[m[2]:m[3]])
			n := engine.Card(i)
			if !strings.HasSuffix(text[:m[0]], strings.TrimSuffix(n.String(), " Turns Against Ceausescu")) {
				t.Errorf("card %d names card %d by another title: %q", c, n, text)
			}
		}
		if n := engine.Needs[c]; n != 0 && (!strings.HasPrefix(text, "Needs ") || !strings.Contains(text, fmt.Sprintf(" (%d)", n))) {
			t.Errorf("card %d does not say what it needs: %q", c, text)
		}
		if n := engine.ForbiddenBy[c]; n != 0 && !strings.HasPrefix(text, fmt.Sprintf("Not after %v (%d).", n, n)) {
			t.Errorf("card %d does not say what forbids it: %q", c, text)
		}
	}
}
