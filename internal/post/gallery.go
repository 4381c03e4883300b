package post

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/templates/picture"
)

// Drawings is an outbox that keeps letters which got their pictures and signatures.
type Drawings interface {
	mail.Outbox
	// Drawn replaces letters, by their ids, by complete ones.
	Drawn(ctx context.Context, raw map[int64][]byte) error
}

// Gallery is an outbox that draws the pictures of letters before they are sent,
// and signs them. A letter is drawn and signed once and kept so, and every try
// sends the same bytes, also after a restart with another program.
type Gallery struct {
	Drawings
	Log *slog.Logger
	// Signing signs letters; nil leaves them without a signature.
	Signing *mail.Signing

	mu sync.Mutex
	// hung holds the newest pictures: the seats of a match mostly see the same
	// map.
	hung  map[[32]byte][]byte
	order [][32]byte
}

var _ mail.Outbox = (*Gallery)(nil)

const (
	// atOnce is how many letters with pictures are taken at once, so that the
	// first does not wait for all the others.
	atOnce = 16
	// mostHung is how many pictures are remembered.
	mostHung = 32
)

// Due implements mail.Outbox.
func (g *Gallery) Due(ctx context.Context, now time.Time, limit int) ([]mail.Outgoing, error) {
	due, err := g.Drawings.Due(ctx, now, limit)
	if err != nil {
		return nil, err
	}
	done, pictures := map[int64][]byte{}, 0
	for i := range due {
		o := &due[i]
		if len(o.Drawing) > 0 {
			if pictures == atOnce {
				// What follows stays due.
				due = due[:i]
				break
			}
			pictures++
			if raw, err := g.fill(o.Raw, o.Drawing); err != nil {
				// The letter matters more than its picture.
				g.Log.ErrorContext(ctx, "a letter goes out without its picture", "id", o.ID, "error", err)
			} else {
				o.Raw = raw
			}
			o.Drawing = nil
			done[o.ID] = o.Raw
		}
		// The signature covers the picture, so it comes last.
		if g.Signing != nil && !mail.Signed(o.Raw) {
			raw, err := g.Signing.Sign(o.Raw)
			if err != nil {
				g.Log.ErrorContext(ctx, "a letter goes out without its signature", "id", o.ID, "error", err)
				continue
			}
			o.Raw = raw
			done[o.ID] = raw
		}
	}
	if len(done) > 0 {
		if err := g.Drawn(ctx, done); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// Complete is a letter with its picture, as it will be sent.
func (g *Gallery) Complete(d adjudicator.Dispatch) ([]byte, error) {
	if len(d.Drawing) == 0 {
		return d.Raw, nil
	}
	return g.fill(d.Raw, d.Drawing)
}

// fill draws a picture into a letter.
func (g *Gallery) fill(raw, drawing []byte) ([]byte, error) {
	data, err := g.draw(drawing)
	if err != nil {
		return nil, err
	}
	return mail.FillPicture(raw, data)
}

// draw draws a picture, unless it has been drawn lately.
func (g *Gallery) draw(drawing []byte) ([]byte, error) {
	sum := sha256.Sum256(drawing)
	g.mu.Lock()
	defer g.mu.Unlock()
	if data, ok := g.hung[sum]; ok {
		return data, nil
	}
	p, err := adjudicator.ReadDrawing(drawing)
	if err != nil {
		return nil, err
	}
	data, err := encode(p)
	if err != nil {
		return nil, fmt.Errorf("draw a picture: %w", err)
	}
	if g.hung == nil {
		g.hung = map[[32]byte][]byte{}
	}
	if len(g.order) == mostHung {
		delete(g.hung, g.order[0])
		g.order = g.order[1:]
	}
	g.hung[sum], g.order = data, append(g.order, sum)
	return data, nil
}

const (
	// mostColours keeps the file small. The picture's own colours all stay; what
	// more there are lie between two of them at an edge.
	mostColours = 24
	// mostBytes is what a picture may take, so that a message stays below 120 kB:
	// mail makes a third more of it, and text and page take up to 38 kB.
	mostBytes = 60_000
)

// scales are tried in turn until the file is small enough. The first is a little
// more than the width of a page.
var scales = [...]float64{0.62, 0.56, 0.5}

// encode draws a picture as a PNG for letters. The compression is not the best:
// that would take four times as long for a twentieth of the size.
func encode(p *picture.Picture) ([]byte, error) {
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	var b bytes.Buffer
	for _, scale := range scales {
		img, err := p.Image(scale)
		if err != nil {
			return nil, err
		}
		b.Reset()
		if err := e.Encode(&b, fewer(img, own(p))); err != nil {
			return nil, err
		}
		if b.Len() <= mostBytes {
			break
		}
	}
	return b.Bytes(), nil
}

// own counts the colours that a picture asks for. They are the first of the
// palette of its image, before all mixtures.
func own(p *picture.Picture) int {
	seen := map[picture.Colour]bool{p.Back: true}
	for _, i := range p.Items {
		switch i := i.(type) {
		case picture.Path:
			seen[i.Fill], seen[i.Stroke] = true, true
		case picture.Circle:
			seen[i.Fill], seen[i.Stroke] = true, true
		case picture.Text:
			seen[i.Colour] = true
		}
	}
	delete(seen, 0) // no colour at all
	return len(seen)
}

// fewer leaves the first colours of an image's palette and then those that are
// seen most, and takes the nearest of them for each other. A mark at a single
// space is small, and must not lose its colour.
func fewer(img *image.Paletted, first int) *image.Paletted {
	n := max(first, mostColours)
	if len(img.Palette) <= n {
		return img
	}
	var seen [256]int
	for _, c := range img.Pix {
		seen[c]++
	}
	most := make([]int, len(img.Palette))
	for i := range most {
		most[i] = i
	}
	slices.SortStableFunc(most[first:], func(a, b int) int { return seen[b] - seen[a] })
	out := image.NewPaletted(img.Rect, make(color.Palette, n))
	for i := range n {
		out.Palette[i] = img.Palette[most[i]]
	}
	var to [256]uint8
	for i, c := range img.Palette {
		to[i] = uint8(out.Palette.Index(c))
	}
	for i, c := range img.Pix {
		out.Pix[i] = to[c]
	}
	return out
}
