package samizdat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeLetter: the letter in the README is one that the program writes.
func TestReadmeLetter(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	letter, err := os.ReadFile(filepath.Join("adjudicator", "testdata", "sample", "struggle-democrat.txt"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(letter)) {
		have[strings.TrimSpace(line)] = true
	}
	_, rest, ok := strings.Cut(string(readme), "## A letter\n")
	section, _, ends := strings.Cut(rest, "\n## ")
	if !ok || !ends {
		t.Fatal("README.md has no section with a letter")
	}
	n := 0
	for line := range strings.Lines(section) {
		text, shown := strings.CutPrefix(line, "    ")
		text = strings.TrimSpace(text)
		if !shown || text == "[...]" {
			continue
		}
		n++
		if !have[text] {
			t.Errorf("the letter in README.md has a line that the program does not write: %s", text)
		}
	}
	if n < 40 {
		t.Errorf("the letter in README.md has %d lines only", n)
	}
}
