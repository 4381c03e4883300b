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

// accountRefusal is the error if the server refuses our account or sender address.
type accountRefusal struct {
	reason string
	// pause is the time until the next try.
	pause time.Duration
}

func (r *accountRefusal) Error() string { return "the server refuses our account: " + r.reason }

// handleDelivery records the result of a delivery. It returns only errors about the server, the account or the outbox.
func (s *Sender) handleDelivery(ctx context.Context, r delivery) error {
	slot, letter := r.slot, r.letter
	slot.letter = nil
	if r.err == nil {
		slot.backoffs.reset()
		s.recordSent(letter)
		return nil
	}
	if errors.Is(r.err, errClaimLost) {
		slot.backoffs.reset()
		s.mayHaveMore = true
		return nil
	}
	if r.failedStage == "" {
		// Connecting failed, so the error is not about the letter.
		s.queue = slices.Insert(s.queue, 0, letter)
		return s.handleSlotError(slot, r.err)
	}
	reply := classifyReply(r.failedStage, r.err)
	if r.failedStage == atDot && reply.isLost {
		s.limiter.record(s.now()) // The server may have accepted the letter.
	}
	if reply.isLost && ctx.Err() != nil {
		// The daemon is stopping and closed the connection. The letter is not recorded as failed, so it is sent after
		// the restart.
		return fmt.Errorf("the daemon stopped while it sent a letter: %w", r.err)
	}
	if reply.isLost && r.failedStage == atMail && !r.isReused && s.hasOtherConnection(slot) {
		// Another connection works, so the server probably limits the number of connections.
		s.queue = slices.Insert(s.queue, 0, letter)
		return s.handleSlotError(slot, r.err)
	}
	return s.handleRefusal(ctx, slot, letter, r.failedStage, reply, r.err)
}

func (s *Sender) recordSent(letter Outgoing) {
	now := s.now()
	s.limiter.record(now)
	s.ambiguity.recordSent(letter.ID, now)
	s.sentLog.unrecorded = append(s.sentLog.unrecorded, letter.ID)
	s.connectionTrouble.clear()
	s.refusalTrouble.clear()
	s.backoffs.reset()
	s.refusalBackoff.Reset()
}

// handleRefusal records a refused letter as failed, or defers it if the refusal is about our account.
func (s *Sender) handleRefusal(ctx context.Context, slot *sendSlot, letter Outgoing, at stage, reply replyClass, err error) error {
	if reply.cause == causeAccount || reply.cause == causeUnclear && s.ambiguity.recordUnclearRecipient(reply.code, letter.To) {
		return s.deferRefused(ctx, letter, reply)
	}
	refusal := reply // a copy, because recordFailed changes reply
	if err := s.recordFailed(ctx, letter, &reply); err != nil {
		return err
	}
	refusesRecipient := at == atRcpt && !refusal.isPermanent && !(refusal.cause == causeUnclear && refusal.isPermanentCode)
	if err := s.delayFollowing(ctx, letter, reply.isPermanent, refusesRecipient, refusal); err != nil {
		return err
	}
	if reply.isLost {
		// The error makes the Sender pause, in case the server drops every connection.
		return s.handleSlotError(slot, fmt.Errorf("the connection was lost while a letter was sent: %w", err))
	}
	s.backoffs.reset()
	s.connectionTrouble.clear() // The server works: it refused only this letter.
	return nil
}

