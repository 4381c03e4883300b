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
	"samizdat/picture"
)

// Drawings is an outbox that keeps letters which got their pictures.
type Drawings interface {
	mail.Outbox
	// Drawn replaces letters, by their ids, by complete ones.
	Drawn(ctx context.Context, raw map[int64][]byte) error
}

// Gallery is an outbox that draws the pictures of letters before they are sent.
// A letter is drawn once and kept with its picture, so that every try sends the
// same bytes, also after a restart with another program.
type Gallery struct {
	Drawings
	Log *slog.Logger

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
	drawn := map[int64][]byte{}
	for i := range due {
		o := &due[i]
		if len(o.Drawing) == 0 {
			continue
		}
		if len(drawn) == atOnce {
			// What follows stays due.
			due = due[:i]
			break
		}
		if raw, err := g.fill(o.Raw, o.Drawing); err != nil {
			// The letter matters more than its picture.
			g.Log.ErrorContext(ctx, "a letter goes out without its picture", "id", o.ID, "error", err)
		} else {
			o.Raw = raw
		}
		o.Drawing = nil
		drawn[o.ID] = o.Raw
	}
	if len(drawn) > 0 {
		if err := g.Drawn(ctx, drawn); err != nil {
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
	// mostColours keeps the file small; what more there are lie between two others
	// at an edge.
	mostColours = 32
	// mostBytes is what a picture may take, so that text, page and picture stay
	// below 120 kB, of which mail makes a third more.
	mostBytes = 62_000
)

// scales are tried in turn until the file is small enough. The first is a little
// more than the width of a page.
var scales = [...]float64{0.7, 0.64, 0.56}

// encode draws a picture as a PNG for letters.
func encode(p *picture.Picture) ([]byte, error) {
	e := png.Encoder{CompressionLevel: png.BestCompression}
	var b bytes.Buffer
	for _, scale := range scales {
		img, err := p.Image(scale)
		if err != nil {
			return nil, err
		}
		b.Reset()
		if err := e.Encode(&b, fewer(img)); err != nil {
			return nil, err
		}
		if b.Len() <= mostBytes {
			break
		}
	}
	return b.Bytes(), nil
}

// fewer leaves the colours that are seen most, and takes the nearest of them for
// each other.
func fewer(img *image.Paletted) *image.Paletted {
	if len(img.Palette) <= mostColours {
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
	slices.SortStableFunc(most, func(a, b int) int { return seen[b] - seen[a] })
	out := image.NewPaletted(img.Rect, make(color.Palette, mostColours))
	for i := range mostColours {
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
