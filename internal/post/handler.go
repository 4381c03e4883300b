package post

import (
	"context"

	"samizdat/adjudicator"
	"samizdat/mail"
)

// Folder is where a letter is filed.
func Folder(d adjudicator.Disposition) mail.Folder {
	switch d {
	case adjudicator.Done:
		return mail.Done
	case adjudicator.Refused:
		return mail.Refused
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

// Handle implements mail.Handler.
func (h Handler) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	d, err := h.Adjudicator.Receive(ctx, h.Codec.Read(r))
	if err != nil {
		return "", err
	}
	if h.Queued != nil && d != adjudicator.Ignored {
		h.Queued()
	}
	return Folder(d), nil
}
