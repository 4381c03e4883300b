package adjudicator_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// TestNearMisses: letters that name an order and deny, retract or condition it are answered with a question that
// proposes nothing that they did not mean.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, x := range []struct {
		after     int
		who, text string
	}{
		{6, "democrat", "I don't want Prudence"},
		{5, "communist", "36 event. Wait no. 26 event."},
		{5, "communist", "36 ops: Lodz*2 + Krakow*1"},
		{29, "communist", "Debrecen 3 unless that's not allowed, then Szeged 3"},
		{45, "democrat", "March 3. No, the worker."},
	} {
		c, id := sampleAfter(t, x.after)
		before := c.stored(id).Entries
		letter := c.sends(x.who, x.text)
		body, _, _ := strings.Cut(letter.Text, "\nAsked on")
		out.WriteString("> " + x.text + "\nSubject: " + letter.Subject + "\n" + body + "\n\n")
		if after := c.stored(id).Entries; after != before {
			t.Errorf("%q is carried out", x.text)
		}
	}
	out.WriteString(notYet(t))
	golden(t, "nearmisses.txt", out.String())
}

// notYet is the answer to a player of 1789 who does not call a revolution.
func notYet(t *testing.T) string {
	t.Helper()
	c, seats := newClub(t, revolution1789.Game()), citizensOf(5)
	id := c.match("1789", nil, seats...)
	out := ""
	plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
		if d.Kind == "call" && slices.Contains(lines, "REVOLUTION") {
			before := c.stored(id).Entries
			letter := c.sends(seats[d.Seat], "Not yet a revolution")
			body, _, _ := strings.Cut(letter.Text, "\nAsked on")
			out = "> Not yet a revolution\nSubject: " + letter.Subject + "\n" + body + "\n"
			if after := c.stored(id).Entries; after != before {
				t.Error("a revolution is called")
			}
			return enough
		}
		return lines[0]
	})
	return out
}
