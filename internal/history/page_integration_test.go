//go:build integration

package history_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/browsertest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
	"samizdat/testdata"
)

// shots is where TestShots writes pictures of the page for the documents.
var shots = flag.String("shots", "", "directory to write pictures of the history page to")

// sample is the record of the rulebook's turn.
func sample(t *testing.T) *record.Record {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// file writes the page of a record, and returns its address.
func file(t *testing.T, g *rules.Game, rec *record.Record) string {
	t.Helper()
	text, _ := told(t, g, rec, everything)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// TestInBrowser: pages say nothing on the console, ask for nothing, and keep to the rules for
// those who cannot see or use a mouse, on a telephone and on a screen, light and dark.
func TestInBrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Start(t)
	turn, well := file(t, dawn1989.Game(), sample(t)), file(t, council.Game(), played(t, council.Game(), 5, 5))
	revolution := file(t, revolution1789.Game(), played(t, revolution1789.Game(), 5, 8))
	for _, tt := range []struct {
		address, scheme string
		width           int
	}{{turn, "light", 400}, {turn, "dark", 400}, {turn, "light", 1200}, {turn, "dark", 1200}, {well, "light", 400}, {revolution, "dark", 1200}} {
		t.Run(fmt.Sprint(tt.width, "-", tt.scheme), func(t *testing.T) {
			ctx := browsertest.Tab(t, ctx, tt.width, tt.scheme)
			browsertest.Do(t, ctx, chromedp.Navigate(tt.address+"#2"))
			browsertest.Check(t, ctx, tt.width)
		})
	}
}

// The state of a page: the move that is shown, the map, and whether the move is in sight.
const (
	current = `document.querySelector(".move[aria-current]").id`
	drawn   = `[...document.querySelectorAll("#map > g:not([display])")].map((g) => g.innerHTML).join("") + document.getElementById("map-words").textContent`
	inSight = `(() => { const r = document.querySelector(".move[aria-current]").getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; })()`
)

// TestStepping: keys, buttons, the slider and links lead to moves, and the map is the same
// whichever way was taken.
func TestStepping(t *testing.T) {
	t.Parallel()
	ctx, address := browsertest.Start(t), file(t, dawn1989.Game(), whole(t))
	ctx = browsertest.Tab(t, ctx, 1200, "light")
	open := func(hash string) {
		t.Helper()
		browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address+hash))
	}
	at := func(want string) {
		t.Helper()
		if got := browsertest.Ask[string](t, ctx, current); got != want || !browsertest.Ask[bool](t, ctx, inSight) {
			t.Errorf("entry %s is shown, want %s, in sight: %t", got, want, browsertest.Ask[bool](t, ctx, inSight))
		}
	}
	open("")
	at("0")
	open("#42")
	at("42")
	linked := browsertest.Ask[string](t, ctx, drawn)
	open("#40")
	browsertest.Do(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	at("42")
	if browsertest.Ask[string](t, ctx, drawn) != linked {
		t.Error("the map of entry 42 depends on the way to it")
	}
	if hash := browsertest.Ask[string](t, ctx, "location.hash"); hash != "#42" {
		t.Errorf("the address ends with %s", hash)
	}
	click := func(id string) func() {
		return func() { browsertest.Ask[bool](t, ctx, `document.getElementById("`+id+`").click(), true`) }
	}
	key := func(keys string, options ...chromedp.KeyOption) func() {
		return func() { browsertest.Do(t, ctx, chromedp.KeyEvent(keys, options...)) }
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{key(kb.ArrowLeft), "41"}, {key(kb.End), "334"}, {key(kb.ArrowRight), "334"}, {key(kb.Home), "0"},
		{click("next"), "1"}, {click("last"), "334"}, {click("back"), "333"}, {click("first"), "0"},
		{func() { browsertest.Ask[bool](t, ctx, `scrub.value = 42, scrub.dispatchEvent(new Event("input"))`) }, "42"},
		{func() { browsertest.Ask[bool](t, ctx, `scrub.focus(), true`) }, "42"},
		{key(kb.ArrowRight), "43"},
		{func() { browsertest.Ask[bool](t, ctx, `scrub.blur(), true`) }, "43"},
	} {
		step.do()
		at(step.want)
	}
	key(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))()
	if turn := browsertest.Ask[string](t, ctx, `document.querySelector(".move[aria-current]").closest(".chapter").querySelector("h2").textContent`); turn != "Turn 3" {
		t.Errorf("a step of a turn from turn 2 leads to %s", turn)
	}
	// A link takes a moment to lead to where it says.
	const after = `new Promise((done) => addEventListener("hashchange", () => setTimeout(() => done(true)), {once: true}))`
	browsertest.Ask[bool](t, ctx, `location.hash = "#7", `+after)
	at("7")
	browsertest.Ask[bool](t, ctx, `document.querySelector("[id='42'] .head a").click(), `+after)
	at("42")
	if browsertest.Ask[string](t, ctx, drawn) != linked {
		t.Error("the map of entry 42 depends on the way to it")
	}
	if now := browsertest.Ask[string](t, ctx, `document.getElementById("now").textContent`); !strings.Contains(now, "42") {
		t.Errorf("readers of the screen are told %q", now)
	}
}

// shot is a picture of the documents: of an entry, or of the head of the page.
type shot struct {
	name, scheme, hash string
	width              int
}

// TestShots writes the pictures of docs/history.md.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("-shots is not given")
	}
	ctx, address := browsertest.Start(t), file(t, dawn1989.Game(), whole(t))
	for _, s := range []shot{
		{"page-1200", "light", "", 1200}, {"move-1200", "light", "#110", 1200}, {"move-1200-dark", "dark", "#110", 1200},
		{"move-400", "light", "#110", 400}, {"move-400-dark", "dark", "#110", 400},
	} {
		ctx := browsertest.Tab(t, ctx, s.width, s.scheme)
		browsertest.Do(t, ctx, chromedp.Navigate(address+s.hash))
		if s.width == 400 {
			browsertest.Ask[bool](t, ctx, `stage.scrollIntoView(), true`)
		}
		browsertest.Picture(t, ctx, filepath.Join(*shots, s.name+".png"))
	}
}
