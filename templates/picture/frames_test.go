package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

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
					for _, it := range items {
						got = append(got, it.text)
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
