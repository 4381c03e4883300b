package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	red   = RGB(0xff0000)
	blue  = RGB(0x0000ff)
	white = RGB(0xffffff)
	black = RGB(0)
)

// sample is a picture with every kind of item.
func sample() *Picture {
	p := &Picture{Width: 200, Height: 100, Title: "<title> & more", Words: "what it \"shows\"", Back: white}
	p.Add(
		Rect(Box{10, 10, 50, 50}, 0, Style{Fill: red}),
		Rect(Box{70, 10, 50, 50}, 12, Style{Fill: red, Stroke: black, Width: 4}),
		Circle{Centre: Point{160, 35}, Radius: 20, Style: Style{Fill: blue, Stroke: black, Width: 2}},
		Line(4, blue, Point{10, 80}, Point{190, 80}),
		Text{At: Point{100, 96}, Words: "Łódź <&> ő", Size: 20, Bold: true, Anchor: Middle, Colour: black},
	)
	return p
}

// TestSVG: the file is XML that stands alone.
func TestSVG(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := sample().SVG(&out); err != nil {
		t.Fatal(err)
	}
	var texts []string
	d := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "title", "desc", "rect", "path", "circle", "text"}, x.Name.Local) {
				t.Errorf("an element %s", x.Name.Local)
			}
			for _, a := range x.Attr {
				if n := strings.ToLower(a.Name.Local); strings.HasPrefix(n, "on") || strings.Contains(n, "href") || strings.Contains(a.Value, "url(") {
					t.Errorf("an attribute %s", n)
				}
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(x)); s != "" {
				texts = append(texts, s)
			}
		}
	}
	if want := []string{"<title> & more", "what it \"shows\"", "Łódź <&> ő"}; !slices.Equal(texts, want) {
		t.Errorf("texts %q", texts)
	}
}

// TestPNG: what is painted lies where the list says, in a palette.
func TestPNG(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{1, 0.5, 2} {
		var out bytes.Buffer
		if err := sample().PNG(&out, scale); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := img.(*image.Paletted); !ok {
			t.Errorf("the image is a %T", img)
		}
		for _, c := range []struct {
			x, y float64
			want Colour
		}{
			{2, 2, white}, {35, 35, red}, {95, 35, red}, {69.9, 35, black}, {69, 9, white}, {160, 35, blue}, {100, 80, blue}, {100, 70, white},
		} {
			r, g, b, _ := img.At(int(c.x*scale), int(c.y*scale)).RGBA()
			if got := RGB(r>>8<<16 | g>>8<<8 | b>>8); got != c.want {
				t.Errorf("scale %v: %v at %v, %v, not %v", scale, got, c.x, c.y, c.want)
			}
		}
		dark := 0
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, int(90*scale)).RGBA(); r < 0x8000 {
				dark++
			}
		}
		if dark == 0 {
			t.Errorf("scale %v: there is no writing", scale)
		}
	}
}

// TestManyColours: more colours than a palette holds become near ones.
func TestManyColours(t *testing.T) {
	t.Parallel()
	p := &Picture{Width: 100, Height: 100}
	for i := range 400 {
		p.Add(Circle{Centre: Point{float64(i%20)*5 + 2.3, float64(i/20)*5 + 2.7}, Radius: 2, Style: Style{Fill: RGB(uint32(i * 41943))}})
	}
	img, err := p.Image(1)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(img.Palette); n != 256 {
		t.Errorf("%d colours", n)
	}
	if img.Palette[0] != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the ground is %v", img.Palette[0])
	}
}

// TestSizeRefused: no size that would eat the memory.
func TestSizeRefused(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{0, -1, 1000} {
		if err := sample().PNG(io.Discard, scale); err == nil {
			t.Errorf("scale %v is taken", scale)
		}
	}
}

// TestEdges: what lies outside of the picture is cut off, nothing breaks.
func TestEdges(t *testing.T) {
	t.Parallel()
	p := &Picture{Width: 20, Height: 20}
	p.Add(
		Path{}, Line(3, red), Line(3, red, Point{5, 5}, Point{5, 5}),
		Rect(Box{-50, -50, 200, 60}, 5, Style{Fill: red, Stroke: blue, Width: 9}),
		Rect(Box{100, 100, 10, 10}, 0, Style{Fill: red}),
		Circle{Centre: Point{-3, 25}, Radius: 10, Style: Style{Fill: red, Stroke: blue, Width: 3}},
		Text{At: Point{-10, 3}, Words: "across the edge", Size: 18, Colour: black},
		Text{At: Point{10, 300}, Words: "outside", Size: 18, Colour: black},
	)
	if err := p.PNG(io.Discard, 1); err != nil {
		t.Fatal(err)
	}
	if err := p.SVG(io.Discard); err != nil {
		t.Fatal(err)
	}
}

