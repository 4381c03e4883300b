package chart

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"samizdat/internal/test/picturetest"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/words"
	"samizdat/templates/picture"
)

// drawn is a map with as much on it as there can be: support of two digits on
// both sides everywhere, every second space changed.
func drawn(t *testing.T) (*engine.Position, *picture.Picture) {
	t.Helper()
	p := started(t, rolling{rand.New(rand.NewPCG(1, 1989))})
	p.VP, p.Turn, p.Round, p.USSR = -14, 10, 8, 3
	p.Effects.Refuge = engine.FindSpace("Timisoara")
	var since []rules.Event
	for s := engine.Space(1); s < engine.Spaces; s++ {
		p.SetSupport(engine.Democrat, s, 10+int(s)%3*5)
		p.SetSupport(engine.Communist, s, 15)
		if s%2 == 0 {
			since = append(since, rules.Event{Kind: engine.EvPlaced, Args: [12]int16{0, int16(s), 1}})
		}
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		since = append(since, rules.Event{Kind: engine.EvPower, Args: [12]int16{int16(c)}})
	}
	since = append(since, rules.Event{Kind: engine.EvUSSR, Args: [12]int16{3}}, rules.Event{Kind: engine.EvBox, Args: [12]int16{0, 1}},
		rules.Event{Kind: engine.EvBox, Args: [12]int16{1, 1}}, rules.Event{Kind: engine.EvVP, Args: [12]int16{1}})
	return p, drawnFor(p.View(rules.NoSeat), since)
}

// rolling is chance for tests: seeded, and the same on every run.
type rolling struct{ r *rand.Rand }

func (d rolling) Roll(rules.Reason) (int, error) { return 1 + d.r.IntN(6), nil }
func (d rolling) Draw(w rules.Draw) (int, error) { return d.r.IntN(len(w.Pile)), nil }

// started is a new match after the deal.
func started(t testing.TB, c rules.Chance) *engine.Position {
	t.Helper()
	pos, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: engine.Rules{}.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(c, nil); err != nil {
		t.Fatal(err)
	}
	return pos.(*engine.Position)
}

// drawnFor is a map with the status above it.
func drawnFor(v rules.View, since []rules.Event) *picture.Picture {
	return Draw(v, words.Words{}.Status(v), since)
}

// TestLayout: boxes, labels and writing lie inside the picture, and none lies
// over another; no connection touches a space that it does not lead to.
func TestLayout(t *testing.T) {
	t.Parallel()
	_, pic := drawn(t)
	whole := picture.Box{W: float64(pic.Width), H: float64(pic.Height)}
	// The ring of a changed space belongs to its box.
	const ring = 5
	type thing struct {
		name string
		picture.Box
	}
	var boxes []thing
	for s := engine.Space(1); s < engine.Spaces; s++ {
		boxes = append(boxes, thing{s.String(), cellBox(cells[s]).Grow(ring)})
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		boxes = append(boxes, thing{c.String(), cellBox(labelCells[c])})
	}
	apart := func(list []thing) {
		for i, a := range list {
			if !picturetest.Holds(whole, a.Box) {
				t.Errorf("%s lies outside: %v", a.name, a.Box)
			}
			for _, b := range list[:i] {
				if picturetest.Meet(a.Box, b.Box) {
					t.Errorf("%s and %s overlap", a.name, b.name)
				}
			}
		}
	}
	apart(boxes)
	var texts []thing
	for _, item := range pic.Items {
		if !picturetest.Holds(whole, picturetest.Bounds(item)) {
			t.Errorf("outside: %v", item)
		}
		if text, ok := item.(picture.Text); ok {
			texts = append(texts, thing{text.Words, picturetest.Bounds(text)})
			if m, err := picturetest.Missing(text.Words); err != nil || len(m) > 0 {
				t.Errorf("%s: the fonts lack %q, %v", text.Words, m, err)
			}
			if text.Size < minSize {
				t.Errorf("%s: size %v", text.Words, text.Size)
			}
		}
	}
	apart(texts)
	// A name is within its space, apart from the sizes of what is round it.
	for _, x := range texts {
		for _, b := range boxes[:engine.Spaces-1] {
			if picturetest.Meet(x.Box, b.Box) && !picturetest.Holds(b.Grow(-ring-2), x.Box) {
				t.Errorf("%s crosses the frame of %s", x.name, b.name)
			}
		}
	}
}

