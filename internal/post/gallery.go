package post

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/mail/message"
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
	Signing *message.Signing

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
		if g.Signing != nil && !message.Signed(o.Raw) {
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
	return message.FillPicture(raw, data)
}

// draw draws a picture, unless it has been drawn lately.
func (g *Gallery) draw(drawing []byte) ([]byte, error) {
	sum := sha256.Sum256(drawing)
	g.mu.Lock()
	defer g.mu.Unlock()
	if data, ok := g.hung[sum]; ok {
		return data, nil
	}
	p, err := picture.Unpack(drawing)
	if err != nil {
		return nil, err
	}
	data, err := p.LetterPNG()
	if err != nil {
		return nil, err
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
