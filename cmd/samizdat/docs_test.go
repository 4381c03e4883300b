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
