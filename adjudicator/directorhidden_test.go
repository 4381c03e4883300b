package adjudicator_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/rulestest/council"
)

// TestDirectorSeesNothingHidden exchanges hidden cards, as TestHiddenStaysHidden does. What the
// director is sent, about acts too, is the same to the byte, but for what is made from the
// database's own key.
func TestDirectorSeesNothingHidden(t *testing.T) {
	t.Parallel()
	own := regexp.MustCompile(`(-d0-\d+-)[a-z2-7]{16}|answer-[0-9a-f]{24}|=_[0-9a-f]{25}`)
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var all, hands [2]string
			for i, change := range []change{taskNone, tt.change} {
				c, id := changedSample(t, []string{"", tt.name}[i], change, tt.letters)
				hands[i] = c.sends("democrat", "STATUS").Text + c.sends("communist", "STATUS").Text
				c.directs(id)
				for _, text := range []string{"STATUS", "HISTORY 20", "UNDO TO 3 BECAUSE of it", "NO", "RULE democrat BECAUSE of it", "ANNUL BECAUSE of it", "YES", "STATUS"} {
					c.orders(text)
				}
				all[i] = strings.Join(c.bytes[address("director")], "\n")
			}
			if d := cmp.Diff(own.ReplaceAllString(all[0], "$1"), own.ReplaceAllString(all[1], "$1")); d != "" {
				t.Errorf("the director is told what he must not know:\n%s", d)
			}
			if hands[0] == hands[1] || len(all[0]) < 1000 {
				t.Error("the exchange has changed nothing: the test proves nothing")
			}
		})
	}
}

// TestDirectorKnowsNoAnswers: who has given a sealed answer, and what is kept for whom, changes
// nothing that the director is sent, by the clocks neither.
func TestDirectorKnowsNoAnswers(t *testing.T) {
	t.Parallel()
	own := regexp.MustCompile(`(-d0-\d+-)[a-z2-7]{16}|answer-[0-9a-f]{24}`)
	var all []string
	for _, text := range []string{"STATUS", "VOTE YES", "GRACE 1 day\nVOTE NO", "VOTE YES\nHOLD ALWAYS"} {
		c := newClub(t, council.Game())
		id := timed(t, c, "council", "72h+12h<=120h", clock.Claim, councillors...)
		for _, s := range councillors {
			c.sends(s, "NAME smith")
		}
		c.directs(id)
		c.sends("smith", text)
		c.now = c.now.Add(30 * time.Hour)
		for _, text := range []string{"STATUS", "EXTEND smith BY 1 day BECAUSE of it", "YES", "PAUSE BECAUSE of it", "YES", "STATUS"} {
			c.orders(text)
		}
		all = append(all, own.ReplaceAllString(strings.Join(c.bytes[address("director")], "\n"), "$1"))
	}
	for _, other := range all[1:] {
		if d := cmp.Diff(all[0], other); d != "" {
			t.Errorf("the director is told what he must not know:\n%s", d)
		}
	}
}
