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
	// sendBatch is how many letters are read from the outbox at once, maxQueued how many
	// are read and not sent yet: they may all be for one recipient who is slow.
	sendBatch = 32
	maxQueued = 4 * sendBatch
	// sentLogBatch is how many sent letters are booked at once, where others wait to be sent.
	// A crash repeats at most twice as many.
	sentLogBatch = 32
	// maxPause bounds the pause when nothing is due, against a lost Wake.
	maxPause = time.Minute
	// maxCheckPause bounds it while a letter is on its way.
	maxCheckPause = 10 * time.Second
	// maxIdle is how long a connection is kept that nobody needs.
	maxIdle = time.Minute
	// grace is what a letter under way gets when the daemon stops.
	grace = 5 * time.Second
	// maxRefusalPause bounds the pause after the server has refused us: a player may
	// wait for a letter when it does so no more.
	maxRefusalPause = time.Hour
	// outboxTimeout bounds one call of the outbox.
	outboxTimeout = 30 * time.Second
)

// Sender works through a Queue. See the package comment for what it promises.
type Sender struct {
	cfg    SMTPConfig
	outbox Queue
	log    *slog.Logger
	now    func() time.Time
	wake   chan struct{}
	more   chan struct{}

	// dial is a field so that the schedule can be tested without sockets.
	dial func(context.Context, SMTPConfig) (transport, error)

	// Only Run's goroutine touches what follows.
	slots      []*sendSlot
	deliveries chan delivery
	queue      sendQueue
	// mayHaveMore tells that the outbox may have letters that can go and are not in the queue, woken
	// that they may be more urgent than those.
	mayHaveMore, mayHaveUrgent bool
	sentLog                    sentLog
	limiter                    sendLimiter
	historyLoaded              bool
	// backoffs are those after trouble with the connection, refusals the one after
	// the server has refused us.
	backoffs       *backoffs
	refusalBackoff *backoff.ExponentialBackOff
	ambiguity      ambiguity

	// connectionTrouble is why nothing can be sent, refusal that the server refuses us, whatever the letter.
	connectionTrouble, refusalTrouble troubleState
	// outboxTrouble is why the outbox cannot be used, outboxPause that until it is tried again.
	outboxTrouble troubleState
	outboxPause   *backoff.ExponentialBackOff
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
		cfg: cfg, outbox: box, log: log, now: cfg.Now, wake: make(chan struct{}, 1), more: make(chan struct{}, 1), dial: dialSMTP,
		limiter:    sendLimiter{limits: cfg.Limits},
		deliveries: make(chan delivery, cfg.Connections), sentLog: sentLog{outbox: box, done: make(chan error, 1)},
		outboxPause: Backoff{minFaultPause, maxFaultPause}.exponential(),
		backoffs:    cfg.backoffs(), refusalBackoff: Backoff{cfg.Retry.First, min(cfg.Retry.Most, maxRefusalPause)}.exponential(),
	}
	for range cfg.Connections {
		s.slots = append(s.slots, &sendSlot{backoffs: cfg.backoffs()})
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
		for _, l := range s.slots {
			l.closeConn()
		}
	}()
	for ctx.Err() == nil {
		held, err := s.sendDue(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// A Wake must not shorten this pause: the trouble is not in the outbox.
			if !s.waitAfterTrouble(ctx, err) {
				return nil
			}
			continue
		}
		pause, err := s.untilNext(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			if !s.waitAfterTrouble(ctx, fmt.Errorf("%w: %w", errOutbox, err)) {
				return nil
			}
			continue
		}
		s.clearOutboxTrouble()
		if held > 0 {
			// What is due may not go yet, but an urgent letter may come.
			pause = min(held, maxPause)
		}
		for _, l := range s.slots {
			if l.conn != nil && s.now().Sub(l.lastUsed) >= maxIdle {
				_ = l.conn.Quit()
				l.closeConn()
			}
		}
		s.waitForWake(ctx, pause)
	}
	return nil
}

