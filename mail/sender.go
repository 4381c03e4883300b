package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"samizdat/mail/message"
)

// One goroutine decides what goes over which connection, and keeps the accounts. A letter is
// booked after the server took it, never before; a letter is never dropped without being
// booked as failed.

const (
	// sendBatch is how many letters are read from the outbox at once, mostRead how many
	// are read and not sent yet: they may all be for one recipient who is slow.
	sendBatch = 32
	mostRead  = 4 * sendBatch
	// bookBatch is how many sent letters are booked at once, where others wait to be sent.
	// A crash repeats at most twice as many.
	bookBatch = 32
	// maxRest bounds the pause when nothing is due, against a lost Wake.
	maxRest = time.Minute
	// maxLook bounds it while a letter is on its way.
	maxLook = 10 * time.Second
	// maxIdle is how long a connection is kept that nobody needs.
	maxIdle = time.Minute
	// grace is what a letter under way gets when the daemon stops.
	grace = 5 * time.Second
	// lastRefusal bounds the pause after the server has refused us: a player may
	// wait for a letter when it does so no more.
	lastRefusal = time.Hour
	// bookTimeout bounds one call of the outbox.
	bookTimeout = 30 * time.Second
)

// Sender works through a Queue. See the package comment for what it promises.
type Sender struct {
	cfg  SMTPConfig
	box  Queue
	log  *slog.Logger
	now  func() time.Time
	wake chan struct{}
	more chan struct{}

	// dial is a field so that the schedule can be tested without sockets.
	dial func(context.Context, SMTPConfig) (transport, error)

	// Only Run's goroutine touches what follows.
	lines []*line
	ended chan delivery
	queue queue
	// unread tells that the outbox may have letters that can go and are not in the queue, woken
	// that they may be more urgent than those.
	unread, woken bool
	books         books
	limiter       sendLimiter
	counted       bool
	// backoffs are those after trouble with the connection, refusals the one after
	// the server has refused us.
	backoffs *backoffs
	refusals *backoff.ExponentialBackOff
	unclear  ambiguity

	// connection is why nothing can be sent, refusal that the server refuses us, whatever the letter.
	connection, refusal troubleNote
	// fault is why the outbox cannot be used, outboxPause that until it is tried again.
	fault       troubleNote
	outboxPause *backoff.ExponentialBackOff
}

// transport is one connection that is greeted and logged in.
type transport interface {
	// deliver sends one letter and names the step that failed.
	deliver(Outgoing) (stage, error)
	Reset() error
	Quit() error
	Close() error
}

// NewSender makes a Sender. Unset fields of cfg get their defaults.
func NewSender(cfg SMTPConfig, box Queue, log *slog.Logger) *Sender {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg = cfg.WithDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Sender{
		cfg: cfg, box: box, log: log, now: cfg.Now, wake: make(chan struct{}, 1), more: make(chan struct{}, 1), dial: dialSMTP,
		limiter: sendLimiter{limits: cfg.Limits},
		ended:   make(chan delivery, cfg.Connections), books: books{box: box, done: make(chan error, 1)},
		outboxPause: Backoff{firstFault, mostFault}.exponential(),
		backoffs:    cfg.backoffs(), refusals: Backoff{cfg.Retry.First, min(cfg.Retry.Most, lastRefusal)}.exponential(),
	}
	for range cfg.Connections {
		s.lines = append(s.lines, &line{backoffs: cfg.backoffs()})
	}
	return s
}

