package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// maxAttempts is the maximum number of attempts if the match changes during each attempt.
const maxAttempts = 10

// retryOnConflict calls f, and calls it again if another writer has changed the match in between (match.ErrConflict).
// label names the operation for the log. Calls may be nested: a panic is logged once, and the outer call does not retry
// an inner call that gave up.
func (a *Adjudicator) retryOnConflict(ctx context.Context, label string, f func() error) error {
	err := retry(f)
	var p *PanicError
	if errors.As(err, &p) && !p.logged {
		p.logged = true
		a.Log.ErrorContext(ctx, "panic", "in", label, "value", p.Value, "stack", p.Stack)
	}
	return err
}

// withSeat loads a match and calls f with a seat that the operator names. After a conflict it loads the match again
// (retryOnConflict).
func withSeat(ctx context.Context, a *Adjudicator, match string, seat rules.Seat,
	f func(m *match.Match, seatState *match.Seat) error) error {
	err := a.retryOnConflict(ctx, "match "+match, func() error {
		m, err := a.Store.Match(ctx, match)
		switch {
		case err != nil:
			return err
		case seat < 0 || int(seat) >= len(m.Seats):
			return fmt.Errorf("seat %d does not exist; the match has %d seats", seat, len(m.Seats))
		}
		return f(m, &m.Seats[seat])
	})
	if err != nil {
		return fmt.Errorf("match %s: %w", match, err)
	}
	return nil
}

// retry calls f until the error is not match.ErrConflict, at most maxAttempts times. A panic becomes a *PanicError.
func retry(f func() error) error {
	for range maxAttempts {
		err := recoverPanic(f)
		if exhausted := (*retriesExhaustedError)(nil); !errors.Is(err, match.ErrConflict) || errors.As(err, &exhausted) {
			return err
		}
	}
	return &retriesExhaustedError{}
}

type retriesExhaustedError struct{}

func (*retriesExhaustedError) Error() string {
	return fmt.Sprintf("%v %d times", match.ErrConflict, maxAttempts)
}

func (*retriesExhaustedError) Unwrap() error { return match.ErrConflict }

// PanicError is the error for a recovered panic.
type PanicError struct {
	Value any
	Stack string
	// logged is set if the log contains the stack trace.
	logged bool
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// recoverPanic calls f and returns a panic as a *PanicError, because a bug that affects one match must not stop the daemon.
func recoverPanic(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// NotifyFailure tells the player who was to reply to a letter, at most three times a day, that the program failed to
// handle the reply.
func (a *Adjudicator) NotifyFailure(ctx context.Context, incoming exchange.Letter) error {
	holder, err := findTokenHolder(ctx, a, incoming)
	if err != nil || holder.address == "" {
		return err
	}
	token := *incoming.Token
	token.Number = 0
	outgoing := exchange.TextLetter("Your letter could not be carried out", failureText(a.Codec.MarkerLine(), holder))
	outgoing.InReplyTo = incoming.MessageID
	_, err = a.Replies.WriteLimited(ctx, incoming, holder.address, conversation.MaxFixedAnswersPerDay,
		[]string{"set aside", fmt.Sprint(token)}, outgoing)
	return err
}

func failureText(markerLine string, holder tokenHolder) string {
	return compose.FormatNote(markerLine,
		"You replied to one of "+holder.letterText+". Your reply was not carried out, because our program made an error. That is not your "+
			"fault.",
		"Your reply is kept. It may still be carried out when the program is repaired, if the question is still open then.",
		"You need not wait for that: send your orders again in a new reply, in other words if you can.")
}
