package post

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/mail/message"
)

// Folder is where a letter is filed.
func Folder(d adjudicator.Disposition) mail.Folder {
	switch d {
	case adjudicator.Done:
		return mail.Done
	case adjudicator.Refused:
		return mail.Refused
	case adjudicator.Asked:
		return mail.Questions
	}
	return mail.Ignored
}

// Handler hands received messages to an adjudicator.
type Handler struct {
	Codec       Codec
	Adjudicator *adjudicator.Adjudicator
	// Queued is called after each letter that may have put something into the
	// outbox.
	Queued func()
}

var _ mail.Handler = Handler{}

// mostOfStranger is how much is read of the body of a letter that names none of ours: what a stranger
// may ask for is short.
const mostOfStranger = 64 << 10

// Handle implements mail.Handler.
func (h Handler) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	if len(r.Raw) > mostOfStranger {
		known, err := h.known(ctx, r)
		if err != nil {
			return "", err
		}
		if !known {
			r.Raw, r.Truncated = message.Beginning(r.Raw, mostOfStranger), true
		}
	}
	d, err := h.Adjudicator.Receive(ctx, h.Codec.Read(r))
	if still := (*adjudicator.Differs)(nil); errors.As(err, &still) && still.Running {
		return "", fmt.Errorf("%w: %w", message.ErrLater, err)
	}
	if err != nil {
		return "", err
	}
	if h.Queued != nil && d != adjudicator.Ignored {
		h.Queued()
	}
	return Folder(d), nil
}

// SetAside tells the player who wrote a letter that the program failed over it. Of the letter no more is read than its
// header.
func (h Handler) SetAside(ctx context.Context, r mail.Received) error {
	p := message.ReadHeader(message.Beginning(r.Raw, mostOfStranger))
	if p.Auto != "" {
		return nil
	}
	sum := sha256.Sum256(r.Raw)
	l := adjudicator.Letter{
		Header:   adjudicator.Header{Subject: p.Subject, MessageID: p.MessageID, Date: p.Date},
		Delivery: adjudicator.Delivery{Digest: hex.EncodeToString(sum[:]), Arrived: r.Arrived, UIDValidity: r.UIDValidity, UID: r.UID},
	}
	l.From = p.Author
	if h.Codec.InSubject {
		p = message.Untag(p, h.Codec.Address)
	}
	h.Codec.tokens(&l, p)
	if err := h.Adjudicator.SetAside(ctx, l); err != nil {
		return err
	}
	if h.Queued != nil {
		h.Queued()
	}
	return nil
}

// known reports whether the header of a letter shows that its sender has had one of ours.
func (h Handler) known(ctx context.Context, r mail.Received) (bool, error) {
	l := message.ReadHeader(r.Raw)
	id, ok := l.Names(h.Codec.Address)
	if !ok {
		return false, nil
	}
	return h.Adjudicator.Knows(ctx, token(id.Name), id.Valid, l.Author)
}
