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

// One goroutine assigns letters to connections and records results. A letter is recorded as sent only after the
// server has accepted it, and stays in the outbox until it is recorded as sent or failed.

const (
	// sendBatchSize is the number of letters that are read from the outbox at once. The first batch may be all for one
	// slow recipient, so more batches are read, up to maxQueued unsent letters.
	sendBatchSize = 32
	maxQueued     = 4 * sendBatchSize
	// sentLogBatch is the number of sent letters that are recorded at once while other letters wait. After a crash,
	// at most twice this number of letters is sent again.
	sentLogBatch = 32
	// maxPause limits the pause while no letter is due, in case a call of Wake was lost.
	maxPause = time.Minute
	// maxCheckPause limits the pause while a letter is in flight.
	maxCheckPause = 10 * time.Second
	// maxIdle is the time after which an unused connection is closed.
	maxIdle = time.Minute
	// stopGracePeriod is how long a letter in flight may still take when the daemon stops.
	stopGracePeriod = 5 * time.Second
	// maxRefusalPause limits the pause after the server refused our account, because players may be waiting for
	// letters.
	maxRefusalPause = time.Hour
	outboxTimeout   = 30 * time.Second
)

// Sender sends the letters of a Queue. See the package comment for its guarantees.
type Sender struct {
	cfg     SMTPConfig
	outbox  Queue
	log     *slog.Logger
	now     func() time.Time
	wake    chan struct{}
	moreDue chan struct{}

	// dial is a field so that tests can run without sockets.
	dial func(context.Context, SMTPConfig) (transport, error)

	// These fields belong to Run's goroutine.
	slots      []*sendSlot
	deliveries chan delivery
	queue      sendQueue
	// mayHaveMore reports whether the outbox may have due letters that are not in the queue. mayHaveUrgent reports
	// whether these letters may be more urgent than those in the queue.
	mayHaveMore, mayHaveUrgent bool
	sentLog                    sentLog
	limiter                    sendLimiter
	hasSendTimes               bool
	// backoffs has the pauses after connection errors, and refusalBackoff the pause after a refusal of our account.
	backoffs       *backoffs
	refusalBackoff *backoff.ExponentialBackOff
	// ambiguity remembers unclear refusals, which may be about a letter or about our account.
	ambiguity ambiguityTracker

	// connectionTrouble is set if the server cannot be reached, refusalTrouble if it accepts no letter of ours, and
	// outboxTrouble if the outbox cannot be used.
	connectionTrouble, refusalTrouble troubleState
	outboxTrouble                     troubleState
	outboxPause                       *backoff.ExponentialBackOff
}

// transport is a logged-in SMTP connection.
type transport interface {
	// deliver sends a letter. If it returns an error, the stage is the step that failed.
	deliver(Outgoing) (stage, error)
	Reset() error
	Quit() error
	Close() error
}

// NewSender returns a Sender. Zero fields of cfg get defaults.
func NewSender(cfg SMTPConfig, outbox Queue, log *slog.Logger) *Sender {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg = cfg.WithDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Sender{
		cfg: cfg, outbox: outbox, log: log, now: cfg.Now, wake: make(chan struct{}, 1), moreDue: make(chan struct{}, 1), dial: dialSMTP,
		limiter:    sendLimiter{limits: cfg.Limits},
		deliveries: make(chan delivery, cfg.Connections), sentLog: sentLog{outbox: outbox, done: make(chan error, 1)},
		outboxPause: Backoff{minFaultPause, maxFaultPause}.exponential(),
		backoffs:    cfg.backoffs(), refusalBackoff: Backoff{cfg.Retry.First, min(cfg.Retry.Max, maxRefusalPause)}.exponential(),
	}
	for range cfg.Connections {
		s.slots = append(s.slots, &sendSlot{backoffs: cfg.backoffs()})
	}
	return s
}

// Wake tells the Sender that the outbox has new letters. It never blocks.
func (s *Sender) Wake() {
	signal(s.wake)
}

// WakeForDue tells the Sender that it can now send letters that were in the outbox before, for example because their
// pictures are drawn. Unlike Wake, it does not make the Sender look for more urgent letters first.
func (s *Sender) WakeForDue() {
	signal(s.moreDue)
}

// Run sends letters until ctx is done and returns nil. Letters in flight get a few seconds to finish.
func (s *Sender) Run(ctx context.Context) error {
	defer func() {
		for _, slot := range s.slots {
			slot.closeConn()
		}
	}()
	for ctx.Err() == nil {
		limitWait, err := s.sendDue(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// Wake must not shorten this pause, because new letters do not end the fault.
			if !s.waitAfterTrouble(ctx, err) {
				return nil
			}
			continue
		}
		pause, err := s.timeUntilNext(ctx)
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
		if limitWait > 0 {
			// Due letters wait for the provider's limit, which may be higher for an urgent letter that comes in the
			// pause.
			pause = min(limitWait, maxPause)
		}
		for _, slot := range s.slots {
			if slot.conn != nil && s.now().Sub(slot.lastUsed) >= maxIdle {
				_ = slot.conn.Quit()
				slot.closeConn()
			}
		}
		s.waitForWake(ctx, pause)
	}
	return nil
}

