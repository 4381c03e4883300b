package storage

import (
	"fmt"
	"testing"
)

// TestClaimable: letters are claimed in their order, with all of the daemon's own, and none before one that has a key in
// common and is not the daemon's.
func TestClaimable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		all   []pendingArrival
		again bool
		but   int
		want  string
		rest  bool
	}{
		{"nothing", nil, false, 0, "[]", false},
		{"a chain goes to one", []pendingArrival{{keys: "a"}, {keys: "a b"}, {keys: "b"}}, false, 0, "[0 1 2]", false},
		{"as many as are wanted", []pendingArrival{{}, {}, {}, {}}, false, 0, "[0 1 2]", true},
		{"behind the own", []pendingArrival{{keys: "a", claim: 1}, {keys: "a"}}, false, 0, "[1]", false},
		{"behind another's", []pendingArrival{{keys: "a", claim: 2}, {keys: "a b"}, {keys: "b"}, {keys: "c"}}, false, 0, "[3]", true},
		{"behind one that is left for later", []pendingArrival{{keys: "a", tries: 1}, {keys: "a"}, {keys: "b"}}, false, 0, "[2]", true},
		{"those that are left for later", []pendingArrival{{keys: "a"}, {keys: "a", tries: 1}, {keys: "b", tries: 2}}, true, 0, "[2]", true},
		{"all but those of four tries", []pendingArrival{{keys: "a", tries: 4}, {keys: "a", tries: 1}, {keys: "b", tries: 3}, {keys: "c", tries: 5}},
			true, 4, "[2 3]", true},
	} {
		for i := range tt.all {
			tt.all[i].uid = int64(i)
		}
		_, got, remaining := selectClaimable(tt.all, 1, 3, tt.again, tt.but)
		if fmt.Sprint(got) != tt.want || remaining != tt.rest {
			t.Errorf("%s: %v, and others: %v", tt.name, got, remaining)
		}
	}
}
