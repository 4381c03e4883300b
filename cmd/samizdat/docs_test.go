package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"samizdat/adjudicator/order"
	"samizdat/rules/dawn1989"
)

// TestOrderExamples: every example of docs/orders.md is an order of 1989.
func TestOrderExamples(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "orders.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## 1989")
	if !ok {
		t.Fatal("docs/orders.md has no part on 1989")
	}
	g := dawn1989.Game{}
	p := order.New(g)
	n := 0
	for _, row := range regexp.MustCompile("(?m)^\\|.*\\| `([^`]+)` \\|$").FindAllStringSubmatch(section, -1) {
		n++
		o, err := p.Order(row[1])
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		if _, err := g.Answers(o, nil); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
	if n < 20 {
		t.Errorf("only %d examples were found", n)
	}
}

// TestDocumentedCommands: the documents' commands have the names and flags that the
// program knows.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range append(docs, filepath.Join(root, "README.md"), filepath.Join(root, "docs", "debian", "README.md"), filepath.Join(root, "packaging", "samizdat.service")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		joined := strings.ReplaceAll(string(text), "\\\n", " ")
		// What is quoted inside of a line ends with its quotation mark.
		for _, m := range regexp.MustCompile("(?m)(?:^ {4,}.*?|`|ExecStart=.*|go run \\./cmd/)\\bsamizdat ((?:--config \\S+ +)?[a-z]+)( [^`#>|\n]*)?").FindAllStringSubmatch(joined, -1) {
			words := strings.Fields(m[1] + m[2])
			cmd, _, err := newCommand().Find(words)
			if err != nil || cmd.Parent() == nil {
				t.Errorf("%s: samizdat %s: there is no such command", file, strings.Join(words, " "))
				continue
			}
			n++
			cmd.InitDefaultHelpFlag()
			for _, w := range words {
				name, flag := strings.CutPrefix(w, "--")
				name, _, _ = strings.Cut(strings.TrimRight(name, ".,;:)"), "=")
				if flag && cmd.Flag(name) == nil {
					t.Errorf("%s: samizdat %s has no flag --%s", file, cmd.Name(), name)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d commands were found", n)
	}
}
