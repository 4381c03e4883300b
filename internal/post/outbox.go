package post

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// Outbox is a queue whose letters get their pictures, files and signatures when they are read to be sent. Nothing of that
// is stored: after a crash, or in another daemon, it is made again of the same drawing and the same file.
type Outbox struct {
	mail.Queue
	log     *slog.Logger
	signing *message.Signing
	studio  *studio
	// waiting is how many letters the last Due has read that wait for their pictures, or behind such a letter.
	waiting int
}

// NewOutbox makes an Outbox. Signing signs letters; nil leaves them without a signature.
func NewOutbox(q mail.Queue, log *slog.Logger, signing *message.Signing) *Outbox {
	return &Outbox{Queue: q, log: log, signing: signing, studio: newStudio()}
}

// Due implements mail.Queue. A letter whose picture is not drawn yet is not due, nor is a newer one to the same reader:
// Run draws it. Others pass them.
func (o *Outbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	letters, err := o.Queue.Due(ctx, now, limit+o.waiting, except...)
	if err != nil {
		return nil, err
	}
	o.studio.askAnew()
	waiting, ready := map[string]bool{}, letters[:0]
	for _, l := range letters {
		drawn, picture := l.Drawing == nil, []byte(nil)
		if !drawn {
			picture, drawn = o.studio.picture(l.Drawing)
		}
		if !drawn || waiting[l.Reader] {
			waiting[l.Reader] = l.Reader != ""
			continue
		}
		o.complete(ctx, &l, picture)
		ready = append(ready, l)
	}
	o.waiting = min(len(letters)-len(ready), mostWanted)
	return ready, nil
}

// NextDue implements mail.Queue. While pictures are drawn, whoever draws them says when letters can go.
func (o *Outbox) NextDue(ctx context.Context) (time.Time, bool, error) {
	if o.studio.busy() {
		return time.Time{}, false, nil
	}
	return o.Queue.NextDue(ctx)
}

// complete makes a letter what is sent. A letter matters more than its picture, its file and its signature.
func (o *Outbox) complete(ctx context.Context, l *mail.Outgoing, picture []byte) {
	if l.File != nil {
		if err := attach(l); err != nil {
			o.log.ErrorContext(ctx, "a letter goes out without what is attached to it", "id", l.ID, "error", err)
		}
	}
	if l.Drawing != nil {
		if picture == nil || l.PictureAt == 0 {
			o.log.ErrorContext(ctx, "a letter goes out without its picture", "id", l.ID)
		} else {
			l.Raw = message.InsertData(l.Raw, l.PictureAt, picture)
		}
	}
	l.Drawing, l.File = nil, nil
	// The signature covers the picture, so it comes last.
	if o.signing == nil {
		return
	}
	raw, err := o.signing.Sign(l.Raw)
	if err != nil {
		o.log.ErrorContext(ctx, "a letter goes out without its signature", "id", l.ID, "error", err,
			"hint", "look at smtp: dkim and its key_file")
		return
	}
	l.Raw = raw
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
		l.Raw = message.InsertData(l.Raw, l.FileAt, data)
	}
	return err
}

// Run draws the pictures that letters wait for, until the context ends. It calls ready when some of them can go.
func (o *Outbox) Run(ctx context.Context, ready func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.studio.asked:
		}
		for ctx.Err() == nil && o.Draw(ctx) > 0 {
			ready()
		}
	}
}

// Draw draws some of the pictures that letters wait for, each different one once, and reports how many. One goroutine calls
// it at a time.
func (o *Outbox) Draw(ctx context.Context) int {
	drawn := o.studio.draw()
	for _, d := range drawn {
		if d.err != nil {
			o.log.ErrorContext(ctx, "a picture cannot be drawn", "error", d.err)
		}
	}
	return len(drawn)
}
