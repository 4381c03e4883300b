//go:build integration

package history_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"samizdat/adjudicator/record"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
	"samizdat/rules/rulestest/council"
	"samizdat/testdata"
)

// shots is where TestShots writes pictures of the page for the documents.
var shots = flag.String("shots", "", "directory to write pictures of the history page to")

// axe is axe-core 4.14.1 of Deque Systems, under the Mozilla Public License 2.0.
func axe(t *testing.T) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "axe.min.js.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

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
func file(t *testing.T, g rules.Game, rec *record.Record) string {
	t.Helper()
	text, _ := told(t, g, rec, everything)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// browser starts Debian's chromium.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Minute, errors.New("the browser took too long"))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("%v: chromium is in Debian's package of that name", err)
	}
	return ctx
}

// tab opens a tab of a size, in which nothing may be complained of, and nothing asked for
// but the page.
func tab(t *testing.T, ctx context.Context, width int, scheme string) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	var mu sync.Mutex
	var said []string
	err := chromedp.Listen(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventConsoleAPICalled:
			said = append(said, fmt.Sprintf("console: %v %v", e.Type, e.Args))
		case *runtime.EventExceptionThrown:
			said = append(said, fmt.Sprint("exception: ", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description))
		case *log.EventEntryAdded:
			said = append(said, "log: "+e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file://") && !strings.HasPrefix(e.Request.URL, "data:") {
				said = append(said, "asked for "+e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		if len(said) > 0 {
			t.Errorf("the page is not silent: %q", said)
		}
	})
	run(t, ctx, chromedp.EmulateViewport(int64(width), 860), chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, requests := cdp.Call(ctx, tab, network.Enable, network.EnableParams{})
		_, lines := cdp.Call(ctx, tab, log.Enable, cdp.Empty{})
		_, media := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return errors.Join(requests, lines, media)
	}))
	return ctx
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return answer
}

