package post

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/templates/picture"
)

// Queue is a queue of letters that can keep how they will be sent.
type Queue interface {
	mail.Queue
	// Undrawn gives the letters of a few matches that are not due before their pictures are
	// drawn and kept.
	Undrawn(ctx context.Context, matches int) ([]mail.Outgoing, error)
	// Keep keeps the final bytes of letters.
	Keep(ctx context.Context, final []mail.Outgoing) error
}

// Outbox is a queue whose letters get their pictures, files and signatures before they are
// sent, once: every try sends the same bytes, also after a restart with another program.
type Outbox struct {
	Queue
	log     *slog.Logger
	signing *message.Signing
	studio  studio
}

var _ mail.Outbox = (*Outbox)(nil)

// NewOutbox makes an Outbox. Signing signs letters; nil leaves them without a signature.
func NewOutbox(q Queue, log *slog.Logger, signing *message.Signing) *Outbox {
	return &Outbox{Queue: q, log: log, signing: signing, studio: newStudio()}
}

// Due implements mail.Outbox. Letters that wait for their pictures are not due: Run draws them.
func (o *Outbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	select {
	case o.studio.asked <- struct{}{}:
	default:
	}
	return o.Queue.Due(ctx, now, limit, except...)
}

// Finish implements mail.Outbox. A letter matters more than its picture and its
// signature.
func (o *Outbox) Finish(ctx context.Context, due []mail.Outgoing) ([]mail.Outgoing, error) {
	return due, o.finish(ctx, due, nil)
}

// finish completes letters, and keeps them. Pictures are those of their drawings, by hash.
func (o *Outbox) finish(ctx context.Context, letters []mail.Outgoing, pictures map[hash][]byte) error {
	var final []mail.Outgoing
	for i := range letters {
		l := &letters[i]
		if l.Final {
			continue
		}
		if l.File != nil {
			if err := attach(l); err != nil {
				o.log.ErrorContext(ctx, "a letter goes out without what is attached to it", "id", l.ID, "error", err)
			}
			l.File, l.FileAt, l.Final = nil, 0, true
		}
		if l.Drawing != nil {
			if data := pictures[sha256.Sum256(l.Drawing)]; data == nil || l.PictureAt == 0 {
				o.log.ErrorContext(ctx, "a letter goes out without its picture", "id", l.ID)
			} else {
				l.Raw = message.Insert(l.Raw, l.PictureAt, data)
			}
			l.Drawing, l.PictureAt, l.Final = nil, 0, true
		}
		// The signature covers the picture, so it comes last.
		if o.signing != nil {
			if raw, err := o.signing.Sign(l.Raw); err != nil {
				o.log.ErrorContext(ctx, "a letter goes out without its signature", "id", l.ID, "error", err, "hint",
					"look at smtp: dkim and its key_file")
			} else {
				l.Raw, l.Final = raw, true
			}
		}
		if l.Final {
			final = append(final, *l)
		}
	}
	if len(final) == 0 {
		return nil
	}
	return o.Keep(ctx, final)
}

// attach puts its file into a letter, behind its picture's place.
func attach(l *mail.Outgoing) error {
	if l.FileAt == 0 {
		return errors.New("it has no place for a file")
	}
	r, err := gzip.NewReader(bytes.NewReader(l.File))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err == nil {
		l.Raw = message.Insert(l.Raw, l.FileAt, data)
	}
	return err
}

// Pictures are drawn beside the sending of letters, by a few painters: half of the
// processor's cores are left to those who take letters in and send them.

const (
	// mostPainters bounds how many pictures are drawn at a time, and with it what painters
	// remember.
	mostPainters = 4
	// atOnce is of how many matches pictures are drawn before their letters are kept.
	atOnce = 16
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
}

func newStudio() studio {
	n := max(1, min(mostPainters, runtime.GOMAXPROCS(0)/2))
	s := studio{asked: make(chan struct{}, 1), painters: make(chan *picture.Painter, n)}
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
		all[sum] = nil
		fresh = append(fresh, &drawn{sum: sum, shapes: l.Drawing})
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
		}
		all[d.sum] = d.data
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
