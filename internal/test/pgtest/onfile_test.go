package pgtest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOnFileIsTold: docs/reliability.md has the reason of each test that is of files only, and counts them.
func TestOnFileIsTold(t *testing.T) {
	t.Parallel()
	root := os.DirFS(filepath.Join("..", "..", ".."))
	calls := regexp.MustCompile(`pgtest\.OnFile\([\w.]+, (\w+|"[^"\n]+")\)|ON A FILE ONLY: ([^'\n]+)'`)
	constants := regexp.MustCompile(`(?m)^const (\w+) = ("[^"\n]+")$`)
	counts, named := map[string]int{}, map[string]string{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") || strings.HasSuffix(path, "pgtest/onfile_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		for _, c := range constants.FindAllStringSubmatch(string(text), -1) {
			named[c[1]] = c[2]
		}
		for _, c := range calls.FindAllStringSubmatch(string(text), -1) {
			counts[c[1]+c[2]]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	sum, rows := 0, map[string]int{}
	for why, n := range counts {
		if is, ok := named[why]; ok {
			why = is
		}
		rows[strings.Trim(why, `"`)] += n
		sum += n
	}
	for _, why := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&want, "| %s | %d |\n", why, rows[why])
	}
	fmt.Fprintf(&want, "| all | %d |\n", sum)
	docs, err := fs.ReadFile(root, "docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), want.String()) {
		t.Errorf("docs/reliability.md should have the rows\n%s", want.String())
	}
}
