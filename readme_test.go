package samizdat_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPictures: the pictures that the documents show are there.
func TestPictures(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"README.md": 2, filepath.Join("docs", "letters.md"): 6, filepath.Join("docs", "maps.md"): 1} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range regexp.MustCompile(`(?:\]\(|src=")([^)"]+\.png)`).FindAllStringSubmatch(string(text), -1) {
			n++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s shows %s: %v", file, m[1], err)
			}
		}
		if n < least {
			t.Errorf("%s shows %d pictures, want %d", file, n, least)
		}
	}
}

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
