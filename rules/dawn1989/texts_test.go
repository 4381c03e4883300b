package dawn1989

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// mostText is how long the text of a card may be: a hand of eight has to stay
// one page.
const mostText = 200

// TestTexts holds the texts of the cards against their form.
func TestTexts(t *testing.T) {
	t.Parallel()
	var listed []int
	for _, r := range table("data/texts.csv") {
		listed = append(listed, number(r["number"]))
	}
	for i := range cards - 1 {
		if i >= len(listed) || listed[i] != i+1 {
			t.Fatalf("line %d of the texts is not card %d", i+2, i+1)
		}
	}
	if len(listed) != cards-1 {
		t.Errorf("%d texts", len(listed))
	}
	for c := Card(1); c < cards; c++ {
		text := c.Info().Text
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
	for c := Card(1); c < cards; c++ {
		info := c.Info()
		if info.Scoring != NoCountry && !strings.HasPrefix(info.Text, "Power struggle in "+info.Scoring.String()+".") {
			t.Errorf("card %d does not name its country: %q", c, info.Text)
		}
		if info.Lasts == ForTurn && !strings.Contains(info.Text, "this turn") {
			t.Errorf("card %d does not say that it lasts the turn: %q", c, info.Text)
		}
		for _, m := range mentioned.FindAllStringSubmatchIndex(info.Text, -1) {
			// The title of card 54 is too long to be told whole.
			n := Card(number(info.Text[m[2]:m[3]]))
			if !strings.HasSuffix(info.Text[:m[0]], strings.TrimSuffix(n.String(), " Turns Against Ceausescu")) {
				t.Errorf("card %d names card %d by another title: %q", c, n, info.Text)
			}
		}
		if n := needs[c]; n != 0 && (!strings.HasPrefix(info.Text, "Needs ") || !strings.Contains(info.Text, fmt.Sprintf(" (%d)", n))) {
			t.Errorf("card %d does not say what it needs: %q", c, info.Text)
		}
		if n := forbiddenBy[c]; n != 0 && !strings.HasPrefix(info.Text, fmt.Sprintf("Not after %v (%d).", n, n)) {
			t.Errorf("card %d does not say what forbids it: %q", c, info.Text)
		}
	}
}
