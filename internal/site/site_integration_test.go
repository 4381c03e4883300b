//go:build integration

package site_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"samizdat/internal/test/browsertest"
)

// shots is where TestShots writes pictures of the pages for the documents.
var shots = flag.String("shots", "", "directory to write pictures of the club's pages to")

// kindNames has a page of each kind.
var kindNames = []string{"index", "ladder-1989", "statistics-1989", "ladder-1789", "players", "player-1", "player-50", "matches", "results", "results-2026-09",
	"tournaments", "tournament-autumn-cup", "tournament-spring", "log"}

// TestInBrowser: each kind of page says nothing on the console, asks for nothing, does not
// scroll sideways and keeps to the rules for those who cannot see or use a mouse, on a
// telephone and on a screen, light and dark.
func TestInBrowser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, club(t, 60, 200), dir)
	ctx := browsertest.Start(t)
	for _, width := range []int{400, 1200} {
		for _, scheme := range []string{"light", "dark"} {
			ctx := browsertest.Tab(t, ctx, width, scheme)
			for _, kind := range kindNames {
				t.Run(fmt.Sprint(kind, "-", width, "-", scheme), func(t *testing.T) {
					browsertest.Do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, kind+".html")))
					browsertest.Check(t, ctx, width)
				})
			}
		}
	}
}

// TestShots writes a picture of each kind of page; docs/club has some of them.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("-shots is not given")
	}
	dir := t.TempDir()
	c := club(t, 24, 700)
	c.Name, c.Notices = "The Danzig club", nil
	for i, name := range strings.Fields("Ada Ben Cleo Daniel Emre Fatima Gustav Hanna Ivo Jana Karol Lena Marek Nina Otto Petra Quentin Rosa Stefan Tilda Ulf Vera Wanda Xaver") {
		c.Players[i].Name = name
	}
	write(t, c, dir)
	ctx := browsertest.Start(t)
	for _, width := range []int{400, 1200} {
		for _, scheme := range []string{"light", "dark"} {
			ctx := browsertest.Tab(t, ctx, width, scheme)
			for _, kind := range []string{"index", "ladder-1989", "player-1", "matches", "results", "results-2026-09", "tournament-autumn-cup"} {
				browsertest.Do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, kind+".html")))
				browsertest.Picture(t, ctx, filepath.Join(*shots, fmt.Sprint(kind, "-", width, "-", scheme, ".png")))
			}
		}
	}
}
