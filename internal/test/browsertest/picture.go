//go:build integration

package browsertest

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// Picture writes a small screenshot of the visible part of the page.
func Picture(t *testing.T, ctx context.Context, path string) {
	t.Helper()
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
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// small reduces a picture to its 64 most frequent colours, for a small file.
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
