package dawn1989

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/templates/picture"
)

// drawn is a map with as much on it as there can be: support of two digits on
// both sides everywhere, every second space changed.
func drawn(t *testing.T) (*Position, *picture.Picture) {
	t.Helper()
	p := newPosition()
	p.vp, p.turn, p.round, p.ussr = -14, 10, 8, 3
	p.force.refuge = space("Timisoara")
	var since []rules.Event
	for s := Space(1); s < spaces; s++ {
		p.set(Democrat, s, 10+int(s)%3*5)
		p.set(Communist, s, 15)
		if s%2 == 0 {
			since = append(since, rules.Event{Kind: EvPlaced, Args: [12]int16{0, int16(s), 1}})
		}
	}
	for c := EastGermany; c < countries; c++ {
		since = append(since, rules.Event{Kind: EvPower, Args: [12]int16{int16(c)}})
	}
	since = append(since, rules.Event{Kind: EvUSSR, Args: [12]int16{3}}, rules.Event{Kind: EvBox, Args: [12]int16{0, 1}},
		rules.Event{Kind: EvBox, Args: [12]int16{1, 1}}, rules.Event{Kind: EvVP, Args: [12]int16{1}})
	return p, Game{}.Draw(p.View(rules.Nobody), since)
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
	for s := Space(1); s < spaces; s++ {
		boxes = append(boxes, thing{s.String(), boxOf(cells[s]).Grown(ring)})
	}
	for c := EastGermany; c < countries; c++ {
		boxes = append(boxes, thing{c.String(), boxOf(labelCells[c])})
	}
	apart := func(list []thing) {
		for i, a := range list {
			if !whole.Holds(a.Box) {
				t.Errorf("%s lies outside: %v", a.name, a.Box)
			}
			for _, b := range list[:i] {
				if a.Meets(b.Box) {
					t.Errorf("%s and %s overlap", a.name, b.name)
				}
			}
		}
	}
	apart(boxes)
	var texts []thing
	for _, item := range pic.Items {
		if !whole.Holds(picture.Bounds(item)) {
			t.Errorf("outside: %v", item)
		}
		if text, ok := item.(picture.Text); ok {
			texts = append(texts, thing{text.Words, picture.Bounds(text)})
			if m := picture.Missing(text.Words); len(m) > 0 {
				t.Errorf("%s: the fonts lack %q", text.Words, m)
			}
			if text.Size < leastSize {
				t.Errorf("%s: size %v", text.Words, text.Size)
			}
		}
	}
	apart(texts)
	// A name is within its space, apart from the sizes of what is round it.
	for _, x := range texts {
		for _, b := range boxes[:spaces-1] {
			if x.Meets(b.Box) && !b.Grown(-ring-2).Holds(x.Box) {
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
		for s := Space(1); s < spaces; s++ {
			b, at := boxOf(cells[s]).Grown(3), centre(cells[s])
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
	for s := Space(1); s < spaces; s++ {
		want += adjacent[s].len()
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
	for c := EastGermany; c < countries; c++ {
		for s := Space(1); s < spaces; s++ {
			at := cell{cells[s].col + 0.5, cells[s].row + 0.5}
			if inside(at, shapes[c]) != (s.Info().Country == c) {
				t.Errorf("%v and the shape of %v", s, c)
			}
		}
		for k := EastGermany; k < countries; k++ {
			at := cell{labelCells[k].col + 0.5, labelCells[k].row + 0.5}
			if inside(at, shapes[c]) != (k == c) {
				t.Errorf("the name of %v and the shape of %v", k, c)
			}
		}
	}
}

// TestTextMapNames: orders understand the names on the map in letters, and its
// lines join what is joined.
func TestTextMapNames(t *testing.T) {
	t.Parallel()
	for s := Space(1); s < spaces; s++ {
		if len(geoNames[s]) > geoWidth {
			t.Errorf("%s is too long", geoNames[s])
		}
		if !only(s, parts(geoNames[s])...) {
			t.Errorf("%s is not just %v", geoNames[s], s)
		}
	}
	p, _ := drawn(t)
	for _, l := range (Game{}).TextMap(p.View(rules.Nobody), nil) {
		if len(l) > columns {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
}

// TestMapHidesCards: a map does not depend on hidden cards.
func TestMapHidesCards(t *testing.T) {
	t.Parallel()
	made := func(v rules.View) string {
		var out bytes.Buffer
		out.WriteString(strings.Join(Game{}.TextMap(v, nil), "\n"))
		if err := (Game{}).Draw(v, nil).SVG(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for seed := range uint64(6) {
		d := newDice(seed)
		p := begin(t, d)
		var x Run
		x.Chance = d
		for n := 0; p.ending == NotOver && n < 400; n++ {
			options := p.Choices(nil)
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%60 != 0 {
				continue
			}
			q := *p
			// All hidden cards change places at once.
			q.piles[PileDemocrat], q.piles[PileCommunist] = q.piles[PileCommunist], q.piles[PileDemocrat]
			h := &q.struggle.Hands
			h[Democrat], h[Communist] = h[Communist], h[Democrat]
			q.struggle.Deck = Hand{}
			for _, seat := range []rules.Seat{rules.Nobody, 0, 1} {
				if made(p.View(seat)) != made(q.View(seat)) {
					t.Fatalf("seed %d: the map of seat %d shows hidden cards", seed, seat)
				}
			}
			if made(p.View(0)) != made(p.View(rules.Nobody)) {
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
		d := newDice(seed)
		p := begin(t, d)
		x := Run{Chance: d}
		for n := 0; p.ending == NotOver; n++ {
			options := p.Choices(nil)
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%100 == 99 {
				weigh(Game{}.Draw(p.View(rules.Nobody), x.Events[len(x.Events)-min(30, len(x.Events)):]))
			}
		}
	}
	if most >= 110_000 {
		t.Errorf("a map has %d bytes", most)
	}
	t.Logf("at most %d bytes in a match", most)
}

func benchmarkPosition(b *testing.B) rules.View {
	d := newDice(5)
	p := begin(b, d)
	x := Run{Chance: d}
	for p.turn < 4 {
		options := p.Choices(nil)
		if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
			b.Fatal(err)
		}
	}
	return p.View(rules.Nobody)
}

// BenchmarkMapPNG draws a map and writes it as PNG. It must stay below 60 ms.
func BenchmarkMapPNG(b *testing.B) {
	v := benchmarkPosition(b)
	var n counter
	for b.Loop() {
		n = 0
		if err := (Game{}).Draw(v, nil).PNG(&n, 1); err != nil {
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
		if err := (Game{}).Draw(v, nil).SVG(&n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "bytes")
}

// BenchmarkTextMap makes the map in letters.
func BenchmarkTextMap(b *testing.B) {
	v := benchmarkPosition(b)
	for b.Loop() {
		Game{}.TextMap(v, nil)
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
