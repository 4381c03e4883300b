package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"samizdat/mail"
	"samizdat/storage"
)

// tellOperator queues one letter to the operator for each letter that is put in
// quarantine. The letter names the other one and quotes nothing: the operator may
// be a player. Without an address it only shows that the database can be written,
// so that a full disk does not put good letters in quarantine.
func (d *daemon) tellOperator(outbox *storage.Outbox, posted func()) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		raw, err := quarantineLetter(d.cfg, b)
		if err != nil {
			return err
		}
		if err := outbox.Queue(ctx, d.cfg.Operator, raw, time.Now()); err != nil {
			return err
		}
		if d.cfg.Operator != "" {
			posted()
		}
		return nil
	}
}

// quarantineLetter is the letter to the operator. It is the same however often it
// is made for one letter: its date is that of the other's arrival.
func quarantineLetter(cfg Config, b mail.BadLetter) ([]byte, error) {
	if cfg.Operator == "" {
		return nil, nil
	}
	sum := sha256.Sum256(b.Letter.Raw)
	_, domain, _ := strings.Cut(cfg.Address, "@")
	m := mail.Message{
		From: cfg.Address, FromName: cfg.Name, To: cfg.Operator, Subject: "A letter is in quarantine",
		MessageID: fmt.Sprintf("quarantine-%d-%d-%x@%s", b.Letter.UIDValidity, b.Letter.UID, sum[:8], domain),
		Date:      b.Letter.Arrived.UTC(), AutoSubmitted: "auto-generated",
		Text: fmt.Sprintf("A letter made the program fail %d times and was put in the folder\n%s, with all its bytes. The other letters go on.\n\n"+
			"  arrived  %s\n  number   %d (uidvalidity %d)\n  bytes    %d\n  sha256   %x\n\n"+
			"The log says what went wrong. When it is mended, move the letter back to the\ninbox: it is then handled like a new one.\n",
			b.Times, mail.Quarantine, b.Letter.Arrived.UTC().Format(time.RFC1123Z), b.Letter.UID, b.Letter.UIDValidity, b.Letter.Size, sum),
	}
	raw, err := m.Render()
	if err != nil {
		return nil, fmt.Errorf("writing to the operator: %w", err)
	}
	return raw, nil
}
