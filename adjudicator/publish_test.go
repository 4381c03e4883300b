package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
)

// TestPublished: of a match that was ended so that the director may take it up again, nothing
// that is hidden is told for a week, and all of it then.
func TestPublished(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.inviteObserved(openly, "orchards", nil, orchards...)
	c.joinAll(orchards...)
	c.watches("olga", id)
	m := c.stored(id)
	m.State = match.Over
	m.Ended = &match.EndingAct{Seat: "north", Act: record.Act{Kind: record.Claim, End: &record.End{Winners: []record.SeatName{"north"}}},
		At: c.now, Final: record.Claim.FinalAt(c.now)}
	if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	secret := m.Secret.Hex()
	hides := func(when string) {
		t.Helper()
		if got := c.export(id, false); strings.Contains(string(got), secret) || bytes.Contains(got, []byte(`"state":`)) {
			t.Errorf("%s: the record shows what is hidden:\n%s", when, got)
		}
		for _, s := range orchards {
			if got := strings.Join(strings.Fields(c.sends(s, "STATUS").Text), " "); strings.Contains(got, secret) || !strings.Contains(got, "The match is over") || !strings.Contains(got, "to reopen the match") {
				t.Errorf("%s: %s is told\n%s", when, s, got)
			}
		}
	}
	hides("at the end")
	if n := c.due(6 * 24 * time.Hour); n != 0 {
		t.Errorf("%d things were due too early", n)
	}
	c.reopen()
	hides("after six days")
	if n := c.due(25 * time.Hour); n != 1 || c.due(24*time.Hour) != 0 {
		t.Errorf("%d things were due after a week", n)
	}
	for _, s := range append(orchards[:3:3], "olga") {
		if got := c.last(s).Text; !strings.Contains(got, secret) || !strings.Contains(got, "is final") {
			t.Errorf("%s is told\n%s", s, got)
		}
	}
	if !strings.Contains(string(c.export(id, false)), secret) {
		t.Error("the record has no secret")
	}
}
