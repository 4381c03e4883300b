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

// refusal is that the server refuses us, and not a letter.
type refusal struct {
	reason string
	// pause is how long nothing is tried.
	pause time.Duration
}

func (r *refusal) Error() string { return "the server refuses us: " + r.reason }

// reportAddress is where reports on a letter go that name it.
func reportAddress(o Outgoing) string { return message.ReportAddress(o.EnvelopeFrom, o.LetterID) }

// settle takes note of what became of a letter.
func (s *Sender) settle(ctx context.Context, r delivery) error {
	l, o := r.line, r.letter
	l.letter = nil
	if r.err == nil {
		l.backoffs.reset()
		s.took(o)
		return nil
	}
	if errors.Is(r.err, errNotOurs) {
		l.backoffs.reset()
		s.unread = true
		return nil
	}
	if r.at == "" {
		// No letter is blamed for that.
		s.queue = slices.Insert(s.queue, 0, o)
		return s.troubled(l, r.err)
	}
	v := classifyReply(r.at, r.err)
	if r.at == atDot && v.lost {
		s.limiter.count(s.now())
	}
	if v.lost && ctx.Err() != nil {
		// We hung up, and nobody failed: the letter is tried first thing after
		// the restart.
		return fmt.Errorf("stopped in a letter: %w", r.err)
	}
	if v.lost && r.at == atMail && !r.kept && s.others(l) {
		// The server has one connection too many.
		s.queue = slices.Insert(s.queue, 0, o)
		return s.troubled(l, r.err)
	}
	return s.notTaken(ctx, l, o, r.at, v, r.err)
}

// took notes that the server has taken a letter.
func (s *Sender) took(o Outgoing) {
	now := s.now()
	s.limiter.count(now)
	s.unclear.took(o.ID, now)
	s.books.sent = append(s.books.sent, o.ID)
	s.connection.over()
	s.refusal.over()
	s.backoffs.reset()
	s.refusals.Reset()
}

// notTaken notes that it has not, whoever is to blame.
func (s *Sender) notTaken(ctx context.Context, l *line, o Outgoing, at stage, v replyClass, err error) error {
	if v.blame == us || v.blame == either && s.unclear.meansUs(v.code, o.To) {
		return s.refused(ctx, o, v)
	}
	told := v
	if err := s.failed(ctx, o, &v); err != nil {
		return err
	}
	notNow := at == atRcpt && !told.permanent && !(told.blame == either && told.lasting)
	if err := s.holdUp(ctx, o, v.permanent, notNow, told); err != nil {
		return err
	}
	if v.lost {
		// The next letter may fare no better: a server that drops every
		// connection must not be called once for each letter.
		return s.troubled(l, fmt.Errorf("connection lost in a letter: %w", err))
	}
	s.backoffs.reset()
	s.connection.over() // The server listens, and refused this letter alone.
	return nil
}

// holdUp keeps letters of the queue from overtaking one that was not taken. Of a recipient of
// whom the server does not want to hear now it would say the same of each.
func (s *Sender) holdUp(ctx context.Context, o Outgoing, ended, notNow bool, v replyClass) error {
	next := s.now().Add(s.cfg.Retry.Delay(o.Attempts + 1))
	for i := 0; i < len(s.queue); {
		q := s.queue[i]
		var err error
		switch {
		case notNow && strings.EqualFold(q.To, o.To):
			told := v
			err = s.failed(ctx, q, &told)
		case !ended && o.Reader != "" && q.Reader == o.Reader:
			err = s.deferred(ctx, q, next, "an older letter was not taken")
		default:
			i++
			continue
		}
		if err != nil {
			return err
		}
		s.queue.take(i)
	}
	return nil
}

// failed books a failed try. It is for good where v says so, or does so afterwards.
func (s *Sender) failed(ctx context.Context, o Outgoing, v *replyClass) error {
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
		return fmt.Errorf("%w: booking letter %d as failed: %w", errOutbox, o.ID, err)
	}
	return nil
}

// deferred puts a letter off, and counts nothing.
func (s *Sender) deferred(ctx context.Context, o Outgoing, next time.Time, reason string) error {
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Deferred(bctx, o.ID, s.now(), next, reason); err != nil {
		return fmt.Errorf("%w: putting letter %d off: %w", errOutbox, o.ID, err)
	}
	return nil
}

