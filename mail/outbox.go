package mail

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	// Raw is the RFC 5322 message. Where Drawing and File are set, a queue below the one that the
	// Sender reads has still to put the picture into it at PictureAt, and what File packs at FileAt.
	Raw           []byte
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

const (
	firstRetry = time.Minute
	maxRetry   = 4 * time.Hour
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
	setDefault(&s.Most, max(maxRetry, s.First))
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

// sendQueue has letters that were read and are not on their way, in the order in which they go.
type sendQueue []Outgoing

// add puts letters behind those that are as urgent. An urgent one takes older ones to its
// reader along.
func (q *sendQueue) add(due []Outgoing) {
	*q = append(*q, due...)
	urgent := map[string]bool{}
	for i := len(*q) - 1; i >= 0; i-- {
		switch o := &(*q)[i]; {
		case o.Reader == "":
		case o.Urgent:
			urgent[o.Reader] = true
		case urgent[o.Reader]:
			o.Urgent = true
		}
	}
	slices.SortStableFunc(*q, func(x, y Outgoing) int {
		switch {
		case x.Urgent == y.Urgent:
			return 0
		case x.Urgent:
			return -1
		}
		return 1
	})
}

// remove takes a letter out.
func (q *sendQueue) remove(i int) { *q = slices.Delete(*q, i, i+1) }

// addressee is a recipient, or a reader: letters to either keep their order.
type addressee struct {
	reader bool
	name   string
}

// addressees are those of letters that others must not overtake.
type addressees map[addressee]bool

// add notes whom a letter is for. It reports whether one to him is noted already.
func (c addressees) add(o *Outgoing) (was bool) {
	to, reader := addressee{false, strings.ToLower(o.To)}, addressee{true, o.Reader}
	was = c[to]
	c[to] = true
	if o.Reader != "" {
		was = was || c[reader]
		c[reader] = true
	}
	return was
}

// startable are the places of the first letters, so many at most, whose addressees have no older
// ones in the queue or on their way: busy notes those. The letters to recipients of whom the
// server said what may mean us come last, and alone, urgent or not: one that it takes tells
// that it did not.
func (q sendQueue) startable(busy addressees, unclear *ambiguity, most int) []int {
	alone := len(busy) == 0
	var first, last []int
	for i := range q {
		switch {
		case len(first) == most:
			return first
		case busy.add(&q[i]):
		case unclear.hasDrawn(q[i].To):
			last = append(last, i)
		default:
			first = append(first, i)
		}
	}
	if len(first) == 0 && alone && len(last) > 0 {
		return last[:1]
	}
	return first
}

// withoutIDs leaves out letters.
func withoutIDs(list []Outgoing, ids []int64) []Outgoing {
	return slices.DeleteFunc(list, func(o Outgoing) bool { return slices.Contains(ids, o.ID) })
}

// sentLog writes down what was sent, beside the sending: letters that the server takes
// meanwhile are booked together.
type sentLog struct {
	outbox Queue
	// unrecorded are not booked yet; those of them in hand are being booked.
	unrecorded, recording []int64
	// done tells what came of it.
	done chan error
}

func (b *sentLog) len() int     { return len(b.unrecorded) + len(b.recording) }
func (b *sentLog) ids() []int64 { return slices.Concat(b.unrecorded, b.recording) }

// begin begins to book what there is, unless it is doing so.
func (b *sentLog) begin(ctx context.Context, now time.Time) {
	if len(b.recording) > 0 || len(b.unrecorded) == 0 {
		return
	}
	b.recording, b.unrecorded = b.unrecorded, nil
	ids := b.recording
	go func() { b.done <- b.record(ctx, ids, now) }()
}

// end takes note of what came of it. What is not booked has to be booked again.
func (b *sentLog) end(err error) error {
	if err != nil {
		b.unrecorded = slices.Concat(b.recording, b.unrecorded)
	}
	b.recording = nil
	return err
}

// record books letters, also when the daemon is stopping: what is not booked is sent again.
func (b *sentLog) record(ctx context.Context, ids []int64, now time.Time) error {
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), outboxTimeout)
	defer cancel()
	if err := b.outbox.Sent(bctx, ids, now); err != nil {
		return fmt.Errorf("%w: booking %d sent letters: %w", errOutbox, len(ids), err)
	}
	return nil
}

// flush books all, and waits for it.
func (b *sentLog) flush(ctx context.Context, now time.Time) (err error) {
	for err == nil && b.len() > 0 {
		b.begin(ctx, now)
		err = b.end(<-b.done)
	}
	return err
}

const (
	// sameReply is how many recipients in a row must draw one and the same ambiguous
	// reply before it counts as one about us.
	sameReply = 2
	// ambiguousTries is after how many tries a refusal that may be for us counts as one
	// of the letter, when the server takes others: about two hours.
	ambiguousTries = 8
)

// ambiguity finds out whom replies are about that may mean a letter or us.
type ambiguity struct {
	// code is the newest such reply, and to are the recipients who have drawn it since
	// the server took a letter.
	code string
	to   map[string]bool
	// arrivedAfter is when a letter first drew one.
	since map[int64]time.Time
	// lastTaken is when the server took a letter last.
	lastTaken time.Time
}

// recordSent notes that the server has taken a letter.
func (a *ambiguity) recordSent(id int64, now time.Time) {
	a.code, a.to, a.lastTaken = "", nil, now
	delete(a.since, id)
}

// forget is for a letter that is given up.
func (a *ambiguity) forget(id int64) { delete(a.since, id) }

// concernsAccount notes an ambiguous reply and tells whether it is about us, by now.
func (a *ambiguity) concernsAccount(code, to string) bool {
	if a.code != code || a.to == nil {
		a.code, a.to = code, map[string]bool{}
	}
	a.to[strings.ToLower(to)] = true
	return len(a.to) >= sameReply
}

// othersTaken notes that a letter drew an ambiguous reply, and tells whether the server
// took another letter since it did so first.
func (a *ambiguity) othersTaken(id int64, now time.Time) bool {
	first, ok := a.since[id]
	if !ok {
		if a.since == nil {
			a.since = map[int64]time.Time{}
		}
		a.since[id] = now
	}
	return ok && a.lastTaken.After(first)
}

// concernsLetter tells whether a letter that was tried so often is refused for itself.
func (a *ambiguity) concernsLetter(tries int, now time.Time) bool {
	return tries >= ambiguousTries && now.Sub(a.lastTaken) < dayWindow
}

// hasDrawn tells whether a recipient has drawn such a reply since the server took a letter.
func (a *ambiguity) hasDrawn(to string) bool { return len(a.to) > 0 && a.to[strings.ToLower(to)] }
