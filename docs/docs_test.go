// Package docs_test compares README.md and docs/ with the program.
package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain runs the tests in the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestPictures checks that the pictures in the pages exist.
func TestPictures(t *testing.T) {
	t.Parallel()
	for file, minimum := range map[string]int{"README.md": 2, filepath.Join("docs", "letters.md"): 6, filepath.Join("docs", "maps.md"): 1, filepath.Join("docs", "history.md"): 5} {
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
		if n < minimum {
			t.Errorf("%s shows %d pictures, want %d", file, n, minimum)
		}
	}
}

// TestReadmeLetter checks each line of the letter in README.md against a golden letter.
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

// TestLinks checks that linked files and headings exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	n := 0
	for file, text := range pages(t) {
		for _, m := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(text, -1) {
			n++
			name, heading, _ := strings.Cut(m[1], "#")
			to := file
			if name != "" {
				to = filepath.Join(filepath.Dir(file), name)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			} else if heading != "" && !headings(t, to)[heading] {
				t.Errorf("%s links to %s, which has no such heading", file, m[1])
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d links were found", n)
	}
}

// headings returns the anchors of a page, for example "orders-ahead".
func headings(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		plain := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		out[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return out
}

// TestNamedTests checks that the tests named in the pages exist.
func TestNamedTests(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)`).FindAllStringSubmatch(string(text), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for file, text := range pages(t) {
		for _, name := range regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(text, -1) {
			n++
			if !there[name] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d tests were found in the documents", n)
	}
}

// TestLength bounds the words of README.md and of all pages: a page that grows makes another shorter.
func TestLength(t *testing.T) {
	t.Parallel()
	total := 0
	for file, text := range pages(t) {
		n := len(strings.Fields(text))
		if total += n; file == "README.md" && n > 900 {
			t.Errorf("README.md has %d words, at most 900 are wanted", n)
		}
	}
	if total > 27000 {
		t.Errorf("README.md and docs/ have %d words, at most 27,000 are wanted: shorten a page", total)
	}
}

// TestPaths checks that what the pages name in the repository exists: files and folders (`adjudicator/gate`, tools/bench,
// `go test ./mail`) and exported names (`rules.Atom`).
func TestPaths(t *testing.T) {
	t.Parallel()
	const rooms = `(?:adjudicator|cmd|docs|internal|mail|packaging|rules|storage|templates|testdata|tools)`
	paths := []*regexp.Regexp{
		regexp.MustCompile("`(" + rooms + "/[\\w./*-]+)`"),
		regexp.MustCompile(`(?m)^ {4,}(?:.* )?(?:\./)?((?:tools|packaging|testdata)/[\w.-]+)`),
		regexp.MustCompile(`[^.]\./(` + rooms + `(?:/[\w/]+)?)\b`),
	}
	names := regexp.MustCompile("`(" + rooms + "(?:/\\w+)*)\\.([A-Z]\\w*)`")
	n := 0
	for file, text := range pages(t) {
		for _, m := range names.FindAllStringSubmatch(text, -1) {
			n++
			if !declares(t, m[1], m[2]) {
				t.Errorf("%s names %s.%s, which does not exist", file, m[1], m[2])
			}
		}
		text = names.ReplaceAllString(text, "")
		for _, re := range paths {
			for _, m := range re.FindAllStringSubmatch(text, -1) {
				n++
				if found, err := filepath.Glob(filepath.FromSlash(m[1])); err != nil || len(found) == 0 {
					t.Errorf("%s names %s, which does not exist", file, m[1])
				}
			}
		}
	}
	if n < 90 {
		t.Errorf("only %d paths and names were found in the pages", n)
	}
}

// declares reports whether the package in a folder has an exported name.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^(?:type |func |const |var |\t)` + name + `\b`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declaration.Match(source) {
			return true
		}
	}
	return false
}

// pages returns README.md and the pages of docs/, by file name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range append(files, "README.md", filepath.Join("docs", "debian", "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = string(text)
	}
	return out
}

// TestDependencies checks that docs/dependencies.md names the modules of go.mod, and no others.
func TestDependencies(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		if m := regexp.MustCompile(`^\t?(?:require )?([\w./-]+\.[\w./-]+) v\S+$`).FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			required[m[1]] = true
			if !strings.Contains(string(text), "`"+m[1]) {
				t.Errorf("docs/dependencies.md does not name %s", m[1])
			}
		}
	}
	if len(required) < 10 {
		t.Errorf("only %d modules were found in go.mod", len(required))
	}
	for _, m := range regexp.MustCompile("`([a-z]+\\.[a-z]+/[\\w./-]+)`").FindAllStringSubmatch(string(text), -1) {
		if !required[m[1]] && !required[filepath.Dir(m[1])] {
			t.Errorf("docs/dependencies.md names %s, which go.mod does not require", m[1])
		}
	}
}

// TestFilesInComments: a file of Go that a comment names stands beside it. Comments outlive the files that they point to.
func TestFilesInComments(t *testing.T) {
	t.Parallel()
	comment := regexp.MustCompile(`//.*`)
	name := regexp.MustCompile(`(?:^|[ (])([a-z0-9_]+\.go)\b`)
	n := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, c := range comment.FindAllString(string(text), -1) {
			for _, m := range name.FindAllStringSubmatch(c, -1) {
				n++
				if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
					t.Errorf("%s names %s in a comment: %v", file, m[1], err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 30 {
		t.Errorf("only %d files were found in comments", n)
	}
}
