package mail

import (
	"context"
	"time"
)

// Outgoing is one letter to one recipient, ready to be sent.
type Outgoing struct {
	// ID names the letter in the outbox.
	ID int64
	// EnvelopeFrom is where bounces go; it may be empty.
	EnvelopeFrom string
	// To is the only recipient.
	To string
	// Raw is the complete RFC 5322 message. It is the same on every try.
	Raw []byte
	// Drawing, when there is one, is what has to be drawn into Raw before it is
	// sent. A Sender knows nothing of it: its outbox gives complete letters.
	Drawing []byte
	// Attempts counts the tries that failed so far.
	Attempts int
}

// Outbox is the persistent queue the Sender works from. A letter that is
// neither Sent nor Failed stays due, so nothing is lost when the process dies.
type Outbox interface {
	// Due gives letters whose time has come, the longest waiting first.
	Due(ctx context.Context, now time.Time, limit int) ([]Outgoing, error)
	// Sent books letters the server has taken.
	Sent(ctx context.Context, ids []int64, now time.Time) error
	// Failed books a failed try and adds one to Attempts. A permanent failure
	// ends the letter; otherwise it is due again at next.
	Failed(ctx context.Context, id int64, now, next time.Time, permanent bool, reason string) error
	// NextDue tells when the next waiting letter is due; false when none waits.
	NextDue(ctx context.Context) (time.Time, bool, error)
}

const (
	firstRetry = time.Minute
	lastRetry  = 4 * time.Hour
	giveUp     = 4 * 24 * time.Hour
)

// RetryDelay is the pause after a letter failed for the n-th time: 1, 2, 4 ...
// minutes, at most four hours.
func RetryDelay(n int) time.Duration {
	d := firstRetry
	for i := 1; i < n && d < lastRetry; i++ {
		d *= 2
	}
	return min(d, lastRetry)
}

// MaxAttempts is the number of tries after which a letter is given up. The
// pauses between them add up to about four days.
var MaxAttempts = func() int {
	n := 1
	for sum := time.Duration(0); sum < giveUp; n++ {
		sum += RetryDelay(n)
	}
	return n
}()
