package match_test

import (
	"testing"

	"samizdat/adjudicator/match"
)

// TestParseObserverPolicy: what is written is what is read.
func TestParseObserverPolicy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"no", "no"}, {"open", "open"}, {"36h", "36h"}, {"24h", "1d"}, {"3d", "3d"}, {"90m", "90m"},
		{"", ""}, {"yes", ""}, {"0d", ""}, {"-3d", ""}, {"1s", ""}, {"91d", ""}, {"1.5d", ""}, {"61s", ""},
	} {
		got, err := match.ParseObserverPolicy(tt.in)
		if (err != nil) != (tt.want == "") || err == nil && got.String() != tt.want {
			t.Errorf("%q: %v, %v; want %s", tt.in, got, err, tt.want)
		}
	}
}
