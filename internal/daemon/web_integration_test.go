//go:build integration

package daemon

import (
	"bytes"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	clubsite "samizdat/internal/site"
	"samizdat/internal/test/browsertest"
	"samizdat/testdata"
)

// TestServedInBrowser: what browsers are told not to do, the pages do not ask for; the page of a
// match steps.
func TestServedInBrowser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	story, err := report.History(games, rec, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := publishFile(filepath.Join(dir, "m1.html"), story.HTML); err != nil {
		t.Fatal(err)
	}
	club := clubsite.Club{Name: "The club", Address: "club@example.org", Players: []clubsite.Member{{ID: 1, Name: "Ada"}}}
	if _, err := club.Write(dir, false); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(pagesHandler(dir))
	t.Cleanup(server.Close)
	ctx := browsertest.Tab(t, browsertest.Start(t), 1200, "light", server.URL+"/")
	browsertest.Do(t, ctx, chromedp.Navigate(server.URL+"/"))
	if style := browsertest.Ask[string](t, ctx, `getComputedStyle(document.body).maxWidth`); style != "1000px" {
		t.Errorf("the first page is %s wide: its style is not there", style)
	}
	browsertest.Do(t, ctx, chromedp.Navigate(server.URL+"/m1.html#2"))
	if browsertest.Ask[bool](t, ctx, `document.querySelector(".script").hidden`) || browsertest.Ask[string](t, ctx, `document.querySelector(".move[aria-current]").id`) != "2" {
		t.Error("the page's script does not run")
	}
}
