package adjudicator_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestResigning plays councils of every size in which players resign at any time. Each comes
// to an end, never asks who has left, and its record verifies.
func TestResigning(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 5, 12} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c := newClub(t, council.Game())
			seats := councilOf(n)
			id := c.match("council", nil, seats...)
			r := rand.New(rand.NewPCG(19, uint64(n)))
			for range 40 * n {
				m := c.stored(id)
				if m.State == match.Over {
					break
				}
				pos, err := m.CurrentPosition(council.Game())
				if err != nil {
					t.Fatal(err)
				}
				var open []rules.Decision
				for _, d := range m.UnansweredDecisions(pos) {
					if m.Resigned.Has(d.Seat) {
						t.Fatalf("decision %d waits for %s, who has resigned", d.ID, seats[d.Seat])
					}
					open = append(open, d)
				}
				d := open[r.IntN(len(open))]
				says := "RESIGN " + id
				if options := pos.Options(nil, d.ID); r.IntN(2*n) > 0 {
					says = council.Game().FormatOrder(options[r.IntN(len(options)):][:1])
				}
				if l := c.sends(seats[d.Seat], says); strings.Contains(l.Text, ": refused") {
					t.Fatalf("%s by %s:\n%s", says, seats[d.Seat], l.Text)
				}
			}
			if m := c.stored(id); m.State != match.Over || m.Resigned == 0 && m.Ended == nil {
				t.Errorf("it is %s, and %b have resigned", m.State, m.Resigned)
			}
			for _, s := range seats {
				if l := c.last(s); !strings.Contains(l.Text, "The match is over") {
					t.Errorf("the last letter of %s:\n%s", s, l.Text)
				}
			}
			verified(t, c, council.Game(), id)
		})
	}
}

// TestResignedPlaysNoMore: nothing that a player orders, who has resigned, is carried out or kept,
// and silence goes on to answer for him.
func TestResignedPlaysNoMore(t *testing.T) {
	t.Parallel()
	c, id := begun(t, council.Game(), councilOf(3)...)
	c.sends("miller", "RESIGN "+id)
	kept := len(c.stored(id).Pending)
	for _, order := range []string{"HOLD ALWAYS", "NAME Smith", "VOTE YES"} {
		if l := c.sends("miller", order); !strings.Contains(l.Text, order+": refused\n  You have left this match") || len(c.stored(id).Pending) != kept {
			t.Errorf("%s:\n%s", order, l.Text)
		}
	}
}

// TestResignationStays: no order is taken back from before a resignation, which would undo it.
func TestResignationStays(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(3)
	id := c.match("council", nil, seats...)
	all(t, c, seats, "NAME miller")
	all(t, c, seats, "VOTE YES")
	all(t, c, seats, "HOLD")
	chair := int(owedIn(t, c, council.Game(), id)[0].Seat)
	next, third := seats[(chair+1)%3], seats[(chair+2)%3]
	says(t, c, seats[chair]+" FINE "+third, seats[chair]+" TAKEBACK", next+" RESIGN "+id)
	if l := c.sends(third, "TAKEBACK YES"); !strings.Contains(oneLine(l.Text), "a player has left the match since") {
		t.Errorf("it is taken back:\n%s", l.Text)
	}
	c.sends(third, "RESIGN "+id)
	verified(t, c, council.Game(), id)
}

// TestLastConsent: where a resignation leaves all agreed on several requests, the first that ends
// the match is the last that is done.
func TestLastConsent(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(3)
	id := timed(t, c, "council", "72h+12h<=120h", clock.Claim, seats...)
	all(t, c, seats, "NAME miller")
	all(t, c, seats, "VOTE YES")
	says(t, c, "miller ABORT", "baker ABORT YES", "miller PAUSE 5 days", "baker PAUSE YES", "smith RESIGN "+id)
	if m := c.stored(id); m.State != match.Over || m.Pause != nil {
		t.Errorf("it is %s, paused %+v", m.State, m.Pause)
	}
	verified(t, c, council.Game(), id)
}

// TestBelowResign: what stands below an order that ends the match is not carried out, and its writer
// reads why.
func TestBelowResign(t *testing.T) {
	t.Parallel()
	for _, below := range []string{"ABORT ID", "RESIGN ID", "DRAW", "TAKEBACK", "PLACE Gyor, Debrecen"} {
		c, id := begun(t, dawn1989.Game(), dawnSeats...)
		l := c.sends("communist", strings.ReplaceAll("RESIGN ID\n\n"+below, "ID", id))
		if !strings.Contains(oneLine(l.Text), ": not reached Not carried out, because the match is over.") {
			t.Errorf("%s:\n%s", below, l.Text)
		}
		verified(t, c, dawn1989.Game(), id)
	}
}