func TestConnectionsTouchNothingElse(t *testing.T) {
	t.Parallel()
	d := &drawing{}
	n := 0
	for _, line := range d.connections() {
		n++
		first, last := line.Points[0], line.Points[len(line.Points)-1]
		for s := engine.Space(1); s < engine.Spaces; s++ {
			b, at := cellBox(cells[s]).Grow(3), cellCentre(cells[s])
			if at == first || at == last {
				continue
			}
			for i := 1; i < len(line.Points); i++ {
				if crosses(b, line.Points[i-1], line.Points[i]) {
					t.Errorf("the line from %v to %v touches %v", first, last, s)
				}
			}
		}
	}
	want := 0
	for s := engine.Space(1); s < engine.Spaces; s++ {
		want += engine.Adjacent[s].Len()
	}
	if n != want/2 {
		t.Errorf("%d lines for %d connections", n, want/2)
	}
}

// crosses tries many points of a line.
func crosses(b picture.Box, from, to picture.Point) bool {
	const steps = 200
	for i := range steps + 1 {
		f := float64(i) / steps
		x, y := from.X+(to.X-from.X)*f, from.Y+(to.Y-from.Y)*f
		if x > b.X && x < b.X+b.W && y > b.Y && y < b.Y+b.H {
			return true
		}
	}
	return false
}

// TestInTheirCountry: every space and label lies inside its country's shape, and
// no shape covers another's spaces.
func TestInTheirCountry(t *testing.T) {
	t.Parallel()
	inside := func(at cell, shape []cell) bool {
		in := false
		for i, a := range shape {
			b := shape[(i+1)%len(shape)]
			// A way straight up from the middle of the cell crosses level edges.
			if a.row == b.row && a.row <= at.row && min(a.col, b.col) <= at.col && at.col < max(a.col, b.col) {
				in = !in
			}
		}
		return in
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		for s := engine.Space(1); s < engine.Spaces; s++ {
			at := cell{cells[s].col + 0.5, cells[s].row + 0.5}
			if inside(at, countryShapes[c]) != (s.Info().Country == c) {
				t.Errorf("%v and the shape of %v", s, c)
			}
		}
		for k := engine.EastGermany; k < engine.Countries; k++ {
			at := cell{labelCells[k].col + 0.5, labelCells[k].row + 0.5}
			if inside(at, countryShapes[c]) != (k == c) {
				t.Errorf("the name of %v and the shape of %v", k, c)
			}
		}
	}
}

// meant are the spaces that a name may stand for: beginnings of words of theirs, in
// order. A whole name beats beginnings.
func meant(name string) []engine.Space {
	parts := func(name string) []string {
		return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -/", r) })
	}
	var out []engine.Space
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if s.String() == name {
			return []engine.Space{s}
		}
		remaining := parts(name)
		for _, w := range parts(s.String()) {
			if len(remaining) > 0 && strings.HasPrefix(w, remaining[0]) {
				remaining = remaining[1:]
			}
		}
		if len(remaining) == 0 {
			out = append(out, s)
		}
	}
	return out
}