// delayFollowing delays the queued letters to the reader of a refused letter, so that they do not overtake it. If
// refusesRecipient is set, the server temporarily refuses the address: all queued letters to it are then also recorded as
// refused.
func (s *Sender) delayFollowing(ctx context.Context, letter Outgoing, isFinal, refusesRecipient bool, reply replyClass) error {
	next := s.now().Add(s.cfg.Retry.Delay(letter.Attempts + 1))
	for i := 0; i < len(s.queue); {
		q := s.queue[i]
		var err error
		switch {
		case refusesRecipient && strings.EqualFold(q.To, letter.To):
			refusal := reply
			err = s.recordFailed(ctx, q, &refusal)
		case !isFinal && letter.Reader != "" && q.Reader == letter.Reader:
			err = s.deferLetter(ctx, q, next, "an older letter to the same reader was not accepted")
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

// recordFailed records a failed try. After the last try it sets reply.isPermanent.
func (s *Sender) recordFailed(ctx context.Context, letter Outgoing, reply *replyClass) error {
	now := s.now()
	n := letter.Attempts + 1
	switch {
	case reply.isPermanent || letter.Early:
	case reply.cause == causeUnclear && !s.ambiguity.recordUnclearLetter(letter.ID, now):
		// The refusal may be about our account, so the letter is not given up.
	case reply.cause == causeUnclear && reply.isPermanentCode && s.ambiguity.concernsLetter(n, now):
		reply.isPermanent = true
	case n >= s.cfg.Retry.MaxAttempts():
		reply.isPermanent = true
		reply.reason = fmt.Sprintf("given up after %d tries: %s", n, reply.reason)
	}
	if reply.isPermanent {
		delete(s.ambiguity.firstUnclear, letter.ID)
	}
	next := now.Add(s.cfg.Retry.Delay(n))
	s.log.Warn("letter was not sent", "id", letter.ID, "try", n, "permanent", reply.isPermanent, "reason",
		message.WithoutAddresses(reply.reason))
	return writeOutbox(ctx, fmt.Sprintf("recording letter %d as failed", letter.ID), func(ctx context.Context) error {
		return s.outbox.MarkFailed(ctx, letter.ID, now, next, reply.isPermanent, reply.reason)
	})
}

// deferLetter postpones a letter without counting a try.
func (s *Sender) deferLetter(ctx context.Context, letter Outgoing, next time.Time, reason string) error {
	return writeOutbox(ctx, fmt.Sprintf("postponing letter %d", letter.ID), func(ctx context.Context) error {
		return s.outbox.MarkDeferred(ctx, letter.ID, s.now(), next, reason)
	})
}

// deferRefused postpones a letter after a refusal of our account. It counts no try, so that no letter is given up if
// the account is locked for a week. The Sender pauses, and this letter waits twice as long: the next try is made with
// another letter, in case this letter is the cause.
func (s *Sender) deferRefused(ctx context.Context, letter Outgoing, reply replyClass) error {
	r := &accountRefusal{reason: reply.reason, pause: s.refusalBackoff.NextBackOff()}
	if err := s.deferLetter(ctx, letter, s.now().Add(2*r.pause), reply.reason); err != nil {
		return err
	}
	return r
}

// slowAfter is the time in flight after which a letter counts as slow. If all letters in flight are slow, another
// connection is opened.
const slowAfter = 5 * time.Second

// sendSlot is the place of a connection to the server. It is empty while conn is nil.
type sendSlot struct {
	// letter is the letter in flight, or nil; since is the time when its delivery began. Until the delivery ends,
	// only its goroutine may use conn.
	letter *Outgoing
	since  time.Time

	conn     transport
	isReused bool
	lastUsed time.Time
	// blockedUntil is the time until which no connection is opened in this slot, because its last connection failed
	// while others worked: the server probably limits the number of connections.
	blockedUntil time.Time
	backoffs     *backoffs
}

// delivery is the result of sending a letter.
type delivery struct {
	slot   *sendSlot
	letter Outgoing
	// failedStage is the step that failed. It is empty if connecting failed, or if err is nil.
	failedStage stage
	err         error
	// isReused reports whether the connection had sent other letters before this letter.
	isReused bool
}

func (s *sendSlot) isBusy() bool { return s.letter != nil }

func (s *sendSlot) closeConn() {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	s.conn = nil
}

// send sends the slot's letter. It opens a connection if the slot has none, or if the server has closed a reused
// connection.
func (s *sendSlot) send(ctx context.Context, cfg SMTPConfig, dial func(context.Context, SMTPConfig) (transport, error)) delivery {
	result := delivery{slot: s, letter: *s.letter}
	for {
		if s.conn == nil {
			if s.conn, result.err = dial(ctx, cfg); result.err != nil {
				s.conn, result.failedStage = nil, ""
				return result
			}
			s.isReused = false
		}
		result.isReused = s.isReused
		result.failedStage, result.err = s.transaction(ctx, cfg)
		s.isReused, s.lastUsed = true, cfg.Now()
		if result.err == nil {
			return result
		}
		isLost := !errors.Is(result.err, errClaimLost) && classifyReply(result.failedStage, result.err).isLost
		if isLost || s.conn.Reset() != nil {
			s.closeConn()
		}
		if !isLost || !result.isReused || result.failedStage != atMail || ctx.Err() != nil {
			return result
		}
	}
}

// transaction sends the slot's letter with a time-out. When the daemon stops, the letter gets a short time to finish.
func (s *sendSlot) transaction(ctx context.Context, cfg SMTPConfig) (stage, error) {
	// The limit is the time for three commands, for the letter at 64 KiB per second, and for the reply.
	limit := 3*cfg.CommandTimeout + cfg.SubmissionTimeout + time.Duration(len(s.letter.Raw)>>16)*time.Second
	c := s.conn
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		total := time.NewTimer(limit)
		defer total.Stop()
		select {
		case <-done:
			return
		case <-total.C:
			_ = c.Close()
			return
		case <-ctx.Done():
		}
		t := time.NewTimer(stopGracePeriod)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
			_ = c.Close()
		}
	}()
	at, err := c.deliver(*s.letter)
	close(done)
	<-ended
	return at, err
}

// findSlot returns the slot for the next letter, or nil if the letter has to wait. A slot with an idle connection is
// taken first. An empty slot is taken only if no connection is open, if more letters wait than connections are open,
// or if all letters in flight are slow.
func (s *Sender) findSlot(waiting int) *sendSlot {
	var idle, empty *sendSlot
	open, allSlow := 0, true
	for _, slot := range s.slots {
		switch {
		case slot.isBusy():
			open++
			allSlow = allSlow && s.now().Sub(slot.since) >= slowAfter
		case slot.conn != nil:
			open++
			if idle == nil || slot.lastUsed.After(idle.lastUsed) {
				idle = slot
			}
		case !slot.blockedUntil.After(s.now()):
			empty = slot
		}
	}
	if idle != nil {
		return idle
	}
	if open == 0 || waiting > open || allSlow {
		return empty
	}
	return nil
}

func (s *Sender) hasOtherConnection(excluded *sendSlot) bool {
	for _, slot := range s.slots {
		if slot != excluded && (slot.isBusy() || slot.conn != nil) {
			return true
		}
	}
	return false
}

// handleSlotError handles a failed connection. If another connection is open, it blocks this slot for a while and
// returns nil; otherwise it returns err.
func (s *Sender) handleSlotError(slot *sendSlot, err error) error {
	if !s.hasOtherConnection(slot) {
		return err
	}
	_, pause := slot.backoffs.nextPause(err)
	slot.blockedUntil = s.now().Add(pause)
	s.log.Info("one of several connections failed", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "retry_in",
		pause.Round(time.Millisecond))
	return nil
}

// SendOnce sends a letter that is not in the outbox. It makes a single try.
func SendOnce(ctx context.Context, cfg SMTPConfig, letter Outgoing) error {
	if reason := unsendableReason(letter); reason != "" {
		return errors.New(reason)
	}
	c, err := dialSMTP(ctx, cfg.WithDefaults())
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if at, err := c.deliver(letter); err != nil {
		return errors.Join(fmt.Errorf("at %s: %w", at, err), c.Close())
	}
	return c.Quit()
}
