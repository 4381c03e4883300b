package mail

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/mail/message"
)

// refusal is that the server refuses us, and not a letter.
type refusal struct {
	reason string
	// pause is how long nothing is tried.
	pause time.Duration
}

func (r *refusal) Error() string { return "the server refuses us: " + r.reason }

// letter sends one letter over the kept connection, or over a new one when the
// kept one turns out to be closed.
func (s *Sender) letter(ctx context.Context, o Outgoing) error {
	if s.cfg.Envelope == EnvelopeToken {
		o.EnvelopeFrom = message.ReportAddress(o.EnvelopeFrom, o.LetterID)
	}
	if reason := unsendable(o); reason != "" {
		return s.failed(ctx, o, replyClass{permanent: true, reason: reason})
	}
	for {
		if s.conn == nil {
			c, err := s.dial(ctx, s.cfg)
			if err != nil {
				return err
			}
			s.conn, s.used = c, false
		}
		kept := s.used
		at, err := s.transaction(ctx, o)
		s.used, s.lastUsed = true, s.now()
		if err == nil {
			s.took(o)
			return nil
		}
		v := classifyReply(at, err)
		if v.lost || s.conn.Reset() != nil {
			s.hangUp()
		}
		if at == atDot && v.lost {
			s.limiter.count(s.now())
		}
		if v.lost && ctx.Err() != nil {
			// We hung up, and nobody failed: the letter is tried first thing after
			// the restart.
			return fmt.Errorf("stopped in a letter: %w", err)
		}
		if v.lost && kept && at == atMail {
			continue
		}
		return s.notTaken(ctx, o, at, v, err)
	}
}

// took notes that the server has taken a letter.
func (s *Sender) took(o Outgoing) {
	now := s.now()
	s.limiter.count(now)
	s.unclear.took(o.ID, now)
	s.sent = append(s.sent, o.ID)
	s.backoffs.reset()
	s.refusals.Reset()
}

// notTaken notes that it has not, whoever is to blame.
func (s *Sender) notTaken(ctx context.Context, o Outgoing, at stage, v replyClass, err error) error {
	if v.blame == us || v.blame == either && s.unclear.meansUs(v.code, o.To) {
		return s.refused(ctx, o, v)
	}
	if at == atRcpt && !v.permanent && !(v.blame == either && v.lasting) {
		s.notNow[strings.ToLower(o.To)] = v
	}
	if err := s.failed(ctx, o, v); err != nil {
		return err
	}
	if v.lost {
		// The next letter may fare no better: a server that drops every
		// connection must not be called once for each letter.
		return fmt.Errorf("connection lost in a letter: %w", err)
	}
	s.backoffs.reset()
	return nil
}

// transaction gives a letter all the time it can need and no more, and lets one
// under way end when the daemon stops, but not for long.
func (s *Sender) transaction(ctx context.Context, o Outgoing) (stage, error) {
	// Three commands, the letter at 64 KiB a second, the answer.
	limit := 3*s.cfg.CommandTimeout + s.cfg.SubmissionTimeout + time.Duration(len(o.Raw)>>16)*time.Second
	c := s.conn
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
	at, err := c.deliver(o)
	close(done)
	<-ended
	return at, err
}

func (s *Sender) hangUp() {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	s.conn = nil
}

// failed books a failed try.
func (s *Sender) failed(ctx context.Context, o Outgoing, v replyClass) error {
	now := s.now()
	n := o.Attempts + 1
	switch {
	case v.permanent || o.Early:
	case v.blame == either && !s.unclear.othersTaken(o.ID, now):
		// It may be our account, however long that lasts: no letter is given up by it.
	case v.blame == either && v.lasting && s.unclear.meansLetter(n, now):
		v.permanent = true
	case n >= s.cfg.Retry.Attempts():
		v.permanent = true
		v.reason = fmt.Sprintf("given up after %d tries: %s", n, v.reason)
	}
	if v.permanent {
		s.unclear.forget(o.ID)
	}
	next := now.Add(s.cfg.Retry.Delay(n))
	s.log.Warn("letter was not sent", "id", o.ID, "try", n, "permanent", v.permanent, "reason", message.WithoutAddresses(v.reason))
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Failed(bctx, o.ID, now, next, v.permanent, v.reason); err != nil {
		return fmt.Errorf("booking letter %d as failed: %w", o.ID, err)
	}
	return nil
}

// refused puts a letter off that the server did not take because of us. Its try is
// not counted: else a login that is locked for a week would cost every letter. It
// waits for twice the pause, so that another letter is tried first, also when this one
// is urgent: it may be this one after all.
func (s *Sender) refused(ctx context.Context, o Outgoing, v replyClass) error {
	r := &refusal{reason: v.reason, pause: s.refusals.NextBackOff()}
	now := s.now()
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Deferred(bctx, o.ID, now, now.Add(2*r.pause), v.reason); err != nil {
		return fmt.Errorf("putting letter %d off: %w", o.ID, err)
	}
	return r
}

// book writes down what was sent, also when the daemon is stopping: what is not
// booked is sent again.
func (s *Sender) book(ctx context.Context) error {
	if len(s.sent) == 0 {
		return nil
	}
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Sent(bctx, s.sent, s.now()); err != nil {
		return fmt.Errorf("booking %d sent letters: %w", len(s.sent), err)
	}
	s.sent = nil
	return nil
}