// TestTextMapNames: orders understand the names on the map in letters, and its
// lines join what is joined.
func TestTextMapNames(t *testing.T) {
	t.Parallel()
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if len(shortNames[s]) > textCellWidth {
			t.Errorf("%s is too long", shortNames[s])
		}
		if m := meant(shortNames[s]); len(m) != 1 || m[0] != s {
			t.Errorf("%s means %v, not just %v", shortNames[s], m, s)
		}
		if strings.HasSuffix(shortNames[s], " Or") {
			t.Errorf("%s reads like the word between two orders", shortNames[s])
		}
	}
	p, _ := drawn(t)
	for _, l := range Text(p.View(rules.NoSeat), "", nil) {
		if len(l) > 78 {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
}

// TestMapHidesCards: a map does not depend on hidden cards.
func TestMapHidesCards(t *testing.T) {
	t.Parallel()
	made := func(v rules.View) string {
		var out bytes.Buffer
		out.WriteString(strings.Join(Text(v, "", nil), "\n"))
		if err := drawnFor(v, nil).SVG(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for seed := range uint64(6) {
		d := rolling{rand.New(rand.NewPCG(seed, 1989))}
		p := started(t, d)
		var x engine.Run
		x.Chance = d
		for n := 0; p.Ending == engine.NotOver && n < 400; n++ {
			options := p.LegalAtoms(nil)
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%60 != 0 {
				continue
			}
			q := *p
			// All hidden cards change places at once.
			q.Piles[engine.PileDemocrat], q.Piles[engine.PileCommunist] = q.Piles[engine.PileCommunist], q.Piles[engine.PileDemocrat]
			h := &q.Struggle.Hands
			h[engine.Democrat], h[engine.Communist] = h[engine.Communist], h[engine.Democrat]
			q.Struggle.Deck = engine.StruggleCards{}
			for _, seat := range []rules.Seat{rules.NoSeat, 0, 1} {
				if made(p.View(seat)) != made(q.View(seat)) {
					t.Fatalf("seed %d: the map of seat %d shows hidden cards", seed, seat)
				}
			}
			if made(p.View(0)) != made(p.View(rules.NoSeat)) {
				t.Fatalf("seed %d: the seats' maps differ", seed)
			}
		}
	}
}

// TestMapSize: a map as PNG is under 110 kB, at any time of a match.
func TestMapSize(t *testing.T) {
	t.Parallel()
	most := counter(0)
	weigh := func(pic *picture.Picture) {
		var n counter
		if err := pic.PNG(&n, 1); err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
	}
	_, full := drawn(t)
	weigh(full)
	t.Logf("the fullest map has %d bytes", most)
	most = 0
	for seed := range uint64(3) {
		d := rolling{rand.New(rand.NewPCG(seed, 1989))}
		p := started(t, d)
		x := engine.Run{Chance: d}
		for n := 0; p.Ending == engine.NotOver; n++ {
			options := p.LegalAtoms(nil)
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%100 == 99 {
				weigh(drawnFor(p.View(rules.NoSeat), x.Events[len(x.Events)-min(30, len(x.Events)):]))
			}
		}
	}
	if most >= 110_000 {
		t.Errorf("a map has %d bytes", most)
	}
	t.Logf("at most %d bytes in a match", most)
}

func benchmarkPosition(b *testing.B) rules.View {
	d := rolling{rand.New(rand.NewPCG(5, 1989))}
	p := started(b, d)
	x := engine.Run{Chance: d}
	for p.Turn < 4 {
		options := p.LegalAtoms(nil)
		if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
			b.Fatal(err)
		}
	}
	return p.View(rules.NoSeat)
}

// BenchmarkMapPNG draws a map and writes it as PNG. It must stay below 60 ms.
func BenchmarkMapPNG(b *testing.B) {
	v := benchmarkPosition(b)
	var n counter
	for b.Loop() {
		n = 0
		if err := drawnFor(v, nil).PNG(&n, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "bytes")
}

// BenchmarkMapSVG draws a map and writes it as SVG.
func BenchmarkMapSVG(b *testing.B) {
	v := benchmarkPosition(b)
	var n counter
	for b.Loop() {
		n = 0
		if err := drawnFor(v, nil).SVG(&n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "bytes")
}

// BenchmarkTextMap makes the map in letters.
func BenchmarkTextMap(b *testing.B) {
	v := benchmarkPosition(b)
	for b.Loop() {
		Text(v, "", nil)
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
