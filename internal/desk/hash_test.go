package desk_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/desk"
	"samizdat/internal/report"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// TestPolicy: the page, and the server that gives it out, let the styles and the script of history pages
// run in it, and no others of that sort.
func TestPolicy(t *testing.T) {
	t.Parallel()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	story, err := report.NewHistory(rules.Games{dawn1989.Game()}, rec, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := story.HTML(&page); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join("page", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for open, end := range map[string]string{"<style>": "</style>", "<script>": "</script>"} {
		_, rest, ok := strings.Cut(page.String(), open)
		text, _, closed := strings.Cut(rest, end)
		sum := sha256.Sum256([]byte(text))
		hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !ok || !closed || strings.Count(page.String(), open) != 1 {
			t.Errorf("the history page has no %s, or several", open)
		}
		if !strings.Contains(desk.ContentSecurityPolicy, hash) || !bytes.Contains(index, []byte(hash)) {
			t.Errorf("the policies of desk.go and index.html have to name %s %s", open, hash)
		}
	}
	if !bytes.Contains(index, []byte(`content="`+desk.ContentSecurityPolicy+`"`)) {
		t.Errorf("index.html has another policy than the server: %s", desk.ContentSecurityPolicy)
	}
	if strings.Contains(desk.ContentSecurityPolicy, "unsafe-inline") || strings.Contains(desk.ContentSecurityPolicy, "'unsafe-eval'") {
		t.Errorf("the policy lets anything run: %s", desk.ContentSecurityPolicy)
	}
}