// waitAfterTrouble waits after an error, and reports whether it came to the end of that.
func (s *Sender) waitAfterTrouble(ctx context.Context, err error) bool {
	if errors.Is(err, errOutbox) {
		return s.waitAfterOutboxError(ctx, err)
	}
	tell := func(pause time.Duration, hint string) {
		s.log.Warn("letters are waiting", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "hint", hint, "retry_in",
			pause.Round(time.Millisecond))
	}
	if r := (*accountRefusal)(nil); errors.As(err, &r) {
		const hint = "no letter is lost: see what the provider says of our account and our address"
		s.connectionTrouble.clear()
		s.refusalTrouble.record(s.now(), err, hint)
		tell(r.pause, hint)
		return sleep(ctx, r.pause)
	}
	hint := operatorHint(err)
	s.connectionTrouble.record(s.now(), err, hint)
	return s.backoffs.wait(ctx, err, func(pause time.Duration) { tell(pause, hint) })
}

func (s *Sender) untilNext(ctx context.Context) (time.Duration, error) {
	next, ok, err := s.outbox.NextDue(ctx)
	if err != nil || !ok {
		return maxPause, err
	}
	// Never nothing: an outbox that calls a letter due and does not give it
	// must not make us spin.
	return min(max(next.Sub(s.now()), 10*time.Millisecond), maxPause), nil
}

func (s *Sender) waitForWake(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.wake:
	case <-s.more:
	case <-t.C:
	case <-ctx.Done():
	}
}

// loadHistory reads what went out before this process began, once: where others send as well,
// whenever letters are read.
func (s *Sender) loadHistory(ctx context.Context) error {
	if s.historyLoaded && s.cfg.Claims == nil || s.cfg.History == nil || s.cfg.Limits == (Limits{}) {
		return nil
	}
	unbooked := s.sentLog.len()
	times, err := s.cfg.History(ctx, s.now().Add(-dayWindow))
	if err != nil {
		return fmt.Errorf("%w: reading what went out today: %w", errOutbox, err)
	}
	if s.historyLoaded {
		// Ours are among them, but for those that are not booked yet.
		s.limiter.times = slices.Repeat([]time.Time{s.now()}, unbooked)
	}
	s.limiter.times, s.historyLoaded = append(times, s.limiter.times...), true
	return nil
}

// sendDue sends what is due, until nothing is left that can go. held is how long the provider's
// limits hold up the next letter. An error means trouble that is no letter's fault, or not only.
func (s *Sender) sendDue(ctx context.Context) (held time.Duration, err error) {
	// What could not be booked last time is still due in the outbox; to read it
	// again before it is booked would send it twice.
	if err := s.sentLog.flush(ctx, s.now()); err != nil {
		return 0, err
	}
	s.queue, s.mayHaveMore = nil, true
	for ctx.Err() == nil {
		if err = s.readDue(ctx); err != nil {
			break
		}
		if held, err = s.startDeliveries(ctx); err != nil || held > 0 {
			break
		}
		if s.countInFlight() == 0 && len(s.queue) == 0 && !s.mayHaveMore {
			break
		}
		if err = s.waitForEvent(ctx); err != nil {
			break
		}
	}
	dropped := len(s.queue) > 0
	s.queue = nil
	for s.countInFlight() > 0 {
		if e := s.handleDelivery(ctx, <-s.deliveries); err == nil {
			err = e
		}
	}
	if e := s.sentLog.flush(ctx, s.now()); err == nil {
		err = e
	}
	if dropped && s.cfg.Claims != nil {
		if e := s.cfg.Claims.Release(ctx, s.excludedIDs()...); err == nil && e != nil {
			err = fmt.Errorf("%w: %w", errOutbox, e)
		}
	}
	return held, err
}

