// Package goldentest compares what tests get with golden files. With -update the tests of a
// package write them anew.
package goldentest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is set when golden files are written anew.
var Update = flag.Bool("update", false, "rewrite golden files")

// Compare compares a text with a file below testdata.
func Compare(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, d)
	}
}

// maxColumns is how many columns a line of a letter has.
const maxColumns = 78

// Narrow fails when a line of a letter is too wide.
func Narrow(t testing.TB, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > maxColumns {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}
