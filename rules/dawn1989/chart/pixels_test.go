package chart

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"samizdat/internal/test/goldentest"
	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// TestPixelsStay: pictures of letters are the same to the pixel as when the golden file was written,
// and the same to the byte whatever their painter has painted before. A change of the
// layout rewrites the file; faster ways to paint or to compress must not.
func TestPixelsStay(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	var kept picture.Painter
	for seed := range uint64(6) {
		d := rolling{rand.New(rand.NewPCG(seed, 1989))}
		p := started(t, d)
		var x engine.Run
		x.Chance = d
		for n := 0; p.Ending == engine.NotOver && n < 400; n++ {
			x.Events = x.Events[:0]
			options := p.LegalAtoms(nil)
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%40 > 1 {
				continue
			}
			shapes := drawnFor(p.View(0), x.Events)
			data, err := kept.LetterPNG(shapes)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			paletted := img.(*image.Paletted)
			var pixels []byte
			for _, i := range paletted.Pix {
				c := paletted.Palette[i].(color.RGBA)
				pixels = append(pixels, c.R, c.G, c.B)
			}
			sum := sha256.Sum256(pixels)
			fmt.Fprintf(&got, "match %d, decision %d: %v %x\n", seed, n, img.Bounds().Max, sum[:16])
			if n%120 > 0 {
				continue
			}
			if again, err := new(picture.Painter).LetterPNG(shapes); err != nil || !bytes.Equal(again, data) {
				t.Errorf("match %d, decision %d: a new painter makes other bytes, %v", seed, n, err)
			}
		}
	}
	goldentest.Compare(t, "pixels.golden", got.String())
}