// refused puts a letter off that the server did not take because of us. Its try is
// not counted: else a login that is locked for a week would cost every letter. It
// waits for twice the pause, so that another letter is tried first, also when this one
// is urgent: it may be this one after all.
func (s *Sender) refused(ctx context.Context, o Outgoing, v replyClass) error {
	r := &refusal{reason: v.reason, pause: s.refusals.NextBackOff()}
	if err := s.deferred(ctx, o, s.now().Add(2*r.pause), v.reason); err != nil {
		return err
	}
	return r
}

// slowAfter is for how long letters wait for those on their way before another connection is
// made for them, where it is not made because of their number.
const slowAfter = 5 * time.Second

// line is one connection to the server, or the place for one.
type line struct {
	// letter is on its way since a time; nil for none. Until it has ended the connection
	// is its goroutine's.
	letter *Outgoing
	since  time.Time

	conn     transport
	used     bool
	lastUsed time.Time
	// rests is until when no connection is made here: the last has failed while others did
	// not. Servers bound how many they hold.
	rests    time.Time
	backoffs *backoffs
}

// delivery is what became of a letter that was sent off.
type delivery struct {
	line   *line
	letter Outgoing
	// at is the step that failed; empty where it was the connecting.
	at  stage
	err error
	// kept means that the connection has served others before.
	kept bool
}

func (l *line) busy() bool { return l.letter != nil }

func (l *line) hangUp() {
	if l.conn != nil {
		_ = l.conn.Close()
	}
	l.conn = nil
}

// send sends the line's letter over its kept connection, or over a new one when there is none
// or the kept one turns out to be closed.
func (l *line) send(ctx context.Context, cfg SMTPConfig, dial func(context.Context, SMTPConfig) (transport, error)) delivery {
	o := delivery{line: l, letter: *l.letter}
	for {
		if l.conn == nil {
			if l.conn, o.err = dial(ctx, cfg); o.err != nil {
				l.conn, o.at = nil, ""
				return o
			}
			l.used = false
		}
		o.kept = l.used
		o.at, o.err = l.transaction(ctx, cfg)
		l.used, l.lastUsed = true, cfg.Now()
		if o.err == nil {
			return o
		}
		lost := !errors.Is(o.err, errNotOurs) && classifyReply(o.at, o.err).lost
		if lost || l.conn.Reset() != nil {
			l.hangUp()
		}
		if !lost || !o.kept || o.at != atMail || ctx.Err() != nil {
			return o
		}
	}
}

// transaction gives a letter all the time it can need and no more, and lets one
// under way end when the daemon stops, but not for long.
func (l *line) transaction(ctx context.Context, cfg SMTPConfig) (stage, error) {
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

// free is the line for the next letter, of some that may go: an open connection, or a new one
// where more letters wait than those soon can send, or where they are slow. It is nil where
// the letter has to wait.
func (s *Sender) free(waiting int) *line {
	var idle, empty *line
	open, slow := 0, true
	for _, l := range s.lines {
		switch {
		case l.busy():
			open++
			slow = slow && s.now().Sub(l.since) >= slowAfter
		case l.conn != nil:
			open++
			if idle == nil || l.lastUsed.After(idle.lastUsed) {
				idle = l
			}
		case !l.rests.After(s.now()):
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

// others reports whether another line than one has a connection.
func (s *Sender) others(than *line) bool {
	for _, l := range s.lines {
		if l != than && (l.busy() || l.conn != nil) {
			return true
		}
	}
	return false
}

// troubled is for a line whose connection failed. Where there are others the work goes on, and
// nothing is tried here for a while.
func (s *Sender) troubled(l *line, err error) error {
	if !s.others(l) {
		return err
	}
	_, long := l.backoffs.next(err)
	l.rests = s.now().Add(long)
	s.log.Info("a connection of several failed", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "retry_in",
		long.Round(time.Millisecond))
	return nil
}

// SendOnce hands one letter over that is in no outbox: it is tried once.
func SendOnce(ctx context.Context, cfg SMTPConfig, o Outgoing) error {
	if reason := unsendable(o); reason != "" {
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