// waitAfterTrouble pauses after an error. It returns false if ctx is done.
func (s *Sender) waitAfterTrouble(ctx context.Context, err error) bool {
	if errors.Is(err, errOutbox) {
		return s.waitAfterOutboxError(ctx, err)
	}
	notify := func(pause time.Duration, hint string) {
		s.log.Warn("letters are waiting for the mail server", "server", s.cfg.Address,
			"error", message.WithoutAddresses(err.Error()), "hint", hint, "retry_in",
			pause.Round(time.Millisecond))
	}
	if r := (*accountRefusal)(nil); errors.As(err, &r) {
		const hint = "no letter is lost: check the account and sender address with the provider"
		s.connectionTrouble.clear()
		s.refusalTrouble.record(s.now(), err, hint)
		notify(r.pause, hint)
		return sleep(ctx, r.pause)
	}
	hint := Hint(err)
	s.connectionTrouble.record(s.now(), err, hint)
	return s.backoffs.wait(ctx, err, func(pause time.Duration) { notify(pause, hint) })
}

func (s *Sender) timeUntilNext(ctx context.Context) (time.Duration, error) {
	next, ok, err := s.outbox.NextDue(ctx)
	if err != nil || !ok {
		return maxPause, err
	}
	// At least 10 ms, in case the outbox reports a due letter and does not return it.
	return min(max(next.Sub(s.now()), 10*time.Millisecond), maxPause), nil
}

func (s *Sender) waitForWake(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.wake:
	case <-s.moreDue:
	case <-t.C:
	case <-ctx.Done():
	}
}

// loadSendTimes loads the times of the letters that were sent in the last 24 hours, for the provider's limits. It
// loads them once, or with Claims before each reading of letters, because other daemons send letters too.
func (s *Sender) loadSendTimes(ctx context.Context) error {
	if s.hasSendTimes && s.cfg.Claims == nil || s.cfg.SentTimes == nil || s.cfg.Limits == (Limits{}) {
		return nil
	}
	unrecorded := s.sentLog.len()
	times, err := s.cfg.SentTimes(ctx, s.now().Add(-dayWindow))
	if err != nil {
		return fmt.Errorf("%w: reading the times of letters sent today: %w", errOutbox, err)
	}
	if s.hasSendTimes {
		// The history contains our letters except the unrecorded ones, which count as sent now.
		s.limiter.times = slices.Repeat([]time.Time{s.now()}, unrecorded)
	}
	s.limiter.times, s.hasSendTimes = append(times, s.limiter.times...), true
	return nil
}

// sendDue sends due letters until none can be sent. limitWait is how long the provider's limits delay the next
// letter, or 0 while a letter is in flight. The error is about the server or the outbox, never about a single letter.
func (s *Sender) sendDue(ctx context.Context) (limitWait time.Duration, err error) {
	// Sent letters that are not recorded yet are still due in the outbox. They are recorded first, because otherwise
	// they would be sent twice.
	if err := s.sentLog.flush(ctx, s.now()); err != nil {
		return 0, err
	}
	s.queue, s.mayHaveMore = nil, true
	for ctx.Err() == nil {
		if err = s.readDue(ctx); err != nil {
			break
		}
		if limitWait, err = s.startDeliveries(ctx); err != nil || limitWait > 0 {
			break
		}
		if s.countInFlight() == 0 && len(s.queue) == 0 && !s.mayHaveMore {
			break
		}
		if err = s.waitForEvent(ctx); err != nil {
			break
		}
	}
	hasUnsent := len(s.queue) > 0
	s.queue = nil
	for s.countInFlight() > 0 {
		if e := s.handleDelivery(ctx, <-s.deliveries); err == nil {
			err = e
		}
	}
	if e := s.sentLog.flush(ctx, s.now()); err == nil {
		err = e
	}
	if hasUnsent && s.cfg.Claims != nil {
		if e := s.cfg.Claims.Release(ctx, s.excludedIDs()...); err == nil && e != nil {
			err = fmt.Errorf("%w: %w", errOutbox, e)
		}
	}
	return limitWait, err
}

