//go:build integration

package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"samizdat/internal/test/browsertest"
)

// TestFaults: what keeps a page from readers is found.
func TestFaults(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "light")
	browsertest.Do(t, ctx, chromedp.Navigate("data:text/html,<title>x</title><html lang=en><img><p style='color:silver'>pale</p>"))
	found := strings.Join(browsertest.Faults(t, ctx), "\n")
	for _, want := range []string{"critical image-alt", "serious color-contrast"} {
		if !strings.Contains(found, want) {
			t.Errorf("%s is not found, but\n%s", want, found)
		}
	}
}
