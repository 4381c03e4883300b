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
		all   []pending
		again bool
		want  string
		rest  bool
	}{
		{"nothing", nil, false, "[]", false},
		{"a chain goes to one", []pending{{keys: "a"}, {keys: "a b"}, {keys: "b"}}, false, "[0 1 2]", false},
		{"as many as are wanted", []pending{{}, {}, {}, {}}, false, "[0 1 2]", true},
		{"behind the own", []pending{{keys: "a", claim: 1}, {keys: "a"}}, false, "[1]", false},
		{"behind another's", []pending{{keys: "a", claim: 2}, {keys: "a b"}, {keys: "b"}, {keys: "c"}}, false, "[3]", true},
		{"behind one that is left for later", []pending{{keys: "a", tries: 1}, {keys: "a"}, {keys: "b"}}, false, "[2]", true},
		{"those that are left for later", []pending{{keys: "a"}, {keys: "a", tries: 1}, {keys: "b", tries: 2}}, true, "[2]", true},
	} {
		for i := range tt.all {
			tt.all[i].uid = int64(i)
		}
		_, got, rest := claimable(tt.all, 1, 3, tt.again)
		if fmt.Sprint(got) != tt.want || rest != tt.rest {
			t.Errorf("%s: %v, and others: %v", tt.name, got, rest)
		}
	}
}
