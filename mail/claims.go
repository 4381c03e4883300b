package mail

import (
	"context"
	"errors"
)

// Claims are what several daemons that send from one outbox have to the letters in it: each
// letter that [Queue.Due] gives is claimed by the one that it was given to, until that has
// booked what became of it, or is thought dead.
type Claims interface {
	// Ours reports whether the claim to a letter still holds. It is asked right before the
	// letter's content is handed over, and takes no time.
	Ours(id int64) bool
	// Release gives up all claims but those to some letters.
	Release(ctx context.Context, except ...int64) error
}

// errNotOurs is that a claim has lapsed: who was stopped for a while, or cut off, must not send
// what another may have sent meanwhile. The letter is read again by whoever claims it next.
var errNotOurs = errors.New("the claim to the letter does not hold any more")
