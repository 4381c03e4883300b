package pgtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOnFileIsCounted checks that docs/reliability.md has the number of tests that run on SQLite only.
func TestOnFileIsCounted(t *testing.T) {
	t.Parallel()
	root := os.DirFS(filepath.Join("..", "..", ".."))
	calls := regexp.MustCompile(`pgtest\.OnFile\([\w.]+, (?:\w+|"[^"\n]+")\)|ON A FILE ONLY: [^'\n]+'`)
	n := 0
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") || strings.HasSuffix(path, "pgtest/onfile_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		n += len(calls.FindAll(text, -1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := fs.ReadFile(root, "docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d tests are about SQLite's file", n); !strings.Contains(strings.Join(strings.Fields(string(docs)), " "), want) {
		t.Errorf("docs/reliability.md should say that %s", want)
	}
}
