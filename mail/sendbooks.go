package mail

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// books writes down what was sent, beside the sending: letters that the server takes
// meanwhile are booked together.
type books struct {
	box Outbox
	// sent are not booked yet; those of them in hand are being booked.
	sent, inHand []int64
	// done tells what came of it.
	done chan error
}

func (b *books) len() int     { return len(b.sent) + len(b.inHand) }
func (b *books) ids() []int64 { return slices.Concat(b.sent, b.inHand) }

// begin begins to book what there is, unless it is doing so.
func (b *books) begin(ctx context.Context, now time.Time) {
	if len(b.inHand) > 0 || len(b.sent) == 0 {
		return
	}
	b.inHand, b.sent = b.sent, nil
	ids := b.inHand
	go func() { b.done <- b.book(ctx, ids, now) }()
}

// end takes note of what came of it. What is not booked has to be booked again.
func (b *books) end(err error) error {
	if err != nil {
		b.sent = slices.Concat(b.inHand, b.sent)
	}
	b.inHand = nil
	return err
}

// book books letters, also when the daemon is stopping: what is not booked is sent again.
func (b *books) book(ctx context.Context, ids []int64, now time.Time) error {
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := b.box.Sent(bctx, ids, now); err != nil {
		return fmt.Errorf("%w: booking %d sent letters: %w", errOutbox, len(ids), err)
	}
	return nil
}

// flush books all, and waits for it.
func (b *books) flush(ctx context.Context, now time.Time) (err error) {
	for err == nil && b.len() > 0 {
		b.begin(ctx, now)
		err = b.end(<-b.done)
	}
	return err
}
