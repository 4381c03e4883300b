package dawn1989_test

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/test/goldentest"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// mapEvents are things that a letter might tell before the map: support placed
// and removed, a check, Power, the tracks.
var mapEvents = []rules.Event{
	{Kind: engine.EvPlaced, Args: [12]int16{0, 9, 1}},
	{Kind: engine.EvRemoved, Args: [12]int16{1, 17, 1}},
	{Kind: engine.EvCheck, Args: [12]int16{0, 69, 4, 2, 1, 0, 0, 7, 6, 1, 0}},
	// A check without effect is no change.
	{Kind: engine.EvCheck, Args: [12]int16{0, 70, 1, 2, 0, 0, 0, 3, 8, 0, 0}},
	{Kind: engine.EvPower, Args: [12]int16{2, 2, 1}},
	{Kind: engine.EvBox, Args: [12]int16{1, 2, 1}},
	{Kind: engine.EvUSSR, Args: [12]int16{1}},
	{Kind: engine.EvVP, Args: [12]int16{1, 4, 1}},
	{Kind: engine.EvDestroyed, Args: [12]int16{56}},
}

// mapSample is a position of the sixth turn, with a destroyed space, and events
// that changed it.
func mapSample(t testing.TB) (rules.Position, []rules.Event) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "map", "position.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := game.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return p, mapEvents
}

// TestMaps holds the three forms of the map of one position against golden
// files; of the PNG the pixels count, not how they were compressed.
func TestMaps(t *testing.T) {
	t.Parallel()
	p, since := mapSample(t)
	v := p.View(rules.NoSeat)
	lines := game.Map.TextMap(v, since)
	for _, l := range lines {
		if len(l) > columns {
			t.Errorf("%d columns: %s", len(l), l)
		}
		if strings.TrimRight(l, " ") != l || strings.ContainsFunc(l, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("not plain: %q", l)
		}
	}
	goldentest.Compare(t, "map/map.txt", strings.Join(lines, "\n")+"\n")
	pic := game.Map.Draw(v, since)
	var svg bytes.Buffer
	if err := pic.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "map/map.svg", svg.String())
	img, err := pic.Image(0.4)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "map", "map-400.png")
	if *goldentest.Update {
		var out bytes.Buffer
		if err := png.Encode(&out, img); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := differing(want, img); n > 200 {
		t.Errorf("%s: %d pixels differ (-update rewrites it)", path, n)
	}
}

// differing counts pixels that differ by more than another processor's rounding.
func differing(a, b image.Image) int {
	if a.Bounds() != b.Bounds() {
		return math.MaxInt
	}
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range [...]int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
				if d > 0x2000 || d < -0x2000 {
					n++
					break
				}
			}
		}
	}
	return n
}
