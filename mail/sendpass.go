package mail

import (
	"context"
	"fmt"
	"time"
)

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
	n := len(due)
	if due, err = s.box.Finish(ctx, due); err != nil {
		return fmt.Errorf("%w: completing letters: %w", errOutbox, err)
	}
	s.unread = full || len(due) < n
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
