package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/match"
	"samizdat/rules/revolution1789"
	"samizdat/testdata"
)

// TestYesToMoreThanOneQuestion: a YES to a letter that asked two things agrees to neither, even where one of them
// was withdrawn before the YES came.
func TestYesToMoreThanOneQuestion(t *testing.T) {
	t.Parallel()
	const order = "democrat PLAY 40 EVENT\nnot sure yet"
	for name, tt := range map[string]struct{ before, after []string }{
		"take back and draw":             {[]string{"communist TAKEBACK", "communist DRAW"}, []string{"communist TAKEBACK OFF"}},
		"abort and draw":                 {[]string{"communist ABORT", "communist DRAW"}, []string{"communist ABORT OFF"}},
		"order and draw":                 {[]string{order, "communist DRAW"}, []string{"communist DRAW OFF"}},
		"order, and then the abort":      {[]string{"communist ABORT", order}, []string{"democrat NO"}},
		"another draw than the one seen": {[]string{"communist DRAW"}, []string{"communist DRAW OFF", "communist DRAW"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, 8)
			says(t, c, tt.before...)
			yes := c.letter("democrat", "YES")
			says(t, c, tt.after...)
			n := len(entriesOf(t, c, id))
			c.receive(yes)
			wants(t, c.last("democrat").Text, "YES: refused You replied to a letter older than the question.")
			if m := c.stored(id); m.State != match.Playing || len(entriesOf(t, c, id)) != n {
				t.Errorf("the match is %s, with %d entries more", m.State, len(entriesOf(t, c, id))-n)
			}
			if was := c.last("democrat"); strings.Contains(was.Text, "offers a draw") {
				wants(t, c.sends("democrat", "YES").Text, "DRAW YES: done")
			}
		})
	}
}

// TestYesTwice: the second YES to the letter that asks about an order agrees to nothing that another letter asks.
func TestYesTwice(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 8)
	says(t, c, "communist ABORT", "democrat PLAY 40 EVENT\nnot sure yet")
	first, second := c.letter("democrat", "YES"), c.letter("democrat", "yes please")
	c.receive(first)
	wants(t, c.last("democrat").Text, "PLAY 40 EVENT: done")
	c.receive(second)
	if m := c.stored(id); m.State != match.Playing {
		t.Errorf("the match is %s:\n%.600s", m.State, c.last("democrat").Text)
	}
}

// TestYesEndsQuestion: an order that a YES has kept is not asked about again, and no NO says that it was not done.
func TestYesEndsQuestion(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 8)
	says(t, c, "democrat GRACE 1 hour", "democrat PLAY 40 EVENT\nnot sure yet")
	answer := c.sends("democrat", "YES").Text
	wants(t, answer, "PLAY 40 EVENT: saved")
	lacks(t, answer, "Still not done")
	lacks(t, c.sends("democrat", "NO").Text, "was not carried out")
	c.due(2 * time.Hour)
	wants(t, c.last("democrat").Text, "PLAY 40 EVENT")

	c = newClub(t, revolution1789.Game())
	seats := citizensOf(4)
	c.match("1789", nil, seats...)
	c.sends(seats[0], "ABSTAIN\nmy tea is cold")
	answer = c.sends(seats[0], "YES").Text
	wants(t, answer, "ABSTAIN: saved")
	lacks(t, answer, "Still not done")

	c, _ = sampleAfter(t, 8)
	c.sends("democrat", "PLAY 40 EVENT\nnot sure yet")
	wants(t, c.sends("democrat", "PREVIEW\nYES").Text, "You have not confirmed PLAY 40 EVENT yet. Do you want this order to be carried out?")
}

// TestNoToGameAndConsent: a NO that the game takes for PASS is one where the letter that it answers asks nothing else,
// and where it does, its writer is asked which he means.
func TestNoToGameAndConsent(t *testing.T) {
	t.Parallel()
	n := 0
	for i, f := range txtar.Parse(testdata.SampleLetters).Files {
		if n == 0 && string(f.Data) == "PASS\n" {
			n = i
		}
	}
	c, _ := sampleAfter(t, n)
	before := c.letter("communist", "NO")
	c.sends("democrat", "DRAW")
	wants(t, c.sends("communist", "No, thanks.").Text, "Which of these orders do you mean? PASS DRAW NO", "No, thanks.: refused")
	c.receive(before)
	wants(t, c.last("communist").Text, "NO: done PASS")
}