// readDue reads letters into the queue if more urgent letters may have come, or if the queue has too few letters that
// can be sent now to use all connections.
func (s *Sender) readDue(ctx context.Context) error {
	if !s.mayHaveMore || len(s.queue) >= maxQueued || !s.mayHaveUrgent && len(s.findStartable()) >= s.cfg.Connections {
		return nil
	}
	if err := s.loadSendTimes(ctx); err != nil {
		return err
	}
	s.mayHaveMore, s.mayHaveUrgent = false, false
	excluded := s.excludedIDs()
	due, err := s.outbox.Due(ctx, s.now(), sendBatchSize, excluded...)
	if err != nil {
		return fmt.Errorf("%w: reading the letters that are due: %w", errOutbox, err)
	}
	isFull := len(due) >= sendBatchSize
	due = slices.DeleteFunc(due, func(letter Outgoing) bool { return slices.Contains(excluded, letter.ID) })
	if len(due) == 0 {
		return nil
	}
	s.mayHaveMore = isFull
	s.queue.add(due)
	return nil
}

// excludedIDs returns the IDs of the letters that must not be read from the outbox again.
func (s *Sender) excludedIDs() []int64 {
	ids := s.sentLog.ids()
	for _, letter := range s.queue {
		ids = append(ids, letter.ID)
	}
	for _, slot := range s.slots {
		if slot.isBusy() {
			ids = append(ids, slot.letter.ID)
		}
	}
	return ids
}

// findStartable returns the queue indexes of letters that may be sent now. It returns at most one index more than
// there are connections.
func (s *Sender) findStartable() []int {
	busy := addressees{}
	for _, slot := range s.slots {
		if slot.isBusy() {
			busy.addAll(slot.letter)
		}
	}
	return s.queue.findStartable(busy, &s.ambiguity, s.cfg.Connections+1)
}

func (s *Sender) countInFlight() (n int) {
	for _, slot := range s.slots {
		if slot.isBusy() {
			n++
		}
	}
	return n
}

// startDeliveries starts sending as many letters as possible. limitWait is how long the provider's limits delay the
// next letter, or 0 while a letter is in flight.
func (s *Sender) startDeliveries(ctx context.Context) (limitWait time.Duration, err error) {
	for s.sentLog.len() < 2*sentLogBatch {
		indexes := s.findStartable()
		if len(indexes) == 0 {
			break
		}
		letter := s.queue[indexes[0]]
		if s.cfg.Envelope == EnvelopeToken {
			letter.EnvelopeFrom = message.ReportAddress(letter.EnvelopeFrom, letter.LetterID)
		}
		if reason := unsendableReason(letter); reason != "" {
			s.queue.remove(indexes[0])
			if err := s.recordFailed(ctx, letter, &replyClass{isPermanent: true, reason: reason}); err != nil {
				return 0, err
			}
			continue
		}
		inFlight := s.countInFlight()
		if limitWait := s.limiter.wait(s.now(), letter.Urgent, inFlight); limitWait > 0 {
			if inFlight > 0 {
				return 0, nil
			}
			// The queue has urgent letters first, so no letter behind this letter may be sent earlier.
			s.log.Debug("letters wait for the provider's limit", "for", limitWait)
			return limitWait, nil
		}
		slot := s.findSlot(len(indexes))
		if slot == nil {
			return 0, nil
		}
		s.queue.remove(indexes[0])
		slot.letter, slot.since = &letter, s.now()
		go func() { s.deliveries <- slot.send(ctx, s.cfg, s.dial) }()
	}
	return 0, nil
}

// waitForEvent waits until a delivery ends, sent letters are recorded, or a letter may have become due.
func (s *Sender) waitForEvent(ctx context.Context) error {
	if s.sentLog.len() >= sentLogBatch || len(s.findStartable()) == 0 || s.countInFlight() == 0 {
		s.sentLog.startRecording(ctx, s.now())
	}
	t := time.NewTimer(s.timeUntilNextCheck())
	defer t.Stop()
	select {
	case result := <-s.deliveries:
		return s.handleDelivery(ctx, result)
	case err := <-s.sentLog.done:
		return s.sentLog.finishRecording(err)
	case <-s.wake:
		s.mayHaveMore, s.mayHaveUrgent = true, true
	case <-s.moreDue:
		s.mayHaveMore = true
	case <-t.C:
		s.mayHaveMore = true
	case <-ctx.Done():
	}
	return nil
}

// timeUntilNextCheck returns the time until a connection may be opened or a letter in flight counts as slow.
func (s *Sender) timeUntilNextCheck() time.Duration {
	d := maxCheckPause
	for _, slot := range s.slots {
		at := slot.blockedUntil
		if slot.isBusy() {
			at = slot.since.Add(slowAfter)
		}
		if remaining := at.Sub(s.now()); remaining > 0 {
			d = min(d, remaining)
		}
	}
	return d
}
