package storage

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestLimits: no statement is parsed whenever it is run because its limit is a parameter alone.
func TestLimits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	must(t, err)
	limit, found := regexp.MustCompile(`LIMIT \$\d+( \+ 0)?`), 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		must(t, err)
		for _, m := range limit.FindAllSubmatch(src, -1) {
			if found++; m[1] == nil {
				t.Errorf("%s: %q wants + 0", name, m[0])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d limits were found", found)
	}
}
