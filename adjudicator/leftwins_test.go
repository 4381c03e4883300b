package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/rules"
	"samizdat/rules/rulestest/council"
)

// TestLeftDoesNotWin plays councils in which the smith's player resigns, or never sends an order.
// He is never among the winners, in letters, in the summary and when the record is played
// again, and the letters say why where he would have won.
func TestLeftDoesNotWin(t *testing.T) {
	t.Parallel()
	for name, why := range map[string]string{"resigned": "had left the match", "absent": "never sent an order"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			struck := 0
			c := newClub(t, council.Game{})
			for range 8 {
				struck += withoutSmith(t, c, name == "resigned", why)
			}
			if struck == 0 {
				t.Error("he would not have won any of the matches: they test nothing")
			}
		})
	}
}

// withoutSmith plays a council that the smith's player leaves, and counts whether he would have won.
func withoutSmith(t *testing.T, c *club, resigns bool, why string) (struck int) {
	t.Helper()
	seats := councilOf(3)
	smith := rules.Only(2)
	id := c.match("council", nil, seats...)
	if resigns {
		c.sends(seats[2], "RESIGN "+id)
	}
	for range 60 {
		pos := positionOf(t, c, id)
		open := c.stored(id).Unanswered(pos)
		if len(open) == 0 {
			break
		}
		d := open[0]
		if d.Seat != 2 {
			says(t, c, seats[d.Seat]+" "+council.Game{}.Line(pos.Options(nil, d.ID)[:1]))
			continue
		}
		c.now = c.now.Add(time.Minute)
		if err := c.adj.Silence(t.Context(), id, d.ID); err != nil {
			t.Fatal(err)
		}
		c.deliver()
	}
	m := c.stored(id)
	r, over := positionOf(t, c, id).Result()
	if m.State != adjudicator.Over || !over || r.Winners&smith != 0 || m.Summary.Winners != r.Winners || m.Summary.Lost != r.Lost || r.Lost != (r.Winners == 0) {
		t.Fatalf("the match is %s with %+v, the summary %+v", m.State, r, m.Summary)
	}
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	final, err := record.Replay(rec, council.Game{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := final.Position.Result(); again != r {
		t.Errorf("played again it ends with %+v, not %+v", again, r)
	}
	for i, s := range seats {
		text := oneLine(c.last(s).Text)
		told := map[bool]string{true: "You would have won, but you " + why + ".", false: "The Smith would have won, but " + why + "."}[i == 2]
		if strings.Contains(text, told) != (r.Left == smith) || i == 2 && strings.Contains(text, "you have won") {
			t.Errorf("%+v: the letter of %s:\n%s", r, s, c.last(s).Text)
		}
	}
	if r.Left != 0 {
		struck = 1
	}
	return struck
}

// positionOf is where a council stands.
func positionOf(t *testing.T, c *club, id string) rules.Position {
	t.Helper()
	pos, err := c.stored(id).At(council.Game{})
	if err != nil {
		t.Fatal(err)
	}
	return pos
}
