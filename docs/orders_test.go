package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/docs"
)

// TestOrdersByMail checks that HELP sends all of docs/orders.md, without markup.
func TestOrdersByMail(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile(filepath.Join("docs", "orders.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range docs.Orders() {
		b.WriteString(s.Title + "\n")
		for _, k := range s.Blocks {
			b.WriteString(k.Text + "\n")
		}
	}
	sent := b.String()
	if strings.ContainsAny(sent, "`|") || strings.Contains(sent, "**") || strings.Contains(sent, "](") {
		t.Errorf("markup is sent:\n%s", sent)
	}
	if len(sent) < len(file)*9/10 {
		t.Errorf("%d letters of %d are sent", len(sent), len(file))
	}
	for _, want := range []string{"Orders ahead", "JOIN", "ANSWER 45 REMOVE Praha 2, Brno, Plzen 2", "Ambiguous names are never guessed."} {
		if !strings.Contains(sent, want) {
			t.Errorf("%q is not sent", want)
		}
	}
}
