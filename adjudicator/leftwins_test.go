package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// TestLeftDoesNotWin plays matches in which the player of the last seat resigns, or never sends an
// order. He is never among the winners, in letters, in the summary and when the record is played
// again, and the letters say why where he would have won.
func TestLeftDoesNotWin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game  *rules.Game
		seats []string
		left  string
	}{{council.Game(), councilOf(3), "the Smith"}, {revolution1789.Game(), citizensOf(4), "Grape"}} {
		for reason, resigns := range map[string]bool{"had left the match": true, "never sent an order": false} {
			t.Run(tt.game.Name()+" "+reason, func(t *testing.T) {
				t.Parallel()
				c, struck := newClub(t, tt.game), 0
				for i := 0; i < 16 && struck == 0; i++ {
					id := withoutLast(t, c, tt.game, tt.seats, resigns)
					struck += leftOut(t, c, tt.game, id, tt.seats, tt.left, reason)
				}
				if struck == 0 {
					t.Error("he would not have won any of the matches: they test nothing")
				}
			})
		}
	}
}

// withoutLast plays a match that the last seat's player leaves, or has never come to.
func withoutLast(t *testing.T, c *club, g *rules.Game, seats []string, resigns bool) (id string) {
	t.Helper()
	id = c.match(g.Name(), nil, seats...)
	last := len(seats) - 1
	if resigns {
		c.sends(seats[last], "RESIGN "+id)
	}
	for range 400 {
		pos := positionOf(t, c, g, id)
		open := c.stored(id).UnansweredDecisions(pos)
		if len(open) == 0 {
			return id
		}
		d := open[0]
		if int(d.Seat) != last {
			says(t, c, seats[d.Seat]+" "+firstAnswer(t, g, pos, d))
			continue
		}
		c.now = c.now.Add(time.Minute)
		if err := c.adj.AnswerBySilence(t.Context(), id, d.ID); err != nil {
			t.Fatal(err)
		}
		c.deliver()
	}
	t.Fatal("the match goes on")
	return id
}

// firstAnswer is the first legal answer to a question, as an order.
func firstAnswer(t *testing.T, g *rules.Game, pos rules.Position, d rules.Decision) string {
	t.Helper()
	d.Silence = rules.SilenceDefault
	a, err := gate.SilentAnswer(pos, d, g.FormatOrder, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g.FormatOrder(a.Atoms)
}

// leftOut checks that the last seat does not win a match that is over, and counts whether it would
// have won.
func leftOut(t *testing.T, c *club, g *rules.Game, id string, seats []string, rest, reason string) (struck int) {
	t.Helper()
	last := len(seats) - 1
	m := c.stored(id)
	r, over := positionOf(t, c, g, id).Result()
	if m.State != match.Over || !over || r.Winners.Has(rules.Seat(last)) || m.Summary.Winners != r.Winners || m.Summary.AllLost != r.AllLost || r.AllLost != (r.Winners == 0) {
		t.Fatalf("the match is %s with %+v, the summary %+v", m.State, r, m.Summary)
	}
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := final.Position.Result(); again != r {
		t.Errorf("played again it ends with %+v, not %+v", again, r)
	}
	for i, s := range seats {
		text := oneLine(c.last(s).Text)
		told := map[bool]string{true: "By the rules you would win, but you " + reason + ".", false: "By the rules " + rest + " would win, but " + reason + "."}[i == last]
		if strings.Contains(text, told) != (r.Left == rules.Only(rules.Seat(last))) || i == last && strings.Contains(text, "you have won") {
			t.Errorf("%+v: the letter of %s:\n%s", r, s, c.last(s).Text)
		}
	}
	if r.Left != 0 {
		struck = 1
	}
	return struck
}

// positionOf is where a match stands.
func positionOf(t *testing.T, c *club, g *rules.Game, id string) rules.Position {
	t.Helper()
	pos, err := c.stored(id).CurrentPosition(g)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}
