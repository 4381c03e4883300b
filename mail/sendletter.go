package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/mail/message"
)

// accountRefusal is that the server refuses us, and not a letter.
type accountRefusal struct {
	reason string
	// waitForNews is how long nothing is tried.
	pause time.Duration
}

func (r *accountRefusal) Error() string { return "the server refuses us: " + r.reason }

// reportAddress is where reports on a letter go that name it.
func reportAddress(o Outgoing) string { return message.ReportAddress(o.EnvelopeFrom, o.LetterID) }

// handleDelivery takes note of what became of a letter.
func (s *Sender) handleDelivery(ctx context.Context, r delivery) error {
	l, o := r.slot, r.letter
	l.letter = nil
	if r.err == nil {
		l.backoffs.reset()
		s.recordSent(o)
		return nil
	}
	if errors.Is(r.err, errClaimLost) {
		l.backoffs.reset()
		s.mayHaveMore = true
		return nil
	}
	if r.at == "" {
		// No letter is blamed for that.
		s.queue = slices.Insert(s.queue, 0, o)
		return s.handleSlotError(l, r.err)
	}
	v := classifyReply(r.at, r.err)
	if r.at == atDot && v.lost {
		s.limiter.record(s.now())
	}
	if v.lost && ctx.Err() != nil {
		// We hung up, and nobody failed: the letter is tried first thing after
		// the restart.
		return fmt.Errorf("stopped in a letter: %w", r.err)
	}
	if v.lost && r.at == atMail && !r.isReused && s.hasOtherConnection(l) {
		// The server has one connection too many.
		s.queue = slices.Insert(s.queue, 0, o)
		return s.handleSlotError(l, r.err)
	}
	return s.handleRefusal(ctx, l, o, r.at, v, r.err)
}

// recordSent notes that the server has taken a letter.
func (s *Sender) recordSent(o Outgoing) {
	now := s.now()
	s.limiter.record(now)
	s.ambiguity.recordSent(o.ID, now)
	s.sentLog.unrecorded = append(s.sentLog.unrecorded, o.ID)
	s.connectionTrouble.clear()
	s.refusalTrouble.clear()
	s.backoffs.reset()
	s.refusalBackoff.Reset()
}

// handleRefusal notes that it has not, whoever is to blame.
func (s *Sender) handleRefusal(ctx context.Context, l *sendSlot, o Outgoing, at stage, v replyClass, err error) error {
	if v.cause == causeAccount || v.cause == causeUnclear && s.ambiguity.concernsAccount(v.code, o.To) {
		return s.deferRefused(ctx, o, v)
	}
	told := v
	if err := s.recordFailed(ctx, o, &v); err != nil {
		return err
	}
	notNow := at == atRcpt && !told.permanent && !(told.cause == causeUnclear && told.isPermanentCode)
	if err := s.delayFollowing(ctx, o, v.permanent, notNow, told); err != nil {
		return err
	}
	if v.lost {
		// The next letter may fare no better: a server that drops every
		// connection must not be called once for each letter.
		return s.handleSlotError(l, fmt.Errorf("connection lost in a letter: %w", err))
	}
	s.backoffs.reset()
	s.connectionTrouble.clear() // The server listens, and refused this letter alone.
	return nil
}

// delayFollowing keeps letters of the queue from overtaking one that was not taken. Of a recipient of
// whom the server does not want to hear now it would say the same of each.
func (s *Sender) delayFollowing(ctx context.Context, o Outgoing, ended, notNow bool, v replyClass) error {
	next := s.now().Add(s.cfg.Retry.Delay(o.Attempts + 1))
	for i := 0; i < len(s.queue); {
		q := s.queue[i]
		var err error
		switch {
		case notNow && strings.EqualFold(q.To, o.To):
			told := v
			err = s.recordFailed(ctx, q, &told)
		case !ended && o.Reader != "" && q.Reader == o.Reader:
			err = s.deferLetter(ctx, q, next, "an older letter was not taken")
		default:
			i++
			continue
		}
		if err != nil {
			return err
		}
		s.queue.remove(i)
	}
	return nil
}

// recordFailed books a failed try. It is for good where v says so, or does so afterwards.
func (s *Sender) recordFailed(ctx context.Context, o Outgoing, v *replyClass) error {
	now := s.now()
	n := o.Attempts + 1
	switch {
	case v.permanent || o.Early:
	case v.cause == causeUnclear && !s.ambiguity.othersTaken(o.ID, now):
		// It may be our account, however long that lasts: no letter is given up by it.
	case v.cause == causeUnclear && v.isPermanentCode && s.ambiguity.concernsLetter(n, now):
		v.permanent = true
	case n >= s.cfg.Retry.Attempts():
		v.permanent = true
		v.reason = fmt.Sprintf("given up after %d tries: %s", n, v.reason)
	}
	if v.permanent {
		s.ambiguity.forget(o.ID)
	}
	next := now.Add(s.cfg.Retry.Delay(n))
	s.log.Warn("letter was not sent", "id", o.ID, "try", n, "permanent", v.permanent, "reason", message.WithoutAddresses(v.reason))
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), outboxTimeout)
	defer cancel()
	if err := s.outbox.Failed(bctx, o.ID, now, next, v.permanent, v.reason); err != nil {
		return fmt.Errorf("%w: booking letter %d as failed: %w", errOutbox, o.ID, err)
	}
	return nil
}

// deferLetter puts a letter off, and counts nothing.
func (s *Sender) deferLetter(ctx context.Context, o Outgoing, next time.Time, reason string) error {
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), outboxTimeout)
	defer cancel()
	if err := s.outbox.Deferred(bctx, o.ID, s.now(), next, reason); err != nil {
		return fmt.Errorf("%w: putting letter %d off: %w", errOutbox, o.ID, err)
	}
	return nil
}

