package adjudicator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules/dawn1989"
)

// outOfTime begins a council in which those have resigned and answered who are named, and the
// time of all others is over.
func outOfTime(t *testing.T, resigned, answered []string) (c *club, id string) {
	t.Helper()
	c = newClub(t, council.Game())
	id = timed(t, c, "council", "72h+12h<=120h", clock.Claim, councillors...)
	for _, s := range resigned {
		c.sends(s, "RESIGN "+id)
	}
	for _, s := range answered {
		c.sends(s, "NAME Tanner")
	}
	c.now = c.now.Add(73 * time.Hour)
	for due(t, c) > 0 {
	}
	return c, id
}

// TestClaimOfMany: of several, those may claim who play and have answered, and they win together.
// Who has resigned neither claims nor wins, and is not told that he could.
func TestClaimOfMany(t *testing.T) {
	t.Parallel()
	c, id := outOfTime(t, []string{"miller"}, []string{"baker", "smith"})
	for _, s := range []string{"miller", "weaver"} {
		for _, order := range []string{"CLAIM", "GIVE 3 days"} {
			if l := c.sends(s, order); !strings.Contains(l.Text, order+": refused") || strings.Contains(oneLine(l.Text), "Send CLAIM") {
				t.Errorf("%s by the %s:\n%s", order, s, l.Text)
			}
		}
	}
	if l := oneLine(c.sends("baker", "CLAIM").Text); !strings.Contains(l, "You have claimed the win.") {
		t.Errorf("the claim:\n%s", l)
	}
	if e := c.stored(id).Ended; e == nil || !slices.Equal(e.Act.End.Winners, []record.SeatName{"baker", "smith"}) {
		t.Errorf("it ends %+v", e)
	}
	verified(t, c, council.Game(), id)
}

// TestLateAnswerCounts: who answers before anybody claims loses nothing, though his answer is
// sealed until others have answered too.
func TestLateAnswerCounts(t *testing.T) {
	t.Parallel()
	c, id := outOfTime(t, nil, []string{"baker"})
	says(t, c, "smith NAME Tanner")
	c.sends("baker", "CLAIM")
	if e := c.stored(id).Ended; e == nil || !slices.Equal(e.Act.End.Winners, []record.SeatName{"baker", "smith"}) {
		t.Errorf("it ends %+v", e)
	}
}

// TestLateAnswerIsNotHeldBack: what comes when the time is over is carried out at once, so that
// nobody can claim before it is.
func TestLateAnswerIsNotHeldBack(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id, name, other, seat := asked(t, c, "72h+12h<=120h", clock.Claim)
	says(t, c, name+" GRACE 1 hour")
	_, end := clockOf(t, c, id, seat)
	c.now = end.Add(time.Minute)
	for due(t, c) > 0 {
	}
	says(t, c, name+" PLACE Schwerin, Rostock")
	if l := c.sends(other, "CLAIM"); !strings.Contains(l.Text, "CLAIM: refused") || c.stored(id).State != match.Playing {
		t.Errorf("the claim:\n%s", l.Text)
	}
}

// TestClaimAndAway: a vacation that begins when the time is over keeps nobody from claiming; a
// pause does.
func TestClaimAndAway(t *testing.T) {
	t.Parallel()
	c, id := outOfTime(t, nil, councillors[1:])
	says(t, c, "miller VACATION "+c.now.Format(time.DateOnly)+" TO "+c.now.AddDate(0, 0, 9).Format(time.DateOnly))
	if _, err := c.adj.ExecuteDirective(t.Context(), id, match.Directive{Verb: match.DirectorPause, Duration: 24 * time.Hour, Why: "of it"}, true); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if l := oneLine(c.sends("baker", "CLAIM").Text); !strings.Contains(l, "You cannot claim the win. The match is paused.") || strings.Contains(l, "Send CLAIM") {
		t.Errorf("in a pause:\n%s", l)
	}
	c.now = c.now.Add(25 * time.Hour)
	due(t, c)
	if l := oneLine(c.sends("baker", "STATUS").Text); !strings.Contains(l, "Send CLAIM to win the match") {
		t.Errorf("on vacation:\n%s", l)
	}
	if l := c.sends("baker", "CLAIM"); !strings.Contains(l.Text, "CLAIM: done") {
		t.Errorf("on vacation:\n%s", l.Text)
	}
}