// Wake tells the Sender that the outbox has something new. It never blocks and
// may be called from anywhere.
func (s *Sender) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// More tells the Sender that letters which it knows of can go now. Unlike Wake, it does not
// make it look at once for what is more urgent: what was read to be sent goes first.
func (s *Sender) More() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Run works until ctx is done and then returns nil. Letters under way get a
// few seconds to end.
func (s *Sender) Run(ctx context.Context) error {
	defer func() {
		for _, l := range s.lines {
			l.hangUp()
		}
	}()
	for ctx.Err() == nil {
		held, err := s.pass(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// A Wake must not shorten this pause: the trouble is not in the outbox.
			if !s.trouble(ctx, err) {
				return nil
			}
			continue
		}
		pause, err := s.untilNext(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			if !s.trouble(ctx, fmt.Errorf("%w: %w", errOutbox, err)) {
				return nil
			}
			continue
		}
		s.outboxWell()
		if held > 0 {
			// What is due may not go yet, but an urgent letter may come.
			pause = min(held, maxRest)
		}
		for _, l := range s.lines {
			if l.conn != nil && s.now().Sub(l.lastUsed) >= maxIdle {
				_ = l.conn.Quit()
				l.hangUp()
			}
		}
		s.rest(ctx, pause)
	}
	return nil
}

// trouble waits after an error, and reports whether it came to the end of that.
func (s *Sender) trouble(ctx context.Context, err error) bool {
	if errors.Is(err, errOutbox) {
		return s.noOutbox(ctx, err)
	}
	tell := func(pause time.Duration, hint string) {
		s.log.Warn("letters are waiting", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "hint", hint, "retry_in",
			pause.Round(time.Millisecond))
	}
	if r := (*refusal)(nil); errors.As(err, &r) {
		const hint = "no letter is lost: see what the provider says of our account and our address"
		s.connection.over()
		s.refusal.met(s.now(), err, hint)
		tell(r.pause, hint)
		return sleep(ctx, r.pause)
	}
	hint := configTrouble(err)
	s.connection.met(s.now(), err, hint)
	return s.backoffs.wait(ctx, err, func(pause time.Duration) { tell(pause, hint) })
}

func (s *Sender) untilNext(ctx context.Context) (time.Duration, error) {
	next, ok, err := s.box.NextDue(ctx)
	if err != nil || !ok {
		return maxRest, err
	}
	// Never nothing: an outbox that calls a letter due and does not give it
	// must not make us spin.
	return min(max(next.Sub(s.now()), 10*time.Millisecond), maxRest), nil
}

func (s *Sender) rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.wake:
	case <-s.more:
	case <-t.C:
	case <-ctx.Done():
	}
}

// remember reads what went out before this process began, once: where others send as well,
// whenever letters are read.
func (s *Sender) remember(ctx context.Context) error {
	if s.counted && s.cfg.Claims == nil || s.cfg.History == nil || s.cfg.Limits == (Limits{}) {
		return nil
	}
	unbooked := s.books.len()
	times, err := s.cfg.History(ctx, s.now().Add(-aDay))
	if err != nil {
		return fmt.Errorf("%w: reading what went out today: %w", errOutbox, err)
	}
	if s.counted {
		// Ours are among them, but for those that are not booked yet.
		s.limiter.times = slices.Repeat([]time.Time{s.now()}, unbooked)
	}
	s.limiter.times, s.counted = append(times, s.limiter.times...), true
	return nil
}

// pass sends what is due, until nothing is left that can go. held is how long the provider's
// limits hold up the next letter. An error means trouble that is no letter's fault, or not only.
func (s *Sender) pass(ctx context.Context) (held time.Duration, err error) {
	// What could not be booked last time is still due in the outbox; to read it
	// again before it is booked would send it twice.
	if err := s.books.flush(ctx, s.now()); err != nil {
		return 0, err
	}
	s.queue, s.unread = nil, true
	for ctx.Err() == nil {
		if err = s.read(ctx); err != nil {
			break
		}
		if held, err = s.start(ctx); err != nil || held > 0 {
			break
		}
		if s.flying() == 0 && len(s.queue) == 0 && !s.unread {
			break
		}
		if err = s.await(ctx); err != nil {
			break
		}
	}
	dropped := len(s.queue) > 0
	s.queue = nil
	for s.flying() > 0 {
		if e := s.settle(ctx, <-s.ended); err == nil {
			err = e
		}
	}
	if e := s.books.flush(ctx, s.now()); err == nil {
		err = e
	}
	if dropped && s.cfg.Claims != nil {
		if e := s.cfg.Claims.Release(ctx, s.known()...); err == nil && e != nil {
			err = fmt.Errorf("%w: %w", errOutbox, e)
		}
	}
	return held, err
}

