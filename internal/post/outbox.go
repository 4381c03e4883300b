package post

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"

	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/templates/picture"
)

// Queue is a queue of letters that can keep how they will be sent.
type Queue interface {
	mail.Queue
	// Keep keeps the final bytes of letters.
	Keep(ctx context.Context, final []mail.Outgoing) error
}

// Outbox is a queue whose letters get their pictures, files and signatures before they are
// sent, once: every try sends the same bytes, also after a restart with another program.
type Outbox struct {
	Queue
	Log *slog.Logger
	// Signing signs letters; nil leaves them without a signature.
	Signing *message.Signing

	// drawn has pictures by the hashes of their shapes: the seats of a match mostly see
	// the same map.
	drawn   map[[32]byte][]byte
	painter picture.Painter
}

var _ mail.Outbox = (*Outbox)(nil)

const (
	// atOnce is how many letters with pictures are completed at once, so that the
	// first does not wait for all the others.
	atOnce = 16
	// mostDrawn is how many pictures are remembered.
	mostDrawn = 32
)

// Finish implements mail.Outbox. A letter matters more than its picture and its
// signature.
func (o *Outbox) Finish(ctx context.Context, due []mail.Outgoing) ([]mail.Outgoing, error) {
	var final []mail.Outgoing
	pictures := 0
	for i := range due {
		l := &due[i]
		if l.Final {
			continue
		}
		if l.File != nil {
			if err := attach(l); err != nil {
				o.Log.ErrorContext(ctx, "a letter goes out without what is attached to it", "id", l.ID, "error", err)
			}
			l.File, l.FileAt, l.Final = nil, 0, true
		}
		if l.Drawing != nil {
			if pictures == atOnce {
				due = due[:i] // What follows stays due.
				break
			}
			pictures++
			if err := o.draw(l); err != nil {
				o.Log.ErrorContext(ctx, "a letter goes out without its picture", "id", l.ID, "error", err)
			}
			l.Drawing, l.PictureAt, l.Final = nil, 0, true
		}
		// The signature covers the picture, so it comes last.
		if o.Signing != nil {
			if raw, err := o.Signing.Sign(l.Raw); err != nil {
				o.Log.ErrorContext(ctx, "a letter goes out without its signature", "id", l.ID, "error", err)
			} else {
				l.Raw, l.Final = raw, true
			}
		}
		if l.Final {
			final = append(final, *l)
		}
	}
	if len(final) == 0 {
		return due, nil
	}
	return due, o.Keep(ctx, final)
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

// draw puts its picture into a letter.
func (o *Outbox) draw(l *mail.Outgoing) error {
	if l.PictureAt == 0 {
		return errors.New("it has no place for one")
	}
	sum := sha256.Sum256(l.Drawing)
	data, ok := o.drawn[sum]
	if !ok {
		p, err := picture.Unpack(l.Drawing)
		if err != nil {
			return err
		}
		if data, err = o.painter.LetterPNG(p); err != nil {
			return err
		}
		if o.drawn == nil || len(o.drawn) == mostDrawn {
			o.drawn = map[[32]byte][]byte{}
		}
		o.drawn[sum] = data
	}
	l.Raw = message.Insert(l.Raw, l.PictureAt, data)
	return nil
}
