package adjudicator

import (
	"context"
	"time"

	"samizdat/rules"
)

// Bounce is what a machine reports of a letter of ours that did not arrive. The
// token of the letter that holds it is the one of the letter that came back.
type Bounce struct {
	// Hard means that the address does not work, and that the next letter will
	// not arrive either.
	Hard bool
	// Own means that our account or our sender address was refused: it is not held
	// against the player.
	Own bool
	// Recipient, Status and Reason are what the report says, for the operator. Reason
	// names no address: it stands in the log.
	Recipient, Status, Reason string
	// MessageID is what the letter that came back was called, for the operator.
	MessageID string
}

// BounceBook is a Store that keeps account of letters that did not arrive.
type BounceBook interface {
	// Bounced books that a letter of ours to a seat did not arrive. Of several
	// reports of one letter the worst stays.
	Bounced(ctx context.Context, match string, seat rules.Seat, number int64, b Bounce, at time.Time) error
}

// bounced books a delivery report. Only a report counts that shows the letter's id or
// its token, which nobody knows who has not had the letter: otherwise one player could
// make another look as if his mail did not arrive. It is never answered.
func (a *Adjudicator) bounced(ctx context.Context, l Letter) (Disposition, error) {
	b := l.Bounce
	if l.Token != nil && l.Token.Seat == rules.Nobody {
		return a.observerBounced(ctx, l)
	}
	if l.Token == nil || l.Genuine == nil {
		a.Log.WarnContext(ctx, "a letter of ours may not have arrived", "uid", l.UID, "status", b.Status, "why", b.Reason)
		return Ignored, nil
	}
	t := l.Token
	m, who, err := a.named(ctx, t.Match, t.Seat)
	if err != nil || m == nil {
		return Ignored, err
	}
	if who == nil || !l.Genuine(who.Key) || t.Number < 1 || t.Number > who.Letters {
		a.Log.WarnContext(ctx, "a delivery report that names no letter of ours is ignored", "uid", l.UID)
		return Ignored, nil
	}
	if b.Own {
		a.Log.ErrorContext(ctx, "a letter is lost, as our own account or address was refused", "hint", "see what the mail provider says of the account and its limits", "match", m.ID, "seat", int(t.Seat),
			"number", t.Number, "status", b.Status, "why", b.Reason)
		return Ignored, nil
	}
	a.Log.WarnContext(ctx, "a letter of ours did not arrive", "match", m.ID, "seat", int(t.Seat), "number", t.Number, "hard", b.Hard,
		"status", b.Status, "why", b.Reason)
	if book, ok := a.Store.(BounceBook); ok {
		err = book.Bounced(ctx, m.ID, t.Seat, t.Number, *b, l.Arrived)
	}
	return Ignored, err
}
