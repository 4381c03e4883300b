package picture

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
)

// board is a picture as games draw them: tinted countries, lines between boxes with
// names, tokens and numbers, and a line of writing that differs with n, as some boxes do.
func board(n int) *Picture {
	p := &Picture{Width: 1000, Height: 1760, Title: "A board", Words: fmt.Sprint("move ", n), Back: RGB(0xfbfaf6)}
	ink, soft, tint := RGB(0x22252b), RGB(0x5d626b), []Colour{RGB(0xe8e1cb), RGB(0xecdbe2), RGB(0xd9e6d8), RGB(0x1b5fa8), RGB(0xd9620a)}
	p.Add(Text{At: Point{14, 34}, Words: fmt.Sprintf("Move %d of a long match: it is the second seat's turn", n), Size: 24, Bold: true, Colour: ink})
	for c := range 6 {
		p.Add(Rect(Box{10 + 490*float64(c%2), 124 + 540*float64(c/2), 484, 530}, 34, Style{Fill: tint[c%3], Stroke: soft, Width: 2}))
	}
	at := func(k int) Point { return Point{80 + 140*float64(k%7), 180 + 96*float64(k/7)} }
	for k := range 105 {
		p.Add(Line(4, soft, at(k), at(min(k+7+k%2, 104))))
	}
	for k := range 105 {
		m, hot := at(k), (k*31+n)%50 == 0
		style := Style{Fill: RGB(0xffffff)}
		if (k+n/50)%3 > 0 {
			style.Fill = tint[2+(k+n/50)%3]
		}
		if hot {
			p.Add(Rect(Box{m.X - 66, m.Y - 41, 132, 82}, 12, Style{Fill: RGB(0xc2188c)}))
		}
		p.Add(Rect(Box{m.X - 61, m.Y - 36, 122, 72}, 8, Style{Fill: ink}), Rect(Box{m.X - 59, m.Y - 34, 118, 68}, 6, style),
			Text{At: Point{m.X, m.Y - 10}, Words: fmt.Sprint("Place ", 'A'+k), Size: 19.5, Bold: true, Anchor: Middle, Colour: ink},
			Circle{Centre: Point{m.X - 38, m.Y + 18}, Radius: 14.5, Style: Style{Fill: tint[3], Stroke: RGB(0xffffff), Width: 1.5}},
			Text{At: Point{m.X - 38, m.Y + 26}, Words: fmt.Sprint((k + n) / 40 % 9), Size: 23, Bold: true, Anchor: Middle, Colour: RGB(0xffffff)},
			Text{At: Point{m.X + 30, m.Y + 26}, Words: fmt.Sprint("W", k%4), Size: 21, Bold: true, Anchor: Middle, Colour: ink})
	}
	return p
}

// TestPainterRemembers: what a painter remembers shows in no picture, whatever it has
// painted before, and what it remembers is bounded.
func TestPainterRemembers(t *testing.T) {
	t.Parallel()
	var kept Painter
	for n := range 4 {
		// The last comes when there is no more room.
		if n == 3 {
			kept.cachedBytes = maxCacheBytes
		}
		for _, p := range []*Picture{board(n), sample()} {
			got, err := kept.LetterPNG(p)
			want, err2 := new(Painter).LetterPNG(p)
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("picture %d of %q differs from what a new painter makes of it", n, p.Title)
			}
		}
	}
	if kept.cachedBytes > maxCacheBytes/2 {
		t.Errorf("%d bytes are remembered", kept.cachedBytes)
	}
}

// TestPack: a picture is read back as it was written, in both forms; what is damaged is
// an error.
func TestPack(t *testing.T) {
	t.Parallel()
	odd := sample()
	odd.Add(Path{}, Text{At: Point{-1.5, 1.0 / 3}, Words: "", Anchor: Right}, Circle{Centre: Point{1e300, -1e14}})
	for _, p := range []*Picture{odd, board(3), {}} {
		data := p.Pack()
		got, err := Unpack(data)
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", p) {
			t.Errorf("%v, %+v", err, got)
		}
		for n := range min(len(data), 60) {
			if got, err := Unpack(data[:n]); err == nil && !reflect.DeepEqual(got, &Picture{}) {
				t.Errorf("%d bytes of %d are read", n, len(data))
			}
		}
		var old bytes.Buffer
		z, err := flate.NewWriter(&old, flate.BestSpeed)
		gobNames()
		if err := errors.Join(err, gob.NewEncoder(z).Encode(p), z.Close()); err != nil {
			t.Fatal(err)
		}
		if got, err = Unpack(old.Bytes()); err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", p) {
			t.Errorf("the form before: %v, %+v", err, got)
		}
	}
	for n := 0; n < len(odd.Pack()); n += 2 {
		data := odd.Pack()
		data[n] ^= 0xff
		if p, err := Unpack(data); err == nil && len(p.Items) > 0 {
			_ = p.PNG(io.Discard, 1) // Whatever it shows, it must not break.
		}
	}
}
