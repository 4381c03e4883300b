package adjudicator_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// phased is a match of five of 1789 in its first vote: those who vote are the first seats.
func phased(t *testing.T) (c *club, id string, voters []string) {
	t.Helper()
	c, id = copyOf(t, "the first vote of 1789", func() (*club, string) {
		c := newClub(t, revolution1789.Game())
		id := timed(t, c, "1789", "phase 48h", clock.Silence, citizensOf(5)...)
		all(t, c, citizensOf(5), "NAME arch")
		for {
			kind, who := asked1789(t, c, id)
			if kind == "vote" {
				return c, id
			}
			pos, err := revolution1789.Game().Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			// The first seat at a crisis where somebody sits already, so that one is soon full.
			options := pos.Options(nil, pos.OpenDecisions(nil)[0].ID)
			says(t, c, citizensOf(5)[who[0]]+" "+revolution1789.Game().FormatOrder([]rules.Atom{options[0]}))
		}
	})
	_, who := asked1789(t, c, id)
	for _, s := range who {
		voters = append(voters, citizensOf(5)[s])
	}
	return c, id, voters
}

// group1789 is the first question that is open.
func group1789(t *testing.T, c *club, id string) rules.DecisionID {
	t.Helper()
	pos, err := revolution1789.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	return pos.OpenDecisions(nil)[0].ID
}

// TestSilenceOf1789: when the time is over the rule answers and the vote is counted, and nobody
// is told who was silent. A ballot that a lot has cast may be taken back no better than to be
// cast by lot again.
func TestSilenceOf1789(t *testing.T) {
	t.Parallel()
	c, id, voters := phased(t)
	says(t, c, voters[0]+" VOTE M")
	c.now = c.now.Add(49 * time.Hour)
	if due(t, c); !bytes.Contains(c.export(id, false), []byte(`"monarchy"`)) {
		t.Fatal("the vote is not counted when the time is over")
	}
	for _, s := range citizensOf(5) {
		if text := oneLine(c.last(s).Text); strings.Contains(text, "in time. A lot") || strings.Contains(text, "did not answer") {
			t.Errorf("%s is told of a lot:\n%s", s, c.last(s).Text)
		}
	}
	if _, err := c.adj.Rebuild(t.Context(), id); err != nil {
		t.Error(err)
	}

	c, id, voters = phased(t)
	i := slices.Index(citizensOf(5), voters[1])
	vote := group1789(t, c, id)
	pos, err := revolution1789.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range pos.OpenDecisions(nil) {
		if int(d.Seat) == i {
			if err := c.adj.AnswerBySilence(t.Context(), id, d.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.sends(voters[1], "DROP")
	says(t, c, voters[0]+" VOTE M", voters[2]+" VOTE M")
	if group1789(t, c, id) != vote {
		t.Fatal("a ballot that was taken back is counted")
	}
	c.now = c.now.Add(49 * time.Hour)
	due(t, c)
	if group1789(t, c, id) == vote {
		t.Error("a ballot that was taken back is waited for for ever")
	}
}

// TestEarlyCloseOf1789: a vote closes with its last ballot, at whatever time, and whether the
// ballots agree or not; what the others are told until then is the same whoever has voted.
func TestEarlyCloseOf1789(t *testing.T) {
	t.Parallel()
	seen := func(order [2]int) []string {
		c, _, voters := phased(t)
		had := c.got("lamp")
		var out []string
		for _, i := range order {
			says(t, c, voters[i]+" VOTE M")
			for _, s := range citizensOf(5) {
				if s != voters[i] && !slices.Contains(voters, s) {
					out = append(out, c.sends(s, "STATUS").Text)
				}
			}
		}
		if c.got("lamp") > had+2 {
			t.Error("Lamp is written to when others vote")
		}
		return out
	}
	a, b := seen([2]int{0, 1}), seen([2]int{1, 2})
	if !slices.Equal(a, b) {
		t.Errorf("who has voted can be seen:\n%s\n---\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

// TestResignOf1789: who resigns loses the match and nothing waits for him any more; the rest
// goes on to its end.
func TestResignOf1789(t *testing.T) {
	t.Parallel()
	c, id, voters := phased(t)
	vote := group1789(t, c, id)
	c.sends(voters[2], "RESIGN "+id)
	says(t, c, voters[0]+" VOTE M", voters[1]+" VOTE M")
	if group1789(t, c, id) == vote {
		t.Fatal("the vote waits for who has resigned")
	}
	g := revolution1789.Game()
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		asked := m.UnansweredDecisions(pos)
		if len(asked) == 0 {
			break
		}
		line := g.FormatOrder(pos.Options(nil, asked[0].ID)[:1])
		if asked[0].Kind == "call" {
			line = "HOLD ALWAYS"
		}
		says(t, c, citizensOf(5)[asked[0].Seat]+" "+line)
	}
	if l := c.last(voters[2]); !strings.Contains(l.Text, "The match is over") {
		t.Errorf("who has resigned is not told the end:\n%s", l.Text)
	}
	verified(t, c, g, id)
}

// TestVacationOf1789: the clock of who is away stands, and the vote waits for him until he is
// back.
func TestVacationOf1789(t *testing.T) {
	t.Parallel()
	c, id, voters := phased(t)
	vote := group1789(t, c, id)
	c.sends(voters[0], "VACATION "+c.now.Format(time.DateOnly)+" TO "+c.now.AddDate(0, 0, 9).Format(time.DateOnly))
	says(t, c, voters[1]+" VOTE M", voters[2]+" VOTE M")
	c.now = c.now.Add(5 * 24 * time.Hour)
	due(t, c)
	if group1789(t, c, id) != vote {
		t.Fatal("the rule has answered for somebody on vacation")
	}
	c.now = c.now.Add(8 * 24 * time.Hour)
	due(t, c)
	if group1789(t, c, id) == vote {
		t.Error("the vote still waits when the vacation and the time are over")
	}
}

// TestReplacedOf1789: whoever takes a seat over gets its card and all that the seat may know;
// what his predecessor has answered and kept is gone, and who was before him is told nothing.
func TestReplacedOf1789(t *testing.T) {
	t.Parallel()
	c, id, voters := phased(t)
	says(t, c, voters[0]+" VOTE M\nPURGE "+voters[1])
	seat := rules.Seat(slices.Index(citizensOf(5), voters[0]))
	if err := c.adj.Replace(t.Context(), id, seat, address("newcomer")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	text := c.last("newcomer").Text
	for _, want := range []string{"YOUR OBJECTIVE", "It is your move", "VOTE MONARCHY"} {
		if !strings.Contains(text, want) {
			t.Errorf("the newcomer is not told %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "PURGE") && strings.Contains(text, ": saved") {
		t.Errorf("the newcomer is told what his predecessor has kept:\n%s", text)
	}
	says(t, c, voters[1]+" VOTE M", voters[2]+" VOTE R")
	had := c.got(voters[0])
	c.sends("newcomer", "VOTE R")
	if c.got(voters[0]) != had {
		t.Error("who was replaced is told what happens")
	}
	if kind, _ := asked1789(t, c, id); kind != "purge" {
		t.Errorf("%s is asked", kind)
	}
}
