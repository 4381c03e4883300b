package post

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
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
				o.log.ErrorContext(ctx, "a letter goes out without its signature", "id", l.ID, "error", err, "hint", "look at smtp: dkim and its key_file")
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
