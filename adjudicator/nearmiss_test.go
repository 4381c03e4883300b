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
		{8, "democrat", "PLAY 40 EVENT\nerr, not the event, I mean the ops: two in Krakow, one in Lodz"},
		{29, "communist", "Debrecen 3 unless that's not allowed, then Szeged 3"},
		{45, "democrat", "March 3. No, the worker."},
		{5, "communist", "Play 36 ops place Gdanks 2, Warsaw evnt after"},
		{5, "communist", "36 ops: Gdansk 2, Warsaw aftr the thing"},
		{7, "communist", "- card 27, ops\n- check #1: Gdansk\n- check #2: Poznan\n- event: after"},
		{7, "communist", "19 for ops, pope goes first, then Gdansk 1 and Wroclaw 1"},
		{36, "democrat", "Church Leader beats his petition"},
		{24, "democrat", "PLAY 39 EVENT\nWrong number, I always mix those up. Sajudis is 33, that's the one."},
	} {
		c, id := sampleAfter(t, x.after)
		before := c.stored(id).EntryCount
		letter := c.sends(x.who, x.text)
		body, _, _ := strings.Cut(letter.Text, "\nAsked on")
		out.WriteString("> " + x.text + "\nSubject: " + letter.Subject + "\n" + body + "\n\n")
		if after := c.stored(id).EntryCount; after != before {
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
			before := c.stored(id).EntryCount
			letter := c.sends(seats[d.Seat], "Not yet a revolution")
			body, _, _ := strings.Cut(letter.Text, "\nAsked on")
			out = "> Not yet a revolution\nSubject: " + letter.Subject + "\n" + body + "\n"
			if after := c.stored(id).EntryCount; after != before {
				t.Error("a revolution is called")
			}
			return enough
		}
		return lines[0]
	})
	return out
}
