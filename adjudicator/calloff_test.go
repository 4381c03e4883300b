package adjudicator_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/rulestest"
)

// TestInvitationRefused: an invitation that a mail server refuses for good is told of like one
// that comes back, once, and to nobody who could not read it. Whoever is invited in that place
// has the whole time again.
func TestInvitationRefused(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	c.adj.OperatorAddress, c.adj.InvitationPeriod = address("operator"), 14*24*time.Hour
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "orchards", Players: []string{address("north"), address("east"), address("west")}})
	if err != nil {
		t.Fatal(err)
	}
	box := c.box()
	out, err := box.Due(t.Context(), c.now, 10)
	if err != nil || len(out) != 3 {
		t.Fatalf("%d letters, %v", len(out), err)
	}
	for _, o := range out {
		if o.To == address("east") {
			if err := box.MarkFailed(t.Context(), o.ID, c.now, c.now, true, "550 no such user"); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.deliver()
	if n := c.due(time.Minute); n != 1 || c.due(time.Minute) != 0 {
		t.Errorf("%d things were due", n)
	}
	for _, name := range []string{"north", "west", "operator"} {
		if text := c.last(name).Text; !strings.Contains(text, "The invitation to the east came back") || strings.Contains(text, address("east")) {
			t.Errorf("%s is told\n%s", name, text)
		}
	}
	if n := c.letters("east"); n != 0 {
		t.Errorf("%d letters to who gets none", n)
	}
	c.now = c.now.Add(10 * 24 * time.Hour)
	if err := c.adj.Replace(t.Context(), m.ID, 1, address("nora")); err != nil {
		t.Fatal(err)
	}
	if n := c.due(13 * 24 * time.Hour); n != 0 || c.stored(m.ID).State != match.Inviting {
		t.Errorf("%d things were due before it lapses", n)
	}
	c.reopen()
	if n := c.due(25 * time.Hour); n != 1 || c.stored(m.ID).State != match.CalledOff {
		t.Errorf("%d things were due when it lapses", n)
	}
	for _, name := range []string{"north", "nora", "west"} {
		if text := c.last(name).Text; !strings.Contains(text, "did not join in time") {
			t.Errorf("%s is told\n%s", name, text)
		}
	}
	if _, err := c.adj.Resend(t.Context(), m.ID, 0); err != nil {
		t.Error(err)
	}
	c.deliver()
	if text := c.last("north").Text; !strings.Contains(text, "called off before it began") {
		t.Errorf("the letter again:\n%s", text)
	}
}
