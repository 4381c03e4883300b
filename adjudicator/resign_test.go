package adjudicator_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/rules"
	"samizdat/rules/rulestest/council"
)

// TestResigning plays councils of every size in which players resign at any time. Each comes
// to an end, never asks who has left, and its record verifies.
func TestResigning(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 5, 12} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c := newClub(t, council.Game{})
			seats := councilOf(n)
			id := c.match("council", nil, seats...)
			r := rand.New(rand.NewPCG(19, uint64(n)))
			for range 40 * n {
				m := c.stored(id)
				if m.State == adjudicator.Over {
					break
				}
				pos, err := m.At(council.Game{})
				if err != nil {
					t.Fatal(err)
				}
				var open []rules.Decision
				for _, d := range m.Unanswered(pos) {
					if m.Acts.Resigned.Has(d.Seat) {
						t.Fatalf("decision %d waits for %s, who has resigned", d.ID, seats[d.Seat])
					}
					open = append(open, d)
				}
				d := open[r.IntN(len(open))]
				says := "RESIGN " + id
				if options := pos.Options(nil, d.ID); r.IntN(2*n) > 0 {
					says = council.Game{}.Line(options[r.IntN(len(options)):][:1])
				}
				if l := c.sends(seats[d.Seat], says); strings.Contains(l.Text, ": refused") {
					t.Fatalf("%s by %s:\n%s", says, seats[d.Seat], l.Text)
				}
			}
			if m := c.stored(id); m.State != adjudicator.Over || m.Acts.Resigned == 0 && m.Acts.Ended == nil {
				t.Errorf("it is %s, and %b have resigned", m.State, m.Acts.Resigned)
			}
			for _, s := range seats {
				if l := c.last(s); !strings.Contains(l.Text, "The match is over") {
					t.Errorf("the last letter of %s:\n%s", s, l.Text)
				}
			}
			verified(t, c, council.Game{}, id)
		})
	}
}
