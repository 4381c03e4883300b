package order_test

import (
	"strings"
	"testing"

	"samizdat/adjudicator/order"
)

// TestWithin: greetings and thanks around an order do not hide it from whoever says what was meant.
func TestWithin(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for _, tt := range []struct{ in, want string }{
		{"Hi, PLAY 40 EVENT, thanks, Ada", "PLAY 40 EVENT"},
		{"Good morning! PLAY 12 OPS PLACE Lodz 2, Krakow. Bye", "PLAY 12 OPS PLACE Lodz 2, Krakow"},
		{"Well, PLACE Lodz 2, Krakow, please", "PLACE Lodz 2, Krakow"},
		{"Would you, PLAY 40 EVENT, in my place?", ""},
		{"A nice day, and a long one.", ""},
		{strings.Repeat("hello, ", 9) + "PLAY 40 EVENT", ""},
	} {
		got := p.Within(tt.in)
		if o, err := p.Order(got); err == nil {
			got = order.Write(o)
		}
		if got != tt.want {
			t.Errorf("in %q is %q, want %q", tt.in, got, tt.want)
		}
	}
}