// read reads more letters into the queue where some may be more urgent than those in it, or
// where it has none left that can go.
func (s *Sender) read(ctx context.Context) error {
	if !s.unread || len(s.queue) >= mostRead || !s.woken && len(s.startable()) >= s.cfg.Connections {
		return nil
	}
	if err := s.remember(ctx); err != nil {
		return err
	}
	s.unread, s.woken = false, false
	known := s.known()
	due, err := s.box.Due(ctx, s.now(), sendBatch, known...)
	if err != nil {
		return fmt.Errorf("%w: reading the letters that are due: %w", errOutbox, err)
	}
	full := len(due) >= sendBatch
	due = without(due, known)
	if len(due) == 0 {
		return nil
	}
	s.unread = full
	s.queue.add(due)
	return nil
}

// known are the letters that are not to be read again.
func (s *Sender) known() []int64 {
	ids := s.books.ids()
	for _, o := range s.queue {
		ids = append(ids, o.ID)
	}
	for _, l := range s.lines {
		if l.busy() {
			ids = append(ids, l.letter.ID)
		}
	}
	return ids
}

// startable are the first letters of the queue that may go now, as many as matter.
func (s *Sender) startable() []int {
	busy := addressees{}
	for _, l := range s.lines {
		if l.busy() {
			busy.add(l.letter)
		}
	}
	return s.queue.startable(busy, &s.unclear, s.cfg.Connections+1)
}

// flying is how many letters are on their way.
func (s *Sender) flying() (n int) {
	for _, l := range s.lines {
		if l.busy() {
			n++
		}
	}
	return n
}

// start sends letters off, as many as may go. held is how long the provider's limits hold up
// the next, where none is on its way.
func (s *Sender) start(ctx context.Context) (held time.Duration, err error) {
	for s.books.len() < 2*bookBatch {
		can := s.startable()
		if len(can) == 0 {
			break
		}
		o := s.queue[can[0]]
		if s.cfg.Envelope == EnvelopeToken {
			o.EnvelopeFrom = reportAddress(o)
		}
		if reason := unsendable(o); reason != "" {
			s.queue.take(can[0])
			if err := s.failed(ctx, o, &replyClass{permanent: true, reason: reason}); err != nil {
				return 0, err
			}
			continue
		}
		flying := s.flying()
		if held := s.limiter.wait(s.now(), o.Urgent, flying); held > 0 {
			if flying > 0 {
				return 0, nil
			}
			// The urgent ones come first, so what follows has to wait as well.
			s.log.Debug("letters wait for the provider's limit", "for", held)
			return held, nil
		}
		l := s.free(len(can))
		if l == nil {
			return 0, nil
		}
		s.queue.take(can[0])
		l.letter, l.since = &o, s.now()
		go func() { s.ended <- l.send(ctx, s.cfg, s.dial) }()
	}
	return 0, nil
}

// await waits until something has happened.
func (s *Sender) await(ctx context.Context) error {
	if s.books.len() >= bookBatch || len(s.startable()) == 0 || s.flying() == 0 {
		s.books.begin(ctx, s.now())
	}
	t := time.NewTimer(s.nextLook())
	defer t.Stop()
	select {
	case o := <-s.ended:
		return s.settle(ctx, o)
	case err := <-s.books.done:
		return s.books.end(err)
	case <-s.wake:
		s.unread, s.woken = true, true
	case <-s.more:
		s.unread = true
	case <-t.C:
		s.unread = true
	case <-ctx.Done():
	}
	return nil
}

// nextLook is when a connection may be made that may not yet, or a letter may have become due.
func (s *Sender) nextLook() time.Duration {
	d := maxLook
	for _, l := range s.lines {
		at := l.rests
		if l.busy() {
			at = l.since.Add(slowAfter)
		}
		if left := at.Sub(s.now()); left > 0 {
			d = min(d, left)
		}
	}
	return d
}
