package order_test

import (
	"testing"

	"samizdat/adjudicator/order"
)

// TestMinus: a minus before a number is no comma and no nothing: such a number counts nothing.
func TestMinus(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for line, want := range map[string]bool{"BID COMMUNIST GIVE -1": false, "PLACE Lodz -1": false, "PLACE Lodz −2": false, "PLACE -1 Lodz": false,
		"PLACE Lodz - 1": true, "RAISE March-3": true, "SEAT 1-2": true} {
		if _, err := p.ParsePlain(line); (err == nil) != want {
			t.Errorf("%q is read: %v", line, err)
		}
	}
}
