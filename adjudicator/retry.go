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

// tries is how often something is done again when its match moves on
// meanwhile.
const tries = 10

// retryOnConflict does something to a match, and does it again when the match has moved on
// meanwhile. What names it for the log. It may stand inside of another: a panic is
// logged once, and nothing is tried again that was given up.
func (a *Adjudicator) retryOnConflict(ctx context.Context, what string, f func() error) error {
	err := retry(f)
	var p *Panic
	if errors.As(err, &p) && !p.logged {
		p.logged = true
		a.Log.ErrorContext(ctx, "panic", "in", what, "value", p.Value, "stack", p.Stack)
	}
	return err
}

// atSeat does something to a seat of a match that the operator names. It is done again when
// the match has moved on meanwhile.
func atSeat(ctx context.Context, a *Adjudicator, match string, seat rules.Seat, f func(m *match.Match, who *match.Seat) error) error {
	err := a.retryOnConflict(ctx, "match "+match, func() error {
		m, err := a.Store.Match(ctx, match)
		switch {
		case err != nil:
			return err
		case seat < 0 || int(seat) >= len(m.Seats):
			return fmt.Errorf("there is no seat %d", seat)
		}
		return f(m, &m.Seats[seat])
	})
	if err != nil {
		return fmt.Errorf("match %s: %w", match, err)
	}
	return nil
}

// retry is retryOnConflict for those who log a panic themselves.
func retry(f func() error) error {
	for range tries {
		err := guarded(f)
		if gave := (*gaveUp)(nil); !errors.Is(err, match.ErrConflict) || errors.As(err, &gave) {
			return err
		}
	}
	return &gaveUp{}
}

// gaveUp is an ErrConflict that came as often as something is tried.
type gaveUp struct{}

func (*gaveUp) Error() string { return fmt.Sprintf("%v %d times", match.ErrConflict, tries) }

func (*gaveUp) Unwrap() error { return match.ErrConflict }

// Panic is the error that is made of a panic.
type Panic struct {
	Value any
	// Stack says where it was.
	Stack string
	// logged means that the log has it.
	logged bool
}

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// guarded makes an error of a panic: one broken match must not end the daemon, and
// with it all the others.
func guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{Value: v, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// SetAside tells the reader of the letter of ours which a letter answers that the program failed over his. Nothing of it
// was done. He is told three times a day at most.
func (a *Adjudicator) SetAside(ctx context.Context, l exchange.Letter) error {
	h, err := holderOf(ctx, a, l)
	if err != nil || h.address == "" {
		return err
	}
	t := *l.Token
	t.Number = 0
	d := exchange.TextLetter("Your letter could not be carried out", setAsideText(a.Post.Mark(), h))
	d.InReplyTo = l.MessageID
	_, err = a.Replies.Limited(ctx, l, h.address, conversation.MostFixed, []string{"set aside", fmt.Sprint(t)}, d)
	return err
}

func setAsideText(mark string, h holder) string {
	return compose.Note(mark,
		"A letter came in answer to one of ours "+h.about+". The program failed over it, which is no fault of yours. Nothing in the "+
			"letter was "+
			"done.",
		"The letter is kept. When the program is mended it may be put back and carried out, if what it answers is still asked then.",
		"You need not wait for that: write your orders again in a new reply, if you can in other words.")
}
