package daemon

import (
	"context"
	"sync"
	"time"

	"samizdat/mail"
)

const (
	// deafAfter is how much time between two looks into the inbox makes us deaf meanwhile.
	deafAfter = 5 * time.Minute
	// lookEvery is how often somebody looks, if only to be sure that we hear.
	lookEvery = 2 * time.Minute
	// lookNoted is how often the newest look is noted for the next start.
	lookNoted = 30 * time.Second
)

// looks keeps when the inbox was looked through, and when it was not; the database fulfils
// it.
type looks interface {
	LastLook(ctx context.Context) (time.Time, error)
	Looked(ctx context.Context, at time.Time) error
	WasDeaf(ctx context.Context, since, until time.Time) error
	SetBack(ctx context.Context, now time.Time) error
}

// hearing finds out when we were deaf: from the last complete look through the inbox
// before an outage to the first one after it. A clock of the system that jumps forward looks
// the same, and costs no player anything either.
type hearing struct {
	looks looks

	mu sync.Mutex
	// last is the newest complete look, noted the newest that the database knows.
	last, noted time.Time
	read        bool
}

// begin reads what is known from before, and forgets what is later than now.
func (h *hearing) begin(ctx context.Context, now time.Time) (err error) {
	if !h.read {
		if h.last, err = h.looks.LastLook(ctx); err != nil {
			return err
		}
		h.noted, h.read = h.last, true
	}
	if h.last.After(now) {
		h.last, h.noted = now, now
	}
	return h.looks.SetBack(ctx, now)
}

// listens takes in when somebody looked through the inbox last; zero where nobody did.
func (h *hearing) listens(ctx context.Context, now, looked time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	// What the clock shows counts, also when the machine slept.
	now, looked = now.Round(0), looked.Round(0)
	if err := h.begin(ctx, now); err != nil {
		return err
	}
	if !looked.After(h.last) || looked.After(now) {
		return nil
	}
	if err := h.deafUntil(ctx, looked); err != nil {
		return err
	}
	h.last = looked
	if h.last.Sub(h.noted) < lookNoted {
		return nil
	}
	h.noted = h.last
	return h.looks.Looked(ctx, h.last)
}

// deafUntil notes that nobody has looked since the last look until a time, if that is long.
func (h *hearing) deafUntil(ctx context.Context, until time.Time) error {
	if h.last.IsZero() || until.Sub(h.last) <= deafAfter {
		return nil
	}
	return h.looks.WasDeaf(ctx, h.last, until)
}

// hears reports whether the newest look is new enough.
func (h *hearing) hears(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Sub(h.last) < lookEvery
}

// before notes that we were deaf before a letter is handled that may have come meanwhile.
func (h *hearing) before(clock func() time.Time, next mail.Handler) mail.Handler {
	return mail.HandlerFunc(func(ctx context.Context, r mail.Received) (mail.Folder, error) {
		if err := h.takesUp(ctx, clock().Round(0)); err != nil {
			return "", err
		}
		return next.Handle(ctx, r)
	})
}

// takesUp takes in that a letter is in hand.
func (h *hearing) takesUp(ctx context.Context, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.begin(ctx, now); err != nil {
		return err
	}
	return h.deafUntil(ctx, now)
}
