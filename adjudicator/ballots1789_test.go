package adjudicator_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// citizensOf are the players of a match of 1789.
func citizensOf(n int) []string {
	return revolution1789.Game().SeatNames(rules.Setup{Seats: n})
}

// plays1789 answers all that is asked with lines of choose, which is given the decision and
// the lines that would be legal and writes nothing if it returns nothing, until the match is
// over, or until choose has enough.
func plays1789(t testing.TB, c *club, id string, seats []string, choose func(d rules.Decision, lines []string) string) {
	t.Helper()
	playsInOrder(t, c, id, seats, nil, choose)
}

// enough is no line: it ends plays1789.
const enough = "enough"

// playsInOrder is plays1789 with the questions in an order of one's own.
func playsInOrder(t testing.TB, c *club, id string, seats []string, order func([]rules.Decision), choose func(d rules.Decision, lines []string) string) {
	t.Helper()
	g := revolution1789.Game()
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		owed := pos.OpenDecisions(nil)
		if len(owed) == 0 {
			return
		}
		if order != nil {
			order(owed)
		}
		for _, d := range owed {
			var lines []string
			for _, a := range pos.Options(nil, d.ID) {
				lines = append(lines, g.FormatOrder([]rules.Atom{a}))
			}
			switch line := choose(d, lines); line {
			case "":
			case enough:
				return
			default:
				says(t, c, seats[d.Seat]+" "+line)
			}
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
			g := revolution1789.Game()
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
	g := revolution1789.Game()
	play := func(turned bool) []string {
		c := newClub(t, g)
		c.adj.LetterOptions.HTML, c.adj.DeskURL = true, deskPage
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
				if votes++; votes > long.N(9, 400) {
					return enough
				}
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

// deal1789 is the chance of a match of five: crises and seats in their order, and the
// objectives of the seats.
func deal1789(cards ...string) []record.Outcome {
	var out []record.Outcome
	for _, c := range []string{"church", "directorate", "bastille", "bread", "debt", "dues", "guilds", "emigres", "estates", "veto", "assignats", "austria"} {
		out = append(out, record.Outcome{Draw: c, From: "crisis"})
	}
	for _, s := range citizensOf(5)[:4] {
		out = append(out, record.Outcome{Draw: s, From: "lot"})
	}
	for _, c := range cards {
		if c != "louis" && c != "robespierre" {
			out = append(out, record.Outcome{Draw: c, From: "objective", Hidden: true})
		}
	}
	for i, c := range cards {
		out = append(out, record.Outcome{Draw: c, From: "objective", To: citizensOf(5)[i], Hidden: true})
	}
	return out
}

// TestObjectivesOf1789AreHidden plays the same match with other objectives of the last two
// seats, one of them a leader, who calls each time and takes it back: the first three and
// observers get the same to the byte until cards are shown.
func TestObjectivesOf1789AreHidden(t *testing.T) {
	t.Parallel()
	g := revolution1789.Game()
	play := func(leader bool) (seen []string) {
		deal := deal1789("louis", "danton", "napoleon", "robespierre", "fouche")
		if !leader {
			deal = deal1789("louis", "danton", "napoleon", "fouche", "robespierre")
		}
		c := newClub(t, g)
		c.adj.LetterOptions.HTML, c.adj.DeskURL = true, deskPage
		seats := citizensOf(5)
		id := c.inviteObserved(openly, "1789", deal, seats...)
		c.joinAll(seats...)
		c.watches("olga", id)
		all(t, c, seats, "NAME arch")
		dice, leads, calls := rulestest.NewDice(8), seats[4], 0
		if leader {
			leads = seats[3]
		}
		plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
			if d.Kind != "call" {
				return lines[dice.Intn(len(lines))]
			}
			if d.Seat == 0 {
				calls++
			}
			switch {
			case calls > long.N(3, 400):
				return enough
			case d.Seat == 0:
				says(t, c, leads+" REVOLUTION GIVE Cheese")
			case d.Seat == 1:
				says(t, c, leads+" HOLD")
			case seats[d.Seat] == leads:
				return ""
			}
			return "HOLD"
		})
		// The last letters show all cards.
		for _, s := range seats[:3] {
			letters := c.bytes[address(s)]
			seen = append(seen, letters[:len(letters)-1]...)
		}
		observed := c.mailbox[address("olga")]
		for _, l := range observed[:len(observed)-1] {
			seen = append(seen, l.Subject+"\n"+l.Text)
		}
		return seen
	}
	a, b := play(true), play(false)
	if len(a) != len(b) || len(a) < 40 {
		t.Fatalf("%d and %d letters", len(a), len(b))
	}
	if links := strings.Count(strings.Join(a, ""), "Open on the board:"); links < 10 {
		t.Errorf("the letters have only %d links to the desk", links)
	}
	for i := range a {
		if x, y := anyHash.ReplaceAllString(a[i], "#"), anyHash.ReplaceAllString(b[i], "#"); x != y {
			t.Fatalf("other objectives, other bytes (%d):\n%s\n---\n%s", i, x, y)
		}
	}
}
