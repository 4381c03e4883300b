package mail

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReliabilityCounts: docs/reliability.md counts what there is.
func TestReliabilityCounts(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "docs", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	letters, err := filepath.Glob("testdata/letters/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(doc)), " ")
	for _, want := range []string{
		fmt.Sprintf("The two tables have %d and %d rows", len(imapFaults()), len(smtpFaults())),
		fmt.Sprintf("has %d letters as mail programs write them", len(letters)),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/reliability.md does not say: %s", want)
		}
	}
}
