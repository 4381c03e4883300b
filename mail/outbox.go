package mail

import (
	"context"
	"time"
)

// Outgoing is one letter to one recipient.
type Outgoing struct {
	// ID names the letter in the outbox.
	ID int64
	// EnvelopeFrom is where bounces go; it may be empty.
	EnvelopeFrom string
	// To is the only recipient.
	To string
	// LetterID names the letter to whoever reports on it; it may be empty.
	LetterID string
	// Raw is the RFC 5322 message: complete when it is Final, and the same on every
	// try from then on. Before that, the picture of Drawing is to be put into it at
	// PictureAt, what File packs at FileAt, unless those are 0, and it is to be signed.
	// That is what Finish is for.
	Raw           []byte
	Final         bool
	Drawing, File []byte
	PictureAt     int
	FileAt        int
	// Attempts counts the tries that failed so far.
	Attempts int
	// Reader names whose letter it is, so that no letter overtakes an older one to him; empty
	// for letters that no order holds for.
	Reader string
	// Urgent says that somebody waits for this letter to go on. Such letters go
	// first, and a part of a day's limit is kept for them.
	Urgent bool
	// Early says that the letter's own time has not come, and that it goes before a
	// newer one to the same reader. That try is not counted.
	Early bool
}

// Queue is a persistent queue of letters. One that is neither Sent nor Failed stays
// due, so nothing is lost when the process dies.
type Queue interface {
	// Due gives letters whose time has come, the urgent ones first, but for some that were
	// given before. No letter is given before an older one to the same reader.
	Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error)
	// Sent books letters the server has taken.
	Sent(ctx context.Context, ids []int64, now time.Time) error
	// Failed books a failed try and adds one to Attempts. A permanent failure
	// ends the letter; otherwise it is due again at next. An early try counts for
	// nothing.
	Failed(ctx context.Context, id int64, now, next time.Time, permanent bool, reason string) error
	// Deferred puts a letter off until next. It adds nothing to Attempts.
	Deferred(ctx context.Context, id int64, now, next time.Time, reason string) error
	// NextDue tells when the next waiting letter is due; false when none waits.
	NextDue(ctx context.Context) (time.Time, bool, error)
}

// Outbox is the queue the Sender works from.
type Outbox interface {
	Queue
	// Finish completes letters that are due and not final, and keeps them, so that
	// every try sends the same bytes. It may give the first of them only.
	Finish(ctx context.Context, due []Outgoing) ([]Outgoing, error)
}

const (
	firstRetry = time.Minute
	lastRetry  = 4 * time.Hour
	giveUp     = 5 * 24 * time.Hour
)

// Schedule says when a letter that failed is tried again.
type Schedule struct {
	// First is the pause after the first failure; it doubles up to Most. The
	// default is one minute, up to four hours.
	First, Most time.Duration
	// GiveUp is what the pauses add up to at least before the letter is given
	// up; the default is five days.
	GiveUp time.Duration
}

func (s Schedule) withDefaults() Schedule {
	setDefault(&s.First, firstRetry)
	setDefault(&s.Most, max(lastRetry, s.First))
	setDefault(&s.GiveUp, giveUp)
	return s
}

// Delay is the pause after a letter failed for the n-th time.
func (s Schedule) Delay(n int) time.Duration {
	s = s.withDefaults()
	d := s.First
	for i := 1; i < n && d < s.Most; i++ {
		d *= 2
	}
	return min(d, s.Most)
}

// Attempts is the number of tries after which a letter is given up.
func (s Schedule) Attempts() int {
	s = s.withDefaults()
	n := 1
	for sum := time.Duration(0); sum < s.GiveUp; n++ {
		sum += s.Delay(n)
	}
	return n
}
