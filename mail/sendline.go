package mail

import (
	"context"
	"errors"
	"time"

	"samizdat/mail/message"
)

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
	s.log.Info("a connection of several failed", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "retry_in", long.Round(time.Millisecond))
	return nil
}
