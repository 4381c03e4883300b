package adjudicator_test

import (
	"regexp"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

// noise are signs that a screen reader says aloud, and the columns of a table. Orders, which begin with four spaces, and the
// list of orders have signs that the reader has to write.
var noise = regexp.MustCompile(`[|\[\]*=_~<>#]|--|\S  +\S|//|\d\+|[A-Z]\w+/|^- `)

// spokenLetter compares a spoken letter with a file, and looks for noise.
func spokenLetter(t *testing.T, a *archive, seat, name string) {
	t.Helper()
	outgoing := a.last(seat)
	if name != "help" { // The list of commands is long and has files of its own.
		golden(t, "spoken/"+name+".txt", "Subject: "+outgoing.Subject+"\n\n"+outgoing.Body)
	}
	for line := range strings.SplitSeq(outgoing.Body, "\n") {
		if !strings.HasPrefix(line, "    ") && noise.MatchString(line) {
			t.Errorf("%s: a line with noise: %q", name, line)
		}
		if len([]rune(line)) > 78 {
			t.Errorf("%s: a wide line: %q", name, line)
		}
	}
	if outgoing.HTML != "" || outgoing.Drawing != nil {
		t.Errorf("%s has a page or a picture", name)
	}
}

// TestSpoken: after FORMAT SPOKEN each kind of letter has sentences in place of tables and drawings.
func TestSpoken(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	c.adj.DeskURL = deskPage
	sampleLetters(t, c, 5)
	c.sends("communist", "FORMAT SPOKEN")
	spokenLetter(t, a, "communist", "setting")
	c.sends("communist", "STATUS")
	spokenLetter(t, a, "communist", "round")
	c.sends("communist", "MAP BIG\nDISCARDS\nHAND")
	spokenLetter(t, a, "communist", "queries")
	c.sends("communist", "HELP\nSTATS\nHISTORY 1\nCARD 1\nRULES scoring\nSHOW ORDERS\nRECORD")
	spokenLetter(t, a, "communist", "help")
	c.sends("democrat", "MESSAGE\nYOUR DECISION\n-------------\nResign, they say.\n\nAda\nEND MESSAGE")
	spokenLetter(t, a, "communist", "message")
	c.sends("communist", "PLAYY 14 OPS PLAZE Gdansk")
	spokenLetter(t, a, "communist", "slip")
	c.sends("democrat", "DRAW")
	spokenLetter(t, a, "communist", "request")
	c.sends("communist", "DRAW NO")
	for n := 5; n < 38; n++ {
		sampleLetter(t, c, n)
	}
	c.sends("democrat", "FORMAT SPOKEN\nSTATUS")
	spokenLetter(t, a, "democrat", "struggle")
	c.sends("communist", "RESIGN")
	c.sends("communist", "YES")
	spokenLetter(t, a, "communist", "last")
}

// TestSpokenObserver: an observer may have sentences in place of tables as well, while another observer has the tables.
func TestSpokenObserver(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.watches("ann", id)
	c.watches("ben", id)
	c.joinAll(dawnSeats...)
	wants(t, c.sends("ann", "FORMAT SPOKEN").Text, "FORMAT SPOKEN: done", "FORMAT HTML ends this.")
	c.reopen()
	c.sends("communist", "PLACE Schwerin, Rostock")
	golden(t, "spoken/observer.txt", c.last("ann").Text)
	for line := range strings.SplitSeq(c.last("ann").Text, "\n") {
		if noise.MatchString(line) {
			t.Errorf("a line with noise: %q", line)
		}
	}
	wants(t, c.last("ben").Text, "W3! Magdeburg")
	c.sends("ann", "FORMAT HTML")
	wants(t, c.sends("ann", "STATUS").Text, "W3! Magdeburg")
}

func TestSpokenGames(t *testing.T) {
	t.Parallel()
	c, seats := newClub(t, revolution1789.Game()), citizensOf(4)
	a := pages(c)
	id := c.match("1789", nil, seats...)
	c.sends(seats[2], "FORMAT SPOKEN")
	plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
		if d.Kind == "vote" {
			return enough
		}
		return lines[0]
	})
	c.sends(seats[2], "STATUS")
	spokenLetter(t, a, seats[2], "1789")

	c = newClub(t, liarsdice.Game())
	a = pages(c)
	c.match("liarsdice", nil, "fox", "owl")
	c.sends("fox", "FORMAT SPOKEN\nSTATUS")
	spokenLetter(t, a, "fox", "liarsdice")
}
