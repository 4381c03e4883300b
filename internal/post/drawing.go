package post

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/mail"
	"samizdat/templates/picture"
)

// Pictures are drawn beside the sending of letters, by a few painters: half of the
// processor's cores are left to those who take letters in and send them.

const (
	// mostPainters bounds how many pictures are drawn at a time, and with it what painters
	// remember.
	mostPainters = 4
	// atOnce is of how many matches pictures are drawn before their letters are kept.
	atOnce = 16
	// mostDrawn is how many pictures are remembered.
	mostDrawn = 128
	// again is the pause after the queue could not be read or written.
	again = 10 * time.Second
)

// hash is the SHA-256 of a drawing's shapes.
type hash = [sha256.Size]byte

// studio is where pictures are drawn.
type studio struct {
	// asked tells that there may be something to draw.
	asked    chan struct{}
	painters chan *picture.Painter
	// drawn has the last pictures: the seats of a match mostly see the same map, and so do
	// all matches that begin.
	drawn map[hash][]byte
}

func newStudio() studio {
	n := max(1, min(mostPainters, runtime.GOMAXPROCS(0)/2))
	s := studio{asked: make(chan struct{}, 1), painters: make(chan *picture.Painter, n), drawn: map[hash][]byte{}}
	for range n {
		s.painters <- new(picture.Painter)
	}
	return s
}

// Run draws the pictures that letters wait for, until the context ends. It calls ready when
// some of them can go.
func (o *Outbox) Run(ctx context.Context, ready func()) error {
	var retry <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-o.studio.asked:
		case <-retry:
		}
		retry = nil
		n, err := o.Draw(ctx)
		for ; n > 0 && err == nil; n, err = o.Draw(ctx) {
			ready()
		}
		if err != nil && ctx.Err() == nil {
			o.log.ErrorContext(ctx, "letters wait for their pictures", "error", err, "retry_in", again)
			retry = time.After(again)
		}
	}
}

// Draw draws the pictures of some letters, each different one once, and keeps the letters
// with them. It reports how many they are. One goroutine calls it at a time.
func (o *Outbox) Draw(ctx context.Context) (int, error) {
	letters, err := o.Undrawn(ctx, atOnce)
	if err != nil || len(letters) == 0 {
		return 0, err
	}
	if err := o.finish(ctx, letters, o.pictures(ctx, letters)); err != nil {
		return 0, err
	}
	return len(letters), nil
}

// pictures are those of letters, by the hashes of their shapes. One that cannot be drawn is
// missing.
func (o *Outbox) pictures(ctx context.Context, letters []mail.Outgoing) map[hash][]byte {
	all := map[hash][]byte{}
	var fresh []*drawn
	for _, l := range letters {
		sum := sha256.Sum256(l.Drawing)
		if _, ok := all[sum]; ok {
			continue
		}
		if all[sum] = o.studio.drawn[sum]; all[sum] == nil {
			fresh = append(fresh, &drawn{sum: sum, shapes: l.Drawing})
		}
	}
	var g errgroup.Group
	for _, d := range fresh {
		p := <-o.studio.painters
		g.Go(func() error {
			defer func() { o.studio.painters <- p }()
			d.draw(p)
			return nil
		})
	}
	_ = g.Wait() // Each has its own error.
	for _, d := range fresh {
		if d.err != nil {
			o.log.ErrorContext(ctx, "a picture cannot be drawn", "error", d.err)
			continue
		}
		if len(o.studio.drawn) >= mostDrawn {
			clear(o.studio.drawn)
		}
		all[d.sum], o.studio.drawn[d.sum] = d.data, d.data
	}
	return all
}

// drawn is a picture under way.
type drawn struct {
	sum          hash
	shapes, data []byte
	err          error
}

// draw draws it. What cannot be drawn must not stop the daemon: letters go without it.
func (d *drawn) draw(by *picture.Painter) {
	defer func() {
		if r := recover(); r != nil {
			d.err = errors.Join(d.err, fmt.Errorf("panic: %v", r))
			*by = picture.Painter{}
		}
	}()
	var p *picture.Picture
	if p, d.err = picture.Unpack(d.shapes); d.err == nil {
		d.data, d.err = by.LetterPNG(p)
	}
}
