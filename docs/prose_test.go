package docs_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/test/goldentest"
)

// vague are words and phrases that stand where a reader needs a noun: indefinite pronouns ("whoever asks") and relative
// clauses without one ("what is due", "one of which").
var vague = regexp.MustCompile(`(?i)\b(whoever|whom|whose|nobody|nothing|whatever|wherever|anybody|everybody|somebody|meanwhile|thereby|besides|` +
	`of (them|which|whom|those|one|what)|what (is|was|are|were|has|had|a|an|the|it|he|who|stands|comes|may|they)|` +
	`that (is|are) (there|none)|such (a|an|as)|so many|in which|than it|the one|one of)\b`)

// vagueFile holds how many vague words each package may have in 1,000 words of its comments, and the pages in docs/ in 1,000 of
// theirs, one a line, for example "mail 3.1".
const vagueFile = "docs/testdata/prose.txt"

// fewWords: a package with fewer words of comments is measured as if it had so many, so that one phrase does not fail it.
const fewWords = 1000

// TestVagueWords holds each package to the share of vague words that it had at best. -update writes shares that have fallen,
// and never a higher one; a new package begins with the share of newPackage.
func TestVagueWords(t *testing.T) {
	t.Parallel()
	const newPackage = 3.0
	bounds := readShares(t)
	shares := vagueShares(t)
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		bound, known := bounds[name]
		if !known {
			bound = newPackage
		}
		if shares[name] > bound {
			t.Errorf("%s: %.1f vague words (nobody, whoever, of which, what is, one of, such a ...) in 1,000 words of its comments, "+
				"at most %.1f are wanted: name the thing instead", name, shares[name], bound)
		}
		bounds[name] = min(bound, shares[name])
	}
	for name := range bounds {
		if _, found := shares[name]; !found && !*goldentest.Update {
			t.Errorf("%s has a line in %s and does not exist", name, vagueFile)
		}
	}
	if !*goldentest.Update || t.Failed() {
		return
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		fmt.Fprintf(&out, "%s %.1f\n", name, bounds[name])
	}
	if err := os.WriteFile(vagueFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readShares reads vagueFile.
func readShares(t *testing.T) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(vagueFile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		var name string
		var share float64
		if _, err := fmt.Sscan(line, &name, &share); err != nil {
			t.Fatalf("%s: %q: %v", vagueFile, line, err)
		}
		out[name] = share
	}
	return out
}

// vagueShares returns the vague words in 1,000 words of each package's comments, tests left out, and of the pages as "docs/*.md".
func vagueShares(t *testing.T) map[string]float64 {
	t.Helper()
	texts := map[string]*bytes.Buffer{}
	add := func(name, text string) {
		if texts[name] == nil {
			texts[name] = new(bytes.Buffer)
		}
		texts[name].WriteString(text + "\n\n")
	}
	for _, text := range pages(t) {
		add("docs/*.md", text)
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			add(filepath.ToSlash(filepath.Dir(path)), group.Text())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for name, text := range texts {
		words := strings.Join(strings.Fields(text.String()), " ")
		n, total := len(vague.FindAllString(words, -1)), max(strings.Count(words, " ")+1, fewWords)
		out[name] = math.Round(float64(n)*10000/float64(total)) / 10
	}
	return out
}
