package adjudicator_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/revolution1789"
	"samizdat/rules/rulestest"
)

// citizensOf are the players of a match of 1789.
func citizensOf(n int) []string {
	return revolution1789.Game{}.SeatNames(rules.Setup{Seats: n})
}

// plays1789 answers all that is asked with lines of choose, which is given the decision and
// the lines that would be legal, until the match is over.
func plays1789(t testing.TB, c *club, id string, seats []string, choose func(d rules.Decision, lines []string) string) {
	t.Helper()
	g := revolution1789.Game{}
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		owed := pos.Owed(nil)
		if len(owed) == 0 {
			return
		}
		var lines []string
		for _, a := range pos.Options(nil, owed[0].ID) {
			lines = append(lines, g.Line([]rules.Atom{a}))
		}
		says(t, c, seats[owed[0].Seat]+" "+choose(owed[0], lines))
		for _, d := range owed[1:] {
			lines = lines[:0]
			for _, a := range pos.Options(nil, d.ID) {
				lines = append(lines, g.Line([]rules.Atom{a}))
			}
			says(t, c, seats[d.Seat]+" "+choose(d, lines))
		}
	}
	t.Fatal("the match does not end")
}

// TestWhole1789 plays a whole match by mail, which ends with a revolution that the first
// leader calls who may, and checks letters and record.
func TestWhole1789(t *testing.T) {
	t.Parallel()
	for _, n := range []int{4, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			g := revolution1789.Game{}
			c := newClub(t, g)
			seats := citizensOf(n)
			id := c.match("1789", nil, seats...)
			dice := rulestest.NewDice(uint64(n))
			plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
				if d.Kind == "call" {
					if slices.Contains(lines, "REVOLUTION") {
						return "REVOLUTION"
					}
					return "HOLD ALWAYS"
				}
				return lines[dice.Intn(len(lines))]
			})
			for _, s := range seats {
				l := c.last(s)
				if !strings.Contains(l.Text, "The match is over") {
					t.Errorf("the last letter of %s:\n%s", s, l.Text)
				}
				for _, l := range c.mailbox[address(s)] {
					narrow(t, l.Text)
				}
			}
			verified(t, c, g, id)
			if public := c.export(id, false); bytes.Contains(public, []byte("VOTE")) {
				t.Errorf("the record tells of ballots:\n%s", public)
			}
		})
	}
}

// TestBallotsOf1789TellNothing plays the same match of five twice, with the same counts out of
// other ballots: every letter to everybody,
// observers too, and every record is the same to the byte.
func TestBallotsOf1789TellNothing(t *testing.T) {
	t.Parallel()
	g := revolution1789.Game{}
	play := func(turned bool) []string {
		c := newClub(t, g)
		c.adj.Letters.HTML = true
		seats := citizensOf(5)
		id := c.inviteObserved(openly, "1789", nil, seats...)
		c.joinAll(seats...)
		c.watches("olga", id)
		dice := rulestest.NewDice(11)
		votes := 0
		plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
			switch d.Kind {
			case "call":
				return "HOLD"
			case "vote":
				// Two of three for one colour: which of them dissents is turned round.
				votes++
				if dissents := votes%3 == 0; dissents != turned && votes%3 != 1 {
					return "VOTE MONARCHY"
				}
				return "VOTE REPUBLIC"
			}
			return lines[dice.Intn(len(lines))]
		})
		seen := []string{string(c.export(id, false)), string(c.export(id, true))}
		for _, s := range seats {
			seen = append(seen, c.bytes[address(s)]...)
		}
		for _, l := range c.mailbox[address("olga")] {
			seen = append(seen, l.Subject+"\n"+l.Text)
		}
		verified(t, c, g, id)
		return seen
	}
	a, b := play(false), play(true)
	if len(a) != len(b) {
		t.Fatalf("%d and %d letters and records", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("other ballots, other bytes (%d):\n%s\n---\n%s", i, a[i], b[i])
		}
	}
}