// TestBroken: a writer's error is reported.
func TestBroken(t *testing.T) {
	t.Parallel()
	if err := sample().SVG(broken{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("SVG: %v", err)
	}
	if err := sample().PNG(broken{}, 1); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("PNG: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestSum: the sum of a picture is that of the same picture, and of none that differs in anything.
func TestSum(t *testing.T) {
	t.Parallel()
	of := func(change func(*Picture)) *Picture {
		p := sample()
		p.Add(Path{Points: []Point{{1, 2}, {3, 4}}}, Circle{Radius: 3}, Text{Words: "Lodz"})
		change(p)
		return p
	}
	last := func(n int, i Item) func(*Picture) { return func(p *Picture) { p.Items[len(p.Items)-n] = i } }
	one := of(func(*Picture) {})
	if same := of(func(*Picture) {}); one.Hash() != same.Hash() {
		t.Error("a picture differs from itself")
	}
	for name, change := range map[string]func(*Picture){
		"width": func(p *Picture) { p.Width++ }, "height": func(p *Picture) { p.Height++ }, "title": func(p *Picture) { p.Title += "." },
		"words": func(p *Picture) { p.Words += "." }, "ground": func(p *Picture) { p.Back++ }, "less": func(p *Picture) { p.Items = p.Items[1:] },
		"more": func(p *Picture) { p.Add(Text{}) }, "kind": last(1, Circle{}), "text": last(1, Text{Words: "Łódź"}), "circle": last(2, Circle{Radius: 4}),
		"points": last(3, Path{Points: []Point{{1, 2}, {3, 5}}}), "closed": last(3, Path{Points: []Point{{1, 2}, {3, 4}}, Closed: true}),
		"round": last(3, Path{Points: []Point{{1, 2}, {3, 4}}, Round: 1}), "style": last(3, Path{Points: []Point{{1, 2}, {3, 4}}, Style: Style{Width: 1}}),
	} {
		if other := of(change); one.Hash() == other.Hash() {
			t.Errorf("another %s makes no difference", name)
		}
	}
}

// written are the lines with the items of a picture.
func written(p *Picture) (out []string) {
	var file strings.Builder
	if err := p.SVG(&file); err != nil {
		panic(err) // a builder takes everything
	}
	for line := range strings.Lines(file.String()) {
		if strings.HasPrefix(line, "<circle") {
			out = append(out, line)
		}
	}
	return out
}

// TestFrames: whatever items frames have, and in what order, the groups that a frame shows
// are its items in their order, and the changes lead from each frame to the next.
func TestFrames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var f Frames
		var want [][]string
		for _, items := range rapid.SliceOfN(rapid.SliceOf(rapid.IntRange(0, 9)), 1, 8).Draw(t, "frames") {
			p := &Picture{Width: 10, Height: 10, Words: "w"}
			for _, x := range items {
				p.Add(Circle{Centre: Point{X: float64(x)}, Style: Style{Fill: RGB(0)}})
			}
			f.Add(p)
			want = append(want, written(p))
		}
		groups, shown := f.groups(), map[int]bool{}
		for n, changes := range f.Changes() {
			for _, g := range changes {
				shown[g] = !shown[g]
			}
			var got []string
			for g, items := range groups {
				if shown[g] {
					for _, item := range items {
						got = append(got, item.text)
					}
				}
			}
			if !slices.Equal(got, want[n]) {
				t.Fatalf("frame %d shows %q, want %q", n, got, want[n])
			}
		}
	})
}

// TestFramesSVG: the file is well-formed, and shows the last frame.
func TestFramesSVG(t *testing.T) {
	t.Parallel()
	var f Frames
	for _, words := range []string{"one & all", "two"} {
		p := &Picture{Width: 100, Height: 50, Title: "A <map>", Words: words, Back: RGB(0xffffff)}
		p.Add(Rect(Box{W: 10, H: 10}, 2, Style{Fill: RGB(1)}), Text{At: Point{X: 5, Y: 5}, Words: words, Size: 10, Colour: RGB(2)})
		f.Add(p)
	}
	var out strings.Builder
	if err := f.SVG(&out, "map"); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, &out)
		}
	}
	for _, want := range []string{`<desc id="map-words">two</desc>`, `A &lt;map&gt;`, ">two</text>", `<g display="none"><text`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}