// readDue reads more letters into the queue where some may be more urgent than those in it, or
// where it has none left that can go.
func (s *Sender) readDue(ctx context.Context) error {
	if !s.mayHaveMore || len(s.queue) >= maxQueued || !s.mayHaveUrgent && len(s.startable()) >= s.cfg.Connections {
		return nil
	}
	if err := s.loadHistory(ctx); err != nil {
		return err
	}
	s.mayHaveMore, s.mayHaveUrgent = false, false
	known := s.excludedIDs()
	due, err := s.outbox.Due(ctx, s.now(), sendBatch, known...)
	if err != nil {
		return fmt.Errorf("%w: reading the letters that are due: %w", errOutbox, err)
	}
	full := len(due) >= sendBatch
	due = withoutIDs(due, known)
	if len(due) == 0 {
		return nil
	}
	s.mayHaveMore = full
	s.queue.add(due)
	return nil
}

// excludedIDs are the letters that are not to be read again.
func (s *Sender) excludedIDs() []int64 {
	ids := s.sentLog.ids()
	for _, o := range s.queue {
		ids = append(ids, o.ID)
	}
	for _, l := range s.slots {
		if l.isBusy() {
			ids = append(ids, l.letter.ID)
		}
	}
	return ids
}

// startable are the first letters of the queue that may go now, as many as matter.
func (s *Sender) startable() []int {
	busy := addressees{}
	for _, l := range s.slots {
		if l.isBusy() {
			busy.add(l.letter)
		}
	}
	return s.queue.startable(busy, &s.ambiguity, s.cfg.Connections+1)
}

// countInFlight is how many letters are on their way.
func (s *Sender) countInFlight() (n int) {
	for _, l := range s.slots {
		if l.isBusy() {
			n++
		}
	}
	return n
}

// startDeliveries sends letters off, as many as may go. held is how long the provider's limits hold up
// the next, where none is on its way.
func (s *Sender) startDeliveries(ctx context.Context) (held time.Duration, err error) {
	for s.sentLog.len() < 2*sentLogBatch {
		can := s.startable()
		if len(can) == 0 {
			break
		}
		o := s.queue[can[0]]
		if s.cfg.Envelope == EnvelopeToken {
			o.EnvelopeFrom = reportAddress(o)
		}
		if reason := unsendableReason(o); reason != "" {
			s.queue.remove(can[0])
			if err := s.recordFailed(ctx, o, &replyClass{permanent: true, reason: reason}); err != nil {
				return 0, err
			}
			continue
		}
		flying := s.countInFlight()
		if held := s.limiter.wait(s.now(), o.Urgent, flying); held > 0 {
			if flying > 0 {
				return 0, nil
			}
			// The urgent ones come first, so what follows has to wait as well.
			s.log.Debug("letters wait for the provider's limit", "for", held)
			return held, nil
		}
		l := s.findSlot(len(can))
		if l == nil {
			return 0, nil
		}
		s.queue.remove(can[0])
		l.letter, l.since = &o, s.now()
		go func() { s.deliveries <- l.send(ctx, s.cfg, s.dial) }()
	}
	return 0, nil
}

// awaitLetter waits until something has happened.
func (s *Sender) waitForEvent(ctx context.Context) error {
	if s.sentLog.len() >= sentLogBatch || len(s.startable()) == 0 || s.countInFlight() == 0 {
		s.sentLog.begin(ctx, s.now())
	}
	t := time.NewTimer(s.untilNextCheck())
	defer t.Stop()
	select {
	case o := <-s.deliveries:
		return s.handleDelivery(ctx, o)
	case err := <-s.sentLog.done:
		return s.sentLog.end(err)
	case <-s.wake:
		s.mayHaveMore, s.mayHaveUrgent = true, true
	case <-s.more:
		s.mayHaveMore = true
	case <-t.C:
		s.mayHaveMore = true
	case <-ctx.Done():
	}
	return nil
}

// untilNextCheck is when a connection may be made that may not yet, or a letter may have become due.
func (s *Sender) untilNextCheck() time.Duration {
	d := maxCheckPause
	for _, l := range s.slots {
		at := l.restsUntil
		if l.isBusy() {
			at = l.since.Add(slowAfter)
		}
		if left := at.Sub(s.now()); left > 0 {
			d = min(d, left)
		}
	}
	return d
}