// faults runs axe-core over the page, and lists what it finds.
const faults = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations
	.map((v) => v.impact + " " + v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" ")))`

// TestInBrowser: pages say nothing on the console, ask for nothing, and keep to the rules for
// those who cannot see or use a mouse, on a telephone and on a screen, light and dark.
func TestInBrowser(t *testing.T) {
	t.Parallel()
	ctx, source := browser(t), axe(t)
	turn, well := file(t, dawn1989.Game{}, sample(t)), file(t, council.Game{}, played(t, council.Game{}, 5, 5))
	revolution := file(t, revolution1789.Game{}, played(t, revolution1789.Game{}, 5, 8))
	for _, tt := range []struct {
		address, scheme string
		width           int
	}{{turn, "light", 400}, {turn, "dark", 400}, {turn, "light", 1200}, {turn, "dark", 1200}, {well, "light", 400}, {revolution, "dark", 1200}} {
		t.Run(fmt.Sprint(tt.width, "-", tt.scheme), func(t *testing.T) {
			ctx := tab(t, ctx, tt.width, tt.scheme)
			run(t, ctx, chromedp.Navigate(tt.address+"#2"))
			ask[bool](t, ctx, source+"; true")
			for _, found := range ask[[]string](t, ctx, faults) {
				t.Error(found)
			}
			if wide := ask[int](t, ctx, "document.documentElement.scrollWidth"); wide > tt.width {
				t.Errorf("the page is %d pixels wide", wide)
			}
		})
	}
}

// TestFaults: what the checks of TestInBrowser are to find is found.
func TestFaults(t *testing.T) {
	t.Parallel()
	ctx := tab(t, browser(t), 400, "light")
	run(t, ctx, chromedp.Navigate("data:text/html,<title>x</title><html lang=en><img><p style='color:silver'>pale</p>"))
	ask[bool](t, ctx, axe(t)+"; true")
	found := strings.Join(ask[[]string](t, ctx, faults), "\n")
	for _, want := range []string{"critical image-alt", "serious color-contrast"} {
		if !strings.Contains(found, want) {
			t.Errorf("%s is not found, but\n%s", want, found)
		}
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
	ctx, address := browser(t), file(t, dawn1989.Game{}, whole(t))
	ctx = tab(t, ctx, 1200, "light")
	open := func(hash string) {
		t.Helper()
		run(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address+hash))
	}
	at := func(want string) {
		t.Helper()
		if got := ask[string](t, ctx, current); got != want || !ask[bool](t, ctx, inSight) {
			t.Errorf("entry %s is shown, want %s, in sight: %t", got, want, ask[bool](t, ctx, inSight))
		}
	}
	open("")
	at("0")
	open("#42")
	at("42")
	linked := ask[string](t, ctx, drawn)
	open("#40")
	run(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	at("42")
	if ask[string](t, ctx, drawn) != linked {
		t.Error("the map of entry 42 depends on the way to it")
	}
	if hash := ask[string](t, ctx, "location.hash"); hash != "#42" {
		t.Errorf("the address ends with %s", hash)
	}
	click := func(id string) func() {
		return func() { ask[bool](t, ctx, `document.getElementById("`+id+`").click(), true`) }
	}
	key := func(keys string, options ...chromedp.KeyOption) func() {
		return func() { run(t, ctx, chromedp.KeyEvent(keys, options...)) }
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{key(kb.ArrowLeft), "41"}, {key(kb.End), "334"}, {key(kb.ArrowRight), "334"}, {key(kb.Home), "0"},
		{click("next"), "1"}, {click("last"), "334"}, {click("back"), "333"}, {click("first"), "0"},
		{func() { ask[bool](t, ctx, `scrub.value = 42, scrub.dispatchEvent(new Event("input"))`) }, "42"},
		{func() { ask[bool](t, ctx, `scrub.focus(), true`) }, "42"},
		{key(kb.ArrowRight), "43"},
		{func() { ask[bool](t, ctx, `scrub.blur(), true`) }, "43"},
	} {
		step.do()
		at(step.want)
	}
	key(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))()
	if turn := ask[string](t, ctx, `document.querySelector(".move[aria-current]").closest(".chapter").querySelector("h2").textContent`); turn != "Turn 3" {
		t.Errorf("a step of a turn from turn 2 leads to %s", turn)
	}
	// A link takes a moment to lead to where it says.
	const after = `new Promise((done) => addEventListener("hashchange", () => setTimeout(() => done(true)), {once: true}))`
	ask[bool](t, ctx, `location.hash = "#7", `+after)
	at("7")
	ask[bool](t, ctx, `document.querySelector("[id='42'] .head a").click(), `+after)
	at("42")
	if ask[string](t, ctx, drawn) != linked {
		t.Error("the map of entry 42 depends on the way to it")
	}
	if now := ask[string](t, ctx, `document.getElementById("now").textContent`); !strings.Contains(now, "42") {
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
	ctx, address := browser(t), file(t, dawn1989.Game{}, whole(t))
	for _, s := range []shot{
		{"page-1200", "light", "", 1200}, {"move-1200", "light", "#110", 1200}, {"move-1200-dark", "dark", "#110", 1200},
		{"move-400", "light", "#110", 400}, {"move-400-dark", "dark", "#110", 400},
	} {
		ctx := tab(t, ctx, s.width, s.scheme)
		run(t, ctx, chromedp.Navigate(address+s.hash))
		if s.width == 400 {
			ask[bool](t, ctx, `stage.scrollIntoView(), true`)
		}
		data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small(img)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*shots, s.name+".png"), out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// small is a picture in those of its colours that are seen most, which makes a small file.
func small(img image.Image) image.Image {
	seen := map[color.Color]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			seen[color.RGBAModel.Convert(img.At(x, y))]++
		}
	}
	most := slices.SortedFunc(maps.Keys(seen), func(a, b color.Color) int { return seen[b] - seen[a] })
	out := image.NewPaletted(b, most[:min(64, len(most))])
	draw.Draw(out, b, img, b.Min, draw.Src)
	return out
}
