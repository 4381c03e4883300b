//go:build integration

package browsertest

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"io"
	"testing"
)

// axe is axe-core 4.14.1 of Deque Systems, under the Mozilla Public License 2.0.
//
//go:embed axe.min.js.gz
var axe []byte

// faults runs axe-core on the page and lists its violations.
const faults = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations
	.map((v) => v.impact + " " + v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" ")))`

// Faults returns the accessibility violations of a page.
func Faults(t *testing.T, ctx context.Context) []string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(axe))
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	Ask[bool](t, ctx, string(source)+"; true")
	return Ask[[]string](t, ctx, faults)
}

// Check fails the test if axe-core finds a violation or the page is wider than its tab.
func Check(t *testing.T, ctx context.Context, width int) {
	t.Helper()
	for _, found := range Faults(t, ctx) {
		t.Error(found)
	}
	if wide := Ask[int](t, ctx, "document.documentElement.scrollWidth"); wide > width {
		t.Errorf("the page is %d pixels wide", wide)
	}
}