// reportRefusal puts a letter off that the server did not take because of us. Its try is
// not counted: else a login that is locked for a week would cost every letter. It
// waits for twice the pause, so that another letter is tried first, also when this one
// is urgent: it may be this one after all.
func (s *Sender) deferRefused(ctx context.Context, o Outgoing, v replyClass) error {
	r := &accountRefusal{reason: v.reason, pause: s.refusalBackoff.NextBackOff()}
	if err := s.deferLetter(ctx, o, s.now().Add(2*r.pause), v.reason); err != nil {
		return err
	}
	return r
}

// slowAfter is for how long letters wait for those on their way before another connection is
// made for them, where it is not made because of their number.
const slowAfter = 5 * time.Second

// slot is one connection to the server, or the place for one.
type sendSlot struct {
	// letter is on its way since a time; nil for none. Until it has ended the connection
	// is its goroutine's.
	letter *Outgoing
	since  time.Time

	conn     transport
	isReused bool
	lastUsed time.Time
	// restsUntil is until when no connection is made here: the last has failed while others did
	// not. Servers bound how many they hold.
	restsUntil time.Time
	backoffs   *backoffs
}

// delivery is what became of a letter that was sent off.
type delivery struct {
	slot   *sendSlot
	letter Outgoing
	// at is the step that failed; empty where it was the connecting.
	at  stage
	err error
	// isReused means that the connection has served others before.
	isReused bool
}

func (l *sendSlot) isBusy() bool { return l.letter != nil }

func (l *sendSlot) closeConn() {
	if l.conn != nil {
		_ = l.conn.Close()
	}
	l.conn = nil
}

// sendLetter sends the line's letter over its kept connection, or over a new one when there is none
// or the kept one turns out to be closed.
func (l *sendSlot) send(ctx context.Context, cfg SMTPConfig, dial func(context.Context, SMTPConfig) (transport, error)) delivery {
	o := delivery{slot: l, letter: *l.letter}
	for {
		if l.conn == nil {
			if l.conn, o.err = dial(ctx, cfg); o.err != nil {
				l.conn, o.at = nil, ""
				return o
			}
			l.isReused = false
		}
		o.isReused = l.isReused
		o.at, o.err = l.transaction(ctx, cfg)
		l.isReused, l.lastUsed = true, cfg.Now()
		if o.err == nil {
			return o
		}
		lost := !errors.Is(o.err, errClaimLost) && classifyReply(o.at, o.err).lost
		if lost || l.conn.Reset() != nil {
			l.closeConn()
		}
		if !lost || !o.isReused || o.at != atMail || ctx.Err() != nil {
			return o
		}
	}
}

// transaction gives a letter all the time it can need and no more, and lets one
// under way end when the daemon stops, but not for long.
func (l *sendSlot) transaction(ctx context.Context, cfg SMTPConfig) (stage, error) {
	// Three commands, the letter at 64 KiB a second, the answer.
	limit := 3*cfg.CommandTimeout + cfg.SubmissionTimeout + time.Duration(len(l.letter.Raw)>>16)*time.Second
	c := l.conn
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		all := time.NewTimer(limit)
		defer all.Stop()
		select {
		case <-done:
			return
		case <-all.C:
			_ = c.Close()
			return
		case <-ctx.Done():
		}
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
			_ = c.Close()
		}
	}()
	at, err := c.deliver(*l.letter)
	close(done)
	<-ended
	return at, err
}

// findSlot is the line for the next letter, of some that may go: an open connection, or a new one
// where more letters wait than those soon can send, or where they are slow. It is nil where
// the letter has to wait.
func (s *Sender) findSlot(waiting int) *sendSlot {
	var idle, empty *sendSlot
	open, slow := 0, true
	for _, l := range s.slots {
		switch {
		case l.isBusy():
			open++
			slow = slow && s.now().Sub(l.since) >= slowAfter
		case l.conn != nil:
			open++
			if idle == nil || l.lastUsed.After(idle.lastUsed) {
				idle = l
			}
		case !l.restsUntil.After(s.now()):
			empty = l
		}
	}
	if idle != nil {
		return idle
	}
	if open == 0 || waiting > open || slow {
		return empty
	}
	return nil
}

// hasOtherConnection reports whether another line than one has a connection.
func (s *Sender) hasOtherConnection(than *sendSlot) bool {
	for _, l := range s.slots {
		if l != than && (l.isBusy() || l.conn != nil) {
			return true
		}
	}
	return false
}

// handleSlotError is for a line whose connection failed. Where there are others the work goes on, and
// nothing is tried here for a while.
func (s *Sender) handleSlotError(l *sendSlot, err error) error {
	if !s.hasOtherConnection(l) {
		return err
	}
	_, long := l.backoffs.nextPause(err)
	l.restsUntil = s.now().Add(long)
	s.log.Info("a connection of several failed", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "retry_in",
		long.Round(time.Millisecond))
	return nil
}

// SendOnce hands one letter over that is in no outbox: it is tried once.
func SendOnce(ctx context.Context, cfg SMTPConfig, o Outgoing) error {
	if reason := unsendableReason(o); reason != "" {
		return errors.New(reason)
	}
	c, err := dialSMTP(ctx, cfg.WithDefaults())
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if at, err := c.deliver(o); err != nil {
		return errors.Join(fmt.Errorf("at %s: %w", at, err), c.Close())
	}
	return c.Quit()
}
