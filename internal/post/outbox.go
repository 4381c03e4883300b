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

// Outbox is a queue that adds pictures, files and signatures to letters when they are read for sending. Pictures and
// signatures are not stored: after a crash, or in another daemon, the outbox draws the picture again from the stored
// drawing and signs again.
type Outbox struct {
	mail.Queue
	log      *slog.Logger
	signing  *message.DKIMSigner
	pictures *pictureQueue
	// waitingLetters is the number of letters, at most maxWaiting, that the last call of Due withheld because a picture
	// was missing.
	waitingLetters int
}

// NewOutbox returns an Outbox for q. A nil signing leaves letters unsigned.
func NewOutbox(q mail.Queue, log *slog.Logger, signing *message.DKIMSigner) *Outbox {
	return &Outbox{Queue: q, log: log, signing: signing, pictures: newPictureQueue()}
}

// Due implements mail.Queue. Letters without their picture, and later letters to the same reader, are not due. Run
// draws the picture.
func (o *Outbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	letters, err := o.Queue.Due(ctx, now, limit+o.waitingLetters, except...)
	if err != nil {
		return nil, err
	}
	o.pictures.clearWaiting()
	waiting, ready := map[string]bool{}, letters[:0]
	for _, l := range letters {
		isDrawn, picture := l.Drawing == nil, []byte(nil)
		if !isDrawn {
			picture, isDrawn = o.pictures.request(l.Drawing)
		}
		if !isDrawn || waiting[l.Reader] {
			waiting[l.Reader] = l.Reader != ""
			continue
		}
		o.completeLetter(ctx, &l, picture)
		ready = append(ready, l)
	}
	o.waitingLetters = min(len(letters)-len(ready), maxWaiting)
	return ready, nil
}

// NextDue implements mail.Queue. While pictures are drawn it returns false: after each batch Run calls ready, which wakes
// the sender.
func (o *Outbox) NextDue(ctx context.Context) (time.Time, bool, error) {
	if o.pictures.hasWork() {
		return time.Time{}, false, nil
	}
	return o.Queue.NextDue(ctx)
}

// completeLetter adds the file, the picture and the signature to a letter. A letter is sent even if a step fails.
func (o *Outbox) completeLetter(ctx context.Context, l *mail.Outgoing, picture []byte) {
	if l.File != nil {
		if err := insertFile(l); err != nil {
			o.log.ErrorContext(ctx, "a letter is sent without its attached file", "id", l.ID, "error", err)
		}
	}
	if l.Drawing != nil {
		if picture == nil || l.PictureAt == 0 {
			o.log.ErrorContext(ctx, "a letter is sent without its picture", "id", l.ID)
		} else {
			l.Raw = message.InsertData(l.Raw, l.PictureAt, picture)
		}
	}
	l.Drawing, l.File = nil, nil
	// The letter is signed last, because the signature covers the file and the picture.
	if o.signing == nil {
		return
	}
	raw, err := o.signing.Sign(l.Raw)
	if err != nil {
		o.log.ErrorContext(ctx, "a letter is sent without a DKIM signature", "id", l.ID, "error", err,
			"hint", "check smtp.dkim and its key_file in the configuration")
		return
	}
	l.Raw = raw
}

func insertFile(l *mail.Outgoing) error {
	if l.FileAt == 0 {
		return errors.New("the letter has no offset for its file")
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

// Run draws requested pictures until ctx ends, and calls ready after each batch.
func (o *Outbox) Run(ctx context.Context, ready func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.pictures.workAvailable:
		}
		for ctx.Err() == nil && o.DrawPictures(ctx) > 0 {
			ready()
		}
	}
}

// DrawPictures draws a batch of requested pictures and returns their number. It must not be called concurrently.
func (o *Outbox) DrawPictures(ctx context.Context) int {
	drawn := o.pictures.drawBatch()
	for _, d := range drawn {
		if d.err != nil {
			o.log.ErrorContext(ctx, "a picture cannot be drawn", "error", d.err)
		}
	}
	return len(drawn)
}
