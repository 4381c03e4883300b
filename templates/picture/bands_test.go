package picture

import (
	"bytes"
	"compress/zlib"
	"hash/maphash"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// patterned are images with what compresses well and what does not: some noise, and rectangles copied
// from elsewhere, or of a colour.
func patterned() *rapid.Generator[*image.Paletted] {
	return rapid.Custom(func(t *rapid.T) *image.Paletted {
		w, h := rapid.SampledFrom([]int{1, 2, 7, 63, 64, 300, 500, 9000}).Draw(t, "width"), rapid.IntRange(1, 130).Draw(t, "height")
		if w > 500 {
			h = min(h, 9)
		}
		n := rapid.IntRange(1, 256).Draw(t, "colours")
		img := image.NewPaletted(image.Rect(0, 0, w, h), nil)
		for i := range n {
			img.Palette = append(img.Palette, color.RGBA{uint8(i), uint8(i * 7), 9, 255})
		}
		noise := rapid.Uint64().Draw(t, "noise")
		every := rapid.IntRange(1, 40).Draw(t, "every")
		for i := range img.Pix {
			if i%every == 0 {
				noise = bits.RotateLeft64(noise*0x9E3779B97F4A7C15+1, 23)
				img.Pix[i] = uint8(noise % uint64(n))
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "rectangles") {
			side := func(maximum int) int { return rapid.IntRange(0, maximum-1).Draw(t, "place") }
			x, y, fromX, fromY, col := side(w), side(h), side(w), side(h), uint8(side(n))
			for dy := range min(30, h-max(y, fromY)) {
				for dx := range min(90, w-max(x, fromX)) {
					if col&1 == 0 {
						col = img.Pix[(fromY+dy)*w+fromX+dx] &^ 1
					}
					img.Pix[(y+dy)*w+x+dx] = col
				}
			}
		}
		return img
	})
}

// TestFiles: the standard library reads every image as it was, and what was written before
// shows in no file.
func TestFiles(t *testing.T) {
	t.Parallel()
	var kept pngFile
	rapid.Check(t, func(t *rapid.T) {
		img := patterned().Draw(t, "image")
		for range 2 {
			data, err := kept.encode(img, identityMapping(img.Palette))
			if err != nil {
				t.Fatal(err)
			}
			got, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if p, ok := got.(*image.Paletted); !ok || p.Rect != img.Rect || !bytes.Equal(p.Pix, img.Pix) {
				t.Fatal("the image is another")
			}
			again, err := new(pngFile).encode(img, identityMapping(img.Palette))
			if err != nil || !bytes.Equal(data, again) {
				t.Fatalf("a new one writes other bytes: %v", err)
			}
			// The next has bands of this one, at their places and below others.
			clear(img.Pix[:len(img.Pix)/rapid.IntRange(1, 9).Draw(t, "part")])
		}
	})
}

// TestBandsForgotten: what is remembered is bounded, and forgetting shows in no file.
func TestBandsForgotten(t *testing.T) {
	t.Parallel()
	var kept pngFile
	img := image.NewPaletted(image.Rect(0, 0, 500, 200), color.Palette{color.Black, color.White})
	for n := range 4 {
		kept.bands.cachedBytes = maxImageCacheBytes * (n & 1)
		img.Pix[n*300] = 1
		data, err := kept.encode(img, identityMapping(img.Palette))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := new(pngFile).encode(img, identityMapping(img.Palette)); err != nil || !bytes.Equal(data, again) {
			t.Errorf("file %d is another: %v", n, err)
		}
	}
	if kept.bands.cachedBytes > maxImageCacheBytes/2 {
		t.Errorf("%d bytes are remembered", kept.bands.cachedBytes)
	}
}

// TestBandsOfWidths: equal rows of another width are other bands.
func TestBandsOfWidths(t *testing.T) {
	t.Parallel()
	var kept bandCompressor
	rows := make([]byte, 2*bandRows*10)
	for _, stride := range []int{10, 20} {
		data, err := kept.compress(rows, stride)
		if err != nil {
			t.Fatal(err)
		}
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, rows) {
			t.Errorf("rows of %d: %d bytes come back, %v", stride, len(got), err)
		}
	}
}

// TestBandsOfOneHash: a band that has the hash of another is not taken for it.
func TestBandsOfOneHash(t *testing.T) {
	t.Parallel()
	var kept bandCompressor
	one, other := make([]byte, 500), bytes.Repeat([]byte{7}, 500)
	if _, err := kept.compress(one, 10); err != nil {
		t.Fatal(err)
	}
	kept.cache[maphash.Bytes(kept.seed, other)] = kept.cache[maphash.Bytes(kept.seed, one)]
	want, err := new(bandCompressor).compress(other, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := kept.compress(other, 10); err != nil || !bytes.Equal(got, want) {
		t.Errorf("one band is taken for another, %v", err)
	}
}

// TestColoursInOrder: which of two colours is seen more often changes the number of neither, nor what a row becomes.
func TestColoursInOrder(t *testing.T) {
	t.Parallel()
	img := image.NewPaletted(image.Rect(0, 0, 64, 64), nil)
	for i := range maxColours + 4 {
		img.Palette = append(img.Palette, color.RGBA{uint8(200 - 9*i), uint8(i), 9, 255})
		for n := range 5 + 2*i {
			img.Pix[64*i+n] = uint8(i)
		}
	}
	before := reduceColours(img, 3)
	for n := range 60 {
		img.Pix[64*12+n] = 12
	}
	after := reduceColours(img, 3)
	if !slices.Equal(before.colours, after.colours) || before.indexes != after.indexes || len(after.colours) != maxColours {
		t.Errorf("colours are %v and then %v", before.colours, after.colours)
	}
	for i, c := range img.Palette[:3] {
		if after.colours[after.indexes[i]] != c {
			t.Errorf("%v has become %v", c, after.colours[after.indexes[i]])
		}
	}
}
