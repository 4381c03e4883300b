package adjudicator_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/rules/dawn1989"
	"samizdat/templates/picture"
)

var browser = flag.String("browser", "", "the browser that takes the pictures of letters in docs/letters, chromium for one")

// shot is a letter that is shown: to which seat, and after how many letters of the
// sample turn; or the last to that seat after play.
type shot struct {
	name    string
	seat    int
	letters int
	play    func(t *testing.T, c *club)
	widths  []width
	// picture keeps the picture of the map too, as it is sent.
	picture bool
}

// width is the width of a shot, and below how many pixels it is cut.
type width struct{ pixels, most int }

var shots = []shot{
	{"round", 0, 8, nil, []width{{400, 2000}, {1000, 1500}}, true},
	{"struggle", 0, 38, nil, []width{{400, 1400}, {1000, 1500}}, false},
	{"confirmation", 1, 8, nil, []width{{400, 1400}}, false},
	{"invitation", 1, 0, func(t *testing.T, c *club) {
		friends(t, c)
	}, []width{{400, 1800}}, false},
	{"first", 1, 0, func(t *testing.T, c *club) {
		friends(t, c)
		c.sends("democrat", "JOIN seven storks")
		c.sends("communist", "JOIN a walk in the rain")
	}, []width{{400, 2000}}, false},
	{"request", 0, 8, func(t *testing.T, c *club) {
		c.sends("communist", "DRAW")
	}, []width{{400, 1400}}, false},
	{"last", 1, 8, func(t *testing.T, c *club) {
		c.sends("democrat", "RESIGN")
		c.sends("democrat", "YES")
	}, []width{{400, 2000}}, false},
}

// friends invites Ada and Ben to a match of 1989 with a secret.
func friends(t *testing.T, c *club) {
	t.Helper()
	if _, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989",
		Players: []string{"Ada <" + address("democrat") + ">", "Ben <" + address("communist") + ">"}}); err != nil {
		t.Fatal(err)
	}
	c.deliver()
}

// grounds are how a reader's programs look, by what a file's name ends with: what
// Chromium calls preferredColorScheme.
var grounds = map[string]int{"": 1, "-dark": 0}

// TestShots takes the pictures of letters that docs/letters.md shows: a real browser
// shows the pages of the sample turn at the width of a telephone and of a desk, on a light
// ground and on a dark one.
func TestShots(t *testing.T) {
	t.Parallel()
	if *browser == "" {
		t.Skip("it rewrites the pictures in docs/letters, with -browser chromium")
	}
	dir := filepath.Join("..", "docs", "letters")
	for _, s := range shots {
		t.Run(s.name, func(t *testing.T) {
			outgoing := s.letter(t)
			data, page, err := standalone(outgoing)
			if err != nil {
				t.Fatal(err)
			}
			if s.picture {
				if err := os.WriteFile(filepath.Join(dir, "map.png"), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, w := range s.widths {
				for end, scheme := range grounds {
					path := filepath.Join(dir, fmt.Sprintf("%s-%d%s.png", s.name, w.pixels, end))
					if err := photograph(t.Context(), *browser, page, w, scheme, path); err != nil {
						t.Fatalf("take %s: %v", path, err)
					}
				}
			}
		})
	}
}

// letter plays up to the letter that is shown.
func (s shot) letter(t *testing.T) exchange.OutgoingLetter {
	t.Helper()
	if s.letters == 0 {
		c := newClub(t, dawn1989.Game())
		a := pages(c)
		c.adj.OperatorAddress = address("operator")
		s.play(t, c)
		if len(a.letters[address(dawnSeats[s.seat])]) > 0 {
			return a.last(dawnSeats[s.seat])
		}
		box := c.bytes[address(dawnSeats[s.seat])] // Invitations come with the match itself.
		_, parts := leaves(t, []byte(box[len(box)-1]))
		return exchange.OutgoingLetter{Content: exchange.Content{HTML: string(parts[1].data)}}
	}
	c, _ := sampleAfter(t, s.letters-1)
	a := pages(c)
	c.adj.OperatorAddress = address("operator")
	sampleLetter(t, c, s.letters-1)
	if s.play != nil {
		s.play(t, c)
	}
	return a.last(dawnSeats[s.seat])
}

// standalone is a letter's picture, and its page with the picture in it, for a
// browser.
func standalone(outgoing exchange.OutgoingLetter) ([]byte, string, error) {
	if outgoing.Drawing == nil {
		return nil, outgoing.HTML, nil
	}
	p, err := picture.Unpack(outgoing.Drawing)
	if err != nil {
		return nil, "", err
	}
	data, err := new(picture.Painter).LetterPNG(p)
	if err != nil {
		return nil, "", err
	}
	return data, strings.ReplaceAll(outgoing.HTML, "cid:"+outgoing.PictureID, "data:image/png;base64,"+base64.StdEncoding.EncodeToString(data)), nil
}

// tall is the height of the window: more than any letter has.
const tall = 9000

// photograph shows a page in a frame of a width, since browsers have no narrower
// window than some 500 pixels.
func photograph(ctx context.Context, browser, page string, w width, scheme int, path string) (err error) {
	tmp, err := os.MkdirTemp("", "shots")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	frame := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="margin:0"><iframe style="border:0;width:%dpx;height:%dpx" srcdoc="%s"></iframe>`,
		w.pixels, tall, html.EscapeString(page))
	in, out := filepath.Join(tmp, "page.html"), filepath.Join(tmp, "shot.png")
	if err := os.WriteFile(in, []byte(frame), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir="+tmp, fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme),
		fmt.Sprintf("--window-size=%d,%d", max(w.pixels, 600), tall), "--virtual-time-budget=3000", "--screenshot="+out, "file://"+in)
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", browser, err, b)
	}
	f, err := os.Open(out)
	if err != nil {
		return err
	}
	img, err := png.Decode(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return save(path, crop(img, w))
}

// crop cuts a picture to the width, and below what is not the ground.
func crop(img image.Image, w width) image.Image {
	b := img.Bounds()
	bottom, ground := b.Min.Y, img.At(b.Min.X, b.Max.Y-1)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Min.X+w.pixels; x++ {
			if img.At(x, y) != ground {
				bottom = y
				break
			}
		}
	}
	bottom = min(bottom+16, b.Max.Y, b.Min.Y+w.most)
	out := image.NewPaletted(image.Rect(0, 0, w.pixels, bottom-b.Min.Y), greys(img, w, bottom))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out
}

// greys is a palette of the colours that are seen most: pages have few, and the
// files stay small.
func greys(img image.Image, w width, bottom int) color.Palette {
	seen := map[color.RGBA]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < bottom; y++ {
		for x := b.Min.X; x < b.Min.X+w.pixels; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			seen[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}]++
		}
	}
	most := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int {
		return cmp.Or(seen[b]-seen[a], bytes.Compare([]byte{a.R, a.G, a.B}, []byte{b.R, b.G, b.B}))
	})
	var out color.Palette
	for _, c := range most[:min(192, len(most))] {
		out = append(out, c)
	}
	return out
}

func save(path string, img image.Image) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return e.Encode(f, img)
}
