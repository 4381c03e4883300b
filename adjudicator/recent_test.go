package adjudicator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/rules/dawn1989"
)

// TestRemembered: what letters tell does not depend on what the program remembers of the
// letters before. One that is started again for each letter writes the same.
func TestRemembered(t *testing.T) {
	t.Parallel()
	play := func(again bool) map[string][]string {
		g := dawn1989.Game()
		c := newClub(t, g)
		c.rand = rand.NewChaCha8([32]byte{7})
		c.reopen()
		id := c.match(g.Name(), nil, dawnSeats...)
		rnd := rand.New(rand.NewPCG(7, 1))
		for range 25 {
			copyOrders(t, c, g, id, dawnSeats, 1, rnd)
			if again {
				c.reopen()
			}
		}
		told := map[string][]string{}
		for to, letters := range c.mailbox {
			for _, l := range letters {
				told[to] = append(told[to], l.Text)
			}
		}
		return told
	}
	want := play(true)
	for to, letters := range play(false) {
		if len(letters) != len(want[to]) {
			t.Fatalf("%d letters to %s, want %d", len(letters), to, len(want[to]))
		}
		for i, text := range letters {
			if diff := cmp.Diff(want[to][i], text); diff != "" {
				t.Errorf("letter %d to %s:\n%s", i, to, diff)
			}
		}
	}
}
