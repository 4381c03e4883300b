package daemon

import "testing"

// TestGarbage: the room for garbage stays as it is, however much is in use, and the runtime is told
// when it would not.
func TestGarbage(t *testing.T) {
	const mb = 1 << 20
	var g garbage
	for _, look := range []struct {
		inUse uint64
		told  bool
		share garbage
	}{
		{0, true, 900},
		{4 * mb, false, 900},
		{8 * mb, true, 450},
		{8*mb + mb/2, false, 450},
		{7*mb + mb/2, false, 450},
		{12 * mb, true, 300},
		{100 * mb, true, 200},
		{1000 * mb, false, 200},
		{6 * mb, true, 600},
	} {
		if told := g.changes(look.inUse); told != look.told || g != look.share {
			t.Errorf("with %d kB in use: told %t, %d %%, want %t, %d %%", look.inUse>>10, told, g, look.told, look.share)
		}
	}
}
