package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// thinks lets robots answer, and finished matches be analysed.
func (c *club) thinks() {
	c.t.Helper()
	failed, err := c.adj.RunBackgroundJobs(c.t.Context(), func(string) bool { return false })
	if err != nil || len(failed) > 0 {
		c.t.Fatal(failed, err)
	}
	c.deliver()
}

// plays lets robots write orders in the names of the seats, until a number of orders is given.
func (c *club) plays(id string, g *rules.Game, seats []string, robot string, orders int) {
	c.t.Helper()
	r, err := g.Robot(robot, 1)
	if err != nil {
		c.t.Fatal(err)
	}
	for range orders {
		pos, err := c.stored(id).CurrentPosition(g)
		if err != nil {
			c.t.Fatal(err)
		}
		d := pos.OpenDecisions(nil)[0]
		atoms, err := gate.ChooseAnswer(pos, d, r)
		if err != nil {
			c.t.Fatal(err)
		}
		if l := c.sends(seats[d.Seat], g.FormatOrder(atoms)); strings.Contains(l.Text, ": refused") {
			c.t.Fatal(l.Text)
		}
	}
}

// TestMatchAnalysed: after a match each player gets one letter about the decisions that cost most and about luck,
// however often the robot thinks. Nothing is judged while the match goes on, or while its end may be undone.
func TestMatchAnalysed(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.LetterOptions.Analysis = true
	id := c.match("1989", nil, dawnSeats...)
	c.plays(id, dawn1989.Game(), dawnSeats, rules.RandomName, 8)
	c.thinks()
	c.sends("communist", "RESIGN "+id)
	before := map[string]int{}
	for _, s := range dawnSeats {
		before[s] = c.letters(s)
	}
	if m := c.stored(id); m.State != match.Over || m.BackgroundJob != match.AnalysisJob {
		t.Fatalf("the match is %s, job %q", m.State, m.BackgroundJob)
	}
	c.sends("democrat", "STATUS") // A letter that comes while the analysis runs must not lose the analysis.
	before["democrat"]++
	c.thinks()
	c.thinks()
	c.due(24 * time.Hour)
	for _, s := range dawnSeats {
		if n := c.letters(s) - before[s]; n != 1 {
			t.Errorf("%s gets %d letters about the analysis", s, n)
		}
		golden(t, "end/analysis-"+s+".txt", c.last(s).Text)
	}
	if stored, err := c.db.Analysis(t.Context(), id); err != nil || !strings.Contains(string(stored), `"Curve"`) {
		t.Errorf("the analysis is stored as %s: %v", stored, err)
	}
	c.adj.LetterOptions.Analysis = false
	id = c.match("1989", nil, dawnSeats...)
	c.sends("communist", "RESIGN "+id)
	if m := c.stored(id); m.State != match.Over || m.BackgroundJob != match.NoJob {
		t.Errorf("without analyses the match is %s, job %q", m.State, m.BackgroundJob)
	}
}
