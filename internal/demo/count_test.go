package demo_test

import (
	"testing"

	"samizdat/internal/demo"
)

// TestCountIsTold: a player who got nothing but what he had to answer is not told of a letter
// of no size.
func TestCountIsTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    demo.Count
		want string
	}{
		{demo.Count{Letters: 210, Bytes: 5_600_000, MoveRequests: 208}, "210 letters, 5.6 MB: 208 ask for a move, and between the invitation and the end there is no other"},
		{demo.Count{Letters: 211, Bytes: 5_600_000, MoveRequests: 208, LargestOther: 9_310}, "211 letters, 5.6 MB: 208 ask for a move, and of the others between the invitation and the end the largest has 9.3 kB"},
		{demo.Count{Letters: 3, Bytes: 60_000, MoveRequests: 1}, "3 letters, 0.1 MB: one asks for a move, and between the invitation and the end there is no other"},
	} {
		if got := tt.c.String(); got != tt.want {
			t.Errorf("%s\nnot\n%s", got, tt.want)
		}
	}
}
