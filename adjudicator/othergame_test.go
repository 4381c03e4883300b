package adjudicator_test

import (
	"testing"

	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// TestOrderOfOtherGame: who writes an order of another game is told so, and not only that it was not understood.
func TestOrderOfOtherGame(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game(), revolution1789.Game())
	id := c.match("1989", nil, dawnSeats...)
	wants(t, c.sends("communist", "REVOLUTION").Text, "Nothing was done:", "That is an order of 1789, but your letter went to match "+id+", of 1989")
	lacks(t, c.sends("communist", "PLACE Nowhere 2").Text, "That is an order of")
}
